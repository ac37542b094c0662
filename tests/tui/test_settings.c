/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The config file: its valid lines take effect, the others are reported, and
 * the file that the program prints changes nothing; options and settings. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/state_folder.h"
#include "run/options.h"
#include "tests/runner/test.h"
#include "tui/console/actions.h"
#include "tui/settings/config.h"
#include "tui/settings/settings.h"

static struct settings s;

static int
set_up(void **state)
{
	(void)state;
	settings_init(&s, &console_actions);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	settings_free(&s);
	return 0;
}

static void
read_config(const char *ini)
{
	config_read(&s, "c", ini, strlen(ini));
}

static void
says(const char *what)
{
	if (strstr(text_str(&s.problems), what) == NULL)
		fail_msg(
		    "\"%s\" does not say \"%s\"", text_str(&s.problems), what);
}

static bool
has_line(const char *line)
{
	return strstr(text_str(&s.problems), line) != NULL;
}

TEST(values)
{
	read_config("\xef\xbb\xbf; a comment\r\n"
		    "[console]\r\n"
		    "theme = mono ; no colours\r\n"
		    "   delay=500ms\n"
		    "\tspeed : max\n"
		    "ascii = on\n"
		    "[keys]\n"
		    "pause = Semicolon #\n"
		    "[colors]\n"
		    "bad = white red bold\n");
	assert_string_equal(text_str(&s.problems), "");
	assert_string_equal(settings_value(&s, SET_THEME), "mono");
	assert_string_equal(settings_value(&s, SET_DELAY), "500ms");
	assert_string_equal(settings_value(&s, SET_SPEED), "max");
	assert_string_equal(settings_value(&s, SET_ASCII), "yes");
	assert_string_equal(settings_value(&s, SET_HISTORY), "yes");
	assert_int_equal(s.origins[SET_DELAY].kind, FROM_FILE);
	assert_int_equal(s.origins[SET_DELAY].line, 4);
	assert_int_equal(s.origins[SET_HISTORY].kind, FROM_DEFAULT);
	assert_string_equal(
	    keymap_find(&s.keymap, ';', SCOPE_CONTEXTS, false)->name, "pause");
	assert_string_equal(
	    keymap_find(&s.keymap, '#', SCOPE_CONTEXTS, false)->name, "pause");
	assert_int_equal(theme_look(&s.theme, ROLE_BAD, 8).bg, 1);
}

/* Each invalid line is reported with its number; valid lines around it take
 * effect. */
TEST(problems)
{
	read_config("theme = dark\n"
		    "nonsense\n"
		    "[console\n"
		    "= 3\n"
		    "thema = dark\n"
		    "theme = light\n"
		    "speed = -1\n"
		    "[nowhere]\n"
		    "a = b\n"
		    "[keys]\n"
		    "pause = Spacebar\n"
		    "quit = none\n"
		    "interrupt = x\n"
		    "[colours]\n"
		    "running = 300\n"
		    "ascii = no\n"
		    "blocked = 200\n");
	says("c:2: error: expected a [section] or name = value\n");
	says("c:3: error: expected a [section] or name = value\n");
	says("c:5: error: unknown setting 'thema'");
	says("c:6: error: theme is set on line 1 already\n");
	says("c:7: error: speed: invalid speed '-1'");
	says("c:9: error: unknown section [nowhere]");
	says("c:11: error: pause: unknown key 'Spacebar'");
	says("c:12: error: quit: quit needs a key\n");
	says("c:13: error: interrupt: C-c always quits");
	says("c:15: error: running: invalid colour or attribute '300'");
	says("c:16: error: ");
	assert_false(has_line("c:1:"));
	assert_false(has_line("c:17:"));
	assert_string_equal(settings_value(&s, SET_THEME), "dark");
	assert_true(s.theme.own[ROLE_BLOCKED]);
	assert_string_equal(
	    keymap_find(&s.keymap, 'q', SCOPE_CONTEXTS, false)->name, "quit");
}

