/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes of a run, each watched for its end: its threads may hang up before,
 * when it begins another program.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/turns/turns_private.h"

static struct turn_process *
find_process(const struct turn_order *ts, pid_t pid)
{
	struct turn_process *p = ts->processes;

	while (p != NULL && p->pid != pid)
		p = p->next;
	return p;
}

static void
forget_process(struct turn_order *ts, struct turn_process *p)
{
	struct turn_process **at = &ts->processes;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	turns_timers_of_process(ts, p, false);
	watches_remove(ts->watches, &p->end);
	if (p->end.fd >= 0)
		close(p->end.fd);
	free(p);
}

/* A process has ended: so have its threads. */
static void
process_ended(struct fd_watch *w, uint32_t events)
{
	struct turn_process *p = container_of(w, struct turn_process, end);
	struct turn_order *ts = p->turns;
	bool connected = false;

	(void)events;
	for (struct turn_thread *t = ts->first, *next; t != NULL; t = next) {
		next = t->next;
		if (t->process != p)
			continue;
		connected |= t->owner != NULL;
		if (t->owner != NULL)
			ts->ops->hang_up(t->owner);
		else
			turn_free(ts, t);
	}
	/* Hangups of its threads come first. */
	if (!connected) {
		forget_process(ts, p);
		ts->n_ended++;
		ts->child_news++;
	}
	turns_news(ts);
}

struct turn_process *
turns_process_of(struct turn_order *ts, pid_t pid)
{
	struct turn_process *p = find_process(ts, pid), **at = &ts->processes;

	if (p != NULL)
		return p;
	p = mem_calloc(1, sizeof *p);
	p->number = ++ts->last_process;
	p->pid = pid;
	p->turns = ts;
	p->end = (struct fd_watch){
	    .fd = pidfd_open(pid, 0), .ready = process_ended};
	if (p->end.fd >= 0)
		watches_add(ts->watches, &p->end, EPOLLIN);
	while (*at != NULL)
		at = &(*at)->next;
	*at = p;
	return p;
}

uint32_t
turns_ended(const struct turn_order *ts)
{
	return ts->n_ended;
}

uint32_t
turns_process(const struct turn_order *ts, pid_t pid)
{
	const struct turn_process *p = find_process(ts, pid);

	return p != NULL ? p->number : 0;
}

/* True if a process exists and has not ended. */
static bool
has_not_ended(pid_t pid)
{
	char path[64], state = 'X';
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'R'; /* a name with a ')' */
	fclose(f);
	return state != 'Z' && state != 'X';
}

/* Makes a turn for a child that has none. False: it has ended. */
static bool
find_child(struct turn_order *ts, pid_t child)
{
	if (find_process(ts, child) != NULL)
		return true;
	if (!has_not_ended(child))
		return false;
	turn_new(ts, turns_process_of(ts, child));
	return true;
}

bool
turns_find_children(struct turn_order *ts, pid_t pid)
{
	char path[64], *line = NULL, *next;
	bool any_ended = false;
	size_t size = 0;
	pid_t child;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid,
	    (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	if (getline(&line, &size, f) > 0)
		for (next = line; (child = (pid_t)strtol(next, &next, 10)) > 0;)
			any_ended |= !find_child(ts, child);
	free(line);
	fclose(f);
	return any_ended;
}

void
turns_signal(const struct turn_order *ts, int signal)
{
	for (const struct turn_process *p = ts->processes; p != NULL;
	     p = p->next)
		kill(p->pid, signal);
}

void
turns_processes_free(struct turn_order *ts)
{
	while (ts->processes != NULL)
		forget_process(ts, ts->processes);
}
