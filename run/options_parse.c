/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a command line with getopt_long, by the table of options. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/text.h"
#include "engine/sched/sched.h"
#include "run/options.h"
#include "run/options_table.h"
#include "run/texts.h"

#define LONG_VALUE 256 /* getopt's value of the first long option */

/* True for modes that ignore all later options. */
static bool
is_final(enum mode mode)
{
	return mode == MODE_HELP || mode == MODE_VERSION;
}

bool
reader_choose_mode(struct option_reader *r, enum mode mode)
{
	struct options *o = r->o;
	bool lists = mode == MODE_LIST_DEVICES || mode == MODE_LIST_ENGINES;
	bool listed = o->mode == MODE_LIST_DEVICES ||
	    o->mode == MODE_LIST_ENGINES;

	/* gem_wsim has no batch mode, and lists with any options: -b is
	 * ignored. */
	if ((listed || o->mode == MODE_IMPORT) && mode == MODE_BATCH)
		return true;
	if (mode == MODE_IMPORT &&
	    (o->mode == MODE_IMPORT || o->mode == MODE_BATCH))
		r->mode_given = false;
	if (r->mode_given && !is_final(mode) && o->mode != mode &&
	    !(lists && o->mode == MODE_BATCH)) {
		text_addf(r->err, "%s and %s exclude each other", r->mode_shown,
		    r->shown);
		return false;
	}
	o->mode = mode;
	r->mode_given = true;
	memcpy(r->mode_shown, r->shown, sizeof(r->mode_shown));
	return true;
}

/* Fills the tables of getopt_long from ours. */
static void
make_getopt(enum mode mode, char *letters, struct option *longs)
{
	/* '-': reports FILEs in order, as 1; '+': ends at the first word that is
	 * not an option; ':': reports missing arguments as ':'. */
	*letters++ = mode == MODE_PROGRAM ? '+' : '-';
	*letters++ = ':';
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];
		bool optional = info->argument != NULL &&
		    *info->argument == '[';

		longs[i] = (struct option){
		    .name = info->name,
		    .has_arg = info->argument == NULL ? no_argument
			: optional                    ? optional_argument
						      : required_argument,
		    .val = LONG_VALUE + (int)i,
		};
		if (info->letter == 0)
			continue;
		*letters++ = info->letter;
		if (info->argument != NULL)
			*letters++ = ':';
	}
	*letters = '\0';
	longs[N_OPTIONS] = (struct option){0};
}

/* The row of a value that getopt_long returned; shown gets the option as it was
 * typed. */
static size_t
find_option(int value, char *shown, size_t size)
{
	size_t i = 0;

	if (value >= LONG_VALUE) {
		i = (size_t)(value - LONG_VALUE);
		snprintf(shown, size, "--%s", option_table[i].name);
		return i;
	}
	while (i < N_OPTIONS && option_table[i].letter != value)
		i++;
	snprintf(shown, size, "-%c", value);
	return i;
}

/* Appends "--trace or --trace-json": the options that begin with the len bytes
 * of a name or, if none does, those with a name like it. Returns the number of
 * those that begin with it. */
static size_t
add_options_like(const char *name, size_t len, struct text *out)
{
	struct near like = {0}, begun = {0};
	struct text word = {0};
	size_t n;

	text_add(&word, name, len);
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const char *known = option_table[i].name;
		struct text shown = {0};

		text_addf(&shown, "--%s", known);
		if (strncmp(known, name, len) == 0)
			near_add(&begun, shown.data, shown.len);
		else if (near_is(text_str(&word), known))
			near_add(&like, shown.data, shown.len);
		text_free(&shown);
	}
	n = begun.n;
	near_print(n > 0 ? &begun : &like, out);
	near_free(&like);
	near_free(&begun);
	text_free(&word);
	return n;
}

/* Reports a long option that getopt_long does not know, or that several begin
 * with. */
static void
refuse_long_option(const char *word, struct text *err)
{
	size_t len = strcspn(word, "="), n;
	struct text like = {0};

	n = add_options_like(word + 2, len - 2, &like);
	text_addf(err, "%s option '", n > 0 ? "ambiguous" : "unknown");
	text_add_visible(err, word, len);
	text_adds(err, "'");
	if (like.len > 0)
		text_addf(err, "%s%s",
		    n > 0 ? ": expected " : ": did you mean ", text_str(&like));
	text_adds(err, n == 0 && like.len > 0 ? "?" : "");
	text_free(&like);
}

/* Reports a '?' of getopt_long: unknown, ambiguous, or with an argument that it
 * does not take. */
static bool
refuse_option(struct option_reader *r, char *const *argv)
{
	const char *word = argv[optind - 1];

	if (optopt >= LONG_VALUE) {
		find_option(optopt, r->shown, sizeof(r->shown));
		text_addf(r->err, "%s takes no argument", r->shown);
	} else if (optopt != 0) {
		char letter = (char)optopt;

		text_adds(r->err, "unknown option '-");
		text_add_visible(r->err, &letter, 1);
		text_adds(r->err, "'");
	} else {
		refuse_long_option(word, r->err);
	}
	return false;
}

