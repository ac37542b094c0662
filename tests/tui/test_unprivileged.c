/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console where much is forbidden: files and folders that may not be read
 * or written, a full disk, things in the place of files, no home. All as a
 * user without privileges; root becomes one first. Faults are reported, and
 * edits are not lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define STEPS    "P.1.1\n1.RCS.1000-2000.0.0\np.5000\n"
#define TWEAKED  "P.1.7\n1.RCS.1000-2000.0.0\np.5000\n"
#define RECOVERY ".a.wsim.gpuwl-recover"
#define NOBODY   65534

static char program[4096];

static struct pty *
start_in(char *const env[], const char *option, const char *argument)
{
	char *argv[] = {program, (char *)option, (char *)argument, NULL};

	return pty_start(110, 24, argv, env);
}

static struct pty *
start(const char *path)
{
	char state[4200];
	char *env[] = {state, NULL};

	snprintf(
	    state, sizeof(state), "XDG_STATE_HOME=%s/state", test_folder());
	return start_in(env, "--profile=ideal", path);
}

static struct pty *
start_tweaked(const char *path)
{
	struct pty *p = start(path);

	pty_wait_text(p, "workloads/s");
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "[+]");
	return p;
}

static void
kill_and_forget(struct pty *p)
{
	pty_send(p, ":q!\r");
	pty_expect_end(p, 0);
}

TEST(read_only_file)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	assert_int_equal(chmod("a.wsim", 0444), 0);
	p = start_tweaked("a.wsim");
	pty_send(p, "w");
	pty_wait_text(p,
	    "a.wsim is read-only (chmod u+w makes it writable) (:w FILE "
	    "writes elsewhere)");
	assert_true(pty_shows(p, "[+]"));
	expect_file("a.wsim", STEPS);
	pty_send(p, ":w b.wsim\r");
	pty_wait_text(p, "b.wsim written");
	expect_file("b.wsim", TWEAKED);
	assert_int_equal(chmod("a.wsim", 0644), 0);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written");
	expect_file("a.wsim", TWEAKED);

	/* None may even look. */
	pty_send(p, ":prio 1 8\r");
	pty_wait_text(p, "[+]");
	assert_int_equal(chmod("a.wsim", 0), 0);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim is read-only (chmod");
	pty_send(p, ":e!\r");
	pty_wait_text(p, "can't read a.wsim: Permission denied");
	pty_wait_text(p, "P.1.8");
	pty_send(p, ":e a.wsim\r"); /* it is open */
	assert_int_equal(chmod("b.wsim", 0), 0);
	pty_send(p, ":e b.wsim\r");
	pty_wait_text(p, "can't read b.wsim: Permission denied");
	kill_and_forget(p);
	p = start("a.wsim");
	assert_int_equal(WEXITSTATUS(pty_wait_status(p)), 1);
	assert_true(pty_shows(p, "can't read a.wsim: Permission denied"));
	pty_free(p);
	unlink("a.wsim");
	unlink("b.wsim");
}

/* The recovery file has another place then. */
TEST(read_only_folder)
{
	struct pty *p;

	assert_int_equal(mkdir("locked", 0700), 0);
	write_file("locked/a.wsim", STEPS);
	assert_int_equal(chmod("locked", 0555), 0);
	p = start_tweaked("locked/a.wsim");
	pty_send(p, "w");
	pty_wait_text(
	    p, "can't save locked/a.wsim: its folder is not writable");
	kill(pty_pid(p), SIGTERM);
	pty_expect_end(p, SIGTERM);
	p = start("locked/a.wsim");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "\033");
	pty_wait_text(p, "kept in /");
	pty_send(p, ":recover\r");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "r");
	pty_wait_text(p, "recovered");
	/* No user may go there any more; the file is there already. */
	assert_int_equal(chmod("locked", 0), 0);
	pty_wait_text(p, "a.wsim: Permission denied (:w FILE writes elsewh");
	pty_send(p, "w");
	pty_wait_text(p, "can't save locked/a.wsim: Permission denied");
	pty_send(p, ":e locked/other.wsim\r");
	pty_wait_text(p, "locked/other.wsim: Permission denied");
	pty_send(p, ":e locked\r");
	pty_wait_text(p, ":e locked/");
	pty_send(p, "\003");
	assert_int_equal(chmod("locked", 0755), 0);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	expect_file("locked/a.wsim", TWEAKED);
	unlink("locked/a.wsim");
	assert_int_equal(rmdir("locked"), 0);
}

