/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions behind the wrappers and the device, once. */
#define _GNU_SOURCE 1
#include "device/preload/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/paths.h"
#include "device/preload/turn.h"
#include "device/wire/wire.h"

static struct real functions;
static struct real_place the_place;

/* Each name and where its address goes. */
static const struct {
	const char *name;
	size_t at;
} wrapped[] = {
    {"open", offsetof(struct real, open)},
    {"openat", offsetof(struct real, openat)},
    {"fopen", offsetof(struct real, fopen)},
    {"fdopen", offsetof(struct real, fdopen)},
    {"fseeko", offsetof(struct real, fseeko)},
    {"rewind", offsetof(struct real, rewind)},
    {"close", offsetof(struct real, close)},
    {"close_range", offsetof(struct real, close_range)},
    {"closefrom", offsetof(struct real, closefrom)},
    {"dup2", offsetof(struct real, dup2)},
    {"dup3", offsetof(struct real, dup3)},
    {"read", offsetof(struct real, read)},
    {"write", offsetof(struct real, write)},
    {"ioctl", offsetof(struct real, ioctl)},
    {"mmap", offsetof(struct real, mmap)},
    {"lseek", offsetof(struct real, lseek)},
    {"munmap", offsetof(struct real, munmap)},
    {"syscall", offsetof(struct real, syscall)},
    {"stat", offsetof(struct real, stat)},
    {"lstat", offsetof(struct real, lstat)},
    {"fstat", offsetof(struct real, fstat)},
    {"fstatat", offsetof(struct real, fstatat)},
    {"statx", offsetof(struct real, statx)},
    {"chmod", offsetof(struct real, chmod)},
    {"fchmodat", offsetof(struct real, fchmodat)},
    {"access", offsetof(struct real, access)},
    {"faccessat", offsetof(struct real, faccessat)},
    {"readlink", offsetof(struct real, readlink)},
    {"readlinkat", offsetof(struct real, readlinkat)},
    {"realpath", offsetof(struct real, realpath)},
    {"chdir", offsetof(struct real, chdir)},
    {"fchdir", offsetof(struct real, fchdir)},
    {"getcwd", offsetof(struct real, getcwd)},
    {"getxattr", offsetof(struct real, getxattr)},
    {"lgetxattr", offsetof(struct real, lgetxattr)},
    {"llistxattr", offsetof(struct real, llistxattr)},
    {"opendir", offsetof(struct real, opendir)},
    {"readdir", offsetof(struct real, readdir)},
    {"glob", offsetof(struct real, glob)},
    {"nftw", offsetof(struct real, nftw)},
    {"ftw", offsetof(struct real, ftw)},
    {"setuid", offsetof(struct real, setuid)},
    {"seteuid", offsetof(struct real, seteuid)},
    {"setreuid", offsetof(struct real, setreuid)},
    {"setresuid", offsetof(struct real, setresuid)},
    {"capset", offsetof(struct real, capset)},
    {"scandir", offsetof(struct real, scandir)},
    {"clock_gettime", offsetof(struct real, clock_gettime)},
    {"gettimeofday", offsetof(struct real, gettimeofday)},
    {"time", offsetof(struct real, time)},
    {"timespec_get", offsetof(struct real, timespec_get)},
    {"nanosleep", offsetof(struct real, nanosleep)},
    {"clock_nanosleep", offsetof(struct real, clock_nanosleep)},
    {"usleep", offsetof(struct real, usleep)},
    {"sleep", offsetof(struct real, sleep)},
    {"sched_yield", offsetof(struct real, sched_yield)},
    {"poll", offsetof(struct real, poll)},
    {"ppoll", offsetof(struct real, ppoll)},
    {"select", offsetof(struct real, select)},
    {"pselect", offsetof(struct real, pselect)},
    {"epoll_wait", offsetof(struct real, epoll_wait)},
    {"epoll_pwait", offsetof(struct real, epoll_pwait)},
    {"epoll_pwait2", offsetof(struct real, epoll_pwait2)},
    {"sigsuspend", offsetof(struct real, sigsuspend)},
    {"pause", offsetof(struct real, pause)},
    {"timerfd_create", offsetof(struct real, timerfd_create)},
    {"timerfd_settime", offsetof(struct real, timerfd_settime)},
    {"timerfd_gettime", offsetof(struct real, timerfd_gettime)},
    {"alarm", offsetof(struct real, alarm)},
    {"ualarm", offsetof(struct real, ualarm)},
    {"setitimer", offsetof(struct real, setitimer)},
    {"getitimer", offsetof(struct real, getitimer)},
    {"timer_create", offsetof(struct real, timer_create)},
    {"timer_settime", offsetof(struct real, timer_settime)},
    {"timer_gettime", offsetof(struct real, timer_gettime)},
    {"timer_delete", offsetof(struct real, timer_delete)},
    {"timer_getoverrun", offsetof(struct real, timer_getoverrun)},
    {"pthread_create", offsetof(struct real, pthread_create)},
    {"pthread_join", offsetof(struct real, pthread_join)},
    {"fork", offsetof(struct real, fork)},
    {"kill", offsetof(struct real, kill)},
    {"pthread_kill", offsetof(struct real, pthread_kill)},
    {"wait4", offsetof(struct real, wait4)},
    {"pthread_mutex_lock", offsetof(struct real, pthread_mutex_lock)},
    {"pthread_mutex_timedlock", offsetof(struct real, pthread_mutex_timedlock)},
    {"pthread_mutex_unlock", offsetof(struct real, pthread_mutex_unlock)},
    {"pthread_cond_wait", offsetof(struct real, pthread_cond_wait)},
    {"pthread_cond_timedwait", offsetof(struct real, pthread_cond_timedwait)},
    {"pthread_cond_clockwait", offsetof(struct real, pthread_cond_clockwait)},
    {"pthread_cond_signal", offsetof(struct real, pthread_cond_signal)},
    {"pthread_cond_broadcast", offsetof(struct real, pthread_cond_broadcast)},
    {"sem_wait", offsetof(struct real, sem_wait)},
    {"sem_timedwait", offsetof(struct real, sem_timedwait)},
    {"sem_post", offsetof(struct real, sem_post)},
    {"sem_clockwait", offsetof(struct real, sem_clockwait)},
    {"pthread_mutex_clocklock", offsetof(struct real, pthread_mutex_clocklock)},
    {"pthread_rwlock_rdlock", offsetof(struct real, pthread_rwlock_rdlock)},
    {"pthread_rwlock_wrlock", offsetof(struct real, pthread_rwlock_wrlock)},
    {"pthread_rwlock_timedrdlock",
	offsetof(struct real, pthread_rwlock_timedrdlock)},
    {"pthread_rwlock_timedwrlock",
	offsetof(struct real, pthread_rwlock_timedwrlock)},
    {"pthread_rwlock_unlock", offsetof(struct real, pthread_rwlock_unlock)},
    {"pthread_spin_lock", offsetof(struct real, pthread_spin_lock)},
    {"pthread_spin_unlock", offsetof(struct real, pthread_spin_unlock)},
    {"pthread_barrier_init", offsetof(struct real, pthread_barrier_init)},
    {"pthread_barrier_wait", offsetof(struct real, pthread_barrier_wait)},
    {"pthread_barrier_destroy", offsetof(struct real, pthread_barrier_destroy)},
    {"thrd_create", offsetof(struct real, thrd_create)},
    {"thrd_join", offsetof(struct real, thrd_join)},
    {"thrd_sleep", offsetof(struct real, thrd_sleep)},
    {"mtx_lock", offsetof(struct real, mtx_lock)},
    {"mtx_timedlock", offsetof(struct real, mtx_timedlock)},
    {"mtx_unlock", offsetof(struct real, mtx_unlock)},
    {"cnd_wait", offsetof(struct real, cnd_wait)},
    {"cnd_timedwait", offsetof(struct real, cnd_timedwait)},
    {"cnd_signal", offsetof(struct real, cnd_signal)},
    {"cnd_broadcast", offsetof(struct real, cnd_broadcast)},
    {"waitid", offsetof(struct real, waitid)},
    {"killpg", offsetof(struct real, killpg)},
    {"sigqueue", offsetof(struct real, sigqueue)},
    {"tgkill", offsetof(struct real, tgkill)},
    {"sigtimedwait", offsetof(struct real, sigtimedwait)},
    {"sigwaitinfo", offsetof(struct real, sigwaitinfo)},
    {"sigwait", offsetof(struct real, sigwait)},
    {"posix_spawn", offsetof(struct real, posix_spawn)},
    {"posix_spawnp", offsetof(struct real, posix_spawnp)},
    {"system", offsetof(struct real, system)},
    {"popen", offsetof(struct real, popen)},
    {"pclose", offsetof(struct real, pclose)},
    {"readv", offsetof(struct real, readv)},
    {"recv", offsetof(struct real, recv)},
    {"recvfrom", offsetof(struct real, recvfrom)},
    {"recvmsg", offsetof(struct real, recvmsg)},
    {"recvmmsg", offsetof(struct real, recvmmsg)},
    {"accept", offsetof(struct real, accept)},
    {"accept4", offsetof(struct real, accept4)},
    {"flock", offsetof(struct real, flock)},
    {"msgrcv", offsetof(struct real, msgrcv)},
    {"msgsnd", offsetof(struct real, msgsnd)},
    {"semop", offsetof(struct real, semop)},
    {"semtimedop", offsetof(struct real, semtimedop)},
    {"mq_receive", offsetof(struct real, mq_receive)},
    {"mq_timedreceive", offsetof(struct real, mq_timedreceive)},
    {"mq_send", offsetof(struct real, mq_send)},
    {"mq_timedsend", offsetof(struct real, mq_timedsend)},
};