/* "file" or "folder" if the argument can be nothing else; NULL: it can. */
static const char *
named_by(const struct option_info *info)
{
	static const char *const files[] = {"FILE", "[=FILE]", "FILE|none"};

	if (info->argument == NULL)
		return NULL;
	if (strcmp(info->argument, "DIR") == 0)
		return "folder";
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (strcmp(info->argument, files[i]) == 0)
			return "file";
	/* FILE.html and so on */
	return strncmp(info->argument, "FILE.", 5) == 0 ? "file" : NULL;
}

/* Refuses empty names, of unset shell variables for example: the system's
 * message for them would not name the option. */
static bool
check_name(struct option_reader *r, const struct option_info *info)
{
	const char *what = named_by(info);

	if (what == NULL || optarg == NULL || *optarg != '\0')
		return true;
	text_addf(r->err,
	    "%s: empty name: expected the name of a %s, e.g. %s=%s", r->shown,
	    what, r->shown,
	    strcmp(what, "folder") == 0 ? "errors" : "some.file");
	return false;
}

static bool
apply_option(struct option_reader *r, const struct option_info *info)
{
	return check_name(r, info) && info->take(r, optarg, info->arg);
}

static bool
read_option(struct option_reader *r, int value, char *const *argv)
{
	size_t i;

	if (value == 1) {
		reader_add_workload(r, optarg, false, true);
		return true;
	}
	if (value == '?')
		return refuse_option(r, argv);
	if (value == ':') {
		find_option(optopt, r->shown, sizeof(r->shown));
		text_addf(r->err, "%s needs an argument", r->shown);
		return false;
	}
	i = find_option(value, r->shown, sizeof(r->shown));
	r->seen[i] = true;
	return apply_option(r, &option_table[i]);
}

static bool
read_options(struct option_reader *r, int argc, char **argv)
{
	char letters[2 * N_OPTIONS + 3];
	struct option longs[N_OPTIONS + 1];
	int value;

	make_getopt(r->o->mode, letters, longs);
	optind = 0; /* glibc: resets getopt */
	opterr = 0;
	while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (!read_option(r, value, argv))
			return false;
		if (is_final(r->o->mode))
			return true;
	}
	if (r->o->is_run) {
		r->o->program = &argv[optind];
		return true;
	}
	if (r->o->serve != NULL && optind < argc) {
		r->o->program = &argv[optind];
		return true;
	}
	for (int i = optind; i < argc; i++) /* behind "--" */
		reader_add_workload(r, argv[i], false, true);
	return true;
}

static void
set_defaults(struct option_reader *r)
{
	struct options *o = r->o;

	o->scheduler_given = o->scheduler != NULL;
	o->profile_given = o->profile != NULL;
	o->speed_given = o->speed >= 0;
	if (o->scheduler == NULL)
		o->scheduler = SCHED_OF_PROFILE;
	if (o->profile == NULL)
		o->profile = o->mode == MODE_CHECK ? "ideal" : "default";
	if (!o->speed_given)
		o->speed = o->mode != MODE_BATCH || o->serve != NULL;
	if (!r->repeat_given)
		o->repeat = !options_decide(o) && o->mode != MODE_CONSOLE &&
		    o->serve == NULL && o->duration == NSEC_NEVER;
}

/* True if the program was called by that name. */
static bool
called_as(const char *called, const char *name)
{
	const char *slash = strrchr(called, '/');

	return strcmp(slash != NULL ? slash + 1 : called, name) == 0;
}

static bool
read_and_check(struct option_reader *r, int argc, char **argv)
{
	if (!read_options(r, argc, argv))
		return false;
	if (is_final(r->o->mode))
		return true;
	set_defaults(r);
	return options_check(r);
}

bool
options_parse(struct options *o, int argc, char **argv, struct text *err)
{
	struct option_reader r = {.o = o, .err = err};
	bool ok;

	*o = (struct options){
	    /* getopt changes the order of argv. */
	    .command = run_command_line(argc, argv),
	    .argv = argv,
	    .clients = 1,
	    .seed = 1,
	    .duration_scale = 1,
	    .delay_scale = 1,
	    .speed = -1,
	    .duration = NSEC_NEVER,
	    .import_to = NSEC_NEVER,
	    .sweep_row = OPTIONS_ALL_ROWS,
	    .max_clients = 4096,
	};
	if (argc > 0 && called_as(argv[0], "gpuwl-run")) {
		o->mode = MODE_PROGRAM;
		o->is_run = true;
		strcpy(r.mode_shown, "gpuwl-run");
	}
	ok = read_and_check(&r, argc, argv);
	free(r.clients_why);
	free(r.device_why);
	return ok;
}

bool
options_set(
    struct options *o, const char *name, const char *value, struct text *err)
{
	struct option_reader r = {.o = o, .err = err};
	const struct option_info *info = option_table;
	bool ok;

	while (strcmp(info->name, name) != 0)
		info++;
	snprintf(r.shown, sizeof r.shown, "--%s", name);
	ok = info->take(&r, value, info->arg) && check_clients(&r);
	free(r.device_why);
	return ok;
}

void
options_free(struct options *o)
{
	free(o->command);
	free(o->workloads);
	free(o->files);
	free(o->imports);
	free(o->sweeps);
	*o = (struct options){0};
}
