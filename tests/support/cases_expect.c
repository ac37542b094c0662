/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of cases that say what a run gave: its requests, and figures. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/sched/guc.h"
#include "tests/runner/test.h"
#include "tests/support/cases.h"

/* Requests. */

/* Takes the names of columns, which end at a colon, if there are any. */
static void
take_columns(const char **at, struct text *columns)
{
	size_t len = strcspn(*at, ":");

	if ((*at)[len] == ':') {
		text_add(columns, *at, len);
		*at += len + 1;
	}
}

/* Adds rows, with "; " or the end of a line between them, as lab_rows_text() does. */
static void
add_rows(const char *text, struct text *t)
{
	char row[256], word[CASE_WORD];

	for (; *text != '\0'; text += strspn(text, ";\n")) {
		size_t len = strcspn(text, ";\n");
		bool is_first = true;

		snprintf(row, sizeof row, "%.*s", (int)len, text);
		for (const char *at = row; run_case_word(&at, word);) {
			if (t->len > 0)
				text_adds(t, is_first ? "; " : " ");
			text_adds(t, word);
			is_first = false;
		}
		text += len;
	}
}

/* Prints the rows side by side, with a star at each that differs. */
static void
print_difference(const char *wanted, const char *got)
{
	print_message("  %-36s got\n", "expected");
	while (*wanted != '\0' || *got != '\0') {
		size_t a = strcspn(wanted, ";"), b = strcspn(got, ";");
		bool same = a == b && strncmp(wanted, got, a) == 0;

		print_message("%c %-36.*s %.*s\n", same ? ' ' : '*', (int)a,
		    wanted, (int)b, got);
		wanted += a + strspn(wanted + a, "; ");
		got += b + strspn(got + b, "; ");
	}
}

static void
expect_rows_of(const struct case_line *line, const char *columns,
    const char *rest, const struct lab *lab)
{
	struct text names = {0}, wanted = {0};
	char *got;

	take_columns(&rest, &names);
	add_rows(rest, &wanted);
	add_rows(line->more, &wanted);
	got = lab_rows_text(lab, names.len > 0 ? names.data : columns);
	if (got == NULL)
		run_case_fails(line,
		    "invalid columns '%s': expected some of client " LAB_ROWS
		    " submit run preemptions status",
		    names.data);
	if (strcmp(text_str(&wanted), got) != 0) {
		print_difference(text_str(&wanted), got);
		run_case_fails(line, "the requests differ where a star is");
	}
	text_free(&names);
	text_free(&wanted);
	free(got);
}

/* Figures: NAME=VALUE. */

static void
add_us(struct text *t, const char *name, nsec time)
{
	text_addf(t, "%s=", name);
	lab_add_us(t, time);
	text_addc(t, ' ');
}

/* A name of several words has '_' between them. */
static void
add_name(struct text *t, const char *key, const char *name)
{
	text_addf(t, "%s=", key);
	for (; *name != '\0'; name++)
		text_addc(t, *name == ' ' ? '_' : *name);
	text_addc(t, ' ');
}

static void
add_run(const struct lab *lab, struct text *t)
{
	const struct sim *sim = lab->sim;
	const struct hang *hang = &lab->hang;

	text_addf(t,
	    "requests=%zu hung=%u errors=%" PRIu64 " iterations=%" PRIu64
	    " swaps=%" PRIu64 " missed=%" PRIu64 " clients=%zu ",
	    lab->n_rows, lab->hung, sim->n_errors, sim->n_iterations,
	    sim->n_swaps, sim->n_missed, sim->n_clients);
	if (lab->hung > 0) {
		add_name(t, "cause", hang_cause_name(hang->cause));
		add_name(t, "scope", reset_scope_name(hang->scope));
		add_name(t, "hang_engine", hang->engine->name);
		add_us(t, "hang_run", hang->run_ns);
		text_addf(t,
		    "guilty=%d context_banned=%d client_banned=%d hang_error=%s ",
		    hang->guilty, hang->context_banned, hang->client_banned,
		    hang->error == 0 ? "ok" : strerrorname_np(-hang->error));
	}
	if (strcmp(lab->config.sched->name, "guc") == 0) {
		const struct guc_counters *c = sched_guc_counters(lab->sim);

		text_addf(t,
		    "registrations=%" PRIu64 " steals=%" PRIu64
		    " waits=%" PRIu64 " ",
		    c->registrations, c->steals, c->waits);
	}
}

