/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/round_trip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"

/* The steps of a descriptor, and of each client the last row of each. */
struct walk {
	struct document *doc;
	size_t n_steps;
	uint32_t *last; /* by client, then step; UINT32_MAX: none */
	struct used *used;
	size_t n_used, cap_used;
};

/* A use of an object of a working set since its last writer, that included. */
struct used {
	uint32_t client, step, set, object, row;
	bool writes;
};

static const struct step *
step_at(const struct walk *w, size_t step)
{
	return document_line_step(w->doc, document_line_of_step(w->doc, step));
}

static void
add_dep(struct records *r, uint32_t on, enum infer_dep_kind kind)
{
	r->deps = mem_grow(r->deps, r->n_deps, &r->cap_deps, sizeof(*r->deps));
	r->deps[r->n_deps++] = (struct infer_dep){
	    .request = on, .kind = (uint8_t)kind};
}

/* A reader waits for the last writer, a writer for the readers since as well. Of
 * several reads in one step, the last counts. */
static void
use_object(struct records *r, struct walk *w, struct used now)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n_used; i++) {
		const struct used *u = &w->used[i];
		bool same = u->client == now.client && u->set == now.set &&
		    u->object == now.object;

		if (same && (u->writes || now.writes) && u->row != now.row)
			add_dep(r, u->row, INFER_DATA);
		if (!same ||
		    (!now.writes && (u->writes || u->step != now.step)))
			w->used[kept++] = *u;
	}
	w->n_used = kept;
	w->used = mem_grow(w->used, w->n_used, &w->cap_used, sizeof(*w->used));
	w->used[w->n_used++] = now;
}

static void
use_objects(struct records *r, struct walk *w, const struct lab_row *row,
    uint32_t index, const struct dep *dep)
{
	for (uint32_t o = dep->first; o <= dep->last; o++)
		use_object(r, w,
		    (struct used){row->client, row->step, dep->set, o, index,
			dep->kind == DEP_WRITE});
}

static void
add_deps(struct records *r, struct walk *w, const struct lab_row *row,
    uint32_t index)
{
	const struct step *step = step_at(w, row->step);
	static const enum infer_dep_kind kinds[] = {[DEP_DATA] = INFER_DATA,
	    [DEP_FENCE] = INFER_FENCE,
	    [DEP_SUBMIT] = INFER_SUBMIT};

	for (uint32_t i = 0; i < step->batch.n_deps; i++) {
		const struct dep *dep = &step->batch.deps[i];
		uint32_t on;

		if (dep->kind > DEP_SUBMIT) {
			use_objects(r, w, row, index, dep);
			continue;
		}
		on = w->last[row->client * w->n_steps + row->step - dep->back];
		if (on != UINT32_MAX)
			add_dep(r, on, kinds[dep->kind]);
	}
}

static uint64_t
to_mask(const struct device *dev, engine_mask allowed)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if ((allowed >> i & 1) != 0)
			mask |= INFER_ENGINE((unsigned)dev->engines[i].class,
			    dev->engines[i].instance + 1u);
	return mask;
}

static void
take_row(struct infer_request *r, const struct lab_row *row,
    const struct device *dev)
{
	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (strcmp(dev->engines[i].name, row->engine) == 0) {
			r->class = dev->engines[i].class;
			r->instance = dev->engines[i].instance + 1u;
		}
	}
	r->client = row->client;
	r->context = row->context;
	r->slot = row->is_virtual ? 0
				  : (uint32_t)__builtin_ctzll(row->allowed) + 1;
	r->allowed = to_mask(dev, row->allowed);
	r->queued_ns = row->submit;
	r->ready_ns = row->ready;
	r->start_ns = row->start;
	r->end_ns = row->end;
	r->run_ns = row->end != NSEC_NEVER ? row->run : NSEC_NEVER;
	r->priority = row->priority;
}

