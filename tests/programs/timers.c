/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timers and timeouts in virtual time (tests/cli/virtual_time.cases): each word
 * of its arguments is a scene, whose lines have the time in us since the scene
 * began.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
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
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS            1000
#define NS_PER_MS     1000000
#define NS_PER_SECOND 1000000000

static long long began_ns;

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void
say(const char *what)
{
	printf("%lld %s\n", (now_ns() - began_ns) / 1000, what);
	fflush(stdout);
}

static void
say_if(bool true_, const char *what)
{
	say(true_ ? what : strerror(errno));
}

static struct timespec
in_ms(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * NS_PER_MS;
	t.tv_sec += t.tv_nsec / NS_PER_SECOND;
	t.tv_nsec %= NS_PER_SECOND;
	return t;
}

static void
on_signal(int signal)
{
	(void)signal;
	say("signal");
}

static void
on_value(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	printf("%lld value %d%s\n", (now_ns() - began_ns) / 1000,
	    info->si_value.sival_int,
	    info->si_code == SI_TIMER ? "" : " of no timer");
	fflush(stdout);
}

/* Alarms: a sleep ends, also where the handler lets other calls go on. */
static void
scene_alarm(void)
{
	signal(SIGALRM, on_signal);
	alarm(2);
	printf("%u s left\n", sleep(10));
	alarm(5);
	usleep(1600 * MS);
	printf("%u s left of the alarm\n", alarm(0));
	sleep(10);
	alarm(1);
	pause();
	say("paused");
}

static void
scene_itimer(void)
{
	struct itimerval t = {.it_value = {.tv_usec = 5 * MS},
	    .it_interval = {.tv_usec = 3 * MS}};
	struct itimerval left;

	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &t, NULL);
	for (int i = 0; i < 3; i++)
		pause();
	usleep(1 * MS);
	getitimer(ITIMER_REAL, &left);
	printf("%ld of %ld us\n", (long)left.it_value.tv_usec,
	    (long)left.it_interval.tv_usec);
	t = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &t, &left);
	usleep(10 * MS);
	say("no more");
	say_if(ualarm(4 * MS, 0) == 0, "alarm in 4 ms");
	usleep(10 * MS);
	say("interrupted");
}

/* The alarm goes on in another program, and a child has none. */
static void
scene_exec(void)
{
	int status = 0;
	pid_t pid;

	signal(SIGALRM, SIG_DFL);
	alarm(2);
	pid = fork();
	if (pid == 0) {
		sleep(3);
		say("child without alarm");
		alarm(1);
		execlp("sleep", "sleep", "9", (char *)NULL);
	}
	alarm(0);
	waitpid(pid, &status, 0);
	say(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "ended by it"
							       : "lives on");
}

static void
scene_signals(void)
{
	struct sigaction action = {
	    .sa_sigaction = on_value, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
	    .sigev_signo = SIGRTMIN,
	    .sigev_value.sival_int = 42};
	struct itimerspec t = {.it_value.tv_nsec = 7 * NS_PER_MS,
	    .it_interval.tv_nsec = 2 * NS_PER_MS};
	timer_t timer, none;

	sigaction(SIGRTMIN, &action, NULL);
	say_if(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "created");
	timer_settime(timer, 0, &t, NULL);
	for (int i = 0; i < 3; i++)
		pause();
	timer_gettime(timer, &t);
	printf("%ld of %ld us\n", t.it_value.tv_nsec / 1000,
	    t.it_interval.tv_nsec / 1000);
	t = (struct itimerspec){.it_value = in_ms(CLOCK_MONOTONIC, 20)};
	timer_settime(timer, TIMER_ABSTIME, &t, NULL);
	pause();
	say_if(timer_delete(timer) == 0, "deleted");
	say_if(timer_delete(timer) != 0 && errno == EINVAL, "only once");
	event.sigev_notify = SIGEV_NONE;
	timer_create(CLOCK_REALTIME, &event, &none);
	t = (struct itimerspec){.it_value.tv_nsec = 9 * NS_PER_MS};
	timer_settime(none, 0, &t, NULL);
	usleep(4 * MS);
	timer_gettime(none, &t);
	printf("%ld us left\n", t.it_value.tv_nsec / 1000);
	usleep(6 * MS);
	timer_gettime(none, &t);
	printf("%ld us left\n", t.it_value.tv_nsec / 1000);
	say("ends");
}

