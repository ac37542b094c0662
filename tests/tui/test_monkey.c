/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random keys, commands, sizes and times, by script and on a real terminal:
 * the console must neither crash nor hang, nor leave the terminal as it is
 * not to be; it must show of the descriptor what it writes then, and say of
 * it what --check says.
 *
 * MONKEY_KEYS in the environment asks for more keys, MONKEY_SEED for where to
 * begin; a script that fails is kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/monkey.h"
#include "tests/support/pty.h"

#define LINES_PER_SCRIPT  150
#define PIECES_PER_SCREEN 400
#define TIMEOUT           60  /* seconds of the CPU that a script may take */
#define HUNG              600 /* seconds after which it hangs, on any machine */
#define KEYS              20000
#define TAIL              6000 /* bytes shown of what it has written */

#define N(array) (sizeof(array) / sizeof(*(array)))

static void
write_file(const char *folder, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		fail_msg("%s: %s", path, strerror(errno));
}

static void
leave_nothing(const char *folder)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
}

/* Enters a folder without other files, for those that the program writes. */
static void
enter_folder(const char *folder)
{
	if (chdir(folder) != 0)
		_exit(125);
	setenv("HOME", folder, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
}

/* A program that hangs may not listen to the first signal. */
static void
limit_time(void)
{
	struct itimerval busy = {{1, 0}, {TIMEOUT, 0}};
	struct itimerval hung = {{1, 0}, {HUNG, 0}};

	setitimer(ITIMER_PROF, &busy, NULL);
	setitimer(ITIMER_REAL, &hung, NULL);
}

/* Status of the program. quiet: its output is not read. */
static int
run_in(const char *folder, struct monkey *m, char *const argv[], bool quiet)
{
	bool unicode = monkey_below(m, 2), second = monkey_below(m, 2);
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		enter_folder(folder);
		setenv("LC_ALL", unicode ? "C.UTF-8" : "C", 1);
		setenv("VISUAL", second ? "sed -i 2,3d" : "sed -i 1p", 1);
		dup2(null, 0);
		dup2(null, 1);
		if (quiet)
			dup2(null, 2);
		limit_time();
		execv(argv[0], argv);
		_exit(126);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Plays the script of the folder on one workload or another. */
static int
play(const char *folder, struct monkey *m)
{
	static const char *const workloads[] = {
	    "1.RCS.1000-2000.0.0,2.VCS.3000.-1.1,p.5000",
	    "f,1.RCS.*.f-1.0,a.-2,d.500,T.-3,2.CCS.100.0.1",
	    "d.100000,1.RCS.10.0.1",
	    "1.RCS.*.0.0,2.RCS.100.0.1",
	    /* These wait until they are mended. */
	    "1.RCS.500.0.0,2.XCS.300.0.1,d.100",
	    "# nothing to be run,",
	};
	const char *text = workloads[monkey_below(m, N(workloads))];
	bool from_file = monkey_below(m, 2), many = monkey_below(m, 2);
	char *argv[] = {pty_program(), (char *)"--script", (char *)"script",
	    (char *)"-w", from_file ? (char *)"start.wsim" : (char *)text,
	    (char *)"-c", many ? (char *)"20" : (char *)"1", NULL};

	write_file(folder, "start.wsim", text);
	return run_in(folder, m, argv, false);
}

/* At the end nothing is asked any more, the descriptor alone is shown from its
 * start, written and dumped. */
static size_t
write_script(const char *folder, struct monkey *m)
{
	struct text t = {0};
	size_t n;

	for (int i = 0; i < LINES_PER_SCRIPT; i++)
		monkey_add_line(m, &t);
	n = monkey_count_keys(text_str(&t));
	text_adds(&t,
	    "<Esc><Esc><Esc><Esc>5\nsize 250x100\njJzg\n:w! end.wsim\n"
	    "dump end.txt\n:q!\n");
	write_file(folder, "script", text_str(&t));
	text_free(&t);
	return n;
}

#define TEXT_COLUMN 30 /* of the descriptor */
#define SHOWN_ROWS  100

/* Only what looks alike in every locale. */
static void
add_plain(struct text *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] > ' ' && s[i] != '?')
			text_addc(out, s[i]);
	text_addc(out, '\n');
}

