/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signal handlers, and giving back the terminal whatever ends the program.
 * Handlers use signal_state and functions that are async-signal-safe only.
 */
#include "tui/terminal/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	int pipe[2];
	volatile sig_atomic_t death, stop, resume, resize;
	/* this program has set up the terminal */
	volatile sig_atomic_t holding;
	/* the child to end with this program; 0: none */
	volatile sig_atomic_t child;
	volatile sig_atomic_t lent; /* the terminal is lent to the child */
	int fd;
	struct termios modes;
	char reset[SIGNALS_MAX_RESET];
	size_t reset_len;
	const char *rescue; /* sent before reset after a child was ended */
} signal_state;

/* Signals that ask for the end; further ones and all real-time signals end a
 * program by default too. */
static const int asking[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
    SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT};
/* Signals of a crash. */
static const int fatal[] = {
    SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGXCPU};

#define N(array) (sizeof(array) / sizeof(*(array)))

static void
wake_loop(void)
{
	/* A full pipe wakes the loop too. */
	ssize_t n = write(signal_state.pipe[1], "", 1);

	(void)n;
}

/* Gives up on a terminal that takes nothing for a second. */
static void
write_to_terminal(int fd, const char *s, size_t len)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	int tries = 10;

	while (len > 0 && tries > 0) {
		ssize_t n = write(fd, s, len);

		if (n > 0) {
			s += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			tries--;
			poll(&p, 1, 100);
		} else if (n == 0 || errno != EINTR) {
			return;
		}
	}
}

/* tcsetattr() and tcsetpgrp() would stop a process in the background. */
static void
block_ttou(sigset_t *old)
{
	sigset_t ttou;

	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	sigprocmask(SIG_BLOCK, &ttou, old);
}