/* A timer of one thread, while another one could have its signal. */

static void
on_thread(int signal)
{
	static const char *const names[] = {"other thread", "main thread"};

	(void)signal;
	say(names[gettid() == getpid()]);
}

static void *
have_timer(void *data)
{
	struct sigevent event = {
	    .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec t = {.it_value.tv_nsec = 4 * NS_PER_MS};
	timer_t timer;

	(void)data;
	event._sigev_un._tid = gettid();
	timer_create(CLOCK_REALTIME, &event, &timer);
	timer_settime(timer, 0, &t, NULL);
	say_if(usleep(9 * MS) < 0 && errno == EINTR, "interrupted");
	return NULL;
}

static void
scene_thread(void)
{
	pthread_t thread;

	signal(SIGUSR1, on_thread);
	pthread_create(&thread, NULL, have_timer, NULL);
	pthread_join(thread, NULL);
}

static void
on_call(union sigval value)
{
	printf("%lld called with %d\n", (now_ns() - began_ns) / 1000,
	    value.sival_int);
	fflush(stdout);
}

static void
scene_calls(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
	    .sigev_notify_function = on_call,
	    .sigev_value.sival_int = 7};
	struct itimerspec t = {.it_value.tv_nsec = 5 * NS_PER_MS,
	    .it_interval.tv_nsec = 5 * NS_PER_MS};
	timer_t timer;

	say_if(timer_create(CLOCK_BOOTTIME, &event, &timer) == 0, "created");
	timer_settime(timer, 0, &t, NULL);
	usleep(17 * MS);
	timer_delete(timer);
	usleep(17 * MS);
	say("ends");
	for (int i = 0; i < 40; i++) {
		timer_create(CLOCK_MONOTONIC, &event, &timer);
		timer_delete(timer);
		usleep(1);
	}
	say_if(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0,
	    "created again");
}

/* Timeouts at an instant, by each clock. */

static void
sleep_to(clockid_t clock, const char *what)
{
	struct timespec t = in_ms(clock, 3);

	say_if(clock_nanosleep(clock, TIMER_ABSTIME, &t, NULL) == 0, what);
	say_if(clock_nanosleep(clock, TIMER_ABSTIME, &t, NULL) == 0, "past");
}

static void
scene_sleeps(void)
{
	sleep_to(CLOCK_REALTIME, "realtime");
	sleep_to(CLOCK_MONOTONIC, "monotonic");
	sleep_to(CLOCK_BOOTTIME, "boottime");
	sleep_to(CLOCK_TAI, "tai");
}

static void
scene_locks(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
			held = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER, mono;
	pthread_condattr_t attr;
	struct timespec t;
	sem_t s;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&mono, &attr);
	sem_init(&s, 0, 0);
	pthread_mutex_lock(&m);
	t = in_ms(CLOCK_REALTIME, 3);
	say_if(pthread_cond_timedwait(&c, &m, &t) == ETIMEDOUT, "condition");
	t = in_ms(CLOCK_MONOTONIC, 3);
	say_if(pthread_cond_timedwait(&mono, &m, &t) == ETIMEDOUT, "its clock");
	t = in_ms(CLOCK_MONOTONIC, 3);
	say_if(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &t) == ETIMEDOUT,
	    "clock of the call");
	t = in_ms(CLOCK_REALTIME, 3);
	say_if(sem_timedwait(&s, &t) != 0 && errno == ETIMEDOUT, "semaphore");
	t = in_ms(CLOCK_MONOTONIC, 3);
	say_if(sem_clockwait(&s, CLOCK_MONOTONIC, &t) != 0, "by a clock");
	pthread_mutex_lock(&held);
	t = in_ms(CLOCK_REALTIME, 3);
	say_if(pthread_mutex_timedlock(&held, &t) == ETIMEDOUT, "mutex");
	t = in_ms(CLOCK_MONOTONIC, 3);
	say_if(pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, &t) == ETIMEDOUT,
	    "by a clock");
}

static void
scene_polls(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct timespec t = {.tv_nsec = 2500000};
	struct pollfd fd = {.events = POLLIN};
	int epoll = epoll_create1(0), ends[2];
	fd_set in;

	if (pipe(ends) != 0)
		return;
	fd.fd = ends[0];
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	FD_ZERO(&in);
	FD_SET(ends[0], &in);
	say_if(ppoll(&fd, 1, &t, NULL) == 0, "ppoll");
	say_if(pselect(ends[0] + 1, &in, NULL, NULL, &t, NULL) == 0, "pselect");
	say_if(epoll_pwait2(epoll, &event, 1, &t, NULL) == 0, "epoll_pwait2");
	say_if(epoll_pwait(epoll, &event, 1, 3, NULL) == 0, "epoll_pwait");
}

