/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See monkey.h. */
#include "tests/support/monkey.h"

#include <string.h>

#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/input/keys.h"

#define N(array) (sizeof(array) / sizeof(*(array)))
/* One of an array of strings. */
#define ANY(m, array) ((array)[monkey_below(m, (unsigned)N(array))])

unsigned
monkey_below(struct monkey *m, unsigned n)
{
	m->seed = m->seed * 1664525u + 1013904223u;
	return (m->seed >> 8) % n;
}

/* A click on the last line may be one on Quit. */
static void
add_mouse(struct monkey *m, struct text *out)
{
	static const char *const kinds[] = {"Click", "WheelUp", "WheelDown"};
	unsigned kind = monkey_below(m, 3);
	unsigned x = 1 + monkey_below(m, 120), rows = 60, y;

	if (kind == 0 && m->rows > 1)
		rows = m->rows - 1;
	y = 1 + monkey_below(m, rows);
	for (unsigned n = 1 + monkey_below(m, 2); n > 0; n--)
		text_addf(out, "<%s %u,%u>", kinds[kind], x, y);
}

/* True for actions that end the program, and would end the test. */
static bool
is_end(const struct action_row *row)
{
	return strcmp(row->name, console_actions.needed) == 0 ||
	    strcmp(row->name, console_actions.fixed) == 0 ||
	    strcmp(row->name, "close") == 0;
}

/* Any of the keys that a row of the table has. */
static void
add_row_key(struct monkey *m, const struct action_row *row, struct text *out)
{
	const char *name;
	size_t len;
	unsigned n = 0;

	while (key_name_at(row->keys, n, &len) != NULL)
		n++;
	name = n > 0 ? key_name_at(row->keys, monkey_below(m, n), &len) : NULL;
	if (name == NULL || is_end(row))
		text_adds(out, "<Esc>");
	else if (len == 1 && *name == '<')
		text_adds(out, "<lt>");
	else if (len == 1)
		text_addc(out, *name);
	else
		text_addf(out, "<%.*s>", (int)len, name);
}

static void
add_key(struct monkey *m, struct text *out)
{
	static const char *const other[] = {"<Enter>", "<Delete>", "<Insert>",
	    "<F3>", "<C-a>", "<C-d>", "<C-k>", "<C-p>", "<C-r>", "<C-t>",
	    "<C-u>", "<C-w>", "<C-y>", "a", "e", "0", "7", "x", "y", "é", "日",
	    "\\", "<Space>", "<Tab>", "<Esc>", "<Backspace>"};

	if (monkey_below(m, 8) == 0)
		add_mouse(m, out);
	else if (monkey_below(m, 3) == 0)
		text_adds(out, ANY(m, other));
	else
		add_row_key(m,
		    &console_actions
			 .rows[monkey_below(m, (unsigned)console_actions.n)],
		    out);
}

/* Edits of the descriptor that mean something now and then. */
static void
add_edit(struct monkey *m, struct text *out)
{
	static const char *const texts[] = {"1.RCS.500.-1.0", "f",
	    "2.VCS1.5-9.f-1/s-2.1", "a.-1", "s.-2", "T.-1", "#x", "", "1.",
	    "P.1.7", "3.DEFAULT.*.0.0", "d.5,p.9", "1.RCS.1x.0.0", "M.3.VCS",
	    "B.3", "w.1.4k", "1.RCS.5.r1-0.0", "é", "t.3"};
	static const char *const keys[] = {"d", "dd", "dd", "y", "p", "P", "{",
	    "}", "u", "<C-r>", "E", "!", "g", "G", "j", "k", "k", "J"};

	text_adds(out, "<Esc><Esc>5");
	for (unsigned n = monkey_below(m, 6); n > 0; n--)
		text_adds(out, ANY(m, keys));
	if (monkey_below(m, 2))
		text_addf(out, "%c<C-u>%s%s", "eoO"[monkey_below(m, 3)],
		    ANY(m, texts), monkey_below(m, 4) ? "" : "<Tab>");
	text_adds(out, monkey_below(m, 4) ? "<Enter>\n" : "<Esc>\n");
}

/* Commands that mean something. */
static const char *const commands[] = {"step b", "profile ideal",
    "profile default", "scheduler fifo", "scheduler guc", "scheduler drm:fair",
    "scheduler execlists", "restart", "speed 100", "speed max", "speed 1",
    "delay 0.2", "pause", "view layer", "view f", "view def", "dump /dev/null",
    "xx", "", "filter vcs|ctx=2", "filter", "sort busy", "sort -miss",
    "sort client", "launch", "launch 3", "launch 2 a.wsim", "kill 0", "kill 1",
    "prio 1 5", "prio 7", "prio 1 99999", "sseu 1 0x3", "sseu -1",
    "preempt 1 500", "preempt 0", "duration 500-1000", "duration *",
    "compare guc", "compare", "theme cbsafe", "theme mono", "set delay 0.1",
    "set mouse off", "set mouse on", "bind F12 pause", "bind F12 none",
    "write a.wsim", "w! a.wsim", "w", "w! b.wsim", "wall", "e a.wsim",
    "e start.wsim", "e!", "e", "config"};