TEST(keys_may_trade)
{
	read_config("[keys]\nzoom = Space\npause = z\n");
	assert_string_equal(text_str(&s.problems), "");
	assert_string_equal(
	    keymap_find(&s.keymap, ' ', SCOPE_CONTEXTS, false)->name, "zoom");
	assert_string_equal(
	    keymap_find(&s.keymap, 'z', SCOPE_CONTEXTS, false)->name, "pause");
}

/* Both actions are named; the line that took the key is ignored. */
TEST(key_clash)
{
	read_config("[keys]\nhelp = F12\nzoom = F12\npause = R\n");
	says("c:3: error: F12 is bound to both");
	says("help");
	says("zoom");
	says("c:4: error: R is bound to both pause and restart");
	assert_int_equal(s.n_problems, 2);
	assert_string_equal(
	    keymap_find(&s.keymap, KEY_FUNCTION + 12, SCOPE_CONTEXTS, false)
		->name,
	    "help");
	assert_string_equal(
	    keymap_find(&s.keymap, 'z', SCOPE_CONTEXTS, false)->name, "zoom");
	assert_string_equal(
	    keymap_find(&s.keymap, 'R', SCOPE_CONTEXTS, false)->name,
	    "restart");
	for (size_t i = 0; i < console_actions.n; i++)
		assert_int_equal(
		    keymap_clash(&s.keymap, i, &s.problems), console_actions.n);
}

TEST(hostile)
{
	static char long_line[5000];
	static const char zero[] = "theme = da\0rk\n[keys]\npa\033use = x\n";

	memset(long_line, 'x', sizeof(long_line) - 1);
	read_config(long_line);
	says("c:1: error: line too long\n");
	config_read(&s, "a\033b", zero, sizeof(zero) - 1);
	says("unknown theme 'da?rk'");
	assert_null(strchr(text_str(&s.problems), '\033'));
	/* The number of problems reported is limited. */
	for (int i = 0; i < 1000; i++)
		memcpy(long_line + 4 * i, "a=b\n", 4);
	long_line[4000] = 0;
	read_config(long_line);
	assert_true(s.problems.len < 20000);
	says("and 95");
}

/* With its comment signs removed it is valid, and changes nothing. */
TEST(printed)
{
	struct text printed = {0}, bare = {0};
	const char *line;

	config_print(&console_actions, &printed);
	for (line = text_str(&printed); *line != 0;) {
		size_t len = strcspn(line, "\n") + 1;

		if (line[0] == '#' && line[1] != ' ')
			text_add(&bare, line + 1, len - 1);
		else
			text_add(&bare, line, len);
		line += len;
	}
	read_config(text_str(&printed));
	assert_string_equal(text_str(&s.problems), "");
	for (enum setting i = 0; i < N_SETTINGS; i++)
		assert_int_equal(s.origins[i].kind, FROM_DEFAULT);
	read_config(text_str(&bare));
	assert_string_equal(text_str(&s.problems), "");
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		assert_int_equal(s.origins[i].kind, FROM_FILE);
		assert_string_equal(
		    settings_value(&s, i), setting_infos[i].fallback);
	}
	for (size_t i = 0; i < console_actions.n; i++) {
		if (strcmp(console_actions.rows[i].name,
			console_actions.fixed) == 0)
			continue;
		assert_int_equal(s.key_origins[i].kind, FROM_FILE);
		assert_int_equal(
		    key_parse(keymap_keys(&s.keymap, i), 1) == KEY_NONE,
		    key_parse(console_actions.rows[i].keys, 1) == KEY_NONE);
	}
	for (enum role r = 0; r < N_ROLES; r++) {
		struct theme plain = {0};
		struct look a = theme_look(&plain, r, 256);
		struct look b = theme_look(&s.theme, r, 256);

		assert_true(s.theme.own[r]);
		assert_int_equal(a.fg, b.fg);
		assert_int_equal(a.bg, b.bg);
		assert_int_equal(a.attrs, b.attrs);
	}
	text_free(&printed);
	text_free(&bare);
}