static void
wait_for_semaphore(void)
{
	int id = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf take = {.sem_op = -1};
	struct timespec t = {.tv_nsec = 3 * NS_PER_MS};

	say_if(semtimedop(id, &take, 1, &t) < 0 && errno == EAGAIN,
	    "no semaphore");
	semctl(id, 0, IPC_RMID);
}

static void
scene_messages(void)
{
	struct timespec t = {.tv_nsec = 2500000};
	struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
	struct iovec part;
	struct mmsghdr msg = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
	struct timeval tv = {.tv_usec = 4 * MS};
	char bytes[8], name[32];
	int ends[2];
	mqd_t q;

	part = (struct iovec){bytes, sizeof bytes};
	snprintf(name, sizeof name, "/timers-%d", (int)getpid());
	q = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
	mq_unlink(name);
	t = in_ms(CLOCK_REALTIME, 3);
	say_if(mq_timedreceive(q, bytes, sizeof bytes, NULL, &t) < 0 &&
		errno == ETIMEDOUT,
	    "no message");
	say_if(mq_send(q, "x", 1, 0) == 0, "sent");
	t = in_ms(CLOCK_REALTIME, 3);
	say_if(mq_timedsend(q, "y", 1, 0, &t) < 0 && errno == ETIMEDOUT,
	    "no room");
	say_if(mq_receive(q, bytes, sizeof bytes, NULL) == 1, "received");
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
		return;
	t = (struct timespec){.tv_nsec = 2500000};
	say_if(send(ends[1], "x", 1, 0) == 1, "datagram");
	say_if(recvmmsg(ends[0], &msg, 1, 0, &t) == 1, "recvmmsg");
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
	say_if(recv(ends[0], bytes, 1, 0) < 0 && errno == EAGAIN,
	    "timeout of the socket");
	wait_for_semaphore();
}

static void
scene_waits(void)
{
	struct timespec t = {.tv_nsec = 2500000};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	say_if(
	    sigtimedwait(&set, NULL, &t) < 0 && errno == EAGAIN, "no signal");
	ualarm(5 * MS, 0);
	say_if(sigwaitinfo(&set, NULL) == SIGALRM, "alarm");
}

/* Timers with descriptors, by each clock, relative and at an instant. */
static void
scene_descriptors(void)
{
	static const clockid_t clocks[] = {
	    CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
	struct itimerspec t, left;
	uint64_t n = 0;

	for (int i = 0; i < 3; i++) {
		int fd = timerfd_create(clocks[i], TFD_CLOEXEC);

		t = (struct itimerspec){.it_value = in_ms(clocks[i], 4)};
		timerfd_settime(fd, TFD_TIMER_ABSTIME, &t, NULL);
		usleep(1 * MS);
		timerfd_gettime(fd, &left);
		printf("%ld us left\n", left.it_value.tv_nsec / 1000);
		say_if(read(fd, &n, sizeof n) == 8 && n == 1, "expired");
		timerfd_gettime(fd, &left);
		say_if(left.it_value.tv_nsec == 0, "not set");
		t.it_value.tv_nsec = NS_PER_SECOND;
		say_if(timerfd_settime(fd, 0, &t, NULL) < 0 && errno == EINVAL,
		    "no such time");
		close(fd);
	}
	say_if(
	    timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0) < 0, "no such timer");
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} scenes[] = {
	    {"alarm", scene_alarm},
	    {"itimer", scene_itimer},
	    {"exec", scene_exec},
	    {"signals", scene_signals},
	    {"thread", scene_thread},
	    {"calls", scene_calls},
	    {"sleeps", scene_sleeps},
	    {"locks", scene_locks},
	    {"polls", scene_polls},
	    {"messages", scene_messages},
	    {"waits", scene_waits},
	    {"descriptors", scene_descriptors},
	};

	for (int i = 1; i < argc; i++)
		for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++)
			if (strcmp(argv[i], scenes[s].name) == 0) {
				began_ns = now_ns();
				scenes[s].run();
			}
	return 0;
}
