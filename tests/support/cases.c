/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files of cases and runs them. What is expected of a run: cases_expect.c. */
#include "tests/support/cases.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/sched/steps.h"
#include "tests/runner/test.h"
#include "tests/support/lab_control.h"

struct run_case_file {
	char *path;
	struct case_line *lines;
	size_t n, cap;
};

struct case_test {
	struct test test;
	const struct run_case_file *file;
	const struct case_line *begin, *end;
};

/* A run of a case, under one scheduler after the other. */
struct case_run {
	const struct case_line *clients[8]; /* each with its steps */
	size_t n_clients;
	const struct case_line *settings[2]; /* the file's, its own; or NULL */
	const struct case_line *begin, *end; /* after `run`; its last line */
};

/* Clients of one program. */
struct case_clients {
	unsigned clones;
	struct client_options options;
};

void
run_case_fails(const struct case_line *line, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	fail_msg("%s:%u: %s", line->path, line->number, text_str(&t));
	abort();
}

bool
run_case_word(const char **at, char word[CASE_WORD])
{
	const char *begin = *at + strspn(*at, " \n");
	size_t len = strcspn(begin, " \n");

	snprintf(word, CASE_WORD, "%.*s", (int)len, begin);
	*at = begin + len;
	return len > 0;
}

double
run_case_number(const struct case_line *line, const char **at)
{
	char word[CASE_WORD], *end;
	double number;

	if (!run_case_word(at, word))
		run_case_fails(line, "a number is missing");
	number = strtod(word, &end);
	if (*end != '\0')
		run_case_fails(line, "'%s' is not a number", word);
	return number;
}

nsec
run_case_time(const struct case_line *line, const char **at)
{
	return (nsec)(run_case_number(line, at) * 1e3 + 0.5);
}

char *
run_case_text(const char *rest, const char *more)
{
	const char *parts[] = {rest, more};
	char word[CASE_WORD];
	struct text t = {0};

	for (unsigned i = 0; i < 2; i++)
		for (const char *at = parts[i]; run_case_word(&at, word);)
			text_addf(&t, "%s%s", t.len > 0 ? " " : "", word);
	return t.data != NULL ? t.data : mem_strdup("");
}

/* The steps of a line: a line of steps that ends in a comma goes on in the next. */
static char *
steps_of(const struct case_line *line)
{
	char *steps = mem_strdup(line->more), *to = steps;

	for (const char *from = line->more; *from != '\0';) {
		from += strspn(from, " ");
		while (*from != '\0' && *from != '\n')
			*to++ = *from++;
		if (*from == '\n')
			from++;
		if (to > steps && to[-1] != ',' && *from != '\0')
			*to++ = '\n';
	}
	*to = '\0';
	return steps;
}

/* Settings: KEY=VALUE. */

static bool
is_set(const char *word, const char *key, int64_t *value)
{
	size_t len = strlen(key);
	char *end;

	if (strncmp(word, key, len) != 0 || word[len] != '=')
		return false;
	*value = strtoll(word + len + 1, &end, 10);
	return *end == '\0' && end > word + len + 1;
}

static bool
set_clients(struct case_clients *c, const char *word)
{
	int64_t value;

	if (is_set(word, "clones", &value))
		c->clones = (unsigned)value;
	else if (is_set(word, "repeat", &value))
		c->options.repeat = (uint64_t)value;
	else if (is_set(word, "priority", &value))
		c->options.priority = (int)value;
	else if (is_set(word, "background", &value))
		c->options.background = value != 0;
	else
		return false;
	return true;
}

/* A value of a knob in its unit; a time may be a fraction of that. */
static bool
set_knob(struct profile *p, const struct knob *k, unsigned i, const char *value)
{
	unsigned major, minor;
	char *end;
	double n = strtod(value, &end);

	if (k->type == KNOB_NSEC)
		((nsec *)(void *)((char *)p + k->offset))[i] =
		    (nsec)(n * (double)k->unit + 0.5);
	else if (k->type != KNOB_VERSION)
		knob_set(p, k, i, (uint64_t)n);
	else if (sscanf(value, "%u.%u", &major, &minor) == 2)
		knob_set(p, k, i, PROFILE_KERNEL(major, minor));
	return *value != '\0' && *end == '\0';
}

