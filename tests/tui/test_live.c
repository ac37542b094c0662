/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that are edited while clients run them: lines keep their
 * identities, marks stand at the right lines, nothing bad reaches the run,
 * and what a tweak says is in force. LIVE_RUNS in the environment asks for
 * more, LIVE_SEED for where to begin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parser/edit.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tui/options.h"
#include "tui/session/launch.h"
#include "tui/session/live.h"
#include "tui/session/marks.h"
#include "tui/session/tweak.h"

static uint64_t seed;

static unsigned
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return n > 0 ? (unsigned)((seed >> 33) % n) : 0;
}

static unsigned
from_environment(const char *name, unsigned otherwise)
{
	const char *s = getenv(name);

	return s != NULL ? (unsigned)strtoul(s, NULL, 10) : otherwise;
}

/* Lines of all kinds; the last ones are wrong. */
static const char *const lines[] = {"1.RCS.700.0.0", "1.RCS.300-900.-1.0",
    "2.VCS1.400.0.0", "2.RCS.100.0.1", "P.1.3", "P.1.-4", "P.2.8", "S.1.1",
    "S.2.-1", "X.1.50", "X.2.0", "d.200", "# words", "", "t.3", "f", "a.-1",
    "s.-1", "1.BCS.50.f-1.0", "q.2", "2.RCS.20.-2/-1.0", "p.900",
    "#@ label push \"x\"", "w.1.4", "nonsense", "1.RCS.100.-90.0"};
#define N_LINES (sizeof(lines) / sizeof(*lines))

static const char *
any_line(void)
{
	return lines[below(below(6) > 0 ? N_LINES - 2 : N_LINES)];
}

static void
rewrite(struct document *doc)
{
	struct text t = {0}, out = {0};
	const char *s, *end;

	document_print(doc, &t);
	for (s = text_str(&t); *s != 0; s = end + (*end != 0)) {
		end = s + strcspn(s, "\n");
		if (below(8) == 0)
			text_addf(&out, "%s\n", any_line());
		if (below(8) > 0) {
			text_add(&out, s, (size_t)(end - s));
			text_addc(&out, '\n');
		}
	}
	edit_rewrite(doc, text_str(&out), out.len);
	text_free(&t);
	text_free(&out);
}

static void
edit_randomly(struct document *doc)
{
	size_t n = document_n_lines(doc), at = below(n);
	const char *line = any_line();

	switch (below(9)) {
	case 0:
		if (n < 60)
			edit_insert(
			    doc, below(n + 1), line, strlen(line), NULL);
		break;
	case 1:
		if (n > 5)
			edit_delete(
			    doc, at, 1 + below(2), EDIT_DROP_REFERENCES, NULL);
		break;
	case 2:
		if (n > 3)
			edit_move(doc, at, 1, below(n + 1), NULL);
		break;
	case 3:
	case 4:
		if (n > 0)
			edit_replace(doc, at, line, strlen(line), NULL);
		break;
	case 5: rewrite(doc); break;
	case 6: edit_redo(doc); break;
	default: edit_undo(doc); break;
	}
}

/* Identities. */

static void
check_identities(const struct document *doc)
{
	uint32_t n = document_n_identities(doc);
	bool *seen = mem_calloc(n + 1u, sizeof(*seen));

	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct line *line = document_line(doc, i);
		uint32_t identity = document_identity(doc, line);
		size_t index;

		assert_in_range(identity, 1, n);
		assert_false(seen[identity]);
		seen[identity] = true;
		assert_ptr_equal(document_identified(doc, identity), line);
		assert_true(document_line_index(doc, line, &index));
		assert_int_equal(index, i);
	}
	for (uint32_t i = 1; i <= n; i++)
		if (!seen[i])
			assert_null(document_identified(doc, i));
	free(seen);
}

static struct document *
any_document(unsigned n)
{
	struct document *doc;
	struct text t = {0};

	for (unsigned i = 0; i < n; i++)
		text_addf(&t, "%s\n", any_line());
	doc = document_parse("random", text_str(&t), t.len, SOURCE_FILE);
	text_free(&t);
	return doc;
}

static void
test_identities(void **state)
{
	(void)state;
	for (unsigned run = 0; run < 30; run++) {
		struct document *doc = any_document(below(40));

		for (unsigned i = 0; i < 100; i++) {
			edit_randomly(doc);
			/* Who asks late gets good answers too. */
			if (run % 2 == 0 || i > 50)
				check_identities(doc);
		}
		document_free(doc);
	}
}

