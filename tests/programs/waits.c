/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of threads and processes for each other, in virtual time
 * (tests/cli/virtual_time.cases): each word of its arguments is a scene, whose
 * lines have the time in us since the scene began.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/scene.h"

#define MS 1000

static struct timespec
wall_in(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms * 1000 * MS;
	return t;
}

/* Read-write locks: a writer comes after the readers, and they after it. */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *
reader(void *data)
{
	(void)data;
	pthread_rwlock_rdlock(&rwlock);
	say("reads");
	usleep(3 * MS);
	pthread_rwlock_unlock(&rwlock);
	usleep(2 * MS);
	pthread_rwlock_rdlock(&rwlock);
	say("reads again");
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

static void
scene_rwlock(void)
{
	struct timespec t;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	usleep(1 * MS);
	t = wall_in(1);
	if (pthread_rwlock_timedwrlock(&rwlock, &t) == ETIMEDOUT)
		say("timed out");
	pthread_rwlock_wrlock(&rwlock);
	say("writes");
	usleep(4 * MS);
	pthread_rwlock_unlock(&rwlock);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* Barriers and spin locks. */

static pthread_barrier_t barrier;
static pthread_spinlock_t spin;

static void *
arriver(void *data)
{
	for (int i = 1; i <= 2; i++) {
		usleep((useconds_t)(uintptr_t)data);
		pthread_barrier_wait(&barrier);
		say("passes");
	}
	pthread_spin_lock(&spin);
	usleep(1 * MS);
	pthread_spin_unlock(&spin);
	return NULL;
}

static void
scene_barrier(void)
{
	pthread_t threads[3];

	pthread_barrier_init(&barrier, NULL, 3);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(
		    &threads[i], NULL, arriver, (void *)((i + 1) * MS));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	say("joined");
	pthread_barrier_destroy(&barrier);
}

/* Threads of the C standard. */

static mtx_t mtx;
static cnd_t cnd;
static int stage;

static int
standard_thread(void *data)
{
	(void)data;
	mtx_lock(&mtx);
	thrd_sleep(&(struct timespec){.tv_nsec = 5 * 1000 * MS}, NULL);
	stage = 1;
	cnd_signal(&cnd);
	mtx_unlock(&mtx);
	return 7;
}

static void
scene_c11(void)
{
	struct timespec t;
	thrd_t thread;
	int result;

	mtx_init(&mtx, mtx_timed);
	cnd_init(&cnd);
	thrd_create(&thread, standard_thread, NULL);
	usleep(1 * MS);
	t = wall_in(2);
	if (mtx_timedlock(&mtx, &t) == thrd_timedout)
		say("timed out");
	mtx_lock(&mtx);
	say("locked");
	while (stage == 0)
		cnd_wait(&cnd, &mtx);
	t = wall_in(2);
	if (cnd_timedwait(&cnd, &mtx, &t) == thrd_timedout)
		say("timed out");
	mtx_unlock(&mtx);
	thrd_join(thread, &result);
	if (result == 7)
		say("joined");
}

/* futex(2), as drivers use it. */

static uint32_t word;

static void *
futex_waker(void *data)
{
	(void)data;
	usleep(2 * MS);
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return NULL;
}

static void
scene_futex(void)
{
	struct timespec t = {.tv_nsec = 1 * 1000 * MS};
	pthread_t thread;

	pthread_create(&thread, NULL, futex_waker, NULL);
	if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t, NULL, 0) < 0 &&
	    errno == ETIMEDOUT)
		say("timed out");
	if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0)
		say("woken");
	if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) < 0 &&
	    errno == EAGAIN)
		say("changed");
	pthread_join(thread, NULL);
}

/* Descriptors between threads. */

static int pair[2], event;

static void *
descriptor_writer(void *data)
{
	const uint64_t one = 1;

	(void)data;
	usleep(2 * MS);
	if (write(event, &one, sizeof one) < 0)
		say("cannot write");
	usleep(2 * MS);
	if (send(pair[1], "x", 1, 0) != 1)
		say("cannot send");
	return NULL;
}

