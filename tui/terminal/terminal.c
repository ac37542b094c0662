/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal from opening to closing: its own file descriptor, modes, the
 * strings that give it back, colours, and curses set up on files.
 */
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <term.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/input/keys.h"
#include "tui/terminal/signals.h"
#include "tui/terminal/terminal_private.h"

/* Undoes modes that an editor may leave set when it is killed: mouse and focus
 * reports, bracketed pastes, modified key codes. */
#define RESCUE "\033[?1002l\033[?1003l\033[?1004l\033[?1015l\033[?2004l\033[>4m"

/* How long a lone Esc may be the start of a key sequence. */
#define ESC_DELAY_MS 25
/* The largest pipe that an unprivileged process may have. */
#define PIPE_BYTES (1 << 20)

bool
terminal_present(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/*
 * Opens the terminal again, because O_NONBLOCK on the shell's descriptor would
 * stay set. Where that is not allowed the shared one is used, which may block.
 */
static void
open_fd(struct terminal *t)
{
	const char *name = ttyname(STDOUT_FILENO);

	t->fd = name != NULL
	    ? open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
	    : -1;
	t->own_fd = t->fd >= 0;
	if (!t->own_fd)
		t->fd = STDIN_FILENO;
}

/* The text that tputs() appends to; set while it runs, since it passes no
 * argument on. */
static struct text *collected;

static int
collect_byte(int c)
{
	text_addc(collected, (char)c);
	return c;
}

/* Appends a capability's bytes without padding. */
static void
collect_string(struct text *out, const char *capability)
{
	char *s = tigetstr(capability);

	if (s == NULL || s == (char *)-1)
		return;
	collected = out;
	tputs(s, 1, collect_byte);
	collected = NULL;
}

/* Without an alternate screen the shell continues below the last frame. Row 998
 * is clipped to the last one. */
static void
collect_last_line(struct text *out)
{
	collected = out;
	tputs(tparm(cursor_address, 998, 0), 1, collect_byte);
	collected = NULL;
	collect_string(out, "el");
	text_adds(out, "\r\n");
}

static void
make_reset(struct terminal *t)
{
	if (t->has_mouse)
		text_adds(&t->reset, MOUSE_OFF PASTE_OFF);
	collect_string(&t->reset, "sgr0");
	collect_string(&t->reset, "op");
	collect_string(&t->reset, "rmkx");
	collect_string(&t->reset, "cnorm");
	if (tigetstr("rmcup") != NULL && tigetstr("rmcup") != (char *)-1)
		collect_string(&t->reset, "rmcup");
	else
		collect_last_line(&t->reset);
	/* Restoring the screen may restore the cursor's visibility as well. */
	collect_string(&t->reset, "cnorm");
}

/* Sets the modes: keys one by one without echo, signals from keys except
 * Ctrl-C. */
static void
take_modes(const struct terminal *t)
{
	struct termios m = t->modes;

	m.c_iflag &= ~(
	    tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT);
	m.c_oflag &= ~(tcflag_t)OPOST;
	m.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	m.c_lflag |= ISIG;
	m.c_cc[VINTR] = _POSIX_VDISABLE;
	m.c_cc[VMIN] = 1;
	m.c_cc[VTIME] = 0;
	while (tcsetattr(t->fd, TCSANOW, &m) < 0 && errno == EINTR)
		;
}

static void
hold_terminal(struct terminal *t)
{
	signals_hold_terminal(t->fd, &t->modes, text_str(&t->reset),
	    t->reset.len, t->has_mouse ? RESCUE : NULL);
	take_modes(t);
}

static attr_t
attributes_of(struct look look)
{
	return (look.attrs & LOOK_BOLD ? A_BOLD : 0) |
	    (look.attrs & LOOK_DIM ? A_DIM : 0) |
	    (look.attrs & LOOK_UNDERLINE ? A_UNDERLINE : 0) |
	    (look.attrs & LOOK_REVERSE ? A_REVERSE : 0);
}

static void
set_role(struct terminal *t, enum role role, struct look look)
{
	short pair = (short)(role + 1);

	for (int style = 0; style < N_CELL_STYLES; style++)
		t->attrs[style][role] = attributes_of(
		    look_styled(look, (enum cell_style)style));
	t->pairs[role] = 0;
	if (t->n_colours < 8 || (look.fg < 0 && look.bg < 0))
		return;
	if (!t->own_default) {
		look.fg = look.fg < 0 ? COLOR_WHITE : look.fg;
		look.bg = look.bg < 0 ? COLOR_BLACK : look.bg;
	}
	if (init_pair(pair, look.fg, look.bg) != ERR)
		t->pairs[role] = pair;
}

static void
find_colours(struct terminal *t, bool no_color)
{
	bool coloured = !no_color && has_colors() && start_color() != ERR;

	t->own_default = coloured && use_default_colors() != ERR;
	t->n_colours = coloured && COLOR_PAIRS > N_CELL_ROLES ? COLORS : 0;
}

int
terminal_colours(const struct terminal *t)
{
	return t->n_colours;
}

void
terminal_set_theme(struct terminal *t, const struct theme *theme)
{
	for (enum role r = 0; r < N_CELL_ROLES; r++)
		set_role(t, r, theme_look(theme, r, t->n_colours));
}

/* newterm() would detect it too, but leaks memory then. */
static bool
is_known_terminal(const struct terminal *t)
{
	int result;
	bool able;

	if (setupterm(NULL, t->fd, &result) != OK)
		return false;
	able = cursor_address != NULL;
	del_curterm(cur_term);
	return able;
}

static int
copy_of(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* RLIMIT_FSIZE also limits files in memory; with a limit, frames go through a
 * pipe, as much at a time as it holds. */
static bool
open_frame(struct terminal *t)
{
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	int fds[2];

	getrlimit(RLIMIT_FSIZE, &limit);
	if (limit.rlim_cur == RLIM_INFINITY) {
		t->frame_fd = memfd_create("frame", MFD_CLOEXEC);
		t->out = t->frame_fd >= 0 ? fdopen(copy_of(t->frame_fd), "w")
					  : NULL;
		return t->out != NULL;
	}
	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	t->frame_fd = fds[0];
	t->out = fdopen(fds[1], "w");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[0], F_SETPIPE_SZ, PIPE_BYTES);
	t->frame_room = fcntl(fds[0], F_GETPIPE_SZ);
	return t->out != NULL && t->frame_room > 0;
}

static bool
open_curses(struct terminal *t, struct text *err)
{
	const char *name = getenv("TERM");

	if (!is_known_terminal(t)) {
		text_addf(err,
		    "unknown terminal type '%s' (TERM), or its "
		    "cursor can't be moved",
		    name != NULL ? name : "");
		return false;
	}
	t->in = fdopen(copy_of(t->fd), "r");
	if (!open_frame(t) || t->in == NULL) {
		text_addf(err, "no memory for the screen: %s", strerror(errno));
		return false;
	}
	/* LINES and COLUMNS of the shell may be outdated. Without them curses takes
	 * the size in terminfo, or 80x24, until the first frame; use_env(FALSE)
	 * instead makes ncurses 6.5 refuse TERM=linux, which has no size there. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	t->curses = newterm(NULL, t->out, t->in);
	if (t->curses == NULL)
		text_adds(err, "curses does not take this terminal");
	return t->curses != NULL;
}

/*
 * curses reads the modes of its output, which is a file here, and then strips
 * the 8th bit of keys; meta() prevents that. The terminal's own meta mode stays
 * unchanged.
 */
static void
want_whole_bytes(struct terminal *t)
{
	meta_on = NULL;
	meta(t->keys, TRUE);
}

static void
set_up_curses(struct terminal *t, bool no_color)
{
	noecho();
	nonl();
	t->keys = newpad(1, 1);
	nodelay(t->keys, TRUE);
	keypad(t->keys, TRUE);
	want_whole_bytes(t);
	set_escdelay(ESC_DELAY_MS);
	curses_keys_define();
	t->cursor = -1;
	find_colours(t, no_color);
}

struct terminal *
terminal_open(bool no_color, const struct theme *theme, struct text *err)
{
	struct terminal *t = mem_calloc(1, sizeof(*t));

	t->frame_fd = -1;
	open_fd(t);
	if (tcgetattr(t->fd, &t->modes) < 0) {
		text_addf(err, "the terminal: %s", strerror(errno));
		terminal_close(t);
		return NULL;
	}
	if (!open_curses(t, err)) {
		terminal_close(t);
		return NULL;
	}
	t->has_mouse = key_mouse != NULL && *key_mouse != 0;
	make_reset(t);
	hold_terminal(t);
	set_up_curses(t, no_color);
	terminal_set_theme(t, theme);
	return t;
}

void
terminal_close(struct terminal *t)
{
	if (t == NULL)
		return;
	signals_give_back();
	if (t->curses != NULL) {
		endwin(); /* into the frame, which is dropped */
		delwin(t->keys);
		delscreen(t->curses);
	}
	if (t->in != NULL)
		fclose(t->in);
	if (t->out != NULL)
		fclose(t->out);
	if (t->frame_fd >= 0)
		close(t->frame_fd);
	if (t->own_fd)
		close(t->fd);
	terminal_forget_ahead(t);
	screen_free(&t->front);
	free(t->line);
	text_free(&t->pending);
	text_free(&t->reset);
	free(t);
}

static int
at_most(int n, int most)
{
	return n < most ? n : most;
}

void
terminal_size(const struct terminal *t, int *cols, int *rows)
{
	struct winsize ws = {0};

	ioctl(t->fd, TIOCGWINSZ, &ws);
	*cols = at_most(ws.ws_col > 0 ? ws.ws_col : 80, TERMINAL_MAX_COLS);
	*rows = at_most(ws.ws_row > 0 ? ws.ws_row : 24, TERMINAL_MAX_ROWS);
	*rows = at_most(*rows, TERMINAL_MAX_CELLS / *cols);
}

int
terminal_fd(const struct terminal *t)
{
	return t->fd;
}

void
terminal_set_mouse(struct terminal *t, bool on)
{
	if (!t->has_mouse || t->mouse_on == on)
		return;
	text_adds(&t->pending, on ? MOUSE_ON : MOUSE_OFF);
	t->mouse_on = on;
}

void
terminal_want_pastes(struct terminal *t)
{
	if (!t->has_mouse || t->paste_on)
		return;
	text_adds(&t->pending, PASTE_ON);
	t->paste_on = true;
}

void
terminal_leave(struct terminal *t)
{
	endwin();
	terminal_take_frame(t, false);
	text_clear(&t->pending);
	t->sent = 0;
	signals_give_back();
}

void
terminal_enter(struct terminal *t)
{
	/* The modes may have been changed on purpose meanwhile. */
	tcgetattr(t->fd, &t->modes);
	hold_terminal(t);
	keypad(t->keys, TRUE);
	t->cursor = -1;
	/* requested again with the next frame */
	t->mouse_on = t->paste_on = false;
	t->paste.reading = false; /* its end was read by others */
}

void
terminal_reclaim(struct terminal *t)
{
	take_modes(t);
	t->mouse_on = t->paste_on = false;
}
