/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See pty.h. Between us and the program stands a small parent that leads the
 * session, as a shell does: without it the program could not be stopped, and
 * it tells us every status that it sees.
 */
#include "tests/support/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka.h needs these before it. */
#include <stdint.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty_private.h"

static int
on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct pty *p = user;

	switch (prop) {
	case VTERM_PROP_ALTSCREEN: p->alternate = value->boolean; break;
	case VTERM_PROP_CURSORVISIBLE: p->cursor = value->boolean; break;
	case VTERM_PROP_MOUSE: p->mouse = value->number; break;
	default: break;
	}
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

char *
pty_program(void)
{
	return (char *)(uintptr_t)test_program();
}

static void
set_environment(char *const env[])
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("INPUTRC", "/dev/null", 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	putenv(test_state_home());
	unsetenv("NO_COLOR");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	for (; env != NULL && *env != NULL; env++) {
		if (strchr(*env, '=') != NULL)
			putenv(*env);
		else
			unsetenv(*env);
	}
}

static void
run_program(int slave, char *const argv[], char *const env[])
{
	struct rlimit none = {0, 0};
	sigset_t nothing;

	setpgid(0, 0);
	tcsetpgrp(slave, getpid());
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&nothing);
	sigprocmask(SIG_SETMASK, &nothing, NULL);
	setrlimit(RLIMIT_CORE, &none);
	dup2(slave, 0);
	dup2(slave, 1);
	dup2(slave, 2);
	closefrom(3);
	set_environment(env);
	execv(argv[0], argv);
	perror(argv[0]);
	_exit(126);
}

static void
tell(int fd, int value)
{
	ssize_t n = write(fd, &value, sizeof(value));

	(void)n;
}

/* Closes what the test has open: a socket that it serves ends with the test's own
 * descriptor. */
