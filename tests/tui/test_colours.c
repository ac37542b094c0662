/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Themes and the config file on a pty: the colours that cells get on terminals
 * with many, few and no colours, and that NO_COLOR has priority. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

/* RCS is always busy, VECS blocked by it. */
#define WORKLOAD "1.RCS.4000.0.0,2.VECS1.1000.f-1.0,1.RCS.4000.0.1"

#define BUSY 0x2588 /* of a meter */

static struct pty *
start(char *const env[])
{
	char *argv[] = {pty_program(), (char *)"--delay=0.1", (char *)"-w",
	    (char *)WORKLOAD, NULL};
	struct pty *p = pty_start(120, 30, argv, env);

	pty_wait_text(p, "running");
	return p;
}

static struct pty *
start_on(const char *term, const char *other)
{
	char *env[] = {(char *)term, (char *)other, NULL};

	return start(env);
}

static void
quit(struct pty *p)
{
	int status;

	pty_send(p, "q");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(p);
}

static void
choose(struct pty *p, const char *theme)
{
	char keys[40], said[40];

	snprintf(keys, sizeof(keys), ":theme %s\r", theme);
	snprintf(said, sizeof(said), "theme %s:", theme);
	pty_send(p, keys);
	pty_wait_text(p, said);
}

TEST(256_colours)
{
	struct pty *p = start_on("TERM=xterm-256color", NULL);

	pty_wait_look(p, BUSY, (struct pty_look){28, -1, 0, 0, 0});
	choose(p, "cbsafe");
	pty_wait_look(p, BUSY, (struct pty_look){32, -1, 0, 0, 0});
	choose(p, "dark");
	pty_wait_look(p, BUSY, (struct pty_look){77, -1, 0, 0, 0});
	choose(p, "light");
	pty_wait_look(p, BUSY, (struct pty_look){28, -1, 0, 0, 0});
	choose(p, "mono");
	pty_wait_look(p, BUSY, (struct pty_look){-1, -1, 1, 0, 0});
	assert_false(pty_has_colour(p));
	choose(p, "default");
	pty_wait_look(p, BUSY, (struct pty_look){28, -1, 0, 0, 0});
	quit(p);
}

TEST(8_colours)
{
	struct pty *p = start_on("TERM=xterm", NULL);

	pty_wait_look(p, BUSY, (struct pty_look){2, -1, 0, 0, 0});
	choose(p, "cbsafe");
	pty_wait_look(p, BUSY, (struct pty_look){6, -1, 0, 0, 0});
	choose(p, "mono");
	pty_wait_look(p, BUSY, (struct pty_look){-1, -1, 1, 0, 0});
	quit(p);
}

/* Without colours no theme has any; busy is bold and blocked is not. */
TEST(no_colours)
{
	static const char *const terms[][2] = {
	    {"TERM=xterm-256color", "NO_COLOR=1"},
	    {"TERM=xterm", "NO_COLOR=please"},
	    {"TERM=screen-256color", "NO_COLOR=0"},
	    {"TERM=vt100", NULL},
	};
	static const char *const themes[] = {"cbsafe", "dark", "light"};

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		struct pty *p = start_on(terms[i][0], terms[i][1]);

		for (size_t t = 0; t < 3; t++) {
			choose(p, themes[t]);
			pty_wait_look(
			    p, BUSY, (struct pty_look){-1, -1, 1, 0, 0});
			assert_false(pty_has_colour(p));
		}
		quit(p);
	}
}

/* In the C locale without colours meters still show both shares. */
TEST(plain)
{
	struct pty *p = start_on("LC_ALL=C", "NO_COLOR=1");

	pty_wait_text(p, "[####");
	pty_wait_look(p, '#', (struct pty_look){-1, -1, 1, 0, 0});
	assert_false(pty_has_colour(p));
	quit(p);
}