static uint32_t
identity_at(const struct document *doc, size_t line)
{
	return document_identity(doc, document_line(doc, line));
}

static void
test_identity_follows(void **state)
{
	static const char text[] = "d.1\nd.2\nd.3\nd.4\n";
	struct document *doc = document_parse(
	    "doc", text, strlen(text), SOURCE_FILE);
	uint32_t first[4];

	(void)state;
	for (size_t i = 0; i < 4; i++)
		first[i] = identity_at(doc, i);
	assert_true(edit_replace(doc, 1, "d.9", 3, NULL));
	assert_int_equal(identity_at(doc, 1), first[1]);
	assert_true(edit_insert(doc, 0, "d.7", 3, NULL));
	assert_int_equal(identity_at(doc, 2), first[1]);
	assert_true(edit_move(doc, 2, 1, 5, NULL));
	assert_int_equal(identity_at(doc, 4), first[1]);
	assert_true(edit_delete(doc, 4, 1, EDIT_REFUSE_REFERRED, NULL));
	assert_null(document_identified(doc, first[1]));
	while (edit_undo(doc))
		;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(identity_at(doc, i), first[i]);
	edit_rewrite(doc, "d.1\nd.5\nd.3\nd.4\n", 16);
	assert_int_equal(identity_at(doc, 0), first[0]);
	assert_int_equal(identity_at(doc, 3), first[3]);
	document_free(doc);
}

/* While they run. */

struct scene {
	struct plan plan;
	struct session session;
	struct marks marks;
	nsec wall;
};

static void
begin(struct scene *sc, const char *profile, const char *sched,
    const char *const *texts, int n)
{
	char scheduler[64];
	const char *argv[16] = {"gpuwl-top", profile, scheduler};
	struct options o;
	struct text err = {0};
	int status, argc = 3;

	*sc = (struct scene){0};
	snprintf(scheduler, sizeof(scheduler), "--scheduler=%s", sched);
	for (int i = 0; i < n; i++)
		argv[argc++] = texts[i];
	assert_true(options_parse(&o, argc, (char **)(uintptr_t)argv, &err));
	if (!plan_open(&sc->plan, &o, &status, &err))
		fail_msg("%s", text_str(&err));
	options_free(&o);
	if (!session_begin(
		&sc->session, &sc->plan, 1, NSEC_NEVER, NULL, NULL, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

static void
end(struct scene *sc)
{
	marks_free(&sc->marks);
	session_end(&sc->session);
	plan_close(&sc->plan);
}

static void
advance(struct scene *sc, nsec ns)
{
	sc->wall += ns;
	session_advance(&sc->session, sc->wall, 0);
	session_tick(&sc->session, sc->wall);
}

static bool
is_alive(const struct client *c)
{
	return !c->killed && c->state != CLIENT_ENDED &&
	    c->state != CLIENT_DRAINING;
}

/* Every client of the document is at one line, or at one that has gone. */
static void
check_marks(struct scene *sc, size_t source)
{
	const struct session *s = &sc->session;
	const struct document *doc = sc->plan.sources[source].doc;
	const struct sim *sim = s->run.sim;
	uint32_t n = 0, older = 0, at = 0, running = 0;
	unsigned shown_at = 0, shown_running = 0;

	marks_update(&sc->marks, s, source);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		const struct version *v = versions_find(
		    &s->run.versions, c->program);
		size_t step;

		if (c->workload->id != source || c->state == CLIENT_ENDED)
			continue;
		assert_non_null(v);
		assert_ptr_equal(v->of->doc, doc);
		n++;
		older += session_is_older(s, c);
		if (c->pc < c->program->n_ops)
			at += document_identified(
				  doc, version_identity(v, c->pc)) != NULL;
		if (c->pc < c->program->n_ops &&
		    version_step_now(v, c->pc, &step))
			assert_true(step < document_n_steps(doc));
	}
	for (size_t i = 0; i < s->flight.n; i++) {
		const struct request *rq = s->flight.list[i];
		const struct version *v = versions_find(
		    &s->run.versions, rq->image->program);

		assert_non_null(v);
		running += v->of->doc == doc && rq->state == REQUEST_RUNNING &&
		    document_identified(doc, version_identity(v, rq->step)) !=
			NULL;
	}
	assert_int_equal(sc->marks.n_clients, n);
	assert_int_equal(sc->marks.n_older, older);
	for (size_t i = 0; i < document_n_lines(doc); i++) {
		struct step_marks m = marks_of_line(&sc->marks, i);

		shown_at += m.at;
		shown_running += m.running;
	}
	assert_int_equal(shown_at, at);
	assert_int_equal(shown_running, running);
}

/* A text that can be run is what new clients get; another never is. */
static void
check_newest(struct scene *sc, size_t source)
{
	struct source *from = &sc->plan.sources[source];
	const struct versioned *of = versions_of(
	    &sc->session.run.versions, from->doc);
	struct text err = {0};
	struct program *p = plan_build(&sc->plan, from, &err);
	const struct line **now;

	assert_int_equal(
	    p == NULL || (!from->waiting && document_n_steps(from->doc) == 0),
	    session_document_problem(&sc->session, source) != NULL);
	if (p != NULL && of != NULL && of->newest != NULL &&
	    document_n_steps(from->doc) > 0) {
		now = mem_calloc(p->n_ops + 1u, sizeof(*now));
		document_list_steps(from->doc, now);
		assert_int_equal(of->newest->program->n_ops, p->n_ops);
		if (p->n_ops > 0)
			assert_memory_equal(
			    of->newest->lines, now, p->n_ops * sizeof(*now));
		free(now);
	}
	program_free(p);
	text_free(&err);
}

/* What the text says, the client having run it all along. */
static int64_t
priority_by_text(const struct document *doc, const struct client *c,
    uint32_t number, size_t at)
{
	int64_t before = c->priority, last = c->priority;
	bool any_before = false;

	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct step *step = document_line_step(doc, i);

		if (step == NULL || step->kind != STEP_PRIORITY ||
		    step->context != number)
			continue;
		last = step->value;
		if (document_step_of_line(doc, i) < at) {
			before = step->value;
			any_before = true;
		}
	}
	return any_before || c->iteration == 0 ? before : last;
}

static void
check_priority(struct scene *sc, size_t source, uint32_t number)
{
	const struct document *doc = sc->plan.sources[source].doc;
	const struct sim *sim = sc->session.run.sim;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		const struct context *context;

		if (c->workload->id != source || !is_alive(c))
			continue;
		context = live_find_context(c, number);
		if (context != NULL)
			assert_int_equal(context->priority,
			    priority_by_text(doc, c, number,
				live_step_of_client(&sc->session, c)));
	}
}

