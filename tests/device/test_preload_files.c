/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths through the preload library's functions, which this program has instead
 * of libc's: the device's tree, its live files, and what is not the device's. The
 * program serves itself: it starts as the device, which starts it as the client.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"
#include "tests/support/folder.h"

#define CARD "/sys/class/drm/card0"

int __openat64_2(int dir, const char *path, int flags);
int __xstat64(int version, const char *path, struct stat *st);
int __fxstatat(int version, int dir, const char *path, struct stat *st, int);
char *__realpath_chk(const char *path, char *resolved, size_t room);

static void
expect_node(const struct stat *st, unsigned minor_number)
{
	assert_true(S_ISCHR(st->st_mode));
	assert_int_equal(st->st_mode & 07777, 0660);
	assert_int_equal(st->st_rdev, makedev(226, minor_number));
	/* The same file, by name and by descriptor. */
	assert_int_equal(st->st_dev, makedev(0, 6));
	assert_int_equal(st->st_ino, 0x10000 + st->st_rdev);
	assert_int_equal(st->st_size, 0);
}

TEST(nodes_are_character_devices)
{
	struct statx x;
	struct stat st;
	int dir;

	assert_int_equal(stat("/dev/dri/renderD128", &st), 0);
	expect_node(&st, 128);
	assert_int_equal(lstat("/dev/dri/card0", &st), 0);
	expect_node(&st, 0);
	assert_int_equal(
	    stat("/dev/dri/by-path/pci-0000:00:02.0-render", &st), 0);
	expect_node(&st, 128);
	assert_int_equal(
	    lstat("/dev/dri/by-path/pci-0000:00:02.0-render", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(__xstat64(1, "/dev/dri/card0", &st), 0);
	expect_node(&st, 0);
	dir = open("/dev/dri", O_RDONLY | O_DIRECTORY);
	assert_int_equal(fstatat(dir, "card0", &st, 0), 0);
	expect_node(&st, 0);
	assert_int_equal(__fxstatat(1, dir, "renderD128", &st, 0), 0);
	expect_node(&st, 128);
	close(dir);
	assert_int_equal(
	    statx(AT_FDCWD, "/dev/dri/renderD128", 0, STATX_ALL, &x), 0);
	assert_true(S_ISCHR(x.stx_mode));
	assert_int_equal(x.stx_rdev_major, 226);
	assert_int_equal(x.stx_rdev_minor, 128);
	assert_int_equal(stat("/dev/dri/card1", &st), -1);
	assert_int_equal(errno, ENOENT);
}

/* Programs cannot change the modes of nodes. */
TEST(modes_of_nodes_stay)
{
	struct stat st;

	assert_int_equal(chmod("/dev/dri/card0", 0666), 0);
	assert_int_equal(fchmodat(AT_FDCWD, "/dev/dri/card0", 0600, 0), 0);
	assert_int_equal(stat("/dev/dri/card0", &st), 0);
	expect_node(&st, 0);
	assert_int_equal(chmod("/dev/dri/card1", 0666), -1);
	assert_int_equal(errno, ENOENT);
}

/* Not even root writes to files of sysfs that have no right to. */
TEST(read_only_files)
{
	static const char defaults[] =
	    "/sys/class/drm/card0/engine/rcs0/.defaults";
	int dir, fd;

	assert_int_equal(open("/sys/class/drm/card0/engine/rcs0/.defaults/"
			      "stop_timeout_ms",
			     O_WRONLY),
	    -1);
	assert_int_equal(errno, EACCES);
	dir = open(defaults, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	assert_int_equal(openat(dir, "stop_timeout_ms", O_RDWR), -1);
	assert_int_equal(errno, EACCES);
	fd = openat(dir, "stop_timeout_ms", O_RDONLY);
	assert_true(fd >= 0);
	close(fd);
	close(dir);
}

TEST(open_files_are_character_devices)
{
	int fd = fake_open("/dev/dri/renderD128");
	struct statx x;
	struct stat st;
	char path[64];

	assert_int_equal(fstat(fd, &st), 0);
	expect_node(&st, 128);
	assert_int_equal(fstatat(fd, "", &st, AT_EMPTY_PATH), 0);
	expect_node(&st, 128);
	assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &x), 0);
	assert_int_equal(x.stx_rdev_minor, 128);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	assert_int_equal(stat(path, &st), 0);
	expect_node(&st, 128);
	close(fd);
}

/* Reads the files of another process, as intel_gpu_top does for each. */
TEST(files_of_another_process)
{
	int fd = fake_open("/dev/dri/card0"), dir;
	char path[64], name[16], text[256] = "";
	struct stat st;
	pid_t child;

	child = fork();
	if (child == 0)
		pause();
	snprintf(path, sizeof path, "/proc/%d/fd/%d", child, fd);
	assert_int_equal(stat(path, &st), 0);
	expect_node(&st, 0);
	snprintf(path, sizeof path, "/proc/%d/fd", child);
	snprintf(name, sizeof name, "%d", fd);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(fstatat(dir, name, &st, 0), 0);
	expect_node(&st, 0);
	close(dir);

	snprintf(path, sizeof path, "/proc/%d/fdinfo", child);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	fd = openat(dir, name, O_RDONLY);
	assert_true(read(fd, text, sizeof text - 1) > 0);
	assert_non_null(strstr(text, "drm-driver:\ti915"));
	close(fd);
	/* Not of another file. */
	fd = openat(dir, "2", O_RDONLY);
	memset(text, 0, sizeof text);
	assert_true(read(fd, text, sizeof text - 1) > 0);
	assert_null(strstr(text, "drm-driver"));
	close(fd);
	close(dir);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(atoi(name));
}

TEST(fdinfo_by_stdio)
{
	int fd = fake_open("/dev/dri/card0");
	char path[64], line[256] = "";
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL &&
	    strstr(line, "drm-client-id") == NULL)
		;
	assert_string_equal(line, "drm-client-id:\t7\n");
	fclose(f);
	close(fd);
}

