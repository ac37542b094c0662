/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server, a virtual device and its files as one. */
#include "device/service/service_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/model/virtual.h"
#include "device/serve/address.h"
#include "device/serve/server.h"
#include "device/service/runs.h"
#include "device/streamer/streamer.h"
#include "device/tree/tree.h"
#include "device/turns/turns.h"
#include "engine/backend.h"
#include "engine/sim.h"

#define REQUESTS_AT_A_TIME 256
/* How late timers may be: each would delay a program. Linux's default is 50 us. */
#define TIMER_SLACK_NS 1
/* Lines about unknown commands, over all programs. */
#define UNKNOWN_LINES 8
/* The device's time at first, in virtual time: programs take 0 for none. */
#define FIRST_NS (1000 * NSEC_PER_SEC)

static nsec
service_now(const struct service *s)
{
	const struct service_settings *settings = &s->settings;

	if (settings->in_turns)
		return s->turns != NULL ? turns_now(s->turns) : FIRST_NS;
	return settings->clock != NULL ? settings->clock(settings->data)
				       : clock_wall();
}

static uint64_t
advance_device(void *data)
{
	struct service *s = data;

	/* In virtual time when all threads wait. */
	if (s->turns != NULL)
		return turns_now(s->turns);
	return virtual_advance(s->device, service_now(s));
}

static void
pass_problem(void *data, const char *line)
{
	const struct service *s = data;

	s->settings.problem(s->settings.data, line);
}

static void
join_service(void *data, long pid, struct text *root)
{
	struct service *s = data;

	runs_join(&s->runs, pid);
	text_adds(root, text_str(&s->root));
}

static void
leave_service(void *data, long pid)
{
	runs_leave(&((struct service *)data)->runs, pid);
}

static void
note_program(void *data, long run, long pid)
{
	runs_add_program(&((struct service *)data)->runs, run, pid);
}

static void
summarize_run(void *data, long pid, struct text *lines)
{
	runs_summary(&((struct service *)data)->runs, pid, lines);
}

static const struct server_run_ops service_run_ops = {
    .join = join_service,
    .leave = leave_service,
    .program = note_program,
    .summary = summarize_run,
};

static const struct server_ops service_server_ops = {
    .advance = advance_device,
    .problem = pass_problem,
    .runs = &service_run_ops,
};

/* Appends the folder for the device's files, which its socket's path names. */
static void
root_of_socket(const char *socket, struct text *root)
{
	const char *name = strrchr(socket, '/') + 1;
	struct text folder = {0}, device = {0};

	text_add(&folder, socket, (size_t)(name - socket));
	text_add(&device, name, (size_t)(strrchr(name, '.') - name));
	address_root(text_str(&folder), text_str(&device), root);
	text_free(&folder);
	text_free(&device);
}

/* Writes the device's files. */
static bool
write_tree(struct service *s, struct text *err)
{
	struct tree_device device;

	root_of_socket(server_path(s->server), &s->root);
	if (!tree_remove(text_str(&s->root), err))
		return false;
	if (mkdir(text_str(&s->root), 0700) < 0) {
		text_addf(err, "can't make %s: %s", text_str(&s->root),
		    strerror(errno));
		return false;
	}
	return virtual_tree(s->device, &device, err) &&
	    tree_write(text_str(&s->root), &device, err);
}

/* Opens all parts, in the order in which they need each other. */
static bool
open_parts(struct service *s, struct text *err)
{
	char own_name[32];
	const char *name = s->settings.name;

	snprintf(own_name, sizeof(own_name), "run-%ld", (long)getpid());
	s->server = server_open(name != NULL ? name : own_name,
	    s->settings.privileged, &service_server_ops, s, err);
	if (s->server == NULL)
		return false;
	backend_set_open(s->sim, true);
	s->device = virtual_new(
	    s->sim, server_host(s->server), service_now(s) - s->sim->now, err);
	if (s->device == NULL)
		return false;
	virtual_tell_endless(s->device, pass_problem, s);
	server_attach(s->server, virtual_i915(s->device));
	if (s->settings.in_turns)
		service_begin_turns(s);
	return write_tree(s, err);
}

/* Returns how many descriptors the kernel lets a process have at most; 0: not
 * known. */