/* The root as the kernel names it, so that its prefix can be taken off. */
static void
find_root(const char *path)
{
	struct real_place *p = &the_place;
	struct stat st;
	char link[32];
	ssize_t n;
	int fd = real_open(AT_FDCWD, path, O_PATH | O_DIRECTORY);

	if (fd < 0)
		return;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = real()->readlink(link, p->root, sizeof p->root - 1);
	if (n > 1 && real()->fstat(fd, &st) == 0) {
		p->root_len = (size_t)n;
		p->root_dev = st.st_dev;
	}
	p->root[p->root_len] = 0;
	real_close(fd);
}

static void
find_functions(void)
{
	int e = errno;

	for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++) {
		void *address = dlsym(RTLD_NEXT, wrapped[i].name);

		memcpy((char *)&functions + wrapped[i].at, &address,
		    sizeof address);
	}
	errno = e;
}

const struct real *
real(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_functions);
	return &functions;
}

static void
find_device(void)
{
	const char *socket = getenv(WIRE_SOCKET_VARIABLE);
	const char *root = getenv(WIRE_ROOT_VARIABLE);
	int e = errno;

	if (socket != NULL && root != NULL &&
	    strlen(socket) < sizeof the_place.socket) {
		strcpy(the_place.socket, socket);
		find_root(root);
		connection_prepare();
		turn_prepare();
	}
	errno = e;
}

const struct real_place *
real_place(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	/* A sanitizer opens files before libc has its environment. */
	if (environ != NULL)
		pthread_once(&once, find_device);
	return &the_place;
}

__attribute__((constructor)) static void
find_at_start(void)
{
	/* A program may be started in a folder of the tree. */
	if (real_place()->root_len > 0)
		path_folder_changed();
	turn_first();
}

int
real_open(int dir, const char *path, int flags)
{
	return (int)real()->syscall(
	    SYS_openat, dir, path, flags | O_CLOEXEC, 0);
}

void
real_close(int fd)
{
	real()->syscall(SYS_close, fd);
}
