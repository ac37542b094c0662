/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that tests run in virtual time (tests/cli/virtual_time.cases): each
 * word of its arguments is a scene, whose lines have the time in us since the
 * scene began.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/scene.h"

#define MS 1000

/* Threads that sleep, in the order of their creation where they wake together. */

static void *
sleeper(void *data)
{
	const char *name = data;

	for (int i = 0; i < 2; i++) {
		usleep((useconds_t)(name[0] - '0') * MS);
		say(name);
	}
	return NULL;
}

static void
scene_threads(void)
{
	static const char *const names[] = {"2 first", "1 second", "2 third"};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(
		    &threads[i], NULL, sleeper, (void *)(uintptr_t)names[i]);
	say("created");
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	say("joined");
}

/* A mutex that is held for a while, a condition and a semaphore. */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int stage;

static void *
holder(void *data)
{
	(void)data;
	pthread_mutex_lock(&mutex);
	usleep(5 * MS);
	say("unlocks");
	pthread_mutex_unlock(&mutex);
	usleep(5 * MS);
	pthread_mutex_lock(&mutex);
	stage = 1;
	say("signals");
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	usleep(5 * MS);
	say("posts");
	sem_post(&semaphore);
	return NULL;
}

static void
scene_locks(void)
{
	struct timespec t;
	pthread_t thread;

	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, holder, NULL);
	usleep(1 * MS);
	pthread_mutex_lock(&mutex);
	say("locked");
	while (stage == 0)
		pthread_cond_wait(&condition, &mutex);
	say("signalled");
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 2 * 1000 * MS;
	while (pthread_cond_timedwait(&condition, &mutex, &t) != ETIMEDOUT)
		continue;
	say("timed out");
	pthread_mutex_unlock(&mutex);
	sem_wait(&semaphore);
	say("taken");
	pthread_join(thread, NULL);
}

/* Descriptors: timeouts, a pipe that another thread writes to, timers. */

static int ends[2];

static void *
writer(void *data)
{
	(void)data;
	usleep(7 * MS);
	say("writes");
	if (write(ends[1], "x", 1) != 1)
		say("cannot write");
	return NULL;
}

static void
wait_with_select(void)
{
	struct timeval tv = {.tv_usec = 4 * MS};
	fd_set in;

	FD_ZERO(&in);
	FD_SET(ends[0], &in);
	say(select(ends[0] + 1, &in, NULL, NULL, &tv) == 0 ? "select timed out"
							   : "select");
}

static void
scene_poll(void)
{
	struct pollfd fd = {.events = POLLIN};
	pthread_t thread;
	char byte;

	if (pipe(ends) != 0)
		return;
	fd.fd = ends[0];
	say(poll(&fd, 1, 3) == 0 ? "poll timed out" : "poll");
	wait_with_select();
	pthread_create(&thread, NULL, writer, NULL);
	say(poll(&fd, 1, -1) == 1 && read(ends[0], &byte, 1) == 1
		? "poll sees the byte"
		: "poll");
	pthread_join(thread, NULL);
}

static void
scene_timers(void)
{
	struct itimerspec set = {.it_value = {.tv_nsec = 10 * 1000 * MS},
	    .it_interval = {.tv_nsec = 4 * 1000 * MS}};
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(0),
	    timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t n = 0;

	epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
	timerfd_settime(timer, 0, &set, NULL);
	say(epoll_wait(epoll, &event, 1, 5) == 0 ? "not yet" : "early");
	say(epoll_wait(epoll, &event, 1, -1) == 1 ? "expired" : "failed");
	usleep(9 * MS);
	if (read(timer, &n, sizeof n) == sizeof n)
		printf("%llu times\n", (unsigned long long)n);
	if (read(timer, &n, sizeof n) == sizeof n && n == 1)
		say("once more");
	close(timer);
	close(epoll);
}

/* Processes. */

