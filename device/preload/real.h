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
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

struct real {
	int (*open)(const char *, int, ...);
	int (*openat)(int, const char *, int, ...);
	FILE *(*fopen)(const char *, const char *);
	int (*close)(int);
	int (*close_range)(unsigned, unsigned, int);
	void (*closefrom)(int);
	int (*dup2)(int, int);
	int (*dup3)(int, int, int);
	ssize_t (*read)(int, void *, size_t);
	ssize_t (*write)(int, const void *, size_t);
	int (*ioctl)(int, unsigned long, ...);
	void *(*mmap)(void *, size_t, int, int, int, off_t);
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
	int (*scandir)(const char *, struct dirent ***,
	    int (*)(const struct dirent *),
	    int (*)(const struct dirent **, const struct dirent **));
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
