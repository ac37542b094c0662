/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A saved file keeps its access control list, extended attributes and owner, or
 * grants less and says so; and its other names.
 */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/save_scene.h"

#define ACL "system.posix_acl_access"

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
TEST(access_list)
{
	struct file_stamp stamp = save_scene_begin("read\n");
	char kept[sizeof(list) + 1];
	struct text err = {0};
	struct stat st;

	if (!can_set(ACL, &list, sizeof(list)))
		skip_test("no access control lists in this file system");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, false, &err), SAVE_DONE);
	assert_int_equal(err.len, 0);
	assert_int_equal(getxattr("a", ACL, kept, sizeof(kept)), sizeof(list));
	assert_memory_equal(kept, &list, sizeof(list));
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	/* Also with force. */
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, true, &err), SAVE_DONE);
	assert_int_equal(getxattr("a", ACL, kept, sizeof(kept)), sizeof(list));
}

/* Nor who the folder's own list would let in. */
TEST(folder_list)
{
	struct file_stamp stamp;

	assert_int_equal(mkdir("listed", 0755), 0);
	if (setxattr("listed", "system.posix_acl_default", &list, sizeof(list),
		0) != 0) {
		rmdir("listed");
		skip_test("no access control lists in this file system");
	}
	assert_int_equal(chdir("listed"), 0);
	stamp = save_scene_begin("read\n");
	assert_int_equal(removexattr("a", ACL), 0);
	assert_int_equal(chmod("a", 0660), 0);
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, false, NULL), SAVE_DONE);
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

TEST(attributes)
{
	struct file_stamp stamp = save_scene_begin("read\n");
	bool security, user = can_set("user.note", "a note", 6);
	struct text err = {0};

	security = can_set("security.gpuwl", "s", 1);
	can_set("user.empty", "", 0);
	if (!user)
		skip_test("no extended attributes in this file system");
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, false, &err), SAVE_DONE);
	expect_file("a", "ours\n");
	expect_attribute("user.note", "a note");
	expect_attribute("user.empty", "");
	if (security)
		expect_attribute("security.gpuwl", "s");
	assert_string_equal(text_str(&err), "");
}

/* A refusal of the kernel is reported, and allows less where access can't be
 * kept. */
TEST(lost)
{
	struct file_stamp stamp = save_scene_begin("read\n");
	struct text err = {0};
	struct stat st;
	pid_t pid;
	int status;

	if (geteuid() != 0 || !can_set("security.gpuwl", "s", 1) ||
	    !can_set("user.note", "a note", 6)) {
		skip_test("only root can set security attributes");
	}
	assert_int_equal(chown("a", 65534, 0), 0);
	assert_int_equal(chmod("a", 0664), 0);
	assert_int_equal(chmod(".", 0777), 0);
	pid = fork();
	if (pid == 0) {
		/* A login of root has group 0 as one of these, too. */
		if (setgroups(0, NULL) != 0 ||
		    setresgid(65534, 65534, 65534) != 0 ||
		    setresuid(65534, 65534, 65534) != 0 ||
		    file_save("a", &save_scene_text, &stamp, false, &err) !=
			SAVE_DONE ||
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

TEST(several_names)
{
	struct file_stamp stamp = save_scene_begin(
	    "a longer text that was read\n");
	struct text err = {0};
	struct stat st;

	assert_int_equal(link("a", "other"), 0);
	assert_int_equal(file_save("a", &save_scene_text, &stamp, false, &err),
	    SAVE_BY_FORCE);
	assert_string_equal(text_str(&err),
	    "a has 2 names (hard links), and the others would keep the old "
	    "text");
	expect_file("other", "a longer text that was read\n");
	text_clear(&err);
	assert_int_equal(
	    file_save("a", &save_scene_text, &stamp, true, &err), SAVE_DONE);
	expect_file("other", "ours\n");
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_nlink, 2);
	assert_false(file_changed("a", &stamp));
	assert_int_equal(access(".a.gpuwl-recover", F_OK), -1);
	expect_no_save_files();
	unlink("other");
	text_free(&err);
}

/* No room: the file is as it was, or the text is elsewhere, which is said. */
TEST(several_names_no_room)
{
	static char big[100000];
	const struct text much = {.data = big, .len = sizeof(big) - 1};
	struct file_stamp stamp = save_scene_begin("read\n");
	struct rlimit limit, small;
	struct text err = {0};

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
	expect_no_save_files();
	unlink("other");
	text_free(&err);
}

/* A file of another user, in a folder where only owners may replace theirs. */
TEST(sticky)
{
	struct file_stamp stamp;
	struct text err = {0};
	pid_t pid;
	int status;

	if (geteuid() != 0) {
		skip_test("only root can be two users");
	}
	assert_int_equal(mkdir("sticky", 0), 0);
	assert_int_equal(chmod("sticky", 01777), 0);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(chdir("sticky"), 0);
	stamp = save_scene_begin("read\n");
	assert_int_equal(chmod("a", 0666), 0);
	pid = fork();
	if (pid == 0) {
		if (setresuid(65534, 65534, 65534) != 0 ||
		    file_save("a", &save_scene_text, &stamp, false, &err) !=
			SAVE_BY_FORCE ||
		    strcmp(text_str(&err),
			"a is another user's, and its folder is sticky: only "
			"its owner can replace it") != 0 ||
		    file_save("a", &save_scene_text, &stamp, true, NULL) !=
			SAVE_DONE)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_file("a", "ours\n");
	assert_int_equal(chdir(".."), 0);
}

FIXTURES(in_state_folder, NULL);
