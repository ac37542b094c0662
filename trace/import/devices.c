/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPUs of a trace, as events name them by dev=: queues, rings and engines of each are
 * its own. Once all is read, each has its own clients and its own instances of the model's
 * engines (doc/model/import.md "Several GPUs").
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

#define ALL_OF_CLASS ((1ull << INFER_MAX_INSTANCES) - 1)

static const char twins[1];

void
devices_open(struct import *im)
{
	im->devices[0] = mem_calloc(1, sizeof(struct job_device));
	im->n_devices = 1;
}

void
devices_free(struct import *im)
{
	for (uint8_t d = 0; d < im->n_devices; d++) {
		for (size_t i = 0; i < N_CLASSES * INFER_MAX_INSTANCES; i++) {
			free(im->devices[d]->engines[i].jobs);
			free(im->devices[d]->engines[i].spans);
		}
		free(im->devices[d]);
	}
}

static bool
is_named_so(const struct job_device *d, const struct read_event *e)
{
	const struct slice *name = &e->texts[READ_DEVICE];

	if (event_has(e, KFIELD_DEV))
		return d->is_number && d->number == e->numbers[KFIELD_DEV];
	return !d->is_number && d->name.len == name->len &&
	    memcmp(d->name.s, name->s, name->len) == 0;
}

static void
name_device(struct import *im, struct job_device *d, const struct read_event *e)
{
	struct text number = {0};
	struct slice name = e->texts[READ_DEVICE];

	d->is_number = event_has(e, KFIELD_DEV);
	d->number = d->is_number ? e->numbers[KFIELD_DEV] : 0;
	if (d->is_number) {
		text_addf(&number, "%" PRIu64, d->number);
		name = (struct slice){text_str(&number), number.len};
	}
	d->name = (struct slice){
	    arena_copy(&im->arena, name.s, name.len), name.len};
	text_free(&number);
}

bool
devices_choose(struct import *im, const struct read_event *e)
{
	struct job_device *d;

	im->device = 0;
	if (!event_has(e, KFIELD_DEV) && e->texts[READ_DEVICE].len == 0)
		return true;
	for (uint8_t i = 1; i < im->n_devices; i++) {
		if (!is_named_so(im->devices[i], e))
			continue;
		im->device = i;
		return true;
	}
	if (im->n_devices == MAX_DEVICES)
		return false;
	d = mem_calloc(1, sizeof(*d));
	name_device(im, d, e);
	im->device = im->n_devices;
	im->devices[im->n_devices++] = d;
	return true;
}

bool
devices_may_be_same(const struct import *im, uint8_t a, uint8_t b)
{
	const struct job_device *x = im->devices[a], *y = im->devices[b];

	return a == b || x->name.len == 0 || y->name.len == 0 ||
	    x->is_number != y->is_number;
}

/* Queues and clients of a GPU */

/* The GPU that others tell of a queue's requests for, and on how many they agree, less those
 * on which they do not. */
struct told_device {
	uint8_t device;
	uint32_t n;
};

static void
count_told(
    struct told_device *told, const struct job_line *line, uint8_t device)
{
	struct told_device *t = &told[line->index];

	if (t->n == 0)
		t->device = device;
	if (t->device == device)
		t->n++;
	else
		t->n--;
}

/* A queue of which two drivers tell is of one GPU: the one that the more trusted one
 * names. */
static void
unite_told_twice(struct import *im)
{
	struct told_device *told = mem_calloc(im->n_lines + 1, sizeof(*told));

	for (size_t i = 0; i < im->n_jobs; i++) {
		const struct job *job = im->jobs[i];
		const struct job_line *root;

		if (job->same_as == NO_JOB)
			continue;
		root = im->jobs[job->same_as]->line;
		if (root->device != 0)
			count_told(told, job->line, root->device);
		else
			count_told(told, root, job->line->device);
	}
	for (size_t i = 0; i < im->n_lines; i++)
		if (told[i].n > 0)
			im->lines[i]->device = told[i].device;
	free(told);
	for (size_t i = 0; i < im->n_jobs; i++)
		if (im->jobs[i]->engine != NO_ENGINE)
			im->devices[im->jobs[i]->line->device]->known_engines |=
			    1ull << im->jobs[i]->engine;
}