static void
tweak_randomly(struct scene *sc)
{
	struct session *s = &sc->session;
	struct tweak tweak = {.kind = below(3)};
	struct tweak_target target;
	struct tweak_place place;
	struct text said = {0};
	bool differs = false;
	int64_t before = 0;

	tweak.relative = tweak.kind == TWEAK_PRIORITY && below(2);
	tweak.value = tweak.relative       ? (int64_t)below(5) - 2
	    : tweak.kind == TWEAK_PRIORITY ? (int64_t)below(20) - 10
	    : tweak.kind == TWEAK_SSEU     ? (int64_t)below(8)
					   : (int64_t)below(200);
	if (!tweak_target_of_context(
		s, below(s->run.sim->n_clients), below(3), &target))
		return;
	tweak_value(s, &target, tweak.kind, &before);
	if (session_tweak(s, &tweak, &target, 1, below(3), &place, &said) &&
	    session_document_problem(s, target.source) == NULL &&
	    tweak.kind == TWEAK_PRIORITY) {
		int64_t after = 0;

		differs = tweak_value(s, &target, tweak.kind, &after) &&
		    after != before;
		if (differs)
			check_priority(sc, target.source, target.context);
	}
	text_free(&said);
}

static void
do_something(struct scene *sc)
{
	struct session *s = &sc->session;
	size_t source = below(sc->plan.n_sources);
	struct text said = {0};
	enum live_result result;
	uint32_t id;

	switch (below(14)) {
	case 0: tweak_randomly(sc); break;
	case 1: tweak_randomly(sc); break;
	case 2: session_undo(s, source, below(3), &result, &said); break;
	case 3: session_redo(s, source, below(3), &result, &said); break;
	case 4:
		if (s->run.sim->n_clients < 40)
			session_add_clients(s, source, 1 + below(3), &said);
		break;
	case 5: session_kill(s, below(s->run.sim->n_clients), &said); break;
	case 6:
		if (s->run.sim->n_clients < 40)
			session_restart_client(
			    s, below(s->run.sim->n_clients), &id, &said);
		break;
	case 7:
		if (below(10) == 0)
			session_restart(s, sc->wall, &said);
		break;
	case 8:
	case 9:
	case 10:
		edit_randomly(sc->plan.sources[source].doc);
		session_document_changed(s, source, below(3), &said);
		break;
	default: advance(sc, below(3000) * NSEC_PER_USEC); break;
	}
	text_free(&said);
}