/* Something else is where the file was. */
TEST(replaced)
{
	static const struct {
		const char *by, *told, *refused;
	} rows[] = {
	    {"mkdir a.wsim", "a.wsim is no longer a file (:w FILE",
		"a.wsim is not a regular file"},
	    {"mkfifo a.wsim", "a.wsim is no longer a file (:w FILE",
		"a.wsim is not a regular file"},
	    {"ln -s a.wsim a.wsim",
		"a.wsim: Too many levels of symbolic links (:w FILE",
		"can't save a.wsim: Too many levels of symbolic links"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pty *p;

		write_file("a.wsim", STEPS);
		p = start_tweaked("a.wsim");
		assert_int_equal(unlink("a.wsim"), 0);
		assert_int_equal(system(rows[i].by), 0);
		pty_wait_text(p, rows[i].told);
		pty_send(p, "w");
		pty_wait_text(p, rows[i].refused);
		pty_send(p, ":e!\r:zz\r");
		pty_wait_text(p, "unknown command 'zz'");
		assert_true(pty_shows(p, "[+]"));
		assert_int_equal(remove("a.wsim"), 0);
		pty_send(p, "w");
		pty_wait_text(p, "a.wsim written");
		pty_send(p, "q");
		pty_expect_end(p, 0);
		expect_file("a.wsim", TWEAKED);
		unlink("a.wsim");
	}
}

/* Files that never end, or never answer, are not waited for. */
TEST(special_files)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	assert_int_equal(mkfifo("pipe", 0600), 0);
	p = start_tweaked("a.wsim");
	pty_send(p, ":e pipe\r");
	pty_wait_text(p, "pipe is not a regular file");
	pty_send(p, ":launch 2 /dev/zero\r");
	pty_wait_text(p, "/dev/zero is not a regular file");
	pty_send(p, ":e -\r");
	pty_wait_text(p, "-: standard input is the keyboard's");
	pty_send(p, ":w pipe\r");
	pty_wait_text(p, "pipe is not a regular file (:w FILE");
	pty_send(p, ":dump pipe\r");
	pty_wait_text(p, "pipe: is a pipe without a reader");
	pty_send(p, ":dump ./a.wsim\r");
	pty_wait_text(p, "a.wsim is a workload: not overwritten");
	pty_send(p, ":profile pipe\r");
	pty_wait_text(p, "no profile 'pipe': a file, or one of");
	expect_file("a.wsim", STEPS);
	kill_and_forget(p);
	unlink("pipe");
	unlink("a.wsim");
}

/* A disk of some pages, which root has given us. */
TEST(full_disk)
{
	static char page[4096];
	struct pty *p;
	int fd;

	if (access("full/here", F_OK) != 0)
		skip_test("no file system may be mounted");
	write_file("full/a.wsim", STEPS);
	p = start_tweaked("full/a.wsim");
	fd = open("full/filler", O_WRONLY | O_CREAT, 0600);
	memset(page, 'x', sizeof(page));
	while (write(fd, page, sizeof(page)) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	close(fd);
	pty_send(p, "w");
	pty_wait_text(p,
	    "can't save full/a.wsim: No space left on device "
	    "(:w FILE writes elsewhere)");
	expect_file("full/a.wsim", STEPS);
	assert_int_not_equal(system("ls -A full | grep -q gpuwl-save"), 0);
	pty_send(p, ":prio 1 9\r");
	pty_wait_text(p, "P.1.9");
	kill(pty_pid(p), SIGTERM);
	pty_expect_end(p, SIGTERM);
	unlink("full/filler");
	p = start("full/a.wsim");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "r");
	pty_wait_text(p, "P.1.9");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Without a home it works, says what it lacks, once, and makes no folder where
 * it happens to be. */
TEST(homes)
{
	static const char *const homes[] = {"HOME", "HOME=", "HOME=relative",
	    "HOME=.", "HOME=/gpuwl-no-such-home/x", "HOME=/proc",
	    "HOME=/dev/null"};

	write_file("a.wsim", STEPS);
	for (size_t i = 0; i < sizeof(homes) / sizeof(*homes); i++) {
		char *env[] = {(char *)homes[i],
		    (char *)"XDG_STATE_HOME=elsewhere",
		    (char *)"XDG_CONFIG_HOME=config", NULL};
		struct pty *p = start_in(env, "--profile=ideal", "a.wsim");

		pty_wait_text(p, "histories are not kept");
		assert_false(pty_shows(p, "errors"));
		pty_send(p, ":prio 1 7\r");
		pty_wait_text(p, "[+]");
		assert_false(pty_shows(p, "history"));
		pty_send(p, ":w ~/b.wsim\r");
		pty_wait_text(p, "can't save ");
		kill_and_forget(p);
		assert_int_equal(access("config", F_OK), -1);
		assert_int_equal(access("elsewhere", F_OK), -1);
		assert_int_equal(access("relative", F_OK), -1);
		assert_int_equal(access(".local", F_OK), -1);
	}
	unlink("a.wsim");
}

TEST(homeless_recovery)
{
	char *env[] = {(char *)"HOME=relative", (char *)"XDG_STATE_HOME", NULL};
	struct pty *p = start_in(env, "-w", "P.1.1,1.RCS.1000.0.0");

	pty_wait_text(
	    p, "HOME is not an absolute path: histories are not kept");
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "[+]");
	kill(pty_pid(p), SIGTERM);
	pty_expect_end(p, SIGTERM);
	p = start_in(env, "-w", "P.1.1,1.RCS.1000.0.0");
	pty_wait_text(p, "unsaved edits of -w from 20");
	pty_send(p, "r");
	pty_wait_text(p, "P.1.7");
	kill_and_forget(p);
}

static void
become_nobody(void)
{
	assert_int_equal(setgroups(0, NULL), 0);
	assert_int_equal(setresgid(NOBODY, NOBODY, NOBODY), 0);
	assert_int_equal(setresuid(NOBODY, NOBODY, NOBODY), 0);
}

/* The program, and a full disk, where the user may go. What is mounted is gone with
 * the test. */
static int
lock_up(void **state)
{
	char command[8192];

	(void)state;
	snprintf(program, sizeof(program), "%s", test_path("gpuwl-top"));
	snprintf(
	    command, sizeof(command), "cp '%s' '%s'", pty_program(), program);
	assert_int_equal(system(command), 0);
	enter_test_folder();
	assert_int_equal(mkdir("full", 0700), 0);
	if (geteuid() != 0)
		return 0;
	if (unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("none", "full", "tmpfs", 0, "size=64k,mode=0777") == 0)
		close(open("full/here", O_WRONLY | O_CREAT, 0600));
	assert_int_equal(chown(".", NOBODY, NOBODY), 0);
	become_nobody();
	return 0;
}

static int
unlock(void **state)
{
	(void)state;
	return system("chmod -f u+rwx . locked || :");
}

FIXTURES(lock_up, unlock);