/* Any command of the table with any argument, right or wrong. */
static void
add_any_command(struct monkey *m, struct text *out)
{
	static const char *const arguments[] = {"", "", "1", "0", "-1", "1 5",
	    "x", "a.wsim", "none/x", ".", "max", "b", "é\\ ", "0.5",
	    "99999999999999999999"};
	size_t i = monkey_below(m, (unsigned)n_console_commands);
	const char *name = console_commands[i].name;

	if (strncmp(name, "quit", 4) == 0 || strcmp(name, "wq") == 0)
		name = "help";
	text_addf(out, ":%s %s\n", name, ANY(m, arguments));
}

/* Time passes at a speed that ends in time. */
static void
add_time(struct monkey *m, struct text *out)
{
	static const unsigned times[] = {1, 100, 5000, 200000, 600000};

	text_adds(out, monkey_below(m, 2) ? ":speed 1\n" : ":speed max\n");
	text_addf(out, "advance %uus\n", ANY(m, times));
}

static void
add_size(struct monkey *m, struct text *out)
{
	static const unsigned sizes[] = {
	    1, 5, 9, 10, 11, 24, 39, 40, 41, 80, 132, 150, 200};

	m->rows = ANY(m, sizes);
	text_addf(out, "size %ux%u\n", ANY(m, sizes), m->rows);
}

void
monkey_add_line(struct monkey *m, struct text *out)
{
	switch (monkey_below(m, 16)) {
	case 0: add_time(m, out); break;
	case 1: add_size(m, out); break;
	case 2: add_any_command(m, out); break;
	case 3: text_addf(out, ":%s\n", ANY(m, commands)); break;
	case 4:
	case 5:
	case 6: add_edit(m, out); break;
	default:
		text_addc(out, 'j'); /* so that no line is a directive */
		for (unsigned n = monkey_below(m, 8); n > 0; n--)
			add_key(m, out);
		text_addc(out, '\n');
	}
}

static bool
is_directive(const char *line)
{
	return strncmp(line, "advance ", 8) == 0 ||
	    strncmp(line, "size ", 5) == 0 || strncmp(line, "dump ", 5) == 0;
}

size_t
monkey_count_keys(const char *script)
{
	size_t n = 0;

	while (*script != 0) {
		size_t len = strcspn(script, "\n");

		for (size_t i = 0; i < len && !is_directive(script); i++) {
			if (script[i] == '<')
				i += strcspn(script + i, ">\n");
			if (((unsigned char)script[i] & 0xc0) != 0x80)
				n++;
		}
		script += len + (script[len] == '\n');
	}
	return n;
}

/* Sequences of a terminal: keys, the mouse in both its forms, a paste, answers of a
 * terminal, and pieces of them. */
static const char *const sequences[] = {"\033[A", "\033[B", "\033OA", "\033OB",
    "\033[C", "\033[D", "\033[5~", "\033[6~", "\033[H", "\033[F", "\033[Z",
    "\033OP", "\033OQ", "\033OR", "\033OS", "\033[15~", "\033[17~", "\033[18~",
    "\033[19~", "\033[20~", "\033[2~", "\033[3~", "\033", "\033\033",
    "\033[<0;5;14M", "\033[<65;5;14M", "\033[<64;9;3M", "\033[<0;",
    "\033[<0;99999;99999M", "\033[M ##", "\033[M", "\033[", "\033O",
    "\033[200~1.RCS.5.0.0\033[201~", "\033[?1;2c", "\033]0;x\033\\",
    "\033[1;1R", "\033[24;80R", "\xff\xfe", "\xc3", "\xe2\x82", "\xf0\x9f\x98",
    "日本", "é", "\xcc\x81", "\xe2\x80\xae", "\r", "\r", "\t", "\177", "\010"};

/* Neither quits by key or command, nor stops, nor interrupts. */
static bool
is_harmless(char c)
{
	return strchr("qQx\003\032\034", c) == NULL;
}

void
monkey_add_bytes(struct monkey *m, struct text *out)
{
	switch (monkey_below(m, 8)) {
	case 0:
	case 1: text_adds(out, ANY(m, sequences)); break;
	case 2: text_addf(out, ":%s\r", ANY(m, commands)); break;
	default: {
		char c = (char)(1 + monkey_below(m, 255));

		text_addc(out, is_harmless(c) ? c : ' ');
	}
	}
}

/* A click or a turn of the wheel, but not on the keys of the last row. */
static void
add_report(struct monkey *m, struct text *out)
{
	static const unsigned buttons[] = {0, 0, 0, 64, 65};
	unsigned x = 1 + monkey_below(m, 160);
	unsigned y = 1 + monkey_below(m, m->rows - 1);

	text_addf(out, "\033[<%u;%u;%uM", ANY(m, buttons), x, y);
}

void
monkey_add_burst(struct monkey *m, struct text *out)
{
	static const char *const keys[] = {"5dd", "5dddddd", "5yppppppp",
	    "5uuuuu", "5\022\022", "5E", "5G", "5g", "5J", "5jj",
	    "5o1.VCS.9.0.0\r", "5O#@x\r", "5e\025\r", "2G", "2 ", "2S", "2t",
	    "2\\rcs\r", "2\\\r", "3G", "3H", "4\033[D", "4+", "4-", "1c", "7",
	    "7\t", "0", "z", "\t", "?", MONKEY_ESCAPE, "\033[6~", "\033[5~"};

	switch (monkey_below(m, 8)) {
	case 0: text_addf(out, MONKEY_ESCAPE ":%s\r", ANY(m, commands)); break;
	case 1:
	case 2:
	case 3: text_adds(out, ANY(m, keys)); break;
	default: add_report(m, out);
	}
}