static char folder[64];

static void
in_folder(const char *name, struct text *path)
{
	text_clear(path);
	text_addf(path, "%s/%s", folder, name);
}

/* Makes settings of a command line. The caller frees o. */
static bool
start(struct options *o, struct text *err, const char *a, const char *b)
{
	char *argv[] = {(char *)"gpuwl-top", (char *)a, (char *)b, NULL};

	settings_free(&s);
	if (!options_parse(o, a == NULL ? 1 : b == NULL ? 2 : 3, argv, err))
		return false;
	return startup_settings(&s, o, &console_actions, err);
}

TEST(written_and_found)
{
	struct text path = {0}, err = {0};
	struct options o;

	strcpy(folder, "/tmp/gpuwl-settings-XXXXXX");
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	config_default_path(&path);
	assert_true(config_write(text_str(&path), &console_actions, &err));
	/* Never overwrites a file. */
	assert_false(config_write(text_str(&path), &console_actions, &err));
	assert_non_null(strstr(text_str(&err), "File exists"));
	text_clear(&err);
	assert_true(start(&o, &err, NULL, NULL));
	assert_string_equal(s.path, text_str(&path));
	assert_int_equal(s.n_problems, 0);
	options_free(&o);

	/* The file at the usual place: whatever it is, the console starts. */
	unlink(text_str(&path));
	assert_true(start(&o, &err, NULL, NULL));
	assert_null(s.path);
	assert_int_equal(s.n_problems, 0);
	options_free(&o);
	mkdir(text_str(&path), 0700);
	assert_true(start(&o, &err, NULL, NULL));
	assert_int_equal(s.n_problems, 1);
	says(text_str(&path));
	options_free(&o);
	rmdir(text_str(&path));
	in_folder("gpuwl", &path);
	rmdir(text_str(&path));

	/* Without XDG_CONFIG_HOME, and without a home. */
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", "/home/x", 1);
	config_default_path(&path);
	assert_string_equal(text_str(&path), "/home/x/.config/gpuwl/config");
	setenv("XDG_CONFIG_HOME", "relative", 1);
	config_default_path(&path);
	assert_string_equal(text_str(&path), "/home/x/.config/gpuwl/config");
	setenv("HOME", "", 1);
	config_default_path(&path);
	assert_string_equal(text_str(&path), "");
	rmdir(folder);
	text_free(&path);
	text_free(&err);
}

/* Returns whether the option takes the value; why not is appended to err,
 * without the option's name. */
static bool
option_takes(const char *option, const char *value, struct text *err)
{
	struct text arg = {0}, why = {0};
	char program[] = "gpuwl-top";
	struct options o;
	bool ok;

	text_addf(&arg, "%s=%s", option, value);
	ok = options_parse(&o, 2, (char *[]){program, arg.data, NULL}, &why);
	if (!ok)
		text_adds(err, text_str(&why) + strlen(option) + strlen(": "));
	options_free(&o);
	text_free(&arg);
	text_free(&why);
	return ok;
}

/* An option and its setting take the same values, and refuse others in the same
 * words. */