static void
add_engine(const struct lab *lab, const char *name, struct text *t)
{
	const struct device *device = &lab->sim->device;

	for (unsigned i = 0; i < device->n_engines; i++) {
		const struct hw_engine *e = &device->engines[i];

		if (strcmp(name, e->name) != 0)
			continue;
		text_addf(t,
		    "batches=%" PRIu64 " preemptions=%" PRIu64
		    " switches=%" PRIu64 " queued=%u ",
		    e->batches, e->preemptions, e->switches, e->queued);
		add_us(t, "busy", e->busy_ns);
	}
}

static void
add_client(const struct client *c, struct text *t)
{
	const struct walker *w = c->walker;

	text_addf(t,
	    "completed=%" PRIu64 " iteration=%" PRIu64 " periods=%" PRIu64
	    " missed=%" PRIu64 " sum_us=%" PRIu64 " min_us=%" PRIu64
	    " max_us=%" PRIu64 " killed=%d in_flight=%u score=%u ",
	    c->completed, w ? w->iteration : 0, c->period.n, c->period.missed,
	    c->period.sum_us, c->period.min_us, c->period.max_us, c->killed,
	    c->in_flight, c->ban.score);
	add_name(t, "state", client_state_name(c));
	add_us(t, "ended", c->ended_ns);
}

static void
add_context(const struct context *c, struct text *t)
{
	text_addf(t,
	    "priority=%d slices=%u batches=%" PRIu64 " guilty=%u active=%u "
	    "banned=%u ",
	    c->priority, c->sseu, c->batches, c->ban.guilty, c->ban.active,
	    c->ban.banned);
	add_us(t, "busy", c->busy_ns);
}

/* Each NAME=VALUE is one of those, with spaces between. */
static void
expect_figures(
    const struct case_line *line, const char *wanted, const struct text *got)
{
	char word[CASE_WORD];

	while (run_case_word(&wanted, word)) {
		const char *at = got->data;
		size_t len = strlen(word);

		while (at != NULL &&
		    (strncmp(at, word, len) != 0 || at[len] != ' '))
			at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL;
		if (at == NULL)
			run_case_fails(
			    line, "expected %s, got %s", word, text_str(got));
	}
}

static bool
figures(const struct case_line *line, const char *word, const char **rest,
    const struct lab *lab, struct text *t)
{
	const struct sim *sim = lab->sim;
	const struct context *context;
	char name[CASE_WORD];
	uint32_t number;
	size_t client;

	if (strchr(word, '=') != NULL) {
		add_run(lab, t);
		return true;
	}
	if (strcmp(word, "engine") == 0) {
		run_case_word(rest, name);
		add_engine(lab, name, t);
		if (t->len == 0)
			run_case_fails(line, "there is no engine '%s'", name);
		return true;
	}
	if (strcmp(word, "client") != 0 && strcmp(word, "context") != 0)
		return false;
	client = (size_t)run_case_number(line, rest);
	if (client >= sim->n_clients)
		run_case_fails(line, "there is no client %zu", client);
	if (strcmp(word, "client") == 0) {
		add_client(sim->clients[client], t);
		return true;
	}
	number = (uint32_t)run_case_number(line, rest);
	context = client_find_context(sim->clients[client], number);
	if (context == NULL)
		run_case_fails(
		    line, "client %zu has no context %u", client, number);
	add_context(context, t);
	return true;
}

/* The words for a deadlock, a line for each client, in one line. After "..." is a part
 * of them. */
static void
expect_deadlock(const struct case_line *line, const struct lab *lab)
{
	char *wanted = run_case_text(line->rest, line->more), *got;
	bool is_part = strncmp(wanted, "... ", 4) == 0;
	struct text why = {0};

	sim_explain_deadlock(lab->sim, &why);
	got = run_case_text(text_str(&why), "");
	if (is_part ? strstr(got, wanted + 4) == NULL
		    : *wanted != '\0' && strcmp(got, wanted) != 0)
		run_case_fails(line, "the deadlock is: %s", got);
	text_free(&why);
	free(wanted);
	free(got);
}

bool
run_case_expect(const struct case_line *line, const char *word,
    const char *rest, struct lab *lab)
{
	struct text got = {0};

	if (strcmp(word, "rows") == 0) {
		expect_rows_of(line, LAB_ROWS, rest, lab);
	} else if (strcmp(word, "ends") == 0) {
		expect_rows_of(line, LAB_ENDS, rest, lab);
	} else if (strcmp(word, "deadlock") == 0) {
		expect_deadlock(line, lab);
	} else if (figures(line, word, &rest, lab, &got)) {
		if (strchr(word, '=') != NULL)
			expect_figures(line, word, &got);
		expect_figures(line, rest, &got);
		text_free(&got);
	} else {
		return false;
	}
	return true;
}