static const char *
skip_columns(const char *s, int n)
{
	for (; n > 0 && *s != 0 && *s != '\n'; n--)
		do
			s++;
		while (((unsigned char)*s & 0xc0) == 0x80);
	return s;
}

/* The lines that the dump shows: rows with a number, below the title. */
static unsigned
read_shown(const char *folder, struct text *out)
{
	char path[300], row[2000];
	bool below_title = false;
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/end.txt", folder);
	f = fopen(path, "r");
	assert_non_null(f);
	for (int y = 1; fgets(row, sizeof(row), f) != NULL; y++) {
		const char *s = skip_columns(row, TEXT_COLUMN);

		if (below_title && y < SHOWN_ROWS && strspn(row, " ") < 5 &&
		    row[strspn(row, " ")] != '\n') {
			add_plain(out, s, strcspn(s, "\n"));
			n++;
		}
		below_title |= strncmp(row, " LINE", 5) == 0;
	}
	fclose(f);
	return n;
}

/* Lines that were written, as they would be shown. */
static void
read_written(const char *folder, unsigned n, struct text *out)
{
	struct text contents = {0}, err = {0};
	struct document *doc;
	char path[300];

	snprintf(path, sizeof(path), "%s/end.wsim", folder);
	assert_true(file_read(path, &contents, NULL, &err));
	doc = document_parse(
	    "t", text_str(&contents), contents.len, SOURCE_FILE);
	for (size_t i = 0; i < n && i < document_n_lines(doc); i++) {
		size_t len;
		const char *s = document_line_text(doc, i, &len);

		add_plain(out, s, len);
	}
	document_free(doc);
	text_free(&contents);
}

/* True if the last line reports errors of the file when it is written. */
static bool
says_errors(const char *folder)
{
	struct text dump = {0}, err = {0};
	char path[300];
	bool says;

	snprintf(path, sizeof(path), "%s/end.txt", folder);
	assert_true(file_read(path, &dump, NULL, &err));
	says = strstr(text_str(&dump), "written, with errors") != NULL;
	if (!says && strstr(text_str(&dump), "end.wsim written") == NULL)
		fail_msg("%s is not said to be written", path);
	text_free(&dump);
	return says;
}

/* True if --check and the console agree on the file. */
static bool
is_checked_alike(const char *folder, struct monkey *m)
{
	char *argv[] = {
	    pty_program(), (char *)"--check", (char *)"end.wsim", NULL};
	int status = run_in(folder, m, argv, true);
	bool said = says_errors(folder);

	if (WIFEXITED(status) && WEXITSTATUS(status) == said)
		return true;
	fprintf(stderr, "--check: status %#x, the console: %s errors\n",
	    (unsigned)status, said ? "with" : "no");
	return false;
}

/* True if the file has the text that the screen showed. */
static bool
is_as_shown(const char *folder)
{
	struct text shown = {0}, written = {0};
	unsigned n = read_shown(folder, &shown);
	bool same;

	read_written(folder, n, &written);
	same = strcmp(text_str(&shown), text_str(&written)) == 0;
	if (!same)
		fprintf(stderr, "shown:\n%swritten:\n%s", text_str(&shown),
		    text_str(&written));
	text_free(&shown);
	text_free(&written);
	return same;
}

/* Adds the keys of the script. */
static bool
try_seed(uint32_t seed, size_t *n_keys)
{
	char folder[] = "/tmp/gpuwl-monkey-XXXXXX";
	struct monkey m = {.seed = seed, .rows = 24};
	int status;
	bool ok;

	assert_non_null(mkdtemp(folder));
	*n_keys += write_script(folder, &m);
	status = play(folder, &m);
	ok = status == 0 && is_as_shown(folder) && is_checked_alike(folder, &m);
	if (ok)
		leave_nothing(folder);
	else
		fprintf(stderr, "seed %u, %s/script: status %#x\n", seed,
		    folder, (unsigned)status);
	return ok;
}

static uint32_t
first_seed(void)
{
	return (uint32_t)from_environment("MONKEY_SEED", 1);
}

