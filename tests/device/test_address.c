/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where devices listen: names, rights, live and dead ones. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "device/serve/address.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

/* Fails unless listener_open() does, with that reason. */
static void
expect_refused(const char *name, const char *reason)
{
	struct text err = {0};
	struct listener place;

	assert_false(listener_open(&place, name, &err));
	if (strstr(text_str(&err), reason) == NULL)
		fail_msg("'%s': %s", name, text_str(&err));
	text_free(&err);
}

static void
expect_list(const char *names)
{
	struct text got = {0};

	address_list(&got);
	assert_string_equal(text_str(&got), names);
	text_free(&got);
}

static int
use_folder(void **state)
{
	(void)state;
	enter_test_folder();
	use_own_devices();
	return 0;
}

static bool
can_connect(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	bool ok;

	memcpy(address.sun_path, path, strlen(path) + 1);
	ok = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return ok;
}

TEST(listen)
{
	struct text err = {0}, path = {0};
	struct listener place, second;
	struct stat st;

	expect_list("");
	assert_true(listener_open(&place, "b", &err));
	assert_true(listener_open(&second, "a.1", &err));
	expect_list("a.1\nb\n");
	expect_refused("b", "a device named 'b' is served already");
	assert_true(address_of("b", &path, &err));
	assert_string_equal(text_str(&path), place.path);
	assert_true(can_connect(place.path));
	assert_int_equal(stat(place.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(test_path("gpuwl"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	listener_close(&place);
	expect_list("a.1\n");
	assert_int_equal(access(text_str(&path), F_OK), -1);
	listener_close(&second);
	expect_list("");
	text_free(&err);
	text_free(&path);
}

TEST(names)
{
	struct text err = {0}, path = {0};

	expect_refused("", "invalid device name ''");
	expect_refused("../x", "invalid device name '../x'");
	expect_refused(".hidden", "e.g. 0");
	expect_refused("a b", "invalid device name 'a b'");
	expect_refused("123456789012345678901234567890123", "1 to 32 letters");
	assert_true(address_of("/some/where", &path, &err));
	assert_string_equal(text_str(&path), "/some/where");
	assert_false(address_of("a b", &path, &err));
	text_free(&err);
	text_free(&path);
}

/* A killed device leaves its files; they are neither listed nor in the way. */
TEST(killed)
{
	struct text err = {0};
	struct listener place;
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (listener_open(&place, "0", &err))
			write(ready[1], "x", 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	expect_list("0\n");
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(test_path("gpuwl/0.socket"), F_OK), 0);
	expect_list("");
	assert_true(listener_open(&place, "0", &err));
	assert_true(can_connect(place.path));
	listener_close(&place);
	close(ready[0]);
	close(ready[1]);
	text_free(&err);
}

#define IN_TMP "/tmp/gpuwl-"

/* A folder that others can read is not used for sockets. */
TEST(folder_of_others)
{
	struct text err = {0}, path = {0};

	assert_int_equal(chmod(test_path("gpuwl"), 0755), 0);
	assert_true(address_of("0", &path, &err));
	assert_memory_equal(text_str(&path), IN_TMP, strlen(IN_TMP));
	assert_int_equal(chmod(test_path("gpuwl"), 0700), 0);
	text_free(&err);
	text_free(&path);
}

/* Fails unless the folder in XDG_RUNTIME_DIR is left for the one in /tmp. */
static void
expect_folder_is_refused(void)
{
	struct text err = {0}, path = {0};

	if (address_of("0", &path, &err))
		assert_memory_equal(text_str(&path), IN_TMP, strlen(IN_TMP));
	text_free(&err);
	text_free(&path);
}

/* Nor is a file, or another user's folder or link; the user's own link is. */
TEST(folder_that_is_none)
{
	struct text err = {0}, path = {0};

	assert_int_equal(rename(test_path("gpuwl"), test_path("own")), 0);
	assert_int_equal(symlink(test_path("own"), test_path("gpuwl")), 0);
	assert_true(address_of("0", &path, &err));
	assert_string_equal(text_str(&path), test_path("gpuwl/0.socket"));
	if (geteuid() == 0) {
		assert_int_equal(lchown(test_path("gpuwl"), 65534, 65534), 0);
		expect_folder_is_refused();
	}
	assert_int_equal(unlink(test_path("gpuwl")), 0);
	close(open(test_path("gpuwl"), O_CREAT | O_WRONLY | O_CLOEXEC, 0700));
	expect_folder_is_refused();
	assert_int_equal(unlink(test_path("gpuwl")), 0);
	if (geteuid() == 0) {
		assert_int_equal(mkdir(test_path("gpuwl"), 0700), 0);
		assert_int_equal(chown(test_path("gpuwl"), 65534, 65534), 0);
		expect_folder_is_refused();
		assert_int_equal(rmdir(test_path("gpuwl")), 0);
	}
	assert_int_equal(rename(test_path("own"), test_path("gpuwl")), 0);
	assert_true(address_of("0", &path, &err));
	assert_string_equal(text_str(&path), test_path("gpuwl/0.socket"));
	text_free(&err);
	text_free(&path);
}

/* A link or another file in the place of a socket is neither followed nor in the
 * way. */
TEST(socket_of_another_kind)
{
	struct text err = {0};
	struct listener place;
	struct stat st;
	int fd = open(test_path("kept"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, "kept", 4), 4);
	close(fd);
	assert_int_equal(
	    symlink(test_path("kept"), test_path("gpuwl/0.socket")), 0);
	expect_list("");
	assert_true(listener_open(&place, "0", &err));
	assert_true(can_connect(place.path));
	assert_int_equal(lstat(place.path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	listener_close(&place);
	assert_int_equal(stat(test_path("kept"), &st), 0);
	assert_int_equal(st.st_size, 4);
	text_free(&err);
}

TEST(long_path)
{
	char *deep = strdup(test_path(
	    "a23456789012345678901234567890123456789012345678901234567890"
	    "a23456789012345678901234567890123456789012345678901234567890"));

	assert_int_equal(setenv("XDG_RUNTIME_DIR", deep, 1), 0);
	expect_refused("0", "XDG_RUNTIME_DIR names its folder");
	assert_int_equal(setenv("XDG_RUNTIME_DIR", test_folder(), 1), 0);
	free(deep);
}

/* A process that is killed leaves its files; the next device removes them. */
TEST(dead_are_swept)
{
	struct text err = {0};
	struct listener place;
	struct stat st;
	pid_t child = fork();

	if (child == 0) {
		if (!listener_open(&place, "run-77", &err))
			_exit(1);
		mkdir("gpuwl/run-77.root", 0700);
		mkdir("gpuwl/run-77.root/dev", 0700);
		raise(SIGKILL);
	}
	waitpid(child, NULL, 0);
	assert_int_equal(stat("gpuwl/run-77.socket", &st), 0);
	assert_true(listener_open(&place, "next", &err));
	assert_int_equal(stat("gpuwl/run-77.socket", &st), -1);
	assert_int_equal(stat("gpuwl/run-77.lock", &st), -1);
	assert_int_equal(stat("gpuwl/run-77.root", &st), -1);
	/* One that lives is left alone. */
	{
		struct listener other;

		assert_true(listener_open(&other, "other", &err));
		expect_list("next\nother\n");
		listener_close(&other);
	}
	listener_close(&place);
	text_free(&err);
}

/* A gpuwl-run's own device is not offered to others. */
TEST(own_are_not_listed)
{
	struct text err = {0};
	struct listener own, named;

	assert_true(listener_open(&own, "run-12", &err));
	assert_true(listener_open(&named, "run-x", &err));
	expect_list("run-x\n");
	listener_close(&own);
	listener_close(&named);
}

FIXTURES(use_folder, NULL);