static void
set_profile(const struct case_line *line, struct profile *p, const char *word)
{
	char name[PROFILE_MAX_KEY];
	size_t len = strcspn(word, "=");

	for (size_t k = 0; k < n_profile_knobs; k++) {
		for (unsigned i = 0; i < knob_values(&profile_knobs[k]); i++) {
			knob_name(&profile_knobs[k], i, name);
			if (strlen(name) == len && !strncmp(name, word, len) &&
			    set_knob(p, &profile_knobs[k], i, word + len + 1))
				return;
		}
	}
	run_case_fails(line,
	    "invalid setting '%s': expected a knob of a profile, e.g. "
	    "ring_credits=2, or clones, repeat, priority, background, seed, "
	    "sync_deps or profile",
	    word);
}

static void
set(const struct case_line *line, struct sim_config *config,
    struct case_clients *c, const char *word)
{
	struct text err = {0};
	int64_t value;

	if (set_clients(c, word))
		return;
	if (is_set(word, "seed", &value))
		config->seed = (uint32_t)value;
	else if (is_set(word, "sync_deps", &value))
		config->sync_deps = value != 0;
	else if (strncmp(word, "profile=", 8) != 0)
		set_profile(line, &config->profile, word);
	else if (!profile_load(&config->profile, word + 8, &err))
		run_case_fails(line, "%s", text_str(&err));
}

/* Makes the simulation, before it has clients. */
static void
prepare(const struct case_run *run, const char *sched, struct lab *lab,
    struct case_clients *first)
{
	struct text err = {0};
	char word[CASE_WORD];

	if (sched_find(sched, &err) == NULL)
		run_case_fails(run->begin, "%s", text_str(&err));
	lab_init(lab, sched);
	*first = (struct case_clients){1, {.repeat = 1}};
	for (unsigned i = 0; i < 2; i++) {
		const struct case_line *line = run->settings[i];

		for (const char *at = line ? line->rest : "";
		     run_case_word(&at, word);)
			if (strchr(word, '=') != NULL)
				set(line, &lab->config, first, word);
	}
}

static void
begin(const struct case_run *run, const char *sched, struct lab *lab)
{
	struct case_clients c;
	char word[CASE_WORD];

	prepare(run, sched, lab, &c);
	for (size_t i = 0; i < run->n_clients; i++) {
		const struct case_line *line = run->clients[i];
		char *steps = steps_of(line);

		if (i > 0)
			c = (struct case_clients){1, {.repeat = 1}};
		for (const char *at = line->rest;
		     i > 0 && run_case_word(&at, word);)
			if (!set_clients(&c, word))
				run_case_fails(line,
				    "invalid '%s': expected clones, repeat, "
				    "priority or background, e.g. repeat=3",
				    word);
		lab_add(lab, steps, c.clones, c.options);
		free(steps);
	}
}

/* Lines of a run. */

static uint32_t
client_of(const struct case_line *line, const char **at)
{
	const char *all = *at + strspn(*at, " ");

	if (strncmp(all, "all", 3) != 0)
		return (uint32_t)run_case_number(line, at);
	*at = all + 3;
	return CONTROL_ALL;
}

/* Reads what comes after the kind of a control, up to "refused". */
static bool
read_control(const struct case_line *line, const char **at, struct control *c)
{
	struct case_clients added = {0, {.repeat = 1}};
	char option[CASE_WORD];

	if (c->kind == CONTROL_ADD)
		c->n_clients = (uint32_t)run_case_number(line, at);
	else
		c->client = client_of(line, at);
	if (c->kind <= CONTROL_PREEMPTION) {
		c->context = (uint32_t)run_case_number(line, at);
		c->value = (int64_t)run_case_number(line, at);
	}
	while (run_case_word(at, option)) {
		if (strcmp(option, "refused") == 0)
			return true;
		if (strcmp(option, "persistent") == 0)
			c->persistent = true;
		else if (strcmp(option, "at_once") == 0)
			c->at_once = true;
		else if (!set_clients(&added, option))
			run_case_fails(line,
			    "invalid '%s': expected persistent, at_once, "
			    "refused, repeat=N or priority=N",
			    option);
	}
	c->options = added.options;
	return false;
}

/* Indented are the steps of another program, or the words of a refusal. */
static bool
control(const struct case_line *line, const char *word, const char *at,
    struct lab *lab)
{
	struct control c = {.kind = 0};
	struct program *p = NULL;
	char *text;

	while (c.kind < N_CONTROLS && strcmp(word, control_name(c.kind)) != 0)
		c.kind++;
	if (c.kind == N_CONTROLS)
		return false;
	if (read_control(line, &at, &c)) {
		text = run_case_text(at, line->more);
		lab_refuse(lab, c, text);
	} else {
		text = steps_of(line);
		if (*text != '\0')
			c.program = p = lab_compile(lab, text);
		lab_control(lab, c);
		program_free(p);
	}
	free(text);
	return true;
}

