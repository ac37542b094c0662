/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recovery files that another user has planted where the console looks at its
 * start: links, pipes, devices, folders, what is huge or another user's, and
 * bytes that would command a terminal. The console starts, follows nothing, and
 * offers only what a dead process of this user may have left.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define STEPS    "P.1.1\n1.RCS.1000.0.0\np.5000\n"
#define RECOVERY ".a.wsim.gpuwl-recover"
#define HEADER   "gpuwl-recover 1 4194300 1\n"
#define HOSTILE                                                                \
	"# x\033]0;owned\007\033[2Jy\xc2\x9b"                                  \
	"31m\xe2\x80\xaez\xe2\x81\xa6\xe2\x80\x8b\xf3\xa0\x80\xa1\xff\xc3\r"   \
	"\x0e\x08\nP.1.5\n1.RCS.\0.1000.0.0\n#@ label push \"\033[2J\0\"\n"
#define N(array_) (sizeof(array_) / sizeof(*(array_)))

static struct pty *
start(void)
{
	char *argv[] = {
	    pty_program(), (char *)"--profile=ideal", (char *)"a.wsim", NULL};
	char state[128];
	char *env[] = {state, NULL};

	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", test_path("state"));
	return pty_start(100, 24, argv, env);
}

static void
put_bytes(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static void
end_harmless(struct pty *p)
{
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_harmless(p);
	pty_free(p);
}

/* A file that can't have come from a killed console raises no question. */
TEST(ignored)
{
	static const char *const commands[] = {
	    "mkfifo " RECOVERY,
	    "mkdir " RECOVERY,
	    "ln -s /dev/zero " RECOVERY,
	    "ln -s " RECOVERY " " RECOVERY,
	    "ln -s left " RECOVERY,
	    "ln secret " RECOVERY,
	    "mknod " RECOVERY " c 1 5",
	    "cp left " RECOVERY " && chown 65534 " RECOVERY,
	    "cp left " RECOVERY " && truncate -s 257M " RECOVERY,
	    "head -c 20 left >" RECOVERY,
	    "head -c 100000 /dev/urandom >" RECOVERY,
	    "printf 'gpuwl-recover 1 1 0\\nliving' >" RECOVERY,
	};

	write_file("a.wsim", STEPS);
	write_file("secret", "secret\n");
	write_file("left", HEADER "P.1.6\n1.RCS.1000.0.0\n");
	for (size_t i = 0; i < N(commands); i++) {
		struct pty *p;

		assert_int_equal(system("rm -rf " RECOVERY " state"), 0);
		if (system(commands[i]) != 0) {
			print_message("%s: not tested\n", commands[i]);
			continue;
		}
		p = start();
		pty_wait_text(p, "F10");
		assert_false(pty_shows(p, "unsaved edits"));
		pty_send(p, ":recover\r");
		pty_wait_text(p, "no unsaved edits were left of a.wsim");
		/* It is no obstacle either. */
		pty_send(p, ":prio 1 7\r");
		pty_wait_text(p, "[+]");
		pty_send(p, "w");
		pty_wait_text(p, "a.wsim written");
		pty_send(p, "q");
		end_harmless(p);
		expect_file("secret", "secret\n");
		expect_file("left", HEADER "P.1.6\n1.RCS.1000.0.0\n");
		write_file("a.wsim", STEPS);
	}
	assert_int_equal(system("rm -rf " RECOVERY), 0);
}

/* Whole, and hostile: it is shown, compared and taken as any text is. */
TEST(hostile_text)
{
	static const char text[] = HEADER HOSTILE;
	static const char *const keys[] = {"r", "x", "\033"};

	write_file("a.wsim", STEPS);
	for (size_t i = 0; i < N(keys); i++) {
		struct pty *p;

		put_bytes(RECOVERY, text, sizeof(text) - 1);
		p = start();
		pty_wait_text(p, "unsaved edits of a.wsim from");
		pty_send(p, "d");
		pty_wait_text(p, "1 + # x?]0;owned");
		pty_send(p, "q");
		pty_wait_text(p, "unsaved edits of a.wsim from");
		pty_send(p, keys[i]);
		pty_wait_gone(p, "unsaved edits of a.wsim from");
		pty_send(p, "5gg:zz\r");
		pty_wait_text(p, "unknown command 'zz'");
		pty_send(p, ":q!\r");
		end_harmless(p);
	}
	assert_int_equal(access(RECOVERY, F_OK), 0); /* Esc keeps it */
	expect_file("a.wsim", STEPS);
	unlink(RECOVERY);
}

/* A time that no calendar has. */
TEST(odd_times)
{
	static const char *const times[] = {
	    "@-9999999999", "@0", "@15032385535"};
	char command[100];

	for (size_t i = 0; i < N(times); i++) {
		struct pty *p;

		write_file(RECOVERY, HEADER "P.1.6\n1.RCS.1000.0.0\n");
		snprintf(command, sizeof(command), "touch -d %s " RECOVERY,
		    times[i]);
		if (system(command) != 0)
			continue;
		p = start();
		pty_wait_text(p, "unsaved edits of a.wsim from");
		pty_send(p, "x");
		pty_wait_gone(p, "unsaved edits of a.wsim from");
		pty_send(p, "q");
		end_harmless(p);
	}
}

FIXTURES(in_test_folder, NULL);
