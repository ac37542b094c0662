/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process in which libtracecmd reads a trace.dat of version 7: the library
 * trusts its files, and a broken one must end no more than that process.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/import/dat_private.h"

#define READ_BYTES    ((size_t)64 << 10)
#define WAKE_MS       200 /* at most, between calls of progress */
#define BYTES_BETWEEN ((uint64_t)4 << 20) /* of records, at most */
#define LEAST_MEMORY  ((uint64_t)2 << 30)

/* The child, and bytes of its messages. */
struct receiver {
	struct dat *dat;
	pid_t pid;
	int fd;
	struct text in;
	char *bytes;   /* READ_BYTES */
	size_t at;     /* in in */
	uint64_t told; /* bytes, by progress */
	bool has_end;  /* the last message came */
	bool has_fail; /* err says why */
};

static void
limit_library(int resource, uint64_t most)
{
	struct rlimit old;

	if (getrlimit(resource, &old) == 0 && most < old.rlim_max)
		setrlimit(resource, &(struct rlimit){most, most});
}

/* A broken file may let the library loop, or ask for any memory. */
static void
limit_child(uint64_t size)
{
	limit_library(RLIMIT_CORE, 0);
	limit_library(RLIMIT_CPU, 60 + size / (256 << 10));
#ifndef GPUWL_SANITIZERS
	limit_library(RLIMIT_DATA, LEAST_MEMORY + 16 * size);
#endif
}

static void
become_child(struct dat *d, pid_t parent, int fd)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
	    SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
	int nothing = open("/dev/null", O_RDWR);
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		_exit(1);
	limit_child(d->size);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	dat_send_by_library(d, fd);
	_exit(0);
}

static bool
fail_library(const struct receiver *r, const char *why, size_t len)
{
	struct dat *d = r->dat;

	text_add_visible(d->err, d->source->path, strlen(d->source->path));
	text_adds(d->err, ": ");
	text_add(d->err, why, len);
	return false;
}

static bool
start_library(struct receiver *r)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return fail_library(
		    r, strerror(errno), strlen(strerror(errno)));
	r->pid = fork();
	if (r->pid == 0) {
		close(ends[0]);
		become_child(r->dat, parent, ends[1]);
	}
	close(ends[1]);
	r->fd = ends[0];
	if (r->pid > 0)
		return true;
	fail_library(r, strerror(errno), strlen(strerror(errno)));
	close(r->fd);
	return false;
}

/* Sets s to the next bytes of a message. False: they have not come yet. */
static bool
take_sent(const struct receiver *r, size_t *at, struct slice *s)
{
	if (s->len > r->in.len - *at)
		return false;
	s->s = r->in.data + *at;
	*at += s->len;
	return true;
}

/* Takes a message. False: it is not whole yet. */
static bool
take_message(struct receiver *r)
{
	struct import *im = r->dat->im;
	struct dat_message m;
	size_t at = r->at + sizeof(m);

	if (r->in.len - r->at < sizeof(m))
		return false;
	memcpy(&m, r->in.data + r->at, sizeof(m));
	if (!take_sent(r, &at, &m.e.comm) || !take_sent(r, &at, &m.e.name))
		return false;
	for (unsigned i = 0; i < N_READ_TEXTS; i++)
		if (!take_sent(r, &at, &m.e.texts[i]))
			return false;
	r->at = at;
	im->counts.n_lost += m.n_lost;
	r->dat->source->done = m.n_bytes;
	if (m.kind == DAT_EVENT) {
		dat_hand_over(im, &m.e);
	} else if (m.kind == DAT_FAIL) {
		r->has_fail = true;
		fail_library(r, m.e.comm.s, m.e.comm.len);
	}
	r->has_end = m.kind != DAT_EVENT;
	return true;
}

/* Reads what has come. False: it was the end. */
static bool
receive_events(struct receiver *r)
{
	ssize_t n;

	do
		n = read(r->fd, r->bytes, READ_BYTES);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	text_add(&r->in, r->bytes, (size_t)n);
	while (!r->has_end && take_message(r))
		;
	memmove(r->in.data, r->in.data + r->at, r->in.len - r->at);
	r->in.len -= r->at;
	r->at = 0;
	return !r->has_end;
}

/* False: the user stops. How large the file is without compression is not
 * known. */
static bool
wait_for_child(struct receiver *r)
{
	const struct import_options *o = &r->dat->im->options;
	uint64_t done = r->dat->source->done;
	struct pollfd p = {.fd = r->fd, .events = POLLIN};

	for (;;) {
		bool has_come = poll(&p, 1, WAKE_MS) > 0;

		if (o->progress != NULL &&
		    (!has_come || done - r->told >= BYTES_BETWEEN)) {
			r->told = done;
			if (!o->progress(o->progress_data, done, 0))
				return false;
		}
		if (has_come)
			return true;
	}
}

/* Appends how the child ended without a last message. */
static bool
say_library_end(const struct receiver *r, int status)
{
	struct text why = {0};

	text_addf(&why, "libtracecmd ended behind %" PRIu64 " bytes of events",
	    r->dat->source->done);
	if (WIFSIGNALED(status))
		text_addf(&why, " by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	text_adds(&why, ": the file is cut off or broken");
	fail_library(r, text_str(&why), why.len);
	text_free(&why);
	return false;
}

bool
dat_read_by_library(struct dat *d)
{
	struct receiver r = {.dat = d};
	bool goes_on = true;
	int status = 0;

	if (!start_library(&r))
		return false;
	r.bytes = mem_calloc(READ_BYTES, 1);
	do
		goes_on = wait_for_child(&r);
	while (goes_on && receive_events(&r));
	close(r.fd);
	text_free(&r.in);
	free(r.bytes);
	if (!r.has_end)
		kill(r.pid, SIGKILL);
	while (waitpid(r.pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!goes_on)
		return fail_library(&r, "stopped", 7);
	return r.has_end ? !r.has_fail : say_library_end(&r, status);
}