/* A process that uses several GPUs is a client of each. */
static void
split_clients(struct import *im)
{
	for (size_t i = 0; i < im->n_lines; i++) {
		struct job_line *line = im->lines[i];
		struct job_client *c = line->client, *twin;

		if (c == NULL)
			continue;
		if (!c->has_device) {
			c->has_device = true;
			c->device = line->device;
		}
		if (c->device == line->device)
			continue;
		twin = import_job_client(
		    im, twins, (uint64_t)c->index * MAX_DEVICES + line->device);
		if (twin->comm == NULL) {
			twin->comm = c->comm;
			twin->pid = c->pid;
			twin->is_kernel = c->is_kernel;
			twin->has_device = true;
			twin->device = line->device;
		}
		line->client = twin;
	}
}

/* The one that is wanted */

static bool
has_lines(const struct import *im, uint8_t device)
{
	for (size_t i = 0; i < im->n_lines; i++)
		if (im->lines[i]->device == device)
			return true;
	return false;
}

static bool
choose_wanted(struct import *im, struct text *err)
{
	const char *wanted = im->options.device;
	unsigned n = 0;

	if (wanted == NULL)
		return true;
	for (uint8_t d = 1; d < im->n_devices; d++) {
		const struct slice *name = &im->devices[d]->name;

		if (name->len == strlen(wanted) &&
		    memcmp(name->s, wanted, name->len) == 0 &&
		    has_lines(im, d)) {
			im->wanted_device = d;
			return true;
		}
	}
	text_adds(err, "-D: no request of the trace is of dev=");
	text_add_visible(err, wanted, strlen(wanted));
	text_adds(err, ": expected ");
	for (uint8_t d = 1; d < im->n_devices; d++) {
		const struct slice *name = &im->devices[d]->name;

		if (!has_lines(im, d))
			continue;
		text_adds(err, n++ == 0 ? "a dev of the trace: " : ", ");
		text_add_visible(err, name->s, name->len);
	}
	if (n == 0)
		text_adds(err, "no -D, as its events name no dev");
	return false;
}

bool
devices_settle(struct import *im, struct text *err)
{
	unite_told_twice(im);
	split_clients(im);
	return choose_wanted(im, err);
}

/* Their engines in the model */

/* Fills order with the GPUs that have requests: by number, by name, then the one without. */
static uint8_t
order_devices(const struct import *im, uint8_t order[MAX_DEVICES])
{
	uint8_t n = 0;

	for (uint8_t d = 0; d < im->n_devices; d++) {
		const struct job_device *x = im->devices[d];
		uint8_t at = n;

		if (!x->is_used)
			continue;
		for (; at > 0; at--) {
			const struct job_device *y = im->devices[order[at - 1]];
			bool before = x->is_number != y->is_number
			    ? x->is_number
			    : x->is_number ? x->number < y->number
					   : x->name.len > 0 &&
				(y->name.len == 0 ||
				    strcmp(x->name.s, y->name.s) < 0);

			if (!before)
				break;
			order[at] = order[at - 1];
		}
		order[at] = d;
		n++;
	}
	return n;
}

static unsigned
last_instance(uint64_t engines, unsigned class)
{
	uint64_t of_class = engines >> class * INFER_MAX_INSTANCES &
	    ALL_OF_CLASS;

	return of_class == 0 ? 0 : 64 - (unsigned)__builtin_clzll(of_class);
}

/* The instances of a GPU follow those of the ones before it. */
static void
place_engines(struct job_device *d, unsigned n[N_CLASSES])
{
	for (unsigned c = 0; c < N_CLASSES; c++) {
		d->first[c] = (uint8_t)n[c];
		n[c] += last_instance(d->known_engines, c);
	}
}