TEST(same_values)
{
	static const struct {
		enum setting setting;
		const char *option, *value;
		bool ok;
	} cases[] = {
	    {SET_SPEED, "--speed", "0.001", true},
	    {SET_SPEED, "--speed", "1000000", true},
	    {SET_SPEED, "--speed", "1e6", true},
	    {SET_SPEED, "--speed", "2.5x", true},
	    {SET_SPEED, "--speed", "max", true},
	    {SET_SPEED, "--speed", "0.0009", false},
	    {SET_SPEED, "--speed", "1000001", false},
	    {SET_SPEED, "--speed", "2000000", false},
	    {SET_SPEED, "--speed", "0", false},
	    {SET_SPEED, "--speed", "fast", false},
	    {SET_SPEED, "--speed", "0x10", false},
	    {SET_SPEED, "--speed", "1y", false},
	    {SET_DELAY, "--delay", "0.01", true},
	    {SET_DELAY, "--delay", "3600", true},
	    {SET_DELAY, "--delay", "250ms", true},
	    {SET_DELAY, "--delay", "0.009", false},
	    {SET_DELAY, "--delay", "3601s", false},
	    {SET_DELAY, "--delay", "1m", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text why = {0}, err = {0};

		assert_int_equal(
		    option_takes(cases[i].option, cases[i].value, &why),
		    cases[i].ok);
		assert_int_equal(settings_set(&s, cases[i].setting,
				     cases[i].value, (struct origin){0}, &err),
		    cases[i].ok);
		assert_string_equal(text_str(&err), text_str(&why));
		text_free(&why);
		text_free(&err);
	}
}

TEST(command_line_first)
{
	static const char ini[] = "scheduler = guc\nprofile = ideal\n"
				  "speed = 5\ndelay = 2\nascii = yes\n";
	struct text path = {0}, err = {0};
	struct options o;
	FILE *f;

	strcpy(folder, "/tmp/gpuwl-settings-XXXXXX");
	assert_non_null(mkdtemp(folder));
	in_folder("c", &path);
	f = fopen(text_str(&path), "w");
	assert_non_null(f);
	fputs(ini, f);
	fclose(f);
	text_clear(&err);
	text_addf(&err, "--config=%s", text_str(&path));
	text_clear(&path);
	text_adds(&path, text_str(&err));
	text_clear(&err);

	assert_true(start(&o, &err, text_str(&path), NULL));
	assert_string_equal(o.scheduler, "guc");
	assert_string_equal(o.profile, "ideal");
	assert_true(o.speed > 4.9 && o.speed < 5.1);
	assert_string_equal(settings_value(&s, SET_DELAY), "2");
	assert_true(setting_is_yes(settings_value(&s, SET_ASCII)));
	options_free(&o);

	assert_true(start(&o, &err, text_str(&path), "--scheduler=drm"));
	assert_string_equal(o.scheduler, "drm");
	assert_int_equal(s.origins[SET_SCHEDULER].kind, FROM_OPTION);
	assert_string_equal(o.profile, "ideal");
	options_free(&o);

	assert_true(start(&o, &err, text_str(&path), "--speed=max"));
	assert_true(o.speed <= 0);
	assert_string_equal(settings_value(&s, SET_SPEED), "max");
	options_free(&o);

	assert_true(start(&o, &err, text_str(&path), "--speed=1000000"));
	assert_string_equal(settings_value(&s, SET_SPEED), "1000000");
	assert_int_equal(s.origins[SET_SPEED].kind, FROM_OPTION);
	options_free(&o);

	unlink(text_str(&path) + strlen("--config="));
	assert_false(start(&o, &err, text_str(&path), NULL));
	assert_non_null(strstr(text_str(&err), "No such file"));
	options_free(&o);
	text_clear(&err);
	assert_true(start(&o, &err, "--config=none", NULL));
	assert_string_equal(o.scheduler, "profile");
	options_free(&o);
	rmdir(folder);
	text_free(&path);
	text_free(&err);
}

TEST(too_big)
{
	struct text path = {0}, err = {0};
	FILE *f;

	strcpy(folder, "/tmp/gpuwl-settings-XXXXXX");
	assert_non_null(mkdtemp(folder));
	in_folder("big", &path);
	f = fopen(text_str(&path), "w");
	assert_non_null(f);
	assert_int_equal(ftruncate(fileno(f), CONFIG_MAX_BYTES + 1), 0);
	fclose(f);
	assert_false(config_load(&s, text_str(&path), &err));
	assert_non_null(strstr(text_str(&err), "1 MiB"));
	unlink(text_str(&path));
	rmdir(folder);
	text_free(&path);
	text_free(&err);
}

FIXTURES(set_up, tear_down);
