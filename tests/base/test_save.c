/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saves that another program interrupts, at each moment of a save; links; and the
 * files that killed saves leave.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_private.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/save_scene.h"

/* The act of another program, and its time. */
struct meddler {
	enum save_moment moment;
	const char *command;
	unsigned times; /* 0: each time */
	unsigned done;
};

static void
meddle(void *arg, enum save_moment moment)
{
	struct meddler *m = arg;

	if (moment != m->moment || (m->times != 0 && m->done == m->times))
		return;
	m->done++;
	assert_int_equal(system(m->command), 0);
}

static enum save_result
save_between(
    struct meddler *m, bool plain, struct file_stamp *stamp, struct text *err)
{
	const struct save_seam seam = {.at = meddle, .arg = m, .plain = plain};

	return file_save_through(
	    &seam, "a", &save_scene_text, stamp, false, err);
}

/* The text of another program stays, whenever and however it came there. */
TEST(between)
{
	static const struct {
		const char *command, *left;
	} rows[] = {
	    {"printf 'theirs\\n' >>a", "read\ntheirs\n"},
	    {"printf 'same\\n' >a", "same\n"},
	    {"printf 'theirs\\n' >b; mv b a", "theirs\n"},
	    {"touch -r a b; printf 'READ\\n' >a; touch -r b a; rm b", "READ\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (enum save_moment m = SAVE_CHECKED; m <= SAVE_READY; m++)
			for (int plain = 0; plain < 2; plain++) {
				struct meddler by = {m, rows[i].command, 1, 0};
				struct file_stamp stamp = save_scene_begin(
				    "read\n");
				struct text err = {0};

				assert_int_equal(
				    save_between(&by, plain, &stamp, &err),
				    SAVE_CONFLICT);
				assert_int_equal(by.done, 1);
				expect_file("a", rows[i].left);
				assert_non_null(strstr(text_str(&err),
				    "a was changed by another program"));
				expect_no_save_files();
				text_free(&err);
			}
}

/* Gone meanwhile, or come: neither is unseen. */
TEST(between_names)
{
	struct meddler gone = {SAVE_READY, "rm a", 1, 0};
	struct meddler come = {SAVE_FILLED, "printf theirs >a", 1, 0};
	struct file_stamp stamp;

	stamp = save_scene_begin("read\n");
	assert_int_equal(
	    save_between(&gone, false, &stamp, NULL), SAVE_CONFLICT);
	assert_int_equal(access("a", F_OK), -1);
	for (int plain = 0; plain < 2; plain++) {
		stamp = (struct file_stamp){0};
		come.done = 0;
		assert_int_equal(
		    save_between(&come, plain, &stamp, NULL), SAVE_CONFLICT);
		expect_file("a", "theirs");
		assert_int_equal(unlink("a"), 0);
	}
	expect_no_save_files();
}

/* Touched, or another mode: the save goes on, and has it. One that never comes
 * to rest ends the save. */
TEST(between_harmless)
{
	struct meddler mode = {SAVE_FILLED, "chmod 0600 a", 1, 0};
	struct meddler restless = {SAVE_FILLED, "touch a", 0, 0};
	struct file_stamp stamp = save_scene_begin("read\n");
	struct stat st;

	assert_int_equal(save_between(&mode, false, &stamp, NULL), SAVE_DONE);
	expect_file("a", "ours\n");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	stamp = save_scene_begin("read\n");
	assert_int_equal(
	    save_between(&restless, false, &stamp, NULL), SAVE_CONFLICT);
	expect_file("a", "read\n");
	expect_no_save_files();
}

/* While ours is in place for a moment, a third program writes: all three texts
 * are there in the end, and no cleaning up takes one. */
TEST(between_thrice)
{
	struct meddler by = {SAVE_PLACED,
	    "f=$(echo .gpuwl-save-*-*-*); printf second >$f; "
	    "printf third >b; mv b a",
	    1, 0};
	struct file_stamp stamp = save_scene_begin("read\n");
	struct text err = {0};

	assert_int_equal(save_between(&by, false, &stamp, &err), SAVE_CONFLICT);
	assert_non_null(strstr(text_str(&err), "one of the texts is in /"));
	file_remove_dead("a");
	assert_int_equal(system("cat a .gpuwl-save-*-*-* | grep -q second && "
				"cat a .gpuwl-save-*-*-* | grep -q third"),
	    0);
	assert_int_equal(system("rm .gpuwl-save-*"), 0);
	text_free(&err);
}

/* It holds the file open, and writes when the new one is in place. */
TEST(open_writer)
{
	struct file_stamp stamp = save_scene_begin("read\n");
	int fd = open("a", O_WRONLY | O_APPEND | O_CLOEXEC);
	int lease = open("a", O_RDONLY | O_CLOEXEC);
	bool knows = fcntl(lease, F_SETLEASE, F_RDLCK) < 0 && errno == EAGAIN;

	close(lease);
	if (!knows) {
		skip_test("no leases in this file system");
	}
	assert_int_equal(file_save("a", &save_scene_text, &stamp, false, NULL),
	    SAVE_CONFLICT);
	assert_int_equal(write(fd, "theirs\n", 7), 7);
	close(fd);
	expect_file("a", "read\ntheirs\n");
	stamp = save_scene_begin("read\n");
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, false, NULL), SAVE_DONE);
	expect_file("a", "ours\n");
}