TEST(scripts)
{
	size_t wanted = test_rounds("MONKEY_KEYS", KEYS), n_keys = 0,
	       failed = 0;
	uint32_t seed = first_seed();

	for (; n_keys < wanted; seed++)
		failed += !try_seed(seed, &n_keys);
	printf("%zu keys in scripts, of seeds %u to %u\n", n_keys, first_seed(),
	    seed - 1);
	assert_int_equal(failed, 0);
}

/* Bytes as a terminal sends them. */

static struct pty *
start_in(char *folder, struct monkey *m)
{
	char home[64];
	char *env[] = {home, (char *)"VISUAL=sed -i 1p",
	    (char *)"XDG_CONFIG_HOME", (char *)"XDG_STATE_HOME",
	    monkey_below(m, 2) ? (char *)"LC_ALL=C.UTF-8" : (char *)"LC_ALL=C",
	    NULL};
	char *argv[] = {pty_program(), (char *)"start.wsim", NULL};
	struct pty *p;

	snprintf(home, sizeof(home), "HOME=%s", folder);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "start.wsim"); /* or asks about edits of it */
	return p;
}

static void
resize(struct pty *p, struct monkey *m)
{
	int cols = 1 + (int)monkey_below(m, 200);
	int rows = 1 + (int)monkey_below(m, 60);

	pty_resize(p, cols, rows);
}

/* Is the terminal as the program found it? The last of what it has written
 * may say why not. */
static void
check_given_back(struct pty *p, int status)
{
	struct pty_modes before = pty_first_modes(p), now;
	const struct text *t = pty_stream(p);

	pty_drain(p);
	now = pty_modes(p);
	if (pty_same_modes(&before, &now))
		return;
	fputs(text_str(t) + (t->len > TAIL ? t->len - TAIL : 0), stderr);
	fail_msg("status %x, alternate %d, cursor %d, mouse %d, keypad %d, "
		 "modes %x %x %x",
	    (unsigned)status, now.alternate, now.cursor, now.mouse, now.keypad,
	    now.termios.c_iflag, now.termios.c_oflag, now.termios.c_lflag);
}

/* Stopped it has given the terminal back. False: it has quit, of its own. */
static bool
stop_and_continue(struct pty *p)
{
	int status;

	kill(pty_pid(p), SIGTSTP);
	status = pty_wait_status(p);
	check_given_back(p, status);
	if (!WIFSTOPPED(status)) {
		assert_int_equal(status, 0);
		return false;
	}
	kill(pty_pid(p), SIGCONT);
	return true;
}

/* Counts its keys. */
static void
type_at(struct pty *p, struct monkey *m, size_t *n)
{
	struct text t = {0};

	for (unsigned i = 1; i <= PIECES_PER_SCREEN; i++) {
		text_clear(&t);
		monkey_add_bytes(m, &t);
		pty_send(p, text_str(&t));
		++*n;
		if (i % 10 == 0)
			resize(p, m);
		if (i % 100 == 0 && !stop_and_continue(p))
			break;
	}
	text_free(&t);
}

static void
expect_death(struct pty *p)
{
	int status;

	kill(pty_pid(p), SIGTERM);
	status = pty_wait_status(p);
	check_given_back(p, status);
	assert_true(status == 0 || WTERMSIG(status) == SIGTERM);
}

TEST(bytes)
{
	size_t wanted = test_rounds("MONKEY_KEYS", KEYS) / 4, n = 0;
	char folder[] = "/tmp/gpuwl-monkey-XXXXXX";
	struct monkey m = {.seed = first_seed(), .rows = 24};
	int here = open(".", O_RDONLY | O_DIRECTORY);

	assert_non_null(mkdtemp(folder));
	printf("bytes of seed %u, in %s\n", m.seed, folder);
	fflush(stdout);
	assert_int_equal(chdir(folder), 0);
	while (n < wanted) {
		struct pty *p;

		write_file(".", "start.wsim",
		    "1.RCS.1000-2000.0.0\n2.VCS.3000.-1.1\np.5000\n");
		p = start_in(folder, &m);
		type_at(p, &m, &n);
		expect_death(p);
		pty_free(p);
	}
	assert_int_equal(fchdir(here), 0);
	close(here);
	leave_nothing(folder);
}