void
records_take(struct records *r, const struct lab *lab, const char *descriptor,
    bool with_deps)
{
	struct walk w = {.doc = document_parse("test", descriptor,
			     strlen(descriptor), SOURCE_INLINE)};
	size_t n_last;

	*r = (struct records){
	    .requests = mem_calloc(lab->n_rows, sizeof(*r->requests)),
	    .n_requests = lab->n_rows};
	w.n_steps = document_n_steps(w.doc);
	n_last = w.n_steps * lab->sim->n_clients;
	w.last = mem_calloc(n_last, sizeof(*w.last));
	memset(w.last, 0xff, n_last * sizeof(*w.last));
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];

		take_row(&r->requests[i], row, &lab->sim->device);
		r->requests[i].first_dep = (uint32_t)r->n_deps;
		if (with_deps)
			add_deps(r, &w, row, (uint32_t)i);
		r->requests[i].n_deps = (uint32_t)r->n_deps -
		    r->requests[i].first_dep;
		w.last[row->client * w.n_steps + row->step] = (uint32_t)i;
	}
	free(w.last);
	free(w.used);
	document_free(w.doc);
	r->input = (struct infer_input){.requests = r->requests,
	    .n_requests = r->n_requests,
	    .deps = r->deps,
	    .n_deps = r->n_deps,
	    .deps_are_complete = with_deps};
}

void
records_free(struct records *r)
{
	free(r->requests);
	free(r->deps);
}

/* Measures */

static int
compare_starts(const void *a, const void *b)
{
	const struct lab_row *const *x = a, *const *y = b;

	if ((*x)->start != (*y)->start)
		return (*x)->start < (*y)->start ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int
compare_numbers(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The contexts of a client in the order in which they come first. */
static uint32_t
ordinal(uint32_t *seen, unsigned *n, const struct lab_row *row)
{
	uint32_t key = row->client << 20 | row->context;

	for (unsigned i = 0; i < *n; i++)
		if (seen[i] == key)
			return i;
	assert_true(*n < 1024);
	seen[*n] = key;
	return (*n)++;
}

static void
take_pairs(struct measures *m, const struct lab *lab)
{
	const struct lab_row **rows = mem_calloc(lab->n_rows, sizeof(*rows));
	uint32_t before[DEVICE_MAX_ENGINES] = {0}, *of;
	uint32_t seen[1024];
	unsigned n_seen = 0;

	of = mem_calloc(lab->n_rows, sizeof(*of));
	m->pairs = mem_calloc(lab->n_rows, sizeof(*m->pairs));
	for (size_t i = 0; i < lab->n_rows; i++) {
		rows[i] = &lab->rows[i];
		of[i] = ordinal(seen, &n_seen, rows[i]) + 1;
	}
	qsort(rows, lab->n_rows, sizeof(*rows), compare_starts);
	for (size_t i = 0; i < lab->n_rows; i++) {
		uint32_t now = of[rows[i] - lab->rows];
		unsigned e = 0;

		while (e + 1 < m->n_engines &&
		    strcmp(lab->sim->device.engines[e].name, rows[i]->engine) !=
			0)
			e++;
		m->pairs[m->n_pairs++] = e << 24 | before[e] << 12 | now;
		before[e] = now;
	}
	qsort(m->pairs, m->n_pairs, sizeof(*m->pairs), compare_numbers);
	free(rows);
	free(of);
}

static double
median_frame(const struct lab *lab, unsigned n_frame)
{
	double *times = mem_calloc(lab->n_rows + 1, sizeof(*times)), median;
	nsec *starts = mem_calloc(lab->sim->n_clients, sizeof(*starts));
	unsigned *n_of = mem_calloc(lab->sim->n_clients, sizeof(*n_of));
	size_t n = 0;

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];

		if (n_of[row->client]++ % n_frame != 0)
			continue;
		if (n_of[row->client] > 1)
			times[n++] =
			    (double)(row->submit - starts[row->client]) / 1e9;
		starts[row->client] = row->submit;
	}
	qsort(times, n, sizeof(*times), compare_doubles);
	median = times[n / 2];
	free(times);
	free(starts);
	free(n_of);
	return median;
}

void
measures_take(struct measures *m, const struct lab *lab, unsigned n_frame)
{
	*m = (struct measures){.elapsed_s = (double)lab->sim->now / 1e9,
	    .n_engines = lab->sim->device.n_engines};
	for (size_t i = 0; i < lab->n_rows; i++)
		for (unsigned e = 0; e < m->n_engines; e++)
			if (strcmp(lab->sim->device.engines[e].name,
				lab->rows[i].engine) == 0)
				m->busy[e] += 100 * (double)lab->rows[i].run /
				    (double)lab->sim->now;
	m->rate = (double)lab->n_rows / m->elapsed_s;
	m->frame_s = median_frame(lab, n_frame);
	take_pairs(m, lab);
}

