/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No command of the console writes over a file that is read or written already:
 * a descriptor, a trace, the layer's messages, a dump of the screen. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define STEPS     "#@ dispatch 1x1x1 spirv=shader.spv\n1.RCS.1000.0.0\np.5000\n"
#define N(array_) (sizeof(array_) / sizeof(*(array_)))

static struct pty *
start(const char *const *options)
{
	char *argv[12] = {pty_program()};
	char state[128];
	char *env[] = {state, NULL};

	for (int i = 0; options[i] != NULL; i++)
		argv[i + 1] = (char *)(uintptr_t)options[i];
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", test_path("state"));
	return pty_start(110, 24, argv, env);
}

static void
write_files(void)
{
	write_file("a.wsim", STEPS);
	write_file("b.wsim", STEPS);
	write_file("more.wsim", "1.RCS.1.0.0\n");
	write_file("p.ini", "# a profile\n");
	write_file("q.ini", "# another one\n");
	write_file("shader.spv", "a shader");
}

TEST(commands)
{
	static const char *const options[] = {"a.wsim", "b.wsim", "-a",
	    "more.wsim", "--profile=./p.ini", "--record=rec", "--trace=trace",
	    "--error-state=errors", NULL};
	static const struct {
		const char *keys, *wanted;
	} rows[] = {
	    {":w! rec\r", "rec is the file of --record: each needs one of"},
	    {":w! link\r", "link is the file of --record: each needs one"},
	    {":w! trace\r", "trace is the file of --trace: each needs one"},
	    {":w! ./p.ini\r", "./p.ini is read by --profile: not overwr"},
	    {":w! more.wsim\r", "more.wsim is read by --append: not over"},
	    {":w! shader.spv\r", "shader.spv is named by an annotation: n"},
	    {":w! errors/error-1.txt\r",
		"errors/error-1.txt is the file of --error-state: each"},
	    {":dump rec\r", "rec is the file of --record: each needs"},
	    {":dump b.wsim\r", "b.wsim is a workload: not overwritten"},
	    {":dump shader.spv\r", "shader.spv is named by an annotation"},
	    {":trace! rec\r", "rec is the file of --record: each needs on"},
	    {":trace! p.ini\r", "p.ini is read by --profile: not overwr"},
	    {":layer! trace\r", "trace is the file of --trace: each needs"},
	    {":layer! b.wsim\r", "b.wsim is a workload: not overwritten"},
	    {":arm-metadata! shader.spv\r", "shader.spv is named by an"},
	};
	struct pty *p;

	write_files();
	assert_int_equal(symlink("rec", "link"), 0);
	p = start(options);
	pty_wait_text(p, "1 of 2 (J K)");
	for (size_t i = 0; i < N(rows); i++) {
		pty_send(p, rows[i].keys);
		pty_wait_text(p, rows[i].wanted);
		pty_send(p, "\033");
		pty_wait_gone(p, rows[i].wanted);
	}
	/* A profile that is chosen later is one that is read. */
	pty_send(p, ":profile ./q.ini\r");
	pty_wait_gone(p, "profile p");
	pty_send(p, ":w! q.ini\r");
	pty_wait_text(p, "q.ini is the profile: not overwritten");
	/* An output that has ended may be written again, also to its own file. */
	pty_send(p, ":trace\r");
	pty_wait_text(p, "trace: ");
	pty_send(p, ":w! trace\r");
	pty_wait_text(p, "trace written, 3 lines");
	pty_send(p, ":dump twice\r:dump twice\r");
	pty_wait_text(p, "screen written to twice");
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	expect_file("p.ini", "# a profile\n");
	expect_file("q.ini", "# another one\n");
	expect_file("shader.spv", "a shader");
	expect_file("b.wsim", STEPS);
	expect_file("more.wsim", "1.RCS.1.0.0\n");
	expect_file("trace", STEPS);
}

/* Opened as a descriptor, a file that is being written is not saved to. */
TEST(own_file)
{
	static const char *const options[] = {"a.wsim", "--record=rec", NULL};
	struct pty *p;

	write_files();
	p = start(options);
	pty_wait_text(p, "F10");
	pty_send(p, ":e rec\r");
	pty_wait_text(p, "2 of 2 (J K)");
	pty_send(p, ":w\r");
	pty_wait_text(p, "rec is the file of --record: each needs one of");
	pty_send(p, "\033:q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
}

TEST(options)
{
	static const struct {
		const char *options[6], *wanted;
	} rows[] = {
	    {{"a.wsim", "--record=hard", "--trace=new", NULL},
		"--record: hard is a workload: not overwritten"},
	    {{"b.wsim", "--record=new", "--trace=later", NULL},
		"--trace: later is the file of --record: each needs one of"},
	    {{"b.wsim", "--script=more.wsim", "--record=./more.wsim", NULL},
		"--record: ./more.wsim is read by --script: not over"},
	    {{"b.wsim", "--config=more.wsim", "--layer=more.wsim", NULL},
		"--layer: more.wsim is read by --config: not overwr"},
	    {{"b.wsim", "--record=fifo", NULL},
		"fifo: is a pipe without a reader"},
	};

	write_files();
	assert_int_equal(link("a.wsim", "hard"), 0);
	assert_int_equal(symlink("new", "later"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	write_file("more.wsim", "");
	for (size_t i = 0; i < N(rows); i++) {
		struct pty *p = start(rows[i].options);
		int status;

		pty_wait_text(p, rows[i].wanted);
		status = pty_wait_status(p);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
		pty_free(p);
		expect_file("a.wsim", STEPS);
		expect_file("more.wsim", "");
		assert_int_equal(access("new", F_OK), -1);
	}
}

FIXTURES(in_test_folder, NULL);