static void
scene_fork(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		usleep(6 * MS);
		say("child ends");
		_exit(7);
	}
	say("forked");
	waitpid(pid, &status, 0);
	say(WEXITSTATUS(status) == 7 ? "child has ended" : "lost");
	pid = fork();
	if (pid == 0) {
		execlp("sleep", "sleep", "0.25", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	say(status == 0 ? "sleep has ended" : "no sleep");
}

/* A row of calls that cost nothing at first. */
static void
scene_clock(void)
{
	struct pollfd none = {.fd = -1};
	time_t first = time(NULL);

	for (int i = 0; i < 200; i++)
		now_ns();
	say("read the clock");
	usleep(10 * MS);
	for (int i = 0; i < 150; i++)
		poll(&none, 1, 0);
	say("polled");
	printf("%d s since 2025\n", (int)(first - 1735689600));
	sleep(3600);
	say("slept an hour");
}

/* A signal ends a sleep. */

static void
on_alarm(int signal)
{
	(void)signal;
}

static void *
waker(void *data)
{
	const pthread_t *thread = data;

	usleep(2 * MS);
	pthread_kill(*thread, SIGUSR1);
	return NULL;
}

static void
scene_signal(void)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct timespec t = {.tv_sec = 1}, left = {0};
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, waker, &self);
	if (nanosleep(&t, &left) != 0 && errno == EINTR)
		printf("%ld us left\n", left.tv_nsec / 1000);
	pthread_join(thread, NULL);
}

/* Signal handlers that interrupt a wait, and wait themselves, while that which
 * the thread waits for comes. */

static void
on_signal_sleep(int signal)
{
	(void)signal;
	usleep(1 * MS);
	say("handled");
}

static void
scene_handler(void)
{
	struct sigaction action = {.sa_handler = on_signal_sleep};
	int status;
	pid_t pid;

	sigaction(SIGUSR1, &action, NULL);
	pid = fork();
	if (pid == 0) {
		usleep(2 * MS);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		say("interrupted");
	if (waitpid(pid, &status, 0) == pid)
		say("child has ended");
}

/* Signals that come at any time, from outside of the run. */

#define SIGNALS 50

static volatile sig_atomic_t handled;

static void
on_signal_count(int signal)
{
	(void)signal;
	usleep(1);
	handled = handled + 1;
}

static void
scene_outside(void)
{
	struct sigaction action = {.sa_handler = on_signal_count};
	struct timespec t = {.tv_nsec = 200000};
	struct pollfd none = {.fd = -1};
	pid_t parent = getpid(), pid;

	sigaction(SIGUSR1, &action, NULL);
	pid = (pid_t)syscall(SYS_fork);
	while (pid == 0) {
		if (syscall(SYS_kill, parent, SIGUSR1) != 0)
			syscall(SYS_exit_group, 0);
		syscall(SYS_nanosleep, &t, NULL);
	}
	while (handled < SIGNALS) {
		usleep(1);
		poll(&none, 1, 1);
	}
	kill(pid, SIGKILL);
	printf("%d signals\n", SIGNALS);
}

/* Waits that do not end. */

static void
scene_read(void)
{
	char byte;

	if (pipe(ends) == 0 && syscall(SYS_read, ends[0], &byte, 1) == 1)
		say("read");
}

static void
scene_forever(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&condition, &mutex);
}

int
main(int argc, char **argv)
{
	static const struct scene scenes[] = {
	    {"threads", scene_threads},
	    {"locks", scene_locks},
	    {"poll", scene_poll},
	    {"timers", scene_timers},
	    {"fork", scene_fork},
	    {"clock", scene_clock},
	    {"signal", scene_signal},
	    {"handler", scene_handler},
	    {"outside", scene_outside},
	    {"read", scene_read},
	    {"forever", scene_forever},
	};

	(void)argc;
	play(scenes, sizeof scenes / sizeof *scenes, argv + 1);
	return 0;
}