static void
reset_terminal(void)
{
	sigset_t old;

	block_ttou(&old);
	write_to_terminal(
	    signal_state.fd, signal_state.reset, signal_state.reset_len);
	tcsetattr(signal_state.fd, TCSANOW, &signal_state.modes);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void
signals_give_back(void)
{
	if (!signal_state.holding)
		return;
	signal_state.holding = 0;
	reset_terminal();
}

void
signals_foreground(int fd, pid_t group)
{
	sigset_t old;

	block_ttou(&old);
	tcsetpgrp(fd, group);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void
signals_take_foreground(int fd, pid_t child)
{
	pid_t has = tcgetpgrp(fd);

	if (has == child || (has > 0 && kill(-has, 0) < 0 && errno == ESRCH))
		signals_foreground(fd, getpgrp());
}

#define LOOK_MS  10
#define MAX_LOOK 100 /* times LOOK_MS */

static bool
is_gone(pid_t child)
{
	while (waitpid(-child, NULL, WNOHANG) > 0)
		;
	return kill(-child, 0) < 0 && errno == ESRCH;
}

static bool
wait_for_end(pid_t child)
{
	for (int i = 0; i < MAX_LOOK; i++) {
		if (is_gone(child))
			return true;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

/* Ends the process group that the child leads: TERM, with CONT for stopped
 * processes, and KILL after a second. Reaps the child. Safe in handlers; errno
 * is unchanged. */
static void
group_end(pid_t child)
{
	int saved = errno;

	/* Adopts the children of the child, so that they can be reaped: an init
	 * process that reaps late would leave them in the group. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kill(-child, SIGTERM);
	kill(-child, SIGCONT);
	if (!wait_for_end(child)) {
		kill(-child, SIGKILL);
		wait_for_end(child);
	}
	errno = saved;
}

static void
take_terminal_back(pid_t child)
{
	signals_take_foreground(signal_state.fd, child);
	if (tcgetpgrp(signal_state.fd) != getpgrp())
		return;
	if (signal_state.rescue != NULL)
		write_to_terminal(signal_state.fd, signal_state.rescue,
		    strlen(signal_state.rescue));
	reset_terminal();
}

/* Forgets the child last, so that a signal in the middle repeats it all. */
void
signals_end_child(void)
{
	pid_t child = signal_state.child;

	if (child == 0)
		return;
	group_end(child);
	if (signal_state.lent)
		take_terminal_back(child);
	signal_state.child = signal_state.lent = 0;
}

void
signals_hold_terminal(int fd, const struct termios *modes, const char *reset,
    size_t len, const char *rescue)
{
	if (len > sizeof(signal_state.reset))
		len = sizeof(signal_state.reset);
	signal_state.fd = fd;
	signal_state.modes = *modes;
	memcpy(signal_state.reset, reset, len);
	signal_state.reset_len = len;
	signal_state.rescue = rescue;
	/* A handler that sees holding set must see the rest too. */
	atomic_signal_fence(memory_order_release);
	signal_state.holding = 1;
}

void
signals_die(int sig)
{
	struct sigaction sa = {.sa_handler = SIG_DFL};
	sigset_t set;

	signals_end_child();
	signals_give_back();
	sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig); /* the signal does not end a process here */
}

static void
on_fatal(int sig)
{
	signals_die(sig);
}

static void
on_asking(int sig)
{
	int saved = errno;

	/* The second signal: the loop does not respond. */
	if (signal_state.death != 0)
		signals_die(sig);
	signal_state.death = sig;
	wake_loop();
	errno = saved;
}

static void
on_event(int sig)
{
	int saved = errno;

	if (sig == SIGTSTP)
		signal_state.stop = 1;
	else if (sig == SIGCONT)
		signal_state.resume = 1;
	else if (sig == SIGWINCH)
		signal_state.resize = 1;
	wake_loop();
	errno = saved;
}

static void
handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags};

	sigfillset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

/* A stack overflow is handled on a stack of its own. */
static void
install_fatal(void)
{
	static char room[32768];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < N(fatal); i++)
		handle(fatal[i], on_fatal, SA_ONSTACK | SA_RESETHAND);
}

/* Signals are handled even if the parent ignored them: shells without job
 * control ignore INT and QUIT for background processes. */
bool
signals_install(void)
{
	if (pipe2(signal_state.pipe, O_NONBLOCK | O_CLOEXEC) < 0)
		return false;
	/* Libraries call exit(), such as readline without memory. */
	atexit(signals_give_back);
	install_fatal();
	for (size_t i = 0; i < N(asking); i++)
		handle(asking[i], on_asking, SA_RESTART);
	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		handle(sig, on_asking, SA_RESTART);
	handle(SIGTSTP, on_event, SA_RESTART);
	handle(SIGCONT, on_event, SA_RESTART);
	handle(SIGWINCH, on_event, SA_RESTART);
	handle(SIGPIPE, SIG_IGN, 0);
	handle(SIGXFSZ, SIG_IGN, 0); /* write() fails with EFBIG then */
	return true;
}

int
signals_fd(void)
{
	return signal_state.pipe[0];
}

int
signals_death(void)
{
	char buf[64];

	while (read(signal_state.pipe[0], buf, sizeof(buf)) > 0)
		;
	return signal_state.death;
}

/* A signal after the test is kept for the next call; one between the test and
 * clearing is covered by what the caller does now. */
static bool
test_and_clear(volatile sig_atomic_t *flag)
{
	bool seen = *flag != 0;

	if (seen)
		*flag = 0;
	return seen;
}

struct signals_seen
signals_take(void)
{
	struct signals_seen seen;

	seen.death = signals_death();
	seen.stop = test_and_clear(&signal_state.stop);
	seen.resume = test_and_clear(&signal_state.resume);
	seen.resize = test_and_clear(&signal_state.resize);
	return seen;
}

void
signals_expect_child(void)
{
	handle(SIGCHLD, on_event, SA_RESTART);
}

void
signals_lend(pid_t child, bool foreground)
{
	signal_state.lent = foreground;
	signal_state.child = child;
}

void
signals_reclaim(void)
{
	signal_state.child = signal_state.lent = 0;
	signal(SIGCHLD, SIG_DFL);
	wake_loop(); /* for signals that came meanwhile */
}

void
signals_stop(void)
{
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	handle(SIGTSTP, on_event, SA_RESTART);
}

void
signals_stop_all(void)
{
	signal(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP);
	handle(SIGTSTP, on_event, SA_RESTART);
}