static void
scene_descriptors(void)
{
	pthread_t thread;
	uint64_t count;
	char byte;

	event = eventfd(0, 0);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return;
	pthread_create(&thread, NULL, descriptor_writer, NULL);
	if (read(event, &count, sizeof count) == sizeof count)
		say("event");
	if (recv(pair[0], &byte, 1, 0) == 1)
		say("byte");
	pthread_join(thread, NULL);
}

/* Signals that are waited for. */

static void *
signaller(void *data)
{
	usleep(5 * MS);
	pthread_kill(*(const pthread_t *)data, SIGUSR1);
	usleep(5 * MS);
	kill(getpid(), SIGUSR1);
	return NULL;
}

static void
scene_sigwait(void)
{
	struct timespec t = {.tv_nsec = 2 * 1000 * MS};
	pthread_t self = pthread_self(), thread;
	siginfo_t info;
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, signaller, &self);
	if (sigtimedwait(&set, &info, &t) < 0 && errno == EAGAIN)
		say("timed out");
	if (sigwaitinfo(&set, &info) == SIGUSR1)
		say("first");
	if (sigwait(&set, &got) == 0 && got == SIGUSR1)
		say("second");
	pthread_join(thread, NULL);
}

/* Children. */

static void
scene_spawn(void)
{
	char *const argv[] = {
	    (char *)(uintptr_t) "sleep", (char *)(uintptr_t) "0.003", NULL};
	siginfo_t info;
	pid_t pid;

	if (posix_spawnp(&pid, "sleep", NULL, NULL, argv, environ) != 0)
		return;
	if (waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 && info.si_pid == pid)
		say("sleep has ended");
	if (WEXITSTATUS(system("sleep 0.01; exit 5")) == 5)
		say("shell has ended");
}

static void
scene_popen(void)
{
	FILE *f = popen("sleep 0.002; echo one; sleep 0.002; echo two", "r");
	char line[64];

	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		say(line);
	}
	if (f != NULL && pclose(f) == 0)
		say("closed");
	f = popen("cat >/dev/null; sleep 0.001; exit 3", "w");
	if (f != NULL && fputs("text\n", f) >= 0 && WEXITSTATUS(pclose(f)) == 3)
		say("written");
}

/* Objects that processes share. */

static void
scene_shared(void)
{
	sem_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int queue = msgget(IPC_PRIVATE, 0600);
	struct {
		long type;
		char text[8];
	} message = {1, "hello"};
	FILE *file = tmpfile();
	pid_t pid;

	if (shared == MAP_FAILED || queue < 0 || file == NULL)
		return;
	sem_init(shared, 1, 0);
	pid = fork();
	if (pid == 0) {
		usleep(2 * MS);
		sem_post(shared);
		usleep(2 * MS);
		msgsnd(queue, &message, sizeof message.text, 0);
		usleep(2 * MS);
		_exit(0);
	}
	if (sem_wait(shared) == 0)
		say("posted");
	if (msgrcv(queue, &message, sizeof message.text, 0, 0) > 0)
		say(message.text);
	msgctl(queue, IPC_RMID, NULL);
	if (flock(fileno(file), LOCK_EX) == 0 && waitpid(pid, NULL, 0) == pid)
		say("child has ended");
	fclose(file);
}

int
main(int argc, char **argv)
{
	static const struct scene scenes[] = {
	    {"rwlock", scene_rwlock},
	    {"barrier", scene_barrier},
	    {"c11", scene_c11},
	    {"futex", scene_futex},
	    {"descriptors", scene_descriptors},
	    {"sigwait", scene_sigwait},
	    {"spawn", scene_spawn},
	    {"popen", scene_popen},
	    {"shared", scene_shared},
	};

	(void)argc;
	play(scenes, sizeof scenes / sizeof *scenes, argv + 1);
	return 0;
}