/* Two processes that save for ever: each text that is written is the next
 * one's conflict, and none is lost. */
static void
count_up(const char *path, unsigned rounds)
{
	struct file_stamp stamp;
	struct text t = {0};

	for (unsigned n = 0; n < rounds;) {
		char next[32];
		struct text new = {.data = next};

		if (!file_read(path, &t, &stamp, NULL))
			_exit(1);
		snprintf(next, sizeof(next), "%ld\n",
		    strtol(text_str(&t), NULL, 10) + 1);
		new.len = strlen(next);
		switch (file_save(path, &new, &stamp, false, NULL)) {
		case SAVE_DONE: n++; break;
		case SAVE_CONFLICT: break;
		default: _exit(2);
		}
	}
	_exit(0);
}

TEST(two_savers)
{
	enum { N = 3, ROUNDS = 100 };
	int status;

	save_scene_begin("0\n");
	for (int i = 0; i < N; i++)
		if (fork() == 0)
			count_up("a", ROUNDS);
	for (int i = 0; i < N; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	expect_file("a", "300\n");
	expect_no_save_files();
}

static void
stop_here(void *arg, enum save_moment moment)
{
	(void)arg;
	if (moment == SAVE_READY)
		raise(SIGSTOP);
}

/* A process stopped in the middle of a save keeps none waiting for ever, and
 * when it goes on it takes nothing away. */
TEST(stopped_saver)
{
	const struct save_seam seam = {.at = stop_here};
	struct file_stamp stamp = save_scene_begin("read\n"), theirs = stamp;
	struct text err = {0};
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(file_save_through(&seam, "a", &save_scene_text, &stamp,
			  false, NULL) == SAVE_CONFLICT);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(file_save("a", &save_scene_text, &theirs, false, &err),
	    SAVE_FAILED);
	assert_string_equal(text_str(&err),
	    "a is being saved by another process, which has not finished for "
	    "a second");
	expect_file("a", "read\n");
	assert_int_equal(
	    file_save("a", &(struct text){.data = (char *)"forced", .len = 6},
		&theirs, true, NULL),
	    SAVE_DONE);
	kill(pid, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 1 << 8);
	expect_file("a", "forced");
	expect_no_save_files();
	text_free(&err);
}

/* No time and no number is the same, but the times a program may set. */
TEST(kept_time)
{
	struct file_stamp stamp = save_scene_begin("read\n");

	assert_false(file_changed("a", &stamp));
	assert_int_equal(
	    system("touch -r a b; printf 'READ\\n' >a; touch -r b a; rm b"), 0);
	assert_true(file_changed("a", &stamp));
	assert_int_equal(file_save("a", &save_scene_text, &stamp, false, NULL),
	    SAVE_CONFLICT);
	expect_file("a", "READ\n");
}

/* A chain of links to nothing yet: each link stays. */
TEST(chain)
{
	struct text err = {0};
	struct stat st;

	assert_int_equal(mkdir("deep", 0755), 0);
	assert_int_equal(symlink("deep/l2", "l1"), 0);
	assert_int_equal(symlink("../l3", "deep/l2"), 0);
	assert_int_equal(symlink(test_path("deep/target"), "l3"), 0);
	assert_int_equal(file_save("l1", &save_scene_text,
			     &(struct file_stamp){0}, false, &err),
	    SAVE_DONE);
	expect_file("deep/target", "ours\n");
	assert_int_equal(lstat("deep/target", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(lstat("deep/l2", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat("l3", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(file_save("loop", &save_scene_text,
			     &(struct file_stamp){0}, false, &err),
	    SAVE_FAILED);
	assert_string_equal(text_str(&err),
	    "can't save loop: Too many levels of symbolic links");
	text_free(&err);
}

static void
die_here(void *arg, enum save_moment moment)
{
	if (moment == *(enum save_moment *)arg)
		raise(SIGKILL);
}

/* Killed at any moment, it leaves nothing that the next save does not remove,
 * and one of the two texts. */
TEST(dead_saves)
{
	for (enum save_moment m = SAVE_CHECKED; m <= SAVE_PLACED; m++) {
		const struct save_seam seam = {.at = die_here, .arg = &m};
		struct file_stamp stamp = save_scene_begin("read\n");
		struct text t = {0};
		pid_t pid = fork();

		if (pid == 0)
			file_save_through(
			    &seam, "a", &save_scene_text, &stamp, false, NULL);
		waitpid(pid, NULL, 0);
		assert_true(file_read("a", &t, &stamp, NULL));
		assert_string_equal(
		    text_str(&t), m == SAVE_PLACED ? "ours\n" : "read\n");
		if (m >= SAVE_FILLED)
			assert_int_equal(
			    system("ls -A | grep -q gpuwl-save"), 0);
		assert_int_equal(
		    file_save("a", &save_scene_text, &stamp, false, NULL),
		    SAVE_DONE);
		expect_no_save_files();
		text_free(&t);
	}
}

/* A file that may be another's, or is in use, stays. */
TEST(not_dead)
{
	static const char *const strangers[] = {".gpuwl-save-abc",
	    ".gpuwl-save-abcdefg", ".gpuwl-save-abcde", "gpuwl-save-abcdef",
	    ".gpuwl-save-abcdef-1", ".gpuwl-save-abcdef-1-2",
	    ".gpuwl-save-abcdef-1-2-3", ".gpuwl-save-abcdef--2",
	    ".gpuwl-save-abcdef-x-2", ".gpuwl-save-abcdef.txt"};
	const size_t n = sizeof(strangers) / sizeof(*strangers);
	struct temporary alive;

	for (size_t i = 0; i < n; i++)
		write_file(strangers[i], "a text of another program\n");
	write_file("victim", "victim\n");
	assert_int_equal(symlink("victim", ".gpuwl-save-aLINKa"), 0);
	assert_int_equal(mkfifo(".gpuwl-save-aFIFOa", 0600), 0);
	assert_int_equal(mkdir(".gpuwl-save-aDIRaa", 0700), 0);
	assert_int_equal(link("victim", ".gpuwl-save-aHARDa"), 0);
	assert_true(temporary_open(&alive, "a"));
	write_file(".gpuwl-save-DeadYe", "half a te");
	file_remove_dead("a");
	for (size_t i = 0; i < n; i++)
		assert_int_equal(unlink(strangers[i]), 0);
	assert_int_equal(unlink(".gpuwl-save-aLINKa"), 0);
	assert_int_equal(unlink(".gpuwl-save-aFIFOa"), 0);
	assert_int_equal(rmdir(".gpuwl-save-aDIRaa"), 0);
	assert_int_equal(unlink(".gpuwl-save-aHARDa"), 0);
	assert_int_equal(access(text_str(&alive.path), F_OK), 0);
	temporary_remove(&alive);
	expect_file("victim", "victim\n");
	expect_no_save_files();
}

TEST(final_path)
{
	static const struct {
		const char *path, *final;
	} rows[] = {{"new", "new"}, {"./x/../new", NULL},
	    {"real/../new", "new"}, {"to/new", "real/new"}, {"new/", NULL},
	    {"", NULL}, {"nowhere/new", NULL}, {"dangling", "real/later"}};

	assert_int_equal(mkdir("real", 0700), 0);
	assert_int_equal(symlink("real", "to"), 0);
	assert_int_equal(symlink("to/later", "dangling"), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *final = file_final_path(rows[i].path);

		if (rows[i].final == NULL)
			assert_null(final);
		else
			assert_string_equal(final, test_path(rows[i].final));
		free(final);
	}
}

FIXTURES(in_state_folder, NULL);
