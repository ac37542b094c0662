/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files on disk: reading, conflicts, atomic saving, recovery. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parser/file.h"
#include "parser/text.h"

static char folder[] = "/tmp/gpuwl-test-XXXXXX";

static int
enter_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder) < 0)
		return -1;
	return setenv("XDG_STATE_HOME", folder, 1);
}

static int
remove_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

static void
put(const char *path, const char *contents)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(contents, f);
	fclose(f);
}

static void
expect_contents(const char *path, const char *contents)
{
	struct text t = {0};

	assert_true(file_read(path, &t, NULL, NULL));
	assert_string_equal(text_str(&t), contents);
	text_free(&t);
}

static struct text
text_of(const char *s)
{
	struct text t = {0};

	text_adds(&t, s);
	return t;
}

static void
test_read(void **state)
{
	struct text t = {0}, err = {0};
	struct file_stamp stamp;

	(void)state;
	put("a", "d.1\n");
	assert_true(file_read("a", &t, &stamp, &err));
	assert_int_equal(stamp.size, 4);
	assert_false(file_read("none", &t, &stamp, &err));
	assert_string_equal(
	    text_str(&err), "can't read none: No such file or directory");
	text_clear(&err);
	assert_false(file_read(".", &t, &stamp, &err));
	assert_string_equal(text_str(&err), ". is no regular file");
	text_clear(&err);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_false(file_read("fifo", &t, &stamp, &err));
	put("big", "");
	assert_int_equal(truncate("big", (off_t)FILE_MAX_BYTES + 1), 0);
	text_clear(&err);
	assert_false(file_read("big", &t, &stamp, &err));
	assert_string_equal(text_str(&err), "big is above 256 MiB");
	unlink("big");
	text_free(&t);
	text_free(&err);
}

static void
test_save(void **state)
{
	struct text new = text_of("new"), err = {0}, t = {0};
	struct file_stamp stamp;
	struct stat st;

	(void)state;
	put("s", "old");
	chmod("s", 0640);
	assert_int_equal(symlink("s", "link"), 0);
	assert_true(file_read("link", &t, &stamp, &err));
	assert_int_equal(
	    file_save("link", &new, &stamp, false, &err), SAVE_DONE);
	expect_contents("s", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("s", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_false(file_changed("s", &stamp));

	put("s", "theirs");
	assert_true(file_changed("s", &stamp));
	assert_int_equal(
	    file_save("s", &new, &stamp, false, &err), SAVE_CONFLICT);
	assert_string_equal(text_str(&err), "s was changed by somebody else");
	expect_contents("s", "theirs");
	assert_int_equal(file_save("s", &new, &stamp, true, &err), SAVE_DONE);
	/* Touched, but as it was. */
	put("s", "new");
	assert_false(file_changed("s", &stamp));
	unlink("s");
	assert_true(file_changed("s", &stamp));

	/* A new file, through a link to nothing yet. */
	stamp = (struct file_stamp){0};
	assert_int_equal(
	    file_save("link", &new, &stamp, false, &err), SAVE_DONE);
	expect_contents("s", "new");
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

static void
test_recovery(void **state)
{
	struct text mine = text_of("mine");
	int fds[2];
	pid_t pid;
	char c;

	(void)state;
	put("r", "saved");
	expect_left("r", 0, NULL);
	assert_true(recovery_write("r", 0, &mine, NULL));
	assert_int_equal(access(".r.gpuwl-recover", R_OK), 0);
	expect_left("r", 0, NULL); /* our own */
	recovery_remove("r", 0);
	assert_int_equal(access(".r.gpuwl-recover", R_OK), -1);

	/* Who looks, and who edits on, leaves what was left where it is. */
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

static void
test_recovery_unnamed(void **state)
{
	struct text mine = text_of("mine"), other = text_of("other");
	pid_t pid;

	(void)state;
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
	put(".x.gpuwl-recover", "gpuwl-recover 1 no number\nd.1");
	expect_left("x", 0, NULL);
	text_free(&mine);
	text_free(&other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_read),
	    cmocka_unit_test(test_save),
	    cmocka_unit_test(test_recovery),
	    cmocka_unit_test(test_recovery_unnamed),
	};

	return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