/* NO_ENGINE: the model has no place for it. */
static uint8_t
engine_here(const struct job_device *d, uint8_t engine)
{
	return engine % INFER_MAX_INSTANCES +
		    d->first[engine / INFER_MAX_INSTANCES] <
		INFER_MAX_INSTANCES
	    ? engine + d->first[engine / INFER_MAX_INSTANCES]
	    : NO_ENGINE;
}

static uint64_t
engines_here(const struct job_device *d, uint64_t engines)
{
	uint64_t here = 0;

	for (uint64_t left = engines; left != 0; left &= left - 1) {
		uint8_t engine = engine_here(d, (uint8_t)__builtin_ctzll(left));

		here |= engine != NO_ENGINE ? 1ull << engine : 0;
	}
	return here;
}

static void
move_job(struct import *im, struct job *job)
{
	const struct job_device *d = im->devices[job->line->device];

	if (!d->is_used)
		return;
	if (job->engine != NO_ENGINE) {
		job->engine = engine_here(d, job->engine);
		if (job->engine != NO_ENGINE || job->is_spare)
			return;
	} else if (job->is_spare || homes_engines(job->line) != 0) {
		return;
	}
	job->is_spare = true;
	im->counts.n_incomplete++;
}

void
devices_number(struct import *im)
{
	uint8_t order[MAX_DEVICES], n;
	unsigned next[N_CLASSES] = {0};

	for (size_t i = 0; i < im->n_jobs; i++)
		if (!im->jobs[i]->is_spare)
			im->devices[im->jobs[i]->line->device]->is_used = true;
	n = order_devices(im, order);
	if (n < 2)
		return;
	for (uint8_t i = 0; i < n; i++) {
		struct job_device *d = im->devices[order[i]];

		place_engines(d, next);
		d->known_engines = engines_here(d, d->known_engines);
	}
	for (size_t i = 0; i < im->n_lines; i++) {
		const struct job_device *d = im->devices[im->lines[i]->device];

		if (d->is_used)
			im->lines[i]->engines = engines_here(
			    d, im->lines[i]->engines);
	}
	for (size_t i = 0; i < im->n_jobs; i++)
		move_job(im, im->jobs[i]);
	im->has_several_devices = true;
}

/* Words */

void
devices_add_name(const struct import *im, uint8_t device, struct text *out)
{
	const struct job_device *d = im->devices[device];

	if (d->name.len == 0) {
		text_adds(out, "no dev");
		return;
	}
	text_adds(out, "dev=");
	text_add_visible(out, d->name.s, d->name.len);
}

static void
add_engines(uint64_t engines, struct text *out)
{
	const char *between = "";

	for (; engines != 0; engines &= engines - 1) {
		unsigned engine = (unsigned)__builtin_ctzll(engines);

		text_addf(out, "%s%s%u", between,
		    engine_class_names[engine / INFER_MAX_INSTANCES],
		    engine % INFER_MAX_INSTANCES + 1);
		between = " ";
	}
}

void
devices_say(const struct import *im, struct text *said)
{
	uint8_t order[MAX_DEVICES], n, named;

	if (!im->has_several_devices)
		return;
	n = order_devices(im, order);
	text_addf(said, "%u GPUs: ", n);
	for (uint8_t i = 0; i < n; i++) {
		text_adds(said, i > 0 ? ", " : "");
		devices_add_name(im, order[i], said);
		text_adds(said, " is ");
		add_engines(im->devices[order[i]]->known_engines, said);
	}
	named = order[n - 1] != 0 ? order[n - 1] : order[n - 2];
	text_adds(said, "; -D ");
	text_add_visible(
	    said, im->devices[named]->name.s, im->devices[named]->name.len);
	text_adds(said, " reads that GPU alone\n");
}