static void
do_at(const struct case_line *line, struct lab *lab)
{
	const char *at = line->rest;
	nsec time = run_case_time(line, &at);
	char word[CASE_WORD];

	if (time > lab->sim->now)
		sim_run(lab->sim, time, 0);
	run_case_word(&at, word);
	if (!control(line, word, at, lab) &&
	    !run_case_expect(line, word, at, lab))
		run_case_fails(line,
		    "invalid '%s': expected priority, sseu, preemption, add, kill, "
		    "swap, engine, client, context or NAME=VALUE",
		    word);
}

/* Stopping every 333 ns and going on changes nothing. */
static void
expect_same_in_slices(const struct case_run *run, struct lab *whole)
{
	static const char columns[] = "client " LAB_ROWS;
	struct lab sliced;
	char *a = lab_rows_text(whole, columns), *b;

	begin(run, whole->config.sched->name, &sliced);
	for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING; t += 333)
		assert_true(sliced.sim->now <= t);
	b = lab_rows_text(&sliced, columns);
	assert_string_equal(a, b);
	assert_int_equal(whole->sim->now, sliced.sim->now);
	free(a);
	free(b);
	lab_free(&sliced);
}

/* Runs to the last line, which says whether that is the end. When nothing is in flight
 * no engine has a request that waits. */
static void
finish(const struct case_run *run, struct lab *lab)
{
	static const char *const says[] = {[SIM_RUNNING] = "stop",
	    [SIM_DONE] = "end",
	    [SIM_DEADLOCK] = "deadlock"};
	bool stops = strcmp(run->end->word, "stop") == 0;
	enum sim_state wanted = stops ? SIM_RUNNING : SIM_DONE, state;
	const char *at = run->end->rest;

	for (const struct case_line *l = run->begin; l < run->end; l++)
		if (strcmp(l->word, "deadlock") == 0)
			wanted = SIM_DEADLOCK;
	state = sim_run(
	    lab->sim, stops ? run_case_time(run->end, &at) : NSEC_NEVER, 0);
	if (state != wanted)
		run_case_fails(run->end, "at %.12g us: expected '%s', got '%s'",
		    (double)lab->sim->now / 1e3, says[wanted], says[state]);
	for (unsigned i = 0; i < lab->sim->device.n_engines; i++)
		if (lab->sim->n_ended_requests == lab->sim->n_submitted)
			assert_int_equal(lab->sim->device.engines[i].queued, 0);
}

static void
play(const struct case_run *run, const char *sched)
{
	const char *at = run->end->rest;
	struct lab lab;

	begin(run, sched, &lab);
	for (const struct case_line *l = run->begin; l < run->end; l++)
		if (strcmp(l->word, "at") == 0)
			do_at(l, &lab);
	finish(run, &lab);
	for (const struct case_line *l = run->begin; l < run->end; l++) {
		if (strcmp(l->word, "sliced") == 0)
			expect_same_in_slices(run, &lab);
		else if (strcmp(l->word, "at") != 0 &&
		    !run_case_expect(l, l->word, l->rest, &lab))
			run_case_fails(l,
			    "invalid line '%s': expected rows, ends, deadlock, "
			    "sliced, at, engine, client, context, NAME=VALUE, "
			    "end or stop",
			    l->word);
	}
	if (*at != '\0' && run_case_time(run->end, &at) != lab.sim->now)
		run_case_fails(run->end, "the run ends at %.12g us",
		    (double)lab.sim->now / 1e3);
	lab_free(&lab);
}

/* The scheduler refuses the steps, with these words. */
static void
expect_refusal(const struct case_run *run, const char *sched)
{
	struct case_clients unused;
	char *steps = steps_of(run->clients[0]),
	     *wanted = run_case_text(run->end->rest, run->end->more);
	struct text why = {0};
	struct program *p;
	struct lab lab;

	prepare(run, sched, &lab, &unused);
	p = lab_compile(&lab, steps);
	assert_non_null(p);
	assert_false(
	    sched_accepts(lab.config.sched, p, &lab.config.profile, &why));
	assert_string_equal(text_str(&why), wanted);
	text_free(&why);
	program_free(p);
	free(wanted);
	free(steps);
}

/* Takes the next run, which has the steps and settings of the one before it unless it
 * has its own; *at is the last line of that one, or the line of the case. */
static void
next_run(const struct case_test *c, const struct case_line **at,
    struct case_run *run)
{
	const struct case_line *l = *at;