static void
test_edits_while_running(void **state)
{
	static const char *const texts[] = {
	    "P.1.1,1.RCS.900.0.0,2.VCS1.400.-1.0,1.RCS.200.-1.1,d.100",
	    "2.RCS.300.0.0,P.2.5,2.RCS.100.0.1,P.2.2,1.BCS.10.0.0,p.700"};
	static const char *const scheds[] = {
	    "fifo", "execlists", "guc", "drm:fair"};
	unsigned runs = from_environment("LIVE_RUNS", 12);

	(void)state;
	for (unsigned run = 0; run < runs; run++) {
		struct scene sc;

		seed = from_environment("LIVE_SEED", 1) + run;
		/* Rings of ideal would let thousands of requests in flight. */
		begin(&sc, "--profile=default", scheds[run % 4], texts, 2);
		for (unsigned i = 0; i < 200; i++) {
			do_something(&sc);
			for (size_t k = 0; k < sc.plan.n_sources; k++) {
				check_marks(&sc, k);
				check_newest(&sc, k);
				check_identities(sc.plan.sources[k].doc);
			}
		}
		end(&sc);
	}
}

/* Undone before anybody took it over, it is as if nothing had been. */
static void
test_undo_takes_both_back(void **state)
{
	static const char *const texts[] = {
	    "2.RCS.900.0.1,X.2.40,2.RCS.10.0.0,d.100"};
	struct tweak tweak = {TWEAK_PRIORITY, true, 1};
	struct tweak_target target;
	struct tweak_place place;
	struct scene sc;
	const struct context *context;
	struct text said = {0};
	enum live_result result;

	(void)state;
	begin(&sc, "--profile=ideal", "execlists", texts, 1);
	advance(&sc, 500 * NSEC_PER_USEC);
	context = sc.session.run.sim->clients[0]->contexts[0];
	assert_true(tweak_target_of_context(&sc.session, 0, 0, &target));
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_string_equal(text_str(&said), "inserted P.2.1 at line 1");
	assert_int_equal(context->priority, 1);
	assert_true(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	tweak = (struct tweak){TWEAK_PREEMPTION, false, 7};
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_int_equal(context->preempt_ns, 7 * NSEC_PER_USEC);
	while (session_undo(&sc.session, 0, LIVE_LATER, &result, &said))
		assert_int_equal(result, LIVE_TAKEN);
	assert_int_equal(context->priority, 0);
	assert_true(context->preempt_ns == PREEMPT_BY_PROGRAM);
	assert_false(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	text_free(&said);
	end(&sc);
}

static void
test_bad_text_reaches_nobody(void **state)
{
	static const char *const texts[] = {"1.RCS.900.0.1,1.RCS.10.0.0"};
	struct document *doc;
	struct scene sc;
	struct text said = {0};

	(void)state;
	begin(&sc, "--profile=ideal", "fifo", texts, 1);
	doc = sc.plan.sources[0].doc;
	assert_true(edit_replace(doc, 1, "1.RCX.10.0.0", 12, NULL));
	assert_int_equal(
	    session_document_changed(&sc.session, 0, LIVE_AT_ONCE, &said),
	    LIVE_BAD);
	assert_non_null(strstr(text_str(&said), "not run, line 1: 'RCX'"));
	advance(&sc, 10 * NSEC_PER_MSEC);
	assert_int_equal(sc.session.run.sim->n_swaps, 0);
	assert_false(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	text_clear(&said);
	assert_false(session_restart(&sc.session, sc.wall, &said));
	assert_true(edit_replace(doc, 1, "1.BCS.10.0.0", 12, NULL));
	text_clear(&said);
	assert_int_equal(
	    session_document_changed(&sc.session, 0, LIVE_LATER, &said),
	    LIVE_TAKEN);
	assert_int_equal(said.len, 0);
	assert_null(session_document_problem(&sc.session, 0));
	advance(&sc, 10 * NSEC_PER_MSEC);
	assert_int_equal(sc.session.run.sim->n_swaps, 1);
	text_free(&said);
	end(&sc);
}

/* In force for each client where it is, which clones need not share. */
static void
test_several_govern(void **state)
{
	static const char *const texts[] = {
	    "P.1.5,1.RCS.1000.0.1,P.1.-5,1.RCS.1000.0.1"};
	struct tweak tweak = {TWEAK_PRIORITY, false, 9};
	struct tweak_target target;
	struct tweak_place place;
	struct scene sc;
	struct text said = {0};
	struct client **clients;

	(void)state;
	begin(&sc, "--profile=ideal", "fifo", texts, 1);
	assert_true(session_add_clients(&sc.session, 0, 1, &said));
	/* The first is at its second batch, the second at its first. */
	advance(&sc, 1500 * NSEC_PER_USEC);
	clients = sc.session.run.sim->clients;
	assert_int_equal(clients[0]->contexts[0]->priority, -5);
	assert_int_equal(clients[1]->contexts[0]->priority, 5);
	assert_true(tweak_target_of_context(&sc.session, 0, 0, &target));
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_string_equal(text_str(&said),
	    "P.1.-5 -> P.1.9 at line 1 (in force for client 0; 2 steps govern "
	    "context 1), the text of 2 clients; fifo ignores it "
	    "(:scheduler execlists)");
	assert_int_equal(clients[0]->contexts[0]->priority, 9);
	assert_int_equal(clients[1]->contexts[0]->priority, 5);
	text_free(&said);
	end(&sc);
}

/* One edit of a long document, taken over: what a key press costs. */
static void
test_long_document(void **state)
{
	struct text t = {0}, said = {0};
	const char *texts[1];
	struct scene sc;
	nsec before, took;

	(void)state;
	for (unsigned i = 0; i < 100000; i++)
		text_addf(&t, "%s%u.RCS.%u.0.0", i > 0 ? "," : "", 1 + i % 9,
		    100 + i % 77);
	texts[0] = text_str(&t);
	begin(&sc, "--profile=ideal", "fifo", texts, 1);
	advance(&sc, NSEC_PER_MSEC);
	before = clock_wall();
	for (unsigned i = 0; i < 10; i++) {
		assert_true(edit_replace(
		    sc.plan.sources[0].doc, 50000, "1.RCS.7.0.0", 11, NULL));
		assert_int_equal(
		    session_document_changed(&sc.session, 0, LIVE_LATER, &said),
		    LIVE_TAKEN);
		marks_update(&sc.marks, &sc.session, 0);
	}
	took = (clock_wall() - before) / 10;
	printf("an edit of 100000 lines taken over: %.1f ms\n",
	    (double)took / 1e6);
	assert_true(took < NSEC_PER_SEC);
	text_free(&t);
	text_free(&said);
	end(&sc);
}

/* Documents that can't be run when they are opened. */

static void
edit_text(struct scene *sc, size_t source, const char *text,
    enum live_result expected)
{
	struct text said = {0};

	edit_rewrite(sc->plan.sources[source].doc, text, strlen(text));
	assert_int_equal(
	    session_document_changed(&sc->session, source, LIVE_LATER, &said),
	    expected);
	assert_int_equal(said.len > 0, expected == LIVE_BAD);
	text_free(&said);
}

static void
check_waiting(struct scene *sc, size_t source, const char *problem)
{
	const char *is = session_document_problem(&sc->session, source);
	struct text err = {0};

	assert_true(sc->plan.sources[source].waiting);
	assert_false(session_add_clients(&sc->session, source, 1, &err));
	assert_true(err.len > 0);
	if (problem == NULL)
		assert_null(is);
	else
		assert_non_null(strstr(is, problem));
	text_free(&err);
}

static void
test_bad_ones_wait(void **state)
{
	static const char *const texts[] = {
	    "1.RCS.500.0.0\n2.XCS.1.0.0", "# nothing\n", "d.100,1.BCS.100.0.1"};
	struct session *s;
	struct scene sc;

	(void)state;
	begin(&sc, "--profile=ideal", "execlists", texts, 3);
	s = &sc.session;
	assert_int_equal(s->run.sim->n_clients, 1);
	assert_int_equal(s->run.sim->clients[0]->workload->id, 2);
	check_waiting(&sc, 0, "line 2: 'XCS' is no engine");
	check_waiting(&sc, 1, NULL);
	assert_null(session_document_problem(s, 2));
	advance(&sc, NSEC_PER_MSEC);
	edit_text(&sc, 0, "1.XCS.1.0.0", LIVE_BAD);
	check_waiting(&sc, 0, "line 1: 'XCS' is no engine");
	edit_text(&sc, 1, "# nothing more", LIVE_SAME);
	edit_text(&sc, 1, "1.VCS1.100.0.1", LIVE_STARTED);
	assert_int_equal(s->run.sim->n_clients, 2);
	assert_int_equal(s->run.sim->clients[1]->workload->id, 1);
	assert_true(session_restart(s, sc.wall, &(struct text){0}));
	assert_int_equal(s->run.sim->n_clients, 2);
	check_waiting(&sc, 0, "line 1: 'XCS' is no engine");
	edit_text(&sc, 0, "1.RCS.1.0.0", LIVE_STARTED);
	advance(&sc, NSEC_PER_MSEC);
	assert_int_equal(s->run.sim->n_clients, 3);
	assert_true(s->run.sim->clients[2]->completed > 0);
	for (size_t i = 0; i < 3; i++) {
		check_marks(&sc, i);
		check_newest(&sc, i);
	}
	end(&sc);
}

static void
test_nothing_runs(void **state)
{
	static const char *const texts[] = {"1.RCS.500.0.0\n1.RCS.x.0.0"};
	struct scene sc;

	(void)state;
	begin(&sc, "--profile=ideal", "execlists", texts, 1);
	assert_int_equal(session_state(&sc.session), SESSION_NOTHING);
	assert_false(session_moves(&sc.session));
	advance(&sc, NSEC_PER_SEC);
	assert_int_equal(sc.session.run.sim->n_events, 0);
	edit_text(&sc, 0, "1.RCS.500.0.1", LIVE_STARTED);
	assert_int_equal(session_state(&sc.session), SESSION_RUNNING);
	/* Without a step its clients go on; without clients none is begun. */
	edit_text(&sc, 0, "", LIVE_BAD);
	assert_int_equal(session_state(&sc.session), SESSION_RUNNING);
	assert_true(session_restart(&sc.session, sc.wall, &(struct text){0}));
	assert_int_equal(session_state(&sc.session), SESSION_NOTHING);
	check_waiting(&sc, 0, NULL);
	end(&sc);
}

/* What one scheduler refuses another runs; what runs is not given up. */
static void
test_refused_ones_wait(void **state)
{
	static const char *const texts[] = {
	    "M.1.VCS1|VCS2,B.1,M.2.VECS1|VECS2,B.2,"
	    "b.2.VECS1.VCS1,b.2.VECS2.VCS2,1.DEFAULT.300.0.0,d.100"};
	struct text err = {0};
	struct session *s;
	struct scene sc;

	(void)state;
	begin(&sc, "--profile=ideal", "guc", texts, 1);
	s = &sc.session;
	check_waiting(&sc, 0, "bond");
	assert_int_equal(session_state(s), SESSION_NOTHING);
	assert_true(session_restart(s, sc.wall, &err));
	check_waiting(&sc, 0, "bond");
	assert_true(session_set_scheduler(s, sc.wall, "execlists", &err));
	assert_false(sc.plan.sources[0].waiting);
	assert_null(session_document_problem(s, 0));
	advance(&sc, NSEC_PER_MSEC);
	assert_int_equal(session_state(s), SESSION_RUNNING);
	assert_false(session_set_scheduler(s, sc.wall, "guc", &err));
	assert_non_null(strstr(text_str(&err), "bond"));
	assert_int_equal(session_state(s), SESSION_RUNNING);
	assert_false(sc.plan.sources[0].waiting);
	text_free(&err);
	end(&sc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_identity_follows),
	    cmocka_unit_test(test_identities),
	    cmocka_unit_test(test_undo_takes_both_back),
	    cmocka_unit_test(test_bad_text_reaches_nobody),
	    cmocka_unit_test(test_several_govern),
	    cmocka_unit_test(test_bad_ones_wait),
	    cmocka_unit_test(test_nothing_runs),
	    cmocka_unit_test(test_refused_ones_wait),
	    cmocka_unit_test(test_edits_while_running),
	    cmocka_unit_test(test_long_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
