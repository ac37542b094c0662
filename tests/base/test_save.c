/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saves that another program interrupts, at each moment of a save; attributes;
 * files with several names; links; and the files that killed saves leave.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/file_private.h"
#include "base/text.h"
#include "tests/support/folder.h"
#include "tests/support/skip.h"

#define ACL "system.posix_acl_access"

static const struct text ours = {.data = (char *)"ours\n", .len = 5};

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

	return file_save_through(&seam, "a", &ours, stamp, false, err);
}

static struct file_stamp
begin(const char *contents)
{
	struct file_stamp stamp;
	struct text t = {0};

	unlink("a");
	write_file("a", contents);
	assert_true(file_read("a", &t, &stamp, NULL));
	text_free(&t);
	return stamp;
}

static void
expect_no_rest(void)
{
	assert_int_not_equal(system("ls -A | grep -q gpuwl-save"), 0);
}

/* The text of another program stays, whenever and however it came there. */
static void
test_between(void **state)
{
	static const struct {
		const char *command, *left;
	} rows[] = {
	    {"printf 'theirs\\n' >>a", "read\ntheirs\n"},
	    {"printf 'same\\n' >a", "same\n"},
	    {"printf 'theirs\\n' >b; mv b a", "theirs\n"},
	    {"touch -r a b; printf 'READ\\n' >a; touch -r b a; rm b", "READ\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (enum save_moment m = SAVE_CHECKED; m <= SAVE_READY; m++)
			for (int plain = 0; plain < 2; plain++) {
				struct meddler by = {m, rows[i].command, 1, 0};
				struct file_stamp stamp = begin("read\n");
				struct text err = {0};

				assert_int_equal(
				    save_between(&by, plain, &stamp, &err),
				    SAVE_CONFLICT);
				assert_int_equal(by.done, 1);
				expect_file("a", rows[i].left);
				assert_non_null(strstr(text_str(&err),
				    "a was changed by another program"));
				expect_no_rest();
				text_free(&err);
			}
}

/* Gone meanwhile, or come: neither is unseen. */
static void
test_between_names(void **state)
{
	struct meddler gone = {SAVE_READY, "rm a", 1, 0};
	struct meddler come = {SAVE_FILLED, "printf theirs >a", 1, 0};
	struct file_stamp stamp;

	(void)state;
	stamp = begin("read\n");
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
	expect_no_rest();
}

/* Touched, or another mode: the save goes on, and has it. One that never comes
 * to rest ends the save. */
static void
test_between_harmless(void **state)
{
	struct meddler mode = {SAVE_FILLED, "chmod 0600 a", 1, 0};
	struct meddler restless = {SAVE_FILLED, "touch a", 0, 0};
	struct file_stamp stamp = begin("read\n");
	struct stat st;

	(void)state;
	assert_int_equal(save_between(&mode, false, &stamp, NULL), SAVE_DONE);
	expect_file("a", "ours\n");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	stamp = begin("read\n");
	assert_int_equal(
	    save_between(&restless, false, &stamp, NULL), SAVE_CONFLICT);
	expect_file("a", "read\n");
	expect_no_rest();
}

/* While ours is in place for a moment, a third program writes: all three texts
 * are there in the end, and no cleaning up takes one. */
static void
test_between_thrice(void **state)
{
	struct meddler by = {SAVE_PLACED,
	    "f=$(echo .gpuwl-save-*-*-*); printf second >$f; "
	    "printf third >b; mv b a",
	    1, 0};
	struct file_stamp stamp = begin("read\n");
	struct text err = {0};

	(void)state;
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
static void
test_open_writer(void **state)
{
	struct file_stamp stamp = begin("read\n");
	int fd = open("a", O_WRONLY | O_APPEND | O_CLOEXEC);
	int lease = open("a", O_RDONLY | O_CLOEXEC);
	bool knows = fcntl(lease, F_SETLEASE, F_RDLCK) < 0 && errno == EAGAIN;

	(void)state;
	close(lease);
	if (!knows) {
		skip_test("no leases in this file system");
	}
	assert_int_equal(
	    file_save("a", &ours, &stamp, false, NULL), SAVE_CONFLICT);
	assert_int_equal(write(fd, "theirs\n", 7), 7);
	close(fd);
	expect_file("a", "read\ntheirs\n");
	stamp = begin("read\n");
	assert_int_equal(file_save("a", &ours, &stamp, false, NULL), SAVE_DONE);
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

static void
test_two_savers(void **state)
{
	enum { N = 3, ROUNDS = 100 };
	int status;

	(void)state;
	begin("0\n");
	for (int i = 0; i < N; i++)
		if (fork() == 0)
			count_up("a", ROUNDS);
	for (int i = 0; i < N; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	expect_file("a", "300\n");
	expect_no_rest();
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
static void
test_stopped_saver(void **state)
{
	const struct save_seam seam = {.at = stop_here};
	struct file_stamp stamp = begin("read\n"), theirs = stamp;
	struct text err = {0};
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(file_save_through(&seam, "a", &ours, &stamp, false,
			  NULL) == SAVE_CONFLICT);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(
	    file_save("a", &ours, &theirs, false, &err), SAVE_FAILED);
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
	expect_no_rest();
	text_free(&err);
}

/* No time and no number is the same, but the times a program may set. */
static void
test_kept_time(void **state)
{
	struct file_stamp stamp = begin("read\n");

	(void)state;
	assert_false(file_changed("a", &stamp));
	assert_int_equal(
	    system("touch -r a b; printf 'READ\\n' >a; touch -r b a; rm b"), 0);
	assert_true(file_changed("a", &stamp));
	assert_int_equal(
	    file_save("a", &ours, &stamp, false, NULL), SAVE_CONFLICT);
	expect_file("a", "READ\n");
}

struct acl_entry {
	uint16_t tag, perm;
	uint32_t id;
};

static const struct {
	uint32_t version;
	struct acl_entry entries[5];
} list = {2,
    {{0x01, 6, UINT32_MAX}, {0x02, 6, 4242}, {0x04, 0, UINT32_MAX},
	{0x10, 6, UINT32_MAX}, {0x20, 0, UINT32_MAX}}};

static bool
can_set(const char *name, const void *value, size_t len)
{
	if (setxattr("a", name, value, len, 0) == 0)
		return true;
	print_message("%s: %s: not tested\n", name, strerror(errno));
	return false;
}

/* Whoever could not read the file can't after it was saved. */
static void
test_access_list(void **state)
{
	struct file_stamp stamp = begin("read\n");
	char kept[sizeof(list) + 1];
	struct text err = {0};
	struct stat st;

	(void)state;
	if (!can_set(ACL, &list, sizeof(list)))
		skip_test("no access control lists in this file system");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	assert_int_equal(file_save("a", &ours, &stamp, false, &err), SAVE_DONE);
	assert_int_equal(err.len, 0);
	assert_int_equal(getxattr("a", ACL, kept, sizeof(kept)), sizeof(list));
	assert_memory_equal(kept, &list, sizeof(list));
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	/* Also with force. */
	assert_int_equal(file_save("a", &ours, &stamp, true, &err), SAVE_DONE);
	assert_int_equal(getxattr("a", ACL, kept, sizeof(kept)), sizeof(list));
}

/* Nor who the folder's own list would let in. */
static void
test_folder_list(void **state)
{
	struct file_stamp stamp;

	(void)state;
	assert_int_equal(mkdir("listed", 0755), 0);
	if (setxattr("listed", "system.posix_acl_default", &list, sizeof(list),
		0) != 0) {
		rmdir("listed");
		skip_test("no access control lists in this file system");
	}
	assert_int_equal(chdir("listed"), 0);
	stamp = begin("read\n");
	assert_int_equal(removexattr("a", ACL), 0);
	assert_int_equal(chmod("a", 0660), 0);
	assert_int_equal(file_save("a", &ours, &stamp, false, NULL), SAVE_DONE);
	assert_int_equal(getxattr("a", ACL, NULL, 0), -1);
	unlink("a");
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(rmdir("listed"), 0);
}

static void
expect_attribute(const char *name, const char *value)
{
	char kept[64] = "";

	assert_int_equal(
	    getxattr("a", name, kept, sizeof(kept)), strlen(value));
	assert_string_equal(kept, value);
}

static void
test_attributes(void **state)
{
	struct file_stamp stamp = begin("read\n");
	bool security, user = can_set("user.note", "a note", 6);
	struct text err = {0};

	(void)state;
	security = can_set("security.gpuwl", "s", 1);
	can_set("user.empty", "", 0);
	if (!user)
		skip_test("no extended attributes in this file system");
	assert_int_equal(file_save("a", &ours, &stamp, false, &err), SAVE_DONE);
	expect_file("a", "ours\n");
	expect_attribute("user.note", "a note");
	expect_attribute("user.empty", "");
	if (security)
		expect_attribute("security.gpuwl", "s");
	assert_string_equal(text_str(&err), "");
}

/* A refusal of the kernel is reported, and allows less where access can't be
 * kept. */
static void
test_lost(void **state)
{
	struct file_stamp stamp = begin("read\n");
	struct text err = {0};
	struct stat st;
	pid_t pid;
	int status;

	(void)state;
	if (geteuid() != 0 || !can_set("security.gpuwl", "s", 1) ||
	    !can_set("user.note", "a note", 6)) {
		skip_test("only root can set security attributes");
	}
	assert_int_equal(chown("a", 65534, 0), 0);
	assert_int_equal(chmod("a", 0664), 0);
	assert_int_equal(chmod(".", 0777), 0);
	pid = fork();
	if (pid == 0) {
		if (setresgid(65534, 65534, 65534) != 0 ||
		    setresuid(65534, 65534, 65534) != 0 ||
		    file_save("a", &ours, &stamp, false, &err) != SAVE_DONE ||
		    strcmp(text_str(&err),
			"not kept: group, security.gpuwl (Operation not "
			"permitted)") != 0) {
			print_message("%s\n", text_str(&err));
			_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_attribute("user.note", "a note");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_gid, 65534);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(chmod(".", 0700), 0);
	unlink("a");
}

static void
test_several_names(void **state)
{
	struct file_stamp stamp = begin("a longer text that was read\n");
	struct text err = {0};
	struct stat st;

	(void)state;
	assert_int_equal(link("a", "other"), 0);
	assert_int_equal(
	    file_save("a", &ours, &stamp, false, &err), SAVE_BY_FORCE);
	assert_string_equal(text_str(&err),
	    "a has 2 names (hard links), and the others would keep the old "
	    "text");
	expect_file("other", "a longer text that was read\n");
	text_clear(&err);
	assert_int_equal(file_save("a", &ours, &stamp, true, &err), SAVE_DONE);
	expect_file("other", "ours\n");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_nlink, 2);
	assert_false(file_changed("a", &stamp));
	assert_int_equal(access(".a.gpuwl-recover", F_OK), -1);
	expect_no_rest();
	unlink("other");
	text_free(&err);
}

/* No room: the file is as it was, or the text is elsewhere, which is said. */
static void
test_several_names_no_room(void **state)
{
	static char big[100000];
	const struct text much = {.data = big, .len = sizeof(big) - 1};
	struct file_stamp stamp = begin("read\n");
	struct rlimit limit, small;
	struct text err = {0};

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	assert_int_equal(link("a", "other"), 0);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(
	    file_save("a", &much, &stamp, true, &err), SAVE_FAILED);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_non_null(strstr(text_str(&err), "File too large"));
	assert_non_null(strstr(text_str(&err), "no recovery file can be made"));
	expect_file("other", "read\n");
	expect_no_rest();
	unlink("other");
	text_free(&err);
}

/* A file of another user, in a folder where only owners may replace theirs. */
static void
test_sticky(void **state)
{
	struct file_stamp stamp;
	struct text err = {0};
	pid_t pid;
	int status;

	(void)state;
	if (geteuid() != 0) {
		skip_test("only root can be two users");
	}
	assert_int_equal(mkdir("sticky", 0), 0);
	assert_int_equal(chmod("sticky", 01777), 0);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(chdir("sticky"), 0);
	stamp = begin("read\n");
	assert_int_equal(chmod("a", 0666), 0);
	pid = fork();
	if (pid == 0) {
		if (setresuid(65534, 65534, 65534) != 0 ||
		    file_save("a", &ours, &stamp, false, &err) !=
			SAVE_BY_FORCE ||
		    strcmp(text_str(&err),
			"a is another user's, and its folder is sticky: only "
			"its owner can replace it") != 0 ||
		    file_save("a", &ours, &stamp, true, NULL) != SAVE_DONE)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_file("a", "ours\n");
	assert_int_equal(chdir(".."), 0);
}

/* A chain of links to nothing yet: each link stays. */
static void
test_chain(void **state)
{
	struct text err = {0};
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("deep", 0755), 0);
	assert_int_equal(symlink("deep/l2", "l1"), 0);
	assert_int_equal(symlink("../l3", "deep/l2"), 0);
	assert_int_equal(symlink(test_path("deep/target"), "l3"), 0);
	assert_int_equal(
	    file_save("l1", &ours, &(struct file_stamp){0}, false, &err),
	    SAVE_DONE);
	expect_file("deep/target", "ours\n");
	assert_int_equal(lstat("deep/target", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(lstat("deep/l2", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat("l3", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(
	    file_save("loop", &ours, &(struct file_stamp){0}, false, &err),
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
static void
test_dead_saves(void **state)
{
	(void)state;
	for (enum save_moment m = SAVE_CHECKED; m <= SAVE_PLACED; m++) {
		const struct save_seam seam = {.at = die_here, .arg = &m};
		struct file_stamp stamp = begin("read\n");
		struct text t = {0};
		pid_t pid = fork();

		if (pid == 0)
			file_save_through(
			    &seam, "a", &ours, &stamp, false, NULL);
		waitpid(pid, NULL, 0);
		assert_true(file_read("a", &t, &stamp, NULL));
		assert_string_equal(
		    text_str(&t), m == SAVE_PLACED ? "ours\n" : "read\n");
		if (m >= SAVE_FILLED)
			assert_int_equal(
			    system("ls -A | grep -q gpuwl-save"), 0);
		assert_int_equal(
		    file_save("a", &ours, &stamp, false, NULL), SAVE_DONE);
		expect_no_rest();
		text_free(&t);
	}
}

/* A file that may be another's, or is in use, stays. */
static void
test_not_dead(void **state)
{
	static const char *const strangers[] = {".gpuwl-save-abc",
	    ".gpuwl-save-abcdefg", ".gpuwl-save-abcde", "gpuwl-save-abcdef",
	    ".gpuwl-save-abcdef-1", ".gpuwl-save-abcdef-1-2",
	    ".gpuwl-save-abcdef-1-2-3", ".gpuwl-save-abcdef--2",
	    ".gpuwl-save-abcdef-x-2", ".gpuwl-save-abcdef.txt"};
	const size_t n = sizeof(strangers) / sizeof(*strangers);
	struct temporary alive;

	(void)state;
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
	expect_no_rest();
}

static void
test_final_path(void **state)
{
	static const struct {
		const char *path, *final;
	} rows[] = {{"new", "new"}, {"./x/../new", NULL},
	    {"real/../new", "new"}, {"to/new", "real/new"}, {"new/", NULL},
	    {"", NULL}, {"nowhere/new", NULL}, {"dangling", "real/later"}};

	(void)state;
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_between),
    cmocka_unit_test(test_between_names),
    cmocka_unit_test(test_between_harmless),
    cmocka_unit_test(test_between_thrice),
    cmocka_unit_test(test_open_writer),
    cmocka_unit_test(test_two_savers),
    cmocka_unit_test(test_stopped_saver),
    cmocka_unit_test(test_kept_time),
    cmocka_unit_test(test_access_list),
    cmocka_unit_test(test_folder_list),
    cmocka_unit_test(test_attributes),
    cmocka_unit_test(test_lost),
    cmocka_unit_test(test_several_names),
    cmocka_unit_test(test_several_names_no_room),
    cmocka_unit_test(test_sticky),
    cmocka_unit_test(test_chain),
    cmocka_unit_test(test_dead_saves),
    cmocka_unit_test(test_not_dead),
    cmocka_unit_test(test_final_path),
};

int
main(void)
{
	enter_test_folder();
	setenv("XDG_STATE_HOME", test_folder(), 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
