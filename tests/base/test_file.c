/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files on disk: reading, conflicts, atomic saving, recovery. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

static struct text
text_of(const char *s)
{
	struct text t = {0};

	text_adds(&t, s);
	return t;
}

TEST(read)
{
	struct text t = {0}, err = {0};
	struct file_stamp stamp;

	write_file("a", "d.1\n");
	assert_true(file_read("a", &t, &stamp, &err));
	assert_int_equal(stamp.size, 4);
	assert_false(file_read("none", &t, &stamp, &err));
	assert_string_equal(
	    text_str(&err), "can't read none: No such file or directory");
	text_clear(&err);
	assert_false(file_read(".", &t, &stamp, &err));
	assert_string_equal(text_str(&err), ". is not a regular file");
	text_clear(&err);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_false(file_read("fifo", &t, &stamp, &err));
	write_file("big", "");
	assert_int_equal(truncate("big", (off_t)FILE_MAX_BYTES + 1), 0);
	text_clear(&err);
	assert_false(file_read("big", &t, &stamp, &err));
	assert_string_equal(text_str(&err), "big is above 256 MiB");
	unlink("big");
	text_free(&t);
	text_free(&err);
}

TEST(save)
{
	struct text new = text_of("new"), err = {0}, t = {0};
	struct file_stamp stamp;
	struct stat st;

	write_file("s", "old");
	chmod("s", 0640);
	assert_int_equal(symlink("s", "link"), 0);
	assert_true(file_read("link", &t, &stamp, &err));
	assert_int_equal(
	    file_save("link", &new, &stamp, false, &err), SAVE_DONE);
	expect_file("s", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("s", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_false(file_changed("s", &stamp));

	write_file("s", "theirs");
	assert_true(file_changed("s", &stamp));
	assert_int_equal(
	    file_save("s", &new, &stamp, false, &err), SAVE_CONFLICT);
	assert_string_equal(text_str(&err), "s was changed by another program");
	expect_file("s", "theirs");
	assert_int_equal(file_save("s", &new, &stamp, true, &err), SAVE_DONE);
	/* Touched, but as it was. */
	write_file("s", "new");
	assert_false(file_changed("s", &stamp));
	unlink("s");
	assert_true(file_changed("s", &stamp));

	/* A new file, through a link to nothing yet. */
	stamp = (struct file_stamp){0};
	assert_int_equal(
	    file_save("link", &new, &stamp, false, &err), SAVE_DONE);
	expect_file("s", "new");
	text_clear(&err);
	assert_int_equal(
	    file_save("no/such", &new, &(struct file_stamp){0}, false, &err),
	    SAVE_FAILED);
	assert_int_equal(system("ls -A | grep -q gpuwl-save") == 0, 0);
	text_free(&new);
	text_free(&err);
	text_free(&t);
}

/* Leaves a recovery file as a process that was killed does. */
static void
leave(const char *path, const char *contents)
{
	pid_t pid = fork();

	if (!pid) {
		struct text t = text_of(contents);

		recovery_write(path, 0, &t, NULL);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
}

static void
expect_left(const char *path, unsigned skip, const char *contents)
{
	struct recovered r;

	if (!contents) {
		assert_false(recovery_find(path, skip, &r));
		return;
	}
	assert_true(recovery_find(path, skip, &r));
	assert_string_equal(text_str(&r.contents), contents);
	assert_true(r.when.tv_sec > 0);
	recovered_free(&r);
}

static void
drop_left(const char *path)
{
	struct recovered r;

	assert_true(recovery_find(path, 0, &r));
	recovered_remove(&r);
	recovered_free(&r);
}

TEST(recovery)
{
	struct text mine = text_of("mine");
	int fds[2];
	pid_t pid;
	char c;

	write_file("r", "saved");
	expect_left("r", 0, NULL);
	assert_true(recovery_write("r", 0, &mine, NULL));
	assert_int_equal(access(".r.gpuwl-recover", R_OK), 0);
	expect_left("r", 0, NULL); /* our own */
	recovery_remove("r", 0);
	assert_int_equal(access(".r.gpuwl-recover", R_OK), -1);

	/* Neither finding a recovery nor editing on removes it. */
	leave("r", "d.1\nunsaved\n");
	expect_left("r", 0, "d.1\nunsaved\n");
	assert_true(recovery_write("r", 0, &mine, NULL));
	recovery_remove("r", 0);
	expect_left("r", 0, "d.1\nunsaved\n");
	leave("r", "again");
	leave("r", "and again");
	expect_left("r", 0, "d.1\nunsaved\n");
	expect_left("r", 1, "again");
	expect_left("r", 2, "and again");
	expect_left("r", 3, NULL);
	for (int i = 0; i < 3; i++)
		drop_left("r");
	expect_left("r", 0, NULL);

	/* While another process edits the file, its edits are its own. */
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		recovery_write("r", 0, &mine, NULL);
		c = (char)write(fds[1], "x", 1);
		pause();
	}
	assert_int_equal(read(fds[0], &c, 1), 1);
	expect_left("r", 0, NULL);
	recovery_remove("r", 0);
	assert_int_equal(access(".r.gpuwl-recover", R_OK), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect_left("r", 0, "mine");
	drop_left("r");
	text_free(&mine);
}

TEST(recovery_unnamed)
{
	struct text mine = text_of("mine"), other = text_of("other");
	pid_t pid;

	expect_left(NULL, 0, NULL);
	leave(NULL, "one");
	leave("", "one");
	expect_left(NULL, 0, "one");
	expect_left("", 1, "one");
	expect_left("", 2, NULL);
	drop_left(NULL);
	drop_left("");
	expect_left(NULL, 0, NULL);

	/* A process may have several. */
	pid = fork();
	if (!pid) {
		recovery_write(NULL, 0, &other, NULL);
		recovery_write(NULL, 1, &mine, NULL);
		recovery_write(NULL, 2, &mine, NULL);
		recovery_remove(NULL, 0);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	expect_left(NULL, 1, "mine");
	drop_left(NULL);
	expect_left(NULL, 0, "mine");
	drop_left(NULL);
	expect_left(NULL, 0, NULL);
	write_file(".x.gpuwl-recover", "gpuwl-recover 1 no number\nd.1");
	expect_left("x", 0, NULL);
	text_free(&mine);
	text_free(&other);
}

static void
expect_folder(enum state_place place, const char *expected)
{
	struct text path = {0}, why = {0};

	assert_int_equal(state_folder(place, true, &path), expected != NULL);
	if (expected != NULL)
		assert_string_equal(text_str(&path), expected);
	else
		assert_true(state_folder_problem(&why));
	text_free(&path);
	text_free(&why);
}

static void
expect_problem(const char *expected)
{
	struct text why = {0};

	assert_int_equal(state_folder_problem(&why), expected != NULL);
	if (expected != NULL)
		assert_non_null(strstr(text_str(&why), expected));
	text_free(&why);
}

/* The folder is that of XDG_STATE_HOME, else of HOME, if the variable is an
 * absolute path. */
TEST(state_folder)
{
	char home[64], wanted[128], in_tmp[64];

	snprintf(home, sizeof(home), "%s/home", test_folder());
	snprintf(wanted, sizeof(wanted), "%s/.local/state/gpuwl/", home);
	snprintf(in_tmp, sizeof(in_tmp), "/tmp/gpuwl-%lu/",
	    (unsigned long)geteuid());
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	expect_problem(NULL); /* it could be made, */
	assert_int_equal(access(home, F_OK), -1);
	expect_folder(STATE_OF_USER, wanted); /* and is */
	setenv("XDG_STATE_HOME", "relative", 1);
	expect_folder(STATE_OF_USER, wanted);
	setenv("XDG_STATE_HOME", "", 1);
	expect_folder(STATE_OF_USER, wanted);
	expect_problem(NULL);
	assert_int_equal(access("relative", F_OK), -1);

	setenv("HOME", "home", 1);
	expect_folder(STATE_OF_USER, NULL);
	expect_problem("HOME is not an absolute path");
	unsetenv("HOME");
	expect_problem("HOME is not an absolute path");
	expect_folder(STATE_IN_TMP, in_tmp);
	if (access("/dev/shm", W_OK | X_OK) == 0) {
		snprintf(in_tmp, sizeof(in_tmp), "/dev/shm/gpuwl-%lu/",
		    (unsigned long)geteuid());
		expect_folder(RUNTIME_IN_MEMORY, in_tmp);
	}
	write_file("file", "");
	snprintf(home, sizeof(home), "%s/file", test_folder());
	setenv("HOME", home, 1);
	expect_problem("file/.local/state/gpuwl: Not a directory");
	setenv("XDG_STATE_HOME", test_folder(), 1);
}

/* A recovery written without a home is found there again. */
TEST(recovery_homeless)
{
	struct recovered r;
	unsigned skip = 0;

	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "nowhere", 1);
	leave(NULL, "left by the homeless");
	while (recovery_find(NULL, skip, &r) &&
	    strcmp(text_str(&r.contents), "left by the homeless") != 0) {
		recovered_free(&r);
		skip++;
	}
	assert_non_null(r.file);
	assert_int_equal(strncmp(r.file, "/tmp/gpuwl-", 11), 0);
	recovered_remove(&r);
	recovered_free(&r);
	setenv("XDG_STATE_HOME", test_folder(), 1);
}

/* Kept for later it stays what it is, and says so. */
TEST(recovery_put_off)
{
	struct recovered r;

	write_file("k", "saved");
	leave("k", "unsaved");
	assert_true(recovery_find("k", 0, &r));
	assert_false(r.put_off);
	recovered_put_off(&r);
	recovered_free(&r);
	expect_left("k", 0, "unsaved");
	assert_true(recovery_find("k", 0, &r));
	assert_true(r.put_off);
	recovered_remove(&r);
	recovered_free(&r);
	expect_left("k", 0, NULL);
}

/* A folder that others can write to, or lead to, is not ours. */
TEST(foreign_folder)
{
	const uid_t nobody = 65534;
	char home[64], path[128];

	snprintf(home, sizeof(home), "%s/foreign", test_folder());
	snprintf(path, sizeof(path), "%s/gpuwl", home);
	setenv("XDG_STATE_HOME", home, 1);
	assert_int_equal(mkdir(home, 0755), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(chmod(path, 0777), 0);
	expect_folder(STATE_OF_USER, NULL);
	expect_problem("foreign/gpuwl is not yours alone");
	assert_int_equal(chmod(path, 0755), 0);
	expect_problem(NULL);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, nobody, nobody), 0);
		expect_folder(STATE_OF_USER, NULL);
		expect_problem("foreign/gpuwl is not yours alone");
		assert_int_equal(rmdir(path), 0);
		assert_int_equal(symlink(test_folder(), path), 0);
		expect_problem(NULL); /* a link of one's own is fine */
		assert_int_equal(lchown(path, nobody, nobody), 0);
		expect_folder(STATE_OF_USER, NULL);
		expect_problem("foreign/gpuwl is not yours alone");
	}
	setenv("XDG_STATE_HOME", test_folder(), 1);
}

FIXTURES(in_state_folder, NULL);