	if (*l->more != '\0' && strcmp(l->word, "refused") != 0) {
		run->clients[0] = l;
		run->n_clients = 1;
	}
	for (l++; l < c->end && !strcmp(l->word, "client") && *l->more; l++) {
		assert_in_range(run->n_clients, 1, 7);
		run->clients[run->n_clients++] = l;
	}
	if (l < c->end && strcmp(l->word, "run") == 0)
		run->settings[1] = l++;
	for (run->begin = l; l < c->end; l++)
		if (!strcmp(l->word, "end") || !strcmp(l->word, "stop") ||
		    !strcmp(l->word, "refused"))
			break;
	if (run->n_clients == 0)
		run_case_fails(l - 1, "the case has no steps");
	if (l == c->end)
		run_case_fails(
		    l - 1, "expected 'end', 'stop' or 'refused' after this");
	*at = run->end = l;
}

/* Plays the run under each scheduler that the settings name; returns their number. */
static unsigned
play_all(const struct case_run *run, const struct case_line *settings)
{
	bool is_refused = strcmp(run->end->word, "refused") == 0;
	char word[CASE_WORD];
	unsigned n = 0;

	if (settings == NULL)
		return 0;
	for (const char *at = settings->rest; run_case_word(&at, word);) {
		if (strchr(word, '=') != NULL)
			continue;
		print_message("%s:%u: under %s\n", run->begin->path,
		    run->begin[-1].number, word);
		if (is_refused)
			expect_refusal(run, word);
		else
			play(run, word);
		n++;
	}
	return n;
}

static void
run_case(void **state)
{
	const struct case_test *c = *state;
	const struct case_line *l = c->begin;
	struct case_run run = {.settings = {NULL}};

	if (strcmp(c->file->lines->word, "run") == 0)
		run.settings[0] = c->file->lines;
	print_message("%s:%u: case %s\n", l->path, l->number, l->rest);
	do {
		next_run(c, &l, &run);
		if (play_all(&run, run.settings[1]) == 0 &&
		    play_all(&run, run.settings[0]) == 0)
			run_case_fails(l,
			    "the run has no scheduler: expected it after "
			    "'run', e.g. run drm");
	} while (l + 1 < c->end);
}

/* Files. */

static void
add_line(struct run_case_file *f, char *text, unsigned number)
{
	size_t len = strcspn(text, " ");
	char *rest = text + len + strspn(text + len, " ");

	f->lines = mem_grow(f->lines, f->n, &f->cap, sizeof *f->lines);
	f->lines[f->n++] = (struct case_line){.path = f->path,
	    .number = number,
	    .word = mem_strndup(text, len),
	    .rest = mem_strdup(rest),
	    .more = mem_strdup("")};
}

/* Settings go on in it; else it is kept as it is. */
static void
add_indented(struct case_line *line, const char *text)
{
	char **to = strcmp(line->word, "run") == 0 ? &line->rest : &line->more;
	struct text t = {0};

	text_addf(&t, "%s%s\n", *to, text);
	free(*to);
	*to = t.data;
}

static void
read_file(struct run_case_file *f)
{
	FILE *in = fopen(f->path, "r");
	unsigned number = 0;
	char *text = NULL;
	size_t cap = 0;

	while (in != NULL && getline(&text, &cap, in) > 0) {
		number++;
		text[strcspn(text, "\n")] = '\0';
		if (*text == ' ' && f->n > 0)
			add_indented(&f->lines[f->n - 1], text);
		else if (*text != '\0' && *text != '#')
			add_line(f, text, number);
	}
	if (in == NULL || f->n == 0) {
		fprintf(stderr, "%s: no cases can be read\n", f->path);
		exit(1);
	}
	free(text);
	fclose(in);
}

/* Registers each `case` with the lines up to the next. */
static void
add_cases(const struct run_case_file *f)
{
	struct case_test *c = NULL;

	for (const struct case_line *l = f->lines; l < f->lines + f->n; l++) {
		if (strcmp(l->word, "case") == 0) {
			c = mem_calloc(1, sizeof *c);
			c->test = (struct test){.file = f->path,
			    .name = l->rest,
			    .run = run_case,
			    .given = c};
			c->file = f;
			c->begin = l;
			runner_add(&c->test);
		} else if (c == NULL &&
		    (l > f->lines || strcmp(l->word, "run"))) {
			fprintf(stderr, "%s:%u: expected 'case NAME'\n",
			    f->path, l->number);
			exit(1);
		}
		if (c != NULL)
			c->end = l + 1;
	}
}

void
cases_add(const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0) {
		fprintf(stderr,
		    "%s: no such files, in the root of the source\n", pattern);
		exit(1);
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct run_case_file *f = mem_calloc(1, sizeof *f);

		f->path = mem_strdup(found.gl_pathv[i]);
		read_file(f);
		add_cases(f);
	}
	globfree(&found);
}
