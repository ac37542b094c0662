/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals in virtual time. One interrupts threads in their waits, not on the way
 * there; what its handlers do comes before anything else.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "device/preload/looks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Before a signal is sent. Returns whether it is sent in a turn. */
static bool
send_begins(int signal)
{
	bool in_turn = turn_taking && signal != 0;

	if (in_turn)
		turn_signals();
	return in_turn;
}

/* Returns the result of sending. */
static int
send_ends(bool in_turn, int result)
{
	int e = errno;

	if (in_turn && result == 0)
		turn_signals();
	errno = e;
	return result;
}

int
kill(pid_t pid, int signal)
{
	bool in_turn = send_begins(signal);

	return send_ends(in_turn, real()->kill(pid, signal));
}

int
killpg(pid_t group, int signal)
{
	bool in_turn = send_begins(signal);

	return send_ends(in_turn, real()->killpg(group, signal));
}

int
sigqueue(pid_t pid, int signal, const union sigval value)
{
	bool in_turn = send_begins(signal);

	return send_ends(in_turn, real()->sigqueue(pid, signal, value));
}

int
tgkill(pid_t pid, pid_t tid, int signal)
{
	bool in_turn = send_begins(signal);

	return send_ends(in_turn, real()->tgkill(pid, tid, signal));
}

int
pthread_kill(pthread_t thread, int signal)
{
	bool in_turn = send_begins(signal);

	return send_ends(in_turn, real()->pthread_kill(thread, signal));
}

/* Waits for signals. */

struct signal_look {
	const sigset_t *set;
	siginfo_t *info;
};

static int
look_signal(void *data, const sigset_t *mask)
{
	const struct signal_look *l = data;
	const struct timespec none = {0};
	int signal = real()->sigtimedwait(l->set, l->info, &none);

	(void)mask;
	return signal < 0 && errno == EAGAIN ? 0 : signal;
}

int
sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
    const struct timespec *restrict t)
{
	struct signal_look look = {set, info};
	int signal;

	if (!turn_taking)
		return real()->sigtimedwait(set, info, t);
	signal = look_until(
	    t != NULL ? turn_after(t) : WIRE_NEVER, NULL, look_signal, &look);
	if (signal == 0) {
		errno = EAGAIN;
		return -1;
	}
	return signal;
}

int
sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return turn_taking ? sigtimedwait(set, info, NULL)
			   : real()->sigwaitinfo(set, info);
}

int
sigwait(const sigset_t *restrict set, int *restrict signal)
{
	int got, e = errno;

	if (!turn_taking)
		return real()->sigwait(set, signal);
	do
		got = sigtimedwait(set, NULL, NULL);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	errno = e;
	*signal = got;
	return 0;
}
