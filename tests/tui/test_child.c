/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The editor of the key E on a pty, played by a script that sets the modes that
 * editors set. Whatever signal ends the console: no process of the editor is
 * left, the terminal is as it was, saved text is kept. A stop stops both, and
 * both continue.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define STEPS    "1.RCS.1000-2000.0.0\np.5000\n"
#define RECOVERY ".a.wsim.gpuwl-recover"

/* The alternate screen, mouse reports, pastes, other key codes, raw modes; a
 * child process; a line that it saves. */
#define TAKE                                                                   \
	"printf '\\033[?1049h\\033[?1h\\033[?1002h\\033[?1006h\\033[?2004h'\n" \
	"stty raw -echo\n"
#define SAVE "echo 'p.7777' >>\"$1\"\n"
#define WAIT "echo $$ >editor.pid\necho EDITOR-IS-UP\nsleep 1000\n"

static const struct editor {
	const char *script;
	bool saves;
} editors[] = {
    {TAKE SAVE WAIT, true},
    {TAKE WAIT, false},
    {"trap '' TERM HUP INT QUIT\n" TAKE SAVE WAIT, true},
};

static struct pty *
start_with(const char *visual, const char *script)
{
	char *argv[] = {pty_program(), (char *)"a.wsim", NULL};
	char tmp[96];
	char *env[] = {test_state_home(), tmp, (char *)(uintptr_t)visual, NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	write_file("editor", script);
	unlink(RECOVERY);
	unlink("editor.pid");
	snprintf(tmp, sizeof(tmp), "TMPDIR=%s/tmp", test_folder());
	mkdir("tmp", 0700);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "F10");
	pty_send(p, "5E");
	return p;
}

static struct pty *
start(const char *script)
{
	return start_with("VISUAL=sh ./editor", script);
}

static pid_t
editor_pid(void)
{
	char *s = read_whole("editor.pid", NULL);
	pid_t pid = (pid_t)strtol(s, NULL, 10);

	free(s);
	assert_true(pid > 1);
	return pid;
}

/* True unless it has ended; a zombie has. */
static bool
is_alive(pid_t pid)
{
	char path[64], state = 'X';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f == NULL)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	fclose(f);
	return state != 'Z' && state != 'X';
}

static void
expect_no_files(void)
{
	DIR *dir = opendir("tmp");
	struct dirent *d;

	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			fail_msg("tmp/%s is left", d->d_name);
	closedir(dir);
}

static void
expect_kept(bool saves)
{
	char *s;

	if (!saves) {
		assert_int_equal(access(RECOVERY, F_OK), -1);
		return;
	}
	s = read_whole(RECOVERY, NULL);
	assert_non_null(strstr(s, "p.7777"));
	free(s);
}

/* Asks the console to end, once or more often. It waits for the editor's end, unless
 * it crashes or is asked again: then the editor ends beside it. */
static void
end_by(const struct editor *e, int sig, int times)
{
	struct pty *p = start(e->script);
	int status, pidfd;
	pid_t pid;

	pty_wait_text(p, "EDITOR-IS-UP");
	pid = editor_pid();
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	assert_true(pidfd >= 0);
	for (int i = 0; i < times; i++)
		kill(pty_pid(p), sig);
	status = pty_wait_status(p);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != sig)
		fail_msg("signal %d: status %#x", sig, (unsigned)status);
	if (times > 1 || sig == SIGSEGV || sig == SIGABRT || sig == SIGBUS)
		assert_int_equal(
		    poll(&(struct pollfd){pidfd, POLLIN, 0}, 1, 30000), 1);
	assert_false(is_alive(pid));
	close(pidfd);
	pty_check_given_back(p);
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_free(p);
}

TEST(asked_to_end)
{
	static const int asking[] = {
	    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGSTKFLT};

	for (size_t i = 0; i < N(asking) * N(editors); i++) {
		const struct editor *e = &editors[i % N(editors)];

		end_by(e, asking[i / N(editors)], 1);
		expect_kept(e->saves);
		expect_no_files();
	}
}

/* After a crash the text is where the editor saved it. */
TEST(crash)
{
	static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS};

	for (size_t i = 0; i < N(fatal); i++)
		end_by(&editors[i % N(editors)], fatal[i], 1);
	end_by(&editors[0], SIGTERM, 2);
	assert_int_equal(system("rm -rf tmp"), 0);
}