void
measures_free(struct measures *m)
{
	free(m->pairs);
}

double
measures_order(const struct measures *a, const struct measures *b)
{
	size_t i = 0, k = 0, same = 0;

	while (i < a->n_pairs && k < b->n_pairs) {
		if (a->pairs[i] == b->pairs[k]) {
			same++, i++, k++;
		} else if (a->pairs[i] < b->pairs[k]) {
			i++;
		} else {
			k++;
		}
	}
	return (double)same / fmax((double)a->n_pairs, (double)b->n_pairs);
}

/* The whole trip */

static void
start_lab(struct lab *lab, const struct round_trip_options *options)
{
	struct text err = {0};

	lab_init(lab, options->sched);
	if (options->seed > 0)
		lab->config.seed = options->seed;
	if (options->profile != NULL)
		assert_true(
		    profile_load(&lab->config.profile, options->profile, &err));
	text_free(&err);
}

/* Without comments, which end at commas where lab_add() reads them. */
static char *
strip(const char *file)
{
	struct text t = {0};
	const char *end;

	for (; *file != '\0'; file = end + (*end != '\0')) {
		end = strchrnul(file, '\n');
		if (*file != '#')
			text_add(
			    &t, file, (size_t)(end - file) + (*end != '\0'));
	}
	return t.data != NULL ? t.data : mem_strdup("");
}

static double
relative(double a, double b)
{
	return a == b ? 0 : fabs(a - b) / fmax(fabs(a), 1e-12);
}

static void
compare_measures(struct round_trip *trip)
{
	const struct measures *a = &trip->before, *b = &trip->after;

	for (unsigned e = 0; e < a->n_engines; e++)
		trip->busy_difference = fmax(
		    trip->busy_difference, fabs(a->busy[e] - b->busy[e]));
	trip->rate_difference = relative(a->rate, b->rate);
	trip->frame_difference = relative(a->frame_s, b->frame_s);
	trip->order = measures_order(a, b);
}

static unsigned
count_batches(const char *descriptor)
{
	struct document *doc = document_parse(
	    "test", descriptor, strlen(descriptor), SOURCE_INLINE);
	unsigned n = 0;

	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct step *step = document_line_step(doc, i);

		n += step != NULL && step->kind == STEP_BATCH;
	}
	document_free(doc);
	return n;
}

static void
run_inferred(struct round_trip *trip, const struct round_trip_options *options,
    unsigned n_frame)
{
	struct lab lab;

	start_lab(&lab, options);
	for (size_t i = 0; i < trip->result.n_clients; i++) {
		const struct infer_client *c = &trip->result.clients[i];
		char *text = strip(text_str(&c->text));

		text_adds(&trip->text, text_str(&c->text));
		lab_add(&lab, text, c->n_clones,
		    (struct client_options){
			.repeat = c->n_iterations / c->n_clones});
		free(text);
	}
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	measures_take(&trip->after, &lab, n_frame);
	lab_free(&lab);
}

void
round_trip(struct round_trip *trip, const char *descriptor,
    const struct round_trip_options *options)
{
	char *stripped = strip(descriptor);
	unsigned n_frame = count_batches(stripped);
	struct records records;
	struct text err = {0};
	struct lab lab;

	*trip = (struct round_trip){0};
	start_lab(&lab, options);
	lab_add(&lab, stripped, options->clones > 0 ? options->clones : 1,
	    (struct client_options){.repeat = options->repeat});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	records_take(&records, &lab, stripped, !options->without_deps);
	measures_take(&trip->before, &lab, n_frame);
	if (!infer(&records.input,
		&(struct infer_options){.exact = options->profile == NULL,
		    .keep_contexts = true,
		    .merge = true},
		&trip->result, &err))
		fail_msg("%s", text_str(&err));
	records_free(&records);
	lab_free(&lab);
	run_inferred(trip, options, n_frame);
	compare_measures(trip);
	text_free(&err);
	free(stripped);
}

void
round_trip_free(struct round_trip *trip)
{
	infer_free(&trip->result);
	measures_free(&trip->before);
	measures_free(&trip->after);
	text_free(&trip->text);
}