TEST(all_spellings_open)
{
	int dir = open("/dev/dri", O_RDONLY | O_DIRECTORY), fd;
	struct wire_mark mark;

	fd = open64("/dev/dri/card0", O_RDWR);
	assert_true(wire_mark_of(fd, &mark) && mark.kind == MARK_DRM);
	assert_int_equal(fcntl(fd, F_GETFD), 0);
	close(fd);
	fd = __openat64_2(dir, "renderD128", O_RDWR | O_CLOEXEC);
	assert_true(wire_mark_of(fd, &mark) && mark.minor == 128);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	fd = openat(dir, "by-path/pci-0000:00:02.0-render", O_RDWR);
	assert_true(wire_mark_of(fd, &mark) && mark.minor == 128);
	close(fd);
	close(dir);
	fd = open("/dev/sw_sync", O_RDWR);
	assert_true(wire_mark_of(fd, &mark) && mark.kind == MARK_TIMELINE);
	close(fd);
	fd = open("/sys/kernel/debug/sync/sw_sync", O_RDWR);
	assert_true(wire_mark_of(fd, &mark) && mark.kind == MARK_TIMELINE);
	close(fd);
}

TEST(a_file_opened_anew)
{
	int fd = fake_open("/dev/dri/card0"), again;
	struct wire_mark a, b;
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR);
	assert_true(wire_mark_of(fd, &a) && wire_mark_of(again, &b));
	assert_true(a.token != b.token);
	assert_int_equal(b.minor, 0);
	close(again);
	close(fd);
}

TEST(names)
{
	int fd = fake_open("/dev/dri/renderD128"), dir;
	char path[64], text[PATH_MAX] = "", *whole;

	assert_non_null(realpath("/sys/dev/char/226:128/device", text));
	assert_string_equal(text, "/sys/devices/pci0000:00/0000:00:02.0");
	whole = realpath("/sys/class/drm/card0/device/driver", NULL);
	assert_string_equal(whole, "/sys/bus/pci/drivers/i915");
	free(whole);
	whole = canonicalize_file_name("/sys/bus/event_source/devices/i915");
	assert_string_equal(whole, "/sys/devices/i915");
	free(whole);
	assert_non_null(__realpath_chk("/dev/dri/card0", text, sizeof text));
	assert_string_equal(text, "/dev/dri/card0");

	memset(text, 0, sizeof text);
	assert_true(readlink("/sys/dev/char/226:0/device", text, 100) > 0);
	assert_string_equal(text, "../../../0000:00:02.0");
	memset(text, 0, sizeof text);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	assert_int_equal(readlink(path, text, 100), 19);
	assert_string_equal(text, "/dev/dri/renderD128");
	assert_int_equal(readlink(path, text, 4), 4);
	close(fd);

	dir = open(CARD, O_RDONLY | O_DIRECTORY);
	memset(text, 0, sizeof text);
	snprintf(path, sizeof path, "/proc/self/fd/%d", dir);
	assert_true(readlink(path, text, sizeof text) > 0);
	assert_string_equal(
	    text, "/sys/devices/pci0000:00/0000:00:02.0/drm/card0");
	memset(text, 0, sizeof text);
	assert_true(readlinkat(dir, "device", text, sizeof text) > 0);
	assert_string_equal(text, "../../../0000:00:02.0");
	close(dir);
}

static int
compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

TEST(folders)
{
	struct dirent **names;
	const struct dirent *e;
	size_t n = 0;
	DIR *d;

	assert_int_equal(
	    scandir("/sys/bus/pci/devices", &names, NULL, compare_names), 3);
	assert_string_equal(names[2]->d_name, "0000:00:02.0");
	for (size_t i = 0; i < 3; i++)
		free(names[i]);
	free(names);
	d = opendir("/sys/devices/i915/events");
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] != '.')
			n += e->d_type == DT_REG;
	}
	closedir(d);
	assert_int_equal(n, 7 + 5 * 3 * 2);
	assert_int_equal(access(CARD "/device/vendor", R_OK), 0);
	assert_int_equal(access("/dev/dri/card1", F_OK), -1);
	assert_int_equal(
	    faccessat(AT_FDCWD, "/dev/dri/renderD128", R_OK | W_OK, 0), 0);
}