/* The second signal comes while the console waits for the editor's end. */
TEST(asked_again)
{
	struct pty *p = start("trap 'echo GOT-TERM' TERM\necho $$ >editor.pid\n"
			      "echo EDITOR-IS-UP\n"
			      "while :; do sleep 0.1; done\n");

	pty_wait_text(p, "EDITOR-IS-UP");
	kill(pty_pid(p), SIGTERM);
	pty_wait_text(p, "GOT-TERM");
	kill(pty_pid(p), SIGTERM);
	assert_int_equal(pty_wait_status(p), SIGTERM);
	assert_false(is_alive(editor_pid()));
	pty_check_given_back(p);
	pty_free(p);
	assert_int_equal(system("rm -rf tmp"), 0);
}

/* Signals from keys reach the editor only. */
TEST(keys)
{
	struct pty *p = start("trap 'echo GOT-INT' INT\n"
			      "trap 'echo GOT-QUIT; exit 0' QUIT\n"
			      "echo p.7777 >\"$1\"\necho EDITOR-IS-UP\n"
			      "while :; do read line || :; done\n");

	pty_wait_text(p, "EDITOR-IS-UP");
	pty_send(p, "\003");
	pty_wait_text(p, "GOT-INT");
	pty_send(p, "\034");
	pty_wait_text(p, "p.7777");
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
}

static void
expect_the_way_back(struct pty *p)
{
	pty_wait_text(p, "p.7777");
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
	expect_no_files();
}

/* Ctrl-Z by the terminal, and by an editor that handles it itself. */
TEST(stop)
{
	static const char *const scripts[] = {
	    "echo EDITOR-IS-UP\nread line\n" SAVE,
	    "echo EDITOR-IS-UP\nstty -isig\nread line\nstty isig\n"
	    "kill -TSTP 0\necho ON-AGAIN\nread line\n" SAVE,
	    "trap '' TSTP\necho EDITOR-IS-UP\nread line\n" SAVE,
	};

	for (size_t i = 0; i < N(scripts); i++) {
		struct pty *p = start(scripts[i]);

		pty_wait_text(p, "EDITOR-IS-UP");
		if (i == 0)
			pty_send(p, "\032");
		else if (i == 1)
			pty_send(p, "\r");
		else
			kill(pty_pid(p), SIGTSTP);
		assert_true(WIFSTOPPED(pty_wait_status(p)));
		pty_check_given_back(p);
		kill(-pty_pid(p), SIGCONT);
		if (i == 1)
			pty_wait_text(p, "ON-AGAIN");
		pty_send(p, "\r");
		expect_the_way_back(p);
	}
}

/* The editor ends on being asked to stop: the console stops all the same. */
TEST(end_instead_of_stop)
{
	struct pty *p = start_with("VISUAL=trap : TSTP; sh ./editor",
	    "trap 'echo p.7777 >>\"$1\"; exit 0' TSTP\n"
	    "echo EDITOR-IS-UP\nwhile :; do read line || :; done\n");

	pty_wait_text(p, "EDITOR-IS-UP");
	kill(pty_pid(p), SIGTSTP);
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	pty_check_given_back(p);
	kill(pty_pid(p), SIGCONT);
	expect_the_way_back(p);
}

/* An editor that waits in vfork(), as shells do, for a child that is stopped
 * before exec: it can't stop itself. Reads a line, then saves. */
static int
be_editor_in_vfork(const char *path)
{
	if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0) {
		FILE *f = fopen(path, "a");

		puts("EDITOR-IS-UP");
		fflush(stdout);
		if (f == NULL || getchar() == EOF || fputs("p.7777\n", f) < 0 ||
		    fclose(f) != 0)
			_exit(1);
		_exit(0);
	}
	return 0;
}

TEST(stop_in_vfork)
{
	char visual[4200];
	struct pty *p;

	snprintf(
	    visual, sizeof(visual), "VISUAL=exec '%s' :editor", test_runner());
	p = start_with(visual, "");
	pty_wait_text(p, "EDITOR-IS-UP");
	kill(pty_pid(p), SIGTSTP);
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	pty_check_given_back(p);
	kill(pty_pid(p), SIGCONT);
	pty_send(p, "\r");
	expect_the_way_back(p);
}

/* Ends the console while both are stopped. */
TEST(end_while_stopped)
{
	struct pty *p = start(
	    "echo $$ >editor.pid\n" SAVE "echo EDITOR-IS-UP\nread line\n");

	pty_wait_text(p, "EDITOR-IS-UP");
	pty_send(p, "\032");
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	kill(pty_pid(p), SIGTERM);
	kill(pty_pid(p), SIGCONT);
	assert_int_equal(pty_wait_status(p), SIGTERM);
	assert_false(is_alive(editor_pid()));
	pty_check_given_back(p);
	pty_free(p);
	expect_kept(true);
	expect_no_files();
}

ROLE(editor)
{
	return be_editor_in_vfork(argv[1]);
}

FIXTURES(in_test_folder, NULL);
