/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/folder.h"
#include "tests/runner/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
test_folder(void)
{
	return getenv("GPUWL_TEST_FOLDER");
}

const char *
test_path(const char *name)
{
	static char paths[8][256];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", test_folder(), name);
	return path;
}

void
enter_test_folder(void)
{
	assert_int_equal(chdir(test_folder()), 0);
}

int
in_test_folder(void **state)
{
	(void)state;
	enter_test_folder();
	return 0;
}

int
in_state_folder(void **state)
{
	setenv("XDG_STATE_HOME", test_folder(), 1);
	return in_test_folder(state);
}

void
use_own_devices(void)
{
	assert_int_equal(setenv("XDG_RUNTIME_DIR", test_folder(), 1), 0);
	/* Where it is missing, devices are looked for in /tmp. */
	if (mkdir(test_path("gpuwl"), 0700) != 0)
		assert_int_equal(errno, EEXIST);
}

char *
test_state_home(void)
{
	static char setting[96];

	snprintf(
	    setting, sizeof(setting), "XDG_STATE_HOME=%s/state", test_folder());
	return setting;
}

void
write_file(const char *path, const char *contents)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(contents, f);
	assert_int_equal(fclose(f), 0);
}

char *
read_open_file(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *s;

	assert_true(size >= 0);
	s = calloc(1, (size_t)size + 1);
	assert_non_null(s);
	assert_true(pread(fd, s, (size_t)size, 0) == size);
	if (len != NULL)
		*len = (size_t)size;
	return s;
}

char *
read_whole(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY);
	char *s;

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	s = read_open_file(fd, len);
	close(fd);
	return s;
}

void
expect_file(const char *path, const char *contents)
{
	char *is = read_whole(path, NULL);

	assert_string_equal(is, contents);
	free(is);
}