/* Starts with a config file and a terminal of some number of colours. */
static struct pty *
start_with_config(const char *config, const char *term, const char *no_color)
{
	char home[64];
	char *env[] = {home, (char *)term, (char *)no_color, NULL};

	snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s", test_folder());
	mkdir(test_path("gpuwl"), 0700);
	write_file(test_path("gpuwl/config"), config);
	return start(env);
}

TEST(own_colours)
{
	static const char config[] = "theme = cbsafe\n[colours]\n"
				     "running = 208 17 underline\n";
	struct pty *p = start_with_config(config, "TERM=xterm-256color", NULL);

	pty_wait_look(p, BUSY, (struct pty_look){208, 17, 0, 1, 0});
	choose(p, "light"); /* the user's looks stay */
	pty_wait_look(p, BUSY, (struct pty_look){208, 17, 0, 1, 0});
	quit(p);
	p = start_with_config(config, "TERM=xterm", NULL);
	pty_wait_look(p, BUSY, (struct pty_look){6, -1, 0, 0, 0});
	quit(p);
	p = start_with_config(config, "TERM=xterm-256color", "NO_COLOR=1");
	pty_wait_look(p, BUSY, (struct pty_look){-1, -1, 1, 0, 0});
	assert_false(pty_has_colour(p));
	quit(p);
}

TEST(own_keys)
{
	struct pty *p = start_with_config(
	    "[keys]\npause = F12\nquit = x\n", "TERM=xterm-256color", NULL);

	pty_wait_text(p, "F12 Pause");
	pty_wait_text(p, "x Quit");
	pty_send(p, "\033[24~");
	pty_wait_text(p, "PAUSED");
	pty_send(p, "\033[24~");
	pty_wait_text(p, "running");
	/* q is unbound. */
	pty_send(p, "q:set\r");
	pty_wait_text(p, "Config file: /");
	pty_send(p, "q");
	pty_wait_gone(p, "Config file");
	pty_send(p, "x");
	assert_true(WIFEXITED(pty_wait_status(p)));
	pty_free(p);
}

/* It starts with the valid lines and reports the others. */
TEST(wrong_config)
{
	struct pty *p;

	p = start_with_config(
	    "theme = pink\ndelay = 0.2\n\033[31m = \007\n[keys]\npause = F12\n"
	    "quit = q F10 \n",
	    "TERM=xterm-256color", NULL);
	pty_wait_text(p, "config:1: error: theme: unknown theme 'pink'");
	pty_wait_text(p, "config:3: error: ");
	pty_send(p, "q");
	pty_wait_text(p, "F12 Pause");
	quit(p);
}

#define SWATCHES 12

/* Reads the colours of the swatches below the title of Contexts. */
static void
read_swatches(struct pty *p, int x, int y, int colours[SWATCHES])
{
	for (int i = 0; i < SWATCHES; i++) {
		uint32_t sign;

		colours[i] = pty_cell(p, x, y + i, &sign).fg;
		assert_int_equal(sign, BUSY);
	}
}

static void
check_different(const int colours[SWATCHES])
{
	for (int i = 0; i < SWATCHES; i++)
		for (int k = 0; k < i; k++)
			if (colours[i] == colours[k])
				fail_msg("rows %d and %d have colour %d", k, i,
				    colours[i]);
}

/* Contexts have colours of their own while there are some, also those of a client
 * that takes the place of another one. */
TEST(contexts_differ)
{
	char *argv[] = {pty_program(), (char *)"-c", (char *)"4", (char *)"-w",
	    (char *)"1.RCS.500.0.0,2.VCS.500.0.0,3.RCS.500.0.0,p.5000", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p = pty_start(100, 30, argv, env);
	int before[SWATCHES], after[SWATCHES];

	pty_wait_text(p, "running");
	pty_send(p, "2zC");
	pty_wait_gone(p, "HISTORY");
	pty_wait_text(p, "3 █  3");
	read_swatches(p, 10, 3, before);
	check_different(before);
	pty_send(p, "gr");
	pty_wait_text(p, "4 █  3");
	read_swatches(p, 10, 6, after); /* below the killed one */
	check_different(after);
	quit(p);
}
