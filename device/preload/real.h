/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions behind the wrappers, as the next library in line has them, and
 * where the device is. Ready at the first use, also by another library's
 * constructor. Without a device every wrapper passes its call on.
 *
 * A function of this library keeps errno unless it says otherwise, and uses no
 * heap; those that a signal handler may reach take no lock.
 */
#ifndef DEVICE_PRELOAD_REAL_H
#define DEVICE_PRELOAD_REAL_H

#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>

struct real {
	int (*open)(const char *, int, ...);
	int (*openat)(int, const char *, int, ...);
	FILE *(*fopen)(const char *, const char *);
	FILE *(*fdopen)(int, const char *);
	int (*fseeko)(FILE *, off_t, int);
	void (*rewind)(FILE *);
	int (*close)(int);
	int (*close_range)(unsigned, unsigned, int);
	void (*closefrom)(int);
	int (*dup2)(int, int);
	int (*dup3)(int, int, int);
	ssize_t (*read)(int, void *, size_t);
	ssize_t (*write)(int, const void *, size_t);
	int (*ioctl)(int, unsigned long, ...);
	void *(*mmap)(void *, size_t, int, int, int, off_t);
	off_t (*lseek)(int, off_t, int);
	int (*munmap)(void *, size_t);
	long (*syscall)(long, ...);
	int (*stat)(const char *, struct stat *);
	int (*lstat)(const char *, struct stat *);
	int (*fstat)(int, struct stat *);
	int (*fstatat)(int, const char *, struct stat *, int);
	int (*statx)(int, const char *, int, unsigned, struct statx *);
	int (*chmod)(const char *, mode_t);
	int (*fchmodat)(int, const char *, mode_t, int);
	int (*access)(const char *, int);
	int (*faccessat)(int, const char *, int, int);
	ssize_t (*readlink)(const char *, char *, size_t);
	ssize_t (*readlinkat)(int, const char *, char *, size_t);
	char *(*realpath)(const char *, char *);
	int (*chdir)(const char *);
	int (*fchdir)(int);
	char *(*getcwd)(char *, size_t);
	ssize_t (*getxattr)(const char *, const char *, void *, size_t);
	ssize_t (*lgetxattr)(const char *, const char *, void *, size_t);
	ssize_t (*llistxattr)(const char *, char *, size_t);
	DIR *(*opendir)(const char *);
	struct dirent *(*readdir)(DIR *);
	int (*glob)(const char *, int, int (*)(const char *, int), glob_t *);
	int (*nftw)(const char *, __nftw_func_t, int, int);
	int (*ftw)(const char *, __ftw_func_t, int);
	int (*setuid)(uid_t);
	int (*seteuid)(uid_t);
	int (*setreuid)(uid_t, uid_t);
	int (*setresuid)(uid_t, uid_t, uid_t);
	int (*capset)(void *, const void *);
	int (*scandir)(const char *, struct dirent ***,
	    int (*)(const struct dirent *),
	    int (*)(const struct dirent **, const struct dirent **));