static rlim_t
most_descriptors(void)
{
	FILE *f = fopen("/proc/sys/fs/nr_open", "re");
	char line[32] = "";

	if (f == NULL)
		return 0;
	if (fgets(line, sizeof line, f) == NULL)
		line[0] = '\0';
	fclose(f);
	return (rlim_t)strtoull(line, NULL, 10);
}

/* Lets this process have as many descriptors as it may; each object of programs is
 * one. Root goes beyond its hard limit. Returns what the limit was. */
static struct rlimit
raise_descriptors(void)
{
	struct rlimit before = {0}, most;
	rlim_t all = most_descriptors();

	if (getrlimit(RLIMIT_NOFILE, &before) != 0)
		return before;
	most = before;
	if (most.rlim_max < all)
		most.rlim_max = all;
	most.rlim_cur = most.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &most) == 0)
		return before;
	most.rlim_cur = most.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
	return before;
}

struct service *
service_open(
    struct sim *sim, const struct service_settings *settings, struct text *err)
{
	struct service *s = mem_calloc(1, sizeof(*s));

	s->settings = *settings;
	s->sim = sim;
	s->timer_slack = prctl(PR_GET_TIMERSLACK);
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	s->descriptors = raise_descriptors();
	runs_begin(&s->runs, sim);
	if (open_parts(s, err))
		return s;
	service_close(s);
	return NULL;
}

void
service_close(struct service *s)
{
	struct text err = {0};

	if (s == NULL)
		return;
	if (s->timer_slack > 0)
		prctl(PR_SET_TIMERSLACK, s->timer_slack);
	if (s->server != NULL)
		server_attach(s->server, NULL);
	virtual_free(s->device);
	/* While the name is this device's. */
	if (s->root.len > 0 && !tree_remove(text_str(&s->root), &err))
		pass_problem(s, text_str(&err));
	server_close(s->server);
	/* Removing files takes descriptors. */
	if (s->descriptors.rlim_cur > 0)
		setrlimit(RLIMIT_NOFILE, &s->descriptors);
	runs_end(&s->runs);
	text_free(&s->root);
	text_free(&err);
	free(s);
}

const char *
service_path(const struct service *s)
{
	return server_path(s->server);
}

const char *
service_root(const struct service *s)
{
	return text_str(&s->root);
}

struct virtual_device *
service_device(struct service *s)
{
	return s->device;
}

size_t
service_connections(const struct service *s)
{
	return server_connections(s->server);
}

int
service_fd(const struct service *s)
{
	return server_fd(s->server);
}

nsec
service_next(struct service *s)
{
	return virtual_next(s->device);
}

/* Reports a command that the command streamer has skipped, unless it is the one
 * that was reported last. */
static void
report_unknown(struct service *s)
{
	const struct streamer_counts *counts = virtual_counts(s->device);
	struct text line = {0};

	if (counts->unknown == 0 || s->n_unknown == UNKNOWN_LINES ||
	    (s->n_unknown > 0 && s->unknown == counts->unknown_last))
		return;
	s->n_unknown++;
	s->unknown = counts->unknown_last;
	text_addf(&line,
	    "batches contain a command that is not known here: 0x%08" PRIx32
	    "; it is skipped",
	    s->unknown);
	pass_problem(s, text_str(&line));
	text_free(&line);
}

bool
service_work(struct service *s, unsigned max_requests)
{
	bool more;

	if (!s->settings.in_turns)
		virtual_forget_stall(s->device, service_now(s));
	advance_device(s);
	more = server_work(s->server, max_requests);
	report_unknown(s);
	return more;
}

void
service_settle(struct service *s)
{
	while (service_work(s, REQUESTS_AT_A_TIME))
		continue;
	advance_device(s);
	report_unknown(s);
}

bool
service_launch(
    struct service *s, struct launched *p, struct launch *how, struct text *err)
{
	struct text library = {0};
	bool ok = launch_library(&library, err);

	if (ok) {
		how->library = text_str(&library);
		how->socket = service_path(s);
		how->root = service_root(s);
		how->in_turns = s->settings.in_turns;
		how->timer_slack = s->timer_slack;
		how->descriptors = s->descriptors;
		ok = launch_start(p, how, err);
		how->library = how->socket = how->root = NULL;
	}
	text_free(&library);
	return ok;
}