TEST(current_folder)
{
	char before[PATH_MAX], cwd[PATH_MAX], *whole;
	int node = fake_open("/dev/dri/card0"), fd, back;

	assert_non_null(getcwd(before, sizeof before));
	back = open(".", O_RDONLY | O_DIRECTORY);
	assert_int_equal(chdir(CARD "/engine/rcs0"), 0);
	assert_non_null(getcwd(cwd, sizeof cwd));
	assert_string_equal(
	    cwd, "/sys/devices/pci0000:00/0000:00:02.0/drm/card0/engine/rcs0");
	fd = open("stop_timeout_ms", O_WRONLY);
	assert_int_equal(write(fd, "77", 2), 2);
	assert_string_equal(fake_counts(node).wrote, "77");
	close(fd);
	assert_int_equal(chdir("/dev/nowhere"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(fchdir(back), 0);
	whole = getcwd(NULL, 0);
	assert_string_equal(whole, before);
	free(whole);
	close(back);
	close(node);
}

/* IGT looks whether debugfs is mounted: another file system than above it. */
TEST(debugfs_is_mounted)
{
	struct stat in, above;

	assert_int_equal(stat("/sys/kernel/debug/.", &in), 0);
	assert_int_equal(stat("/sys/kernel/debug/..", &above), 0);
	assert_true(in.st_dev != above.st_dev);
	assert_int_equal(stat("/sys/kernel/debug/dri/0/name", &in), 0);
}

/* The same where nothing is mounted at /sys. */
TEST(debugfs_without_sysfs)
{
	struct stat in, above;
	bool mounted;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (unshare(CLONE_NEWNS) != 0 ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		    mount("none", "/sys", "tmpfs", 0, NULL) != 0)
			_exit(77);
		mounted = stat("/sys/kernel/debug/.", &in) == 0 &&
		    stat("/sys/kernel/debug/..", &above) == 0 &&
		    in.st_dev != above.st_dev;
		_exit(!mounted);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status == W_EXITCODE(77, 0))
		skip(); /* it takes root */
	assert_int_equal(status, 0);
}

TEST(ordinary_files)
{
	char line[64] = "";
	FILE *f = fopen64("/sys/dev/char/226:0/device/vendor", "r");
	int fd;

	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	assert_string_equal(line, "0x8086\n");
	fclose(f);
	/* As a program that tries its own sysfs has it. */
	fd = open("/sys/module/i915/parameters/reset", O_WRONLY);
	assert_int_equal(write(fd, "1\n", 2), 2);
	close(fd);
}

static unsigned n_visited, n_nodes_visited;

static int
visit_device(
    const char *path, const struct stat *st, int type, struct FTW *where)
{
	assert_int_equal(type == FTW_D, S_ISDIR(st->st_mode));
	assert_int_equal(strncmp(path, "/dev/dri", 8), 0);
	assert_true(path[where->base - 1] == '/');
	n_visited++;
	n_nodes_visited += S_ISCHR(st->st_mode);
	return 0;
}

/* Functions of libc that look into folders themselves. */
TEST(walks)
{
	const struct dirent *e;
	glob_t found;
	unsigned n = 0;
	DIR *d = opendir("/dev/dri");

	while ((e = readdir(d)) != NULL)
		n += e->d_type == DT_CHR;
	closedir(d);
	assert_int_equal(n, 2);
	assert_int_equal(nftw("/dev/dri", visit_device, 8, FTW_PHYS), 0);
	assert_int_equal(n_visited, 6);
	assert_int_equal(n_nodes_visited, 2);
	assert_int_equal(glob("/sys/class/drm/[cr]*", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 2);
	assert_string_equal(found.gl_pathv[0], "/sys/class/drm/card0");
	assert_string_equal(found.gl_pathv[1], "/sys/class/drm/renderD128");
	globfree(&found);
}

TEST(others_are_left_alone)
{
	char cwd[PATH_MAX], text[PATH_MAX];
	struct stat st;
	int fd;

	enter_test_folder();
	write_file("plain", "hello");
	assert_non_null(getcwd(cwd, sizeof cwd));
	assert_int_equal(stat("plain", &st), 0);
	assert_int_equal(st.st_size, 5);
	assert_non_null(realpath("plain", text));
	assert_memory_equal(text, cwd, strlen(cwd));
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_int_equal(st.st_rdev, makedev(1, 3));
	assert_int_equal(stat("/dev/driver", &st), -1);
	assert_int_equal(stat("/sys/class/drmx", &st), -1);
	fd = open("new", O_CREAT | O_EXCL | O_WRONLY, 0640);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	close(fd);
	assert_int_equal(open("", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	/* A sticky file elsewhere is only that. */
	assert_int_equal(chmod("new", 01640), 0);
	assert_int_equal(stat("new", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	fd = open("new", O_RDONLY);
	assert_true(fd >= 0);
	close(fd);
}
