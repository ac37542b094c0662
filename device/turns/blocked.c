/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that do not go on: one that waits, during its turn, in a system call
 * that virtual time does not know, as /proc says; and all of them, each waiting
 * for another.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/text.h"
#include "device/turns/turns_private.h"

/* Looks in a row at which a thread was in the same call. */
#define LOOKS 10
/* Pauses of real time until a thread has had a signal, 5 s at most; and the
 * CPU's time that it may take for that. */
#define PAUSE_NS      20000
#define PAUSES        250000
#define SETTLE_CPU_NS 100000000

/* System calls that wait. */
static const struct {
	long number;
	const char *name;
} waiting_calls[] = {
    {SYS_read, "read"},
    {SYS_readv, "readv"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept4"},
    {SYS_connect, "connect"},
    {SYS_futex, "futex"},
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_ppoll, "ppoll"},
    {SYS_pselect6, "pselect6"},
    {SYS_epoll_pwait, "epoll_pwait"},
#ifdef SYS_poll
    {SYS_poll, "poll"},
    {SYS_select, "select"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_pause, "pause"},
#endif
    {SYS_epoll_pwait2, "epoll_pwait2"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_rt_sigsuspend, "rt_sigsuspend"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_openat, "openat"},
    {SYS_ioctl, "ioctl"},
    {SYS_msgrcv, "msgrcv"},
    {SYS_semop, "semop"},
    {SYS_io_getevents, "io_getevents"},
};

/* System calls in which a thread counts as running, however long they take:
 * whoever reads what it writes is outside of the run. */
static const long running_calls[] = {SYS_write, SYS_writev, SYS_pwrite64,
    SYS_pwritev, SYS_sendto, SYS_sendmsg, SYS_sendfile, SYS_splice, SYS_fsync,
    SYS_fdatasync, SYS_close};

static bool
counts_as_running(long call)
{
	for (size_t i = 0; i < sizeof running_calls / sizeof *running_calls;
	     i++)
		if (running_calls[i] == call)
			return true;
	return false;
}

/* Reads the first line of a thread's file in /proc. False: there is none. */
static bool
read_task(pid_t pid, pid_t tid, const char *file, char *line, int size)
{
	char path[80];
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid,
	    (long)tid, file);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	ok = fgets(line, size, f) != NULL;
	fclose(f);
	return ok;
}

/* Returns the letter of a thread's state (proc(5)). */
static char
task_state(const char *stat)
{
	const char *end = strrchr(stat, ')');

	return end != NULL && end[1] == ' ' ? end[2] : 'R';
}

/* Returns the thread to look at. */
static pid_t
task_of(const struct turn_thread *turn)
{
	return turn->tid != 0 ? turn->tid : turn->process->pid;
}

/* True if a thread has nothing to do but to wait, or has ended. */
static bool
is_at_rest(const struct turn_thread *turn)
{
	pid_t pid = turn->process->pid;
	char line[512], state, *end;
	long call;

	if (turn->tid == 0 ||
	    !read_task(pid, turn->tid, "stat", line, sizeof line))
		return true;
	state = task_state(line);
	if (state == 'R' || state == 'D')
		return false;
	/* Not for a moment only, as one that looks whether it must wait. */
	if (!read_task(pid, turn->tid, "syscall", line, sizeof line))
		return true;
	call = strtol(line, &end, 10);
	return end != line && !counts_as_running(call);
}

/* Returns the CPU's time that a thread has taken, in ns; 0: it is not known. */
static uint64_t
cpu_time(const struct turn_thread *turn)
{
	char line[128];

	if (!read_task(
		turn->process->pid, turn->tid, "schedstat", line, sizeof line))
		return 0;
	return strtoull(line, NULL, 10);
}

static void
settle_thread(const struct turn_thread *turn)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	uint64_t began_ns;

	if (is_at_rest(turn))
		return;
	began_ns = cpu_time(turn);
	for (unsigned i = 0; i < PAUSES && !is_at_rest(turn); i++) {
		/* On a busy machine it may wait for a CPU for long. */
		if (cpu_time(turn) - began_ns > SETTLE_CPU_NS)
			return;
		nanosleep(&pause, NULL);
	}
}

void
turns_settle(const struct turn_order *ts)
{
	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t != ts->running)
			settle_thread(t);
}

static void
name_thread(const struct turn_thread *turn, struct text *why)
{
	char name[32] = "?";

	read_task(turn->process->pid, task_of(turn), "comm", name, sizeof name);
	name[strcspn(name, "\n")] = '\0';
	text_addf(why, "%s (pid %ld, thread %u)", name,
	    (long)turn->process->pid, (unsigned)turn->number);
}

static void
name_call(long call, struct text *why)
{
	for (size_t i = 0; i < sizeof waiting_calls / sizeof *waiting_calls;
	     i++)
		if (waiting_calls[i].number == call) {
			text_adds(why, waiting_calls[i].name);
			return;
		}
	text_addf(why, "system call %ld", call);
}

/* True if a thread of the process runs, or would if it had a CPU: one that ends,
 * out of turn, for which another waits. */
static bool
any_task_runs(pid_t pid)
{
	char path[64], stat[512];
	const struct dirent *entry;
	bool runs = false;
	DIR *tasks;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	tasks = opendir(path);
	if (tasks == NULL)
		return false;
	while (!runs && (entry = readdir(tasks)) != NULL) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && read_task(pid, tid, "stat", stat, sizeof stat))
			runs = task_state(stat) == 'R' ||
			    task_state(stat) == 'D';
	}
	closedir(tasks);
	return runs;
}

bool
turns_blocked(struct turn_order *ts, struct text *why)
{
	const struct turn_thread *turn = ts->running;
	char call[sizeof ts->look], stat[512];
	char *end;
	long number;

	if (turn == NULL ||
	    !read_task(
		turn->process->pid, task_of(turn), "stat", stat, sizeof stat) ||
	    !read_task(turn->process->pid, task_of(turn), "syscall", call,
		sizeof call))
		return false;
	number = strtol(call, &end, 10);
	if (end == call || task_state(stat) != 'S' ||
	    counts_as_running(number) || any_task_runs(turn->process->pid)) {
		ts->n_looks = 0;
		return false;
	}
	if (ts->looks_given != ts->n_given || strcmp(ts->look, call) != 0)
		ts->n_looks = 0;
	ts->looks_given = ts->n_given;
	strcpy(ts->look, call);
	if (++ts->n_looks < LOOKS)
		return false;
	name_thread(turn, why);
	text_adds(why, " waits in ");
	name_call(number, why);
	text_adds(why,
	    ", which virtual time does not serve: run it without "
	    "--virtual-time");
	return true;
}

static const char *
wait_name(const struct turn_thread *turn)
{
	if (!turn->by_message)
		return "the device";
	switch (turn->wait) {
	case WIRE_WAIT_TIME:
	case WIRE_WAIT_CPU: return "a time that does not come";
	case WIRE_WAIT_KEY: return "a lock";
	case WIRE_WAIT_NEWS: return "a descriptor";
	case WIRE_WAIT_CHILD: return "a child";
	case WIRE_WAIT_END: return "the end of a thread";
	case N_WIRE_WAITS: break;
	}
	return "nothing";
}

void
turns_explain(const struct turn_order *ts, struct text *why)
{
	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next) {
		text_adds(why, t == ts->first ? "" : ", ");
		name_thread(t, why);
		text_addf(why, " waits for %s", wait_name(t));
	}
}
