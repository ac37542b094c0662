/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live files of the device (doc/model/i915_files.md "Live files") through the
 * preload library's functions, which this program has instead of libc's. The
 * program serves itself: it starts as the device, which starts it as the client.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"
#include "tests/support/folder.h"

#define CARD "/sys/class/drm/card0"

TEST(live_files_are_read)
{
	int dir = open(CARD, O_RDONLY | O_DIRECTORY), fd;
	char text[64] = "";
	struct stat st;

	assert_int_equal(fstatat(dir, "error", &st, 0), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	fd = openat(dir, "error", O_RDONLY);
	assert_true(read(fd, text, sizeof text) > 0);
	assert_string_equal(text, "No error state collected\n");
	close(fd);
	close(dir);
	fd = open("/sys/bus/pci/devices/0000:00:02.0/resource0", O_RDWR);
	assert_int_equal(pread(fd, text, 4, 0), 4);
	assert_memory_equal(text, "regs", 4);
	close(fd);
}

TEST(live_files_are_written)
{
	int node = fake_open("/dev/dri/card0");
	int dir = open(CARD "/engine/rcs0", O_RDONLY | O_DIRECTORY), fd;
	FILE *f;

	/* O_TRUNC must not harm what marks the file. */
	fd = openat(dir, "preempt_timeout_ms", O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "500", 3), 3);
	assert_string_equal(fake_counts(node).wrote, "500");
	assert_int_equal(write(fd, "bad", 3), -1);
	assert_int_equal(errno, EINVAL);
	close(fd);
	fd = openat(dir, "preempt_timeout_ms", O_RDWR);
	assert_int_equal(write(fd, "640", 3), 3);
	assert_string_equal(fake_counts(node).wrote, "640");
	close(fd);
	close(dir);
	/* System calls of stdio would bypass the library: its streams do not. */
	f = fopen("/sys/kernel/debug/dri/0/i915_gem_drop_caches", "w");
	assert_non_null(f);
	fputs("0x40", f);
	fclose(f);
	assert_string_equal(fake_counts(node).wrote, "0x40");
	f = fopen(CARD "/engine/rcs0/preempt_timeout_ms", "r+");
	assert_non_null(f);
	assert_int_equal(fgetc(f), 'N');
	rewind(f);
	assert_int_equal(fgetc(f), 'N');
	rewind(f);
	fputs("bad", f);
	assert_int_equal(fflush(f), EOF);
	assert_int_equal(errno, EINVAL);
	fclose(f);
	close(node);
}

/* A file that is read is opened anew to be written, as /proc/self/fd/N. */
TEST(live_files_are_opened_anew)
{
	int node = fake_open("/dev/dri/card0"), fd;
	char path[64];
	FILE *f;

	fd = open(CARD "/engine/rcs0/preempt_timeout_ms", O_RDONLY);
	assert_true(fd >= 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	f = fdopen(open(path, O_RDWR), "w");
	assert_non_null(f);
	fputs("77", f);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(fake_counts(node).wrote, "77");
	close(fd);
	/* Another memfd is none of ours. */
	fd = memfd_create("gpuwl", 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	f = fdopen(open(path, O_RDWR), "w");
	fputs("88", f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 2);
	close(fd);
	close(node);
}

/* A file that is read again from its beginning has its present text: 7 MHz lower
 * at each look at the fake device. */
TEST(live_files_are_read_again)
{
	static const char path[] = CARD "/gt_cur_freq_mhz";
	char text[16] = "";
	int fd = open(path, O_RDONLY), mhz, other;
	FILE *f;

	assert_int_equal(read(fd, text, sizeof text - 1), 5);
	assert_string_equal(text, "1014\n");
	assert_int_equal(read(fd, text, sizeof text - 1), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read(fd, text, sizeof text - 1), 5);
	assert_string_equal(text, "1007\n");
	errno = 0;
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(errno, 0);
	assert_int_equal(read(fd, text, sizeof text - 1), 5);
	assert_string_equal(text, "1000\n");
	/* A shorter text leaves nothing of the longer one. */
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read(fd, text, sizeof text - 1), 4);
	assert_memory_equal(text, "993\n", 4);
	close(fd);
	f = fopen(path, "r");
	assert_non_null(f);
	setbuf(f, NULL);
	assert_int_equal(fscanf(f, "%d", &mhz), 1);
	rewind(f);
	assert_int_equal(fscanf(f, "%d", &other), 1);
	assert_int_equal(other, mhz - 7);
	assert_int_equal(fseek(f, 0, SEEK_SET), 0);
	assert_int_equal(fscanf(f, "%d", &other), 1);
	assert_int_equal(other, mhz - 14);
	fclose(f);
}

/* Files that the device does not answer for are as the tree has them. */
TEST(live_files_that_are_left)
{
	static const char path[] = "/sys/kernel/debug/dri/0/i915_wedged";
	char text[8] = "";
	int fd = open(path, O_RDWR);

	assert_int_equal(read(fd, text, sizeof text - 1), 2);
	assert_string_equal(text, "0\n");
	assert_int_equal(pwrite(fd, "1", 1, 0), 1);
	close(fd);
	fd = open64(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_int_equal(write(fd, "2", 1), 1);
	close(fd);
}