static void
close_but(unsigned a, unsigned b)
{
	unsigned low = a < b ? a : b, high = a < b ? b : a;

	if (low > 3)
		close_range(3, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

/* Like a shell: waits for its one job, and tells what came of it. */
static void
lead(int slave, int report, char *const argv[], char *const env[])
{
	pid_t pid;
	int status;

	close_but((unsigned)slave, (unsigned)report);
	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	pid = fork();
	if (pid == 0)
		run_program(slave, argv, env);
	setpgid(pid, pid);
	tcsetpgrp(slave, pid);
	tell(report, pid);
	while (waitpid(pid, &status, WUNTRACED) == pid) {
		tell(report, status);
		if (!WIFSTOPPED(status))
			break;
	}
	_exit(0);
}

static int
take_report(struct pty *p)
{
	int value;

	if (read(p->report, &value, sizeof(value)) != sizeof(value))
		fail_msg("the program's parent is gone");
	return value;
}

/* libvterm 0.1.4 writes the second half of a wide character beyond a screen of
 * one column, where there is no cell: nowhere at all. */
static int
vterm_cols(int cols)
{
	return cols > 1 ? cols : 2;
}

static void
open_screen(struct pty *p)
{
	p->vt = vterm_new(p->rows, vterm_cols(p->cols));
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
	p->cursor = true;
	p->alternate = false;
	p->mouse = 0;
}

struct pty *
pty_start(int cols, int rows, char *const argv[], char *const env[])
{
	struct pty *p = mem_calloc(1, sizeof(*p));
	struct winsize ws = {
	    .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	int report[2];

	p->cols = cols;
	p->rows = rows;
	assert_int_equal(openpty(&p->master, &p->slave, NULL, NULL, &ws), 0);
	assert_int_equal(pipe2(report, O_CLOEXEC), 0);
	open_screen(p);
	p->first = pty_modes(p);
	test_folder(); /* is this process's to remove */
	p->leader = fork();
	assert_true(p->leader >= 0);
	if (p->leader == 0) {
		close(p->master);
		lead(p->slave, report[1], argv, env);
	}
	close(report[1]);
	p->report = report[0];
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	p->pid = take_report(p);
	return p;
}

void
pty_free(struct pty *p)
{
	kill(p->pid, SIGKILL);
	kill(p->leader, SIGKILL);
	waitpid(p->leader, NULL, 0);
	if (p->master >= 0)
		close(p->master);
	if (p->slave >= 0)
		close(p->slave);
	close(p->report);
	vterm_free(p->vt);
	text_free(&p->stream);
	free(p);
}

pid_t
pty_pid(const struct pty *p)
{
	return p->pid;
}

/* libvterm does not tell of these modes: the bytes do. */
static void
watch_modes(struct pty *p, size_t from)
{
	const struct text *t = &p->stream;

	/* A sequence may have begun in what came before. */
	for (size_t i = from > 8 ? from - 8 : 0; i < t->len; i++) {
		const char *s = t->data + i;

		if (*s != '\033')
			continue;
		if (strncmp(s, "\033[?1h", 5) == 0)
			p->keypad = true;
		if (strncmp(s, "\033[?1l", 5) == 0)
			p->keypad = false;
		if (strncmp(s, "\033[?2004h", 8) == 0)
			p->paste = true;
		if (strncmp(s, "\033[?2004l", 8) == 0)
			p->paste = false;
	}
}

void
pty_descriptors(const struct pty *p, int fds[2])
{
	fds[0] = p->master;
	fds[1] = p->report;
}

void
pty_drain(struct pty *p)
{
	char buf[8192];
	ssize_t n;

	while (p->master >= 0 && !p->deaf &&
	    (n = read(p->master, buf, sizeof(buf))) > 0) {
		text_add(&p->stream, buf, (size_t)n);
		watch_modes(p, p->stream.len - (size_t)n);
		vterm_input_write(p->vt, buf, (size_t)n);
	}
	vterm_screen_flush_damage(p->screen);
}

void
pty_wait_bytes(struct pty *p)
{
	struct pollfd fd = {.fd = p->master, .events = POLLIN};

	poll(&fd, 1, 100);
	pty_drain(p);
}

void
pty_be_deaf(struct pty *p)
{
	p->deaf = true;
}

void
pty_hold_output(struct pty *p)
{
	struct pollfd fd = {.fd = p->slave, .events = POLLOUT};
	time_t end = time(NULL) + WAIT_SECONDS;

	pty_send(p, "\023");
	while (poll(&fd, 1, 0) > 0) {
		if (time(NULL) > end)
			fail_msg("the terminal takes output still");
		pty_drain(p);
	}
}

void
pty_send(struct pty *p, const char *bytes)
{
	size_t len = strlen(bytes);

	while (len > 0) {
		ssize_t n = write(p->master, bytes, len);

		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		} else if (errno != EAGAIN) {
			fail_msg("the pty takes nothing: %s", strerror(errno));
		}
	}
}

void
pty_resize(struct pty *p, int cols, int rows)
{
	struct winsize ws = {
	    .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	pty_drain(p);
	vterm_set_size(p->vt, rows, vterm_cols(cols));
	p->cols = cols;
	p->rows = rows;
	ioctl(p->master, TIOCSWINSZ, &ws);
}

void
pty_claim_size(struct pty *p, int cols, int rows)
{
	struct winsize ws = {
	    .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	pty_drain(p);
	ioctl(p->master, TIOCSWINSZ, &ws);
}

void
pty_hang_up(struct pty *p)
{
	close(p->slave);
	close(p->master);
	p->master = p->slave = -1;
}

int
pty_left_ms(time_t end)
{
	time_t now = time(NULL);

	return now > end ? -1 : (int)(end - now + 1) * 1000;
}

/* Fails with what is known of a program that neither stops nor ends: its state
 * in the kernel's words, and its screen. */
static void
fail_running(struct pty *p)
{
	struct text screen = {0};
	char path[64], name[32] = "?", state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->pid);
	f = fopen(path, "r");
	if (f != NULL && fscanf(f, "%*d (%31[^)]) %c", name, &state) < 2)
		state = '?';
	if (f != NULL)
		fclose(f);
	pty_screen(p, &screen);
	fputs(text_str(&screen), stderr);
	text_free(&screen);
	fail_msg("%s (state %c) neither stops nor ends", name, state);
}

int
pty_wait_status(struct pty *p)
{
	time_t end = time(NULL) + WAIT_SECONDS;

	for (;;) {
		struct pollfd fds[] = {
		    {.fd = p->report, .events = POLLIN},
		    {.fd = p->master, .events = POLLIN},
		};
		int ms = pty_left_ms(end);

		if (ms < 0 || poll(fds, p->deaf ? 1 : 2, ms) <= 0)
			fail_running(p);
		pty_drain(p);
		if (fds[0].revents != 0)
			return take_report(p);
	}
}

struct pty_modes
pty_modes(const struct pty *p)
{
	struct pty_modes m = {
	    .alternate = p->alternate,
	    .cursor = p->cursor,
	    .mouse = p->mouse,
	    .keypad = p->keypad,
	    .paste = p->paste,
	};

	if (tcgetattr(p->slave, &m.termios) != 0)
		fail_msg("tcgetattr: %s", strerror(errno));
	return m;
}

struct pty_modes
pty_first_modes(const struct pty *p)
{
	return p->first;
}

bool
pty_same_modes(const struct pty_modes *a, const struct pty_modes *b)
{
	const struct termios *s = &a->termios, *t = &b->termios;

	return a->alternate == b->alternate && a->cursor == b->cursor &&
	    a->mouse == b->mouse && a->keypad == b->keypad &&
	    a->paste == b->paste && s->c_iflag == t->c_iflag &&
	    s->c_oflag == t->c_oflag && s->c_cflag == t->c_cflag &&
	    s->c_lflag == t->c_lflag &&
	    memcmp(s->c_cc, t->c_cc, sizeof(s->c_cc)) == 0;
}

void
pty_check_given_back(struct pty *p)
{
	struct pty_modes now;

	pty_drain(p);
	now = pty_modes(p);
	if (!pty_same_modes(&p->first, &now))
		fail_msg("alternate %d, cursor %d, mouse %d, keypad %d, paste "
			 "%d, modes %x %x %x",
		    now.alternate, now.cursor, now.mouse, now.keypad, now.paste,
		    (unsigned)now.termios.c_iflag,
		    (unsigned)now.termios.c_oflag,
		    (unsigned)now.termios.c_lflag);
}

size_t
pty_bytes(const struct pty *p)
{
	return p->stream.len;
}

const struct text *
pty_stream(const struct pty *p)
{
	return &p->stream;
}

static bool
is_harmful(uint32_t c)
{
	return (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	    (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	    (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c < 0xe0100);
}

/* The length of the control sequence or character at s; 0: none that draws. */
static size_t
control_length(const char *s)
{
	size_t n;

	if (*s != '\033')
		return strchr("\b\t\n\r\016\017", *s) != NULL;
	if (s[1] == '[') {
		n = 2 + strspn(s + 2, "0123456789;?>");
		return s[n] >= '@' && s[n] <= '~' ? n + 1 : 0;
	}
	if (s[1] == '(' || s[1] == ')')
		return s[2] == 'B' || s[2] == '0' ? 3 : 0;
	return s[1] != 0 && strchr("78=>M", s[1]) != NULL ? 2 : 0;
}

void
pty_check_harmless(const struct pty *p)
{
	const char *s = text_str(&p->stream), *end = s + p->stream.len;

	while (s < end) {
		struct utf8_char c = utf8_decode(s, (size_t)(end - s));
		size_t n = c.len;

		if ((unsigned char)*s < ' ')
			n = *s != 0 ? control_length(s) : 0;
		else if (!c.visible || is_harmful(c.code))
			n = 0;
		if (n == 0)
			fail_msg("byte %zu is %02x, then \"%.20s\"",
			    (size_t)(s - text_str(&p->stream)),
			    (unsigned char)*s, s + 1);
		s += n;
	}
}

void
pty_expect_end(struct pty *p, int status)
{
	assert_int_equal(pty_wait_status(p), status);
	pty_free(p);
}

void
pty_quit(struct pty *p)
{
	pty_send(p, ":quit!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
}

void
await_process(pid_t pid)
{
	struct pollfd fd = {.fd = pidfd_open(pid, 0), .events = POLLIN};

	if (fd.fd < 0)
		return; /* it has ended */
	assert_int_equal(poll(&fd, 1, 30000), 1);
	close(fd.fd);
}