	/* Functions of virtual time. */
	int (*clock_gettime)(clockid_t, struct timespec *);
	int (*gettimeofday)(struct timeval *, void *);
	time_t (*time)(time_t *);
	int (*timespec_get)(struct timespec *, int);
	int (*nanosleep)(const struct timespec *, struct timespec *);
	int (*clock_nanosleep)(
	    clockid_t, int, const struct timespec *, struct timespec *);
	int (*usleep)(useconds_t);
	unsigned (*sleep)(unsigned);
	int (*sched_yield)(void);
	int (*poll)(struct pollfd *, nfds_t, int);
	int (*ppoll)(
	    struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	int (*select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
	int (*pselect)(int, fd_set *, fd_set *, fd_set *,
	    const struct timespec *, const sigset_t *);
	int (*epoll_wait)(int, struct epoll_event *, int, int);
	int (*epoll_pwait)(
	    int, struct epoll_event *, int, int, const sigset_t *);
	int (*epoll_pwait2)(int, struct epoll_event *, int,
	    const struct timespec *, const sigset_t *);
	int (*sigsuspend)(const sigset_t *);
	int (*pause)(void);
	int (*timerfd_create)(int, int);
	int (*timerfd_settime)(
	    int, int, const struct itimerspec *, struct itimerspec *);
	int (*timerfd_gettime)(int, struct itimerspec *);
	unsigned (*alarm)(unsigned);
	useconds_t (*ualarm)(useconds_t, useconds_t);
	int (*setitimer)(
	    __itimer_which_t, const struct itimerval *, struct itimerval *);
	int (*getitimer)(__itimer_which_t, struct itimerval *);
	int (*timer_create)(clockid_t, struct sigevent *, timer_t *);
	int (*timer_settime)(
	    timer_t, int, const struct itimerspec *, struct itimerspec *);
	int (*timer_gettime)(timer_t, struct itimerspec *);
	int (*timer_delete)(timer_t);
	int (*timer_getoverrun)(timer_t);
	int (*pthread_create)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*pthread_join)(pthread_t, void **);
	pid_t (*fork)(void);
	int (*kill)(pid_t, int);
	int (*pthread_kill)(pthread_t, int);
	pid_t (*wait4)(pid_t, int *, int, struct rusage *);
	int (*pthread_mutex_lock)(pthread_mutex_t *);
	int (*pthread_mutex_timedlock)(
	    pthread_mutex_t *, const struct timespec *);
	int (*pthread_mutex_unlock)(pthread_mutex_t *);
	int (*pthread_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*pthread_cond_timedwait)(
	    pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int (*pthread_cond_clockwait)(pthread_cond_t *, pthread_mutex_t *,
	    clockid_t, const struct timespec *);
	int (*pthread_cond_signal)(pthread_cond_t *);
	int (*pthread_cond_broadcast)(pthread_cond_t *);
	int (*sem_wait)(sem_t *);
	int (*sem_timedwait)(sem_t *, const struct timespec *);
	int (*sem_post)(sem_t *);
	int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
	int (*pthread_mutex_clocklock)(
	    pthread_mutex_t *, clockid_t, const struct timespec *);
	int (*pthread_rwlock_rdlock)(pthread_rwlock_t *);
	int (*pthread_rwlock_wrlock)(pthread_rwlock_t *);
	int (*pthread_rwlock_timedrdlock)(
	    pthread_rwlock_t *, const struct timespec *);
	int (*pthread_rwlock_timedwrlock)(
	    pthread_rwlock_t *, const struct timespec *);
	int (*pthread_rwlock_unlock)(pthread_rwlock_t *);
	int (*pthread_spin_lock)(pthread_spinlock_t *);
	int (*pthread_spin_unlock)(pthread_spinlock_t *);
	int (*pthread_barrier_init)(
	    pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
	int (*pthread_barrier_wait)(pthread_barrier_t *);
	int (*pthread_barrier_destroy)(pthread_barrier_t *);
	int (*thrd_create)(thrd_t *, thrd_start_t, void *);
	int (*thrd_join)(thrd_t, int *);
	int (*thrd_sleep)(const struct timespec *, struct timespec *);
	int (*mtx_lock)(mtx_t *);
	int (*mtx_timedlock)(mtx_t *, const struct timespec *);
	int (*mtx_unlock)(mtx_t *);
	int (*cnd_wait)(cnd_t *, mtx_t *);
	int (*cnd_timedwait)(cnd_t *, mtx_t *, const struct timespec *);
	int (*cnd_signal)(cnd_t *);
	int (*cnd_broadcast)(cnd_t *);
	int (*waitid)(idtype_t, id_t, siginfo_t *, int);
	int (*killpg)(pid_t, int);
	int (*sigqueue)(pid_t, int, const union sigval);
	int (*tgkill)(pid_t, pid_t, int);
	int (*sigtimedwait)(
	    const sigset_t *, siginfo_t *, const struct timespec *);
	int (*sigwaitinfo)(const sigset_t *, siginfo_t *);
	int (*sigwait)(const sigset_t *, int *);
	int (*posix_spawn)(pid_t *, const char *,
	    const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
	    char *const[], char *const[]);
	int (*posix_spawnp)(pid_t *, const char *,
	    const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
	    char *const[], char *const[]);
	int (*system)(const char *);
	FILE *(*popen)(const char *, const char *);
	int (*pclose)(FILE *);
	ssize_t (*readv)(int, const struct iovec *, int);
	ssize_t (*recv)(int, void *, size_t, int);
	ssize_t (*recvfrom)(
	    int, void *, size_t, int, struct sockaddr *, socklen_t *);
	ssize_t (*recvmsg)(int, struct msghdr *, int);
	int (*recvmmsg)(
	    int, struct mmsghdr *, unsigned, int, struct timespec *);
	int (*accept)(int, struct sockaddr *, socklen_t *);
	int (*accept4)(int, struct sockaddr *, socklen_t *, int);
	int (*flock)(int, int);
	ssize_t (*msgrcv)(int, void *, size_t, long, int);
	int (*msgsnd)(int, const void *, size_t, int);
	int (*semop)(int, struct sembuf *, size_t);
	int (*semtimedop)(
	    int, struct sembuf *, size_t, const struct timespec *);
	ssize_t (*mq_receive)(mqd_t, char *, size_t, unsigned *);
	ssize_t (*mq_timedreceive)(
	    mqd_t, char *, size_t, unsigned *, const struct timespec *);
	int (*mq_send)(mqd_t, const char *, size_t, unsigned);
	int (*mq_timedsend)(
	    mqd_t, const char *, size_t, unsigned, const struct timespec *);
};

struct real_place {
	char root[4096];  /* folder of the tree, without links; "": no device */
	size_t root_len;  /* bytes */
	dev_t root_dev;   /* of the file system that the root is in */
	char socket[108]; /* path of the device's socket */
};

const struct real *real(void);
const struct real_place *real_place(void);

/* open(2) and close(2) of the library's own descriptors: no other library sees
 * them, and none is a point of cancellation. -1, with errno. */
int real_open(int dir, const char *path, int flags);
void real_close(int fd);

#endif
