/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An import from its options to its result: which reader a file has, how clients
 * are called, and what is known of all requests.
 */
#include "trace/import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "trace/import/import_private.h"

/* Clients whose names are compared; the others have numbers. */
#define MAX_COMPARED 4096

#define MAX_NAMES 8 /* of clients in a message */

#define BEGINNING 4096 /* bytes by which a file is recognised */

static bool
open_regex(struct import *im, struct text *err)
{
	char why[128];
	int error;

	if (im->options.clients == NULL)
		return true;
	error = regcomp(
	    &im->clients_regex, im->options.clients, REG_EXTENDED | REG_NOSUB);
	im->has_regex = error == 0;
	if (error == 0)
		return true;
	regerror(error, &im->clients_regex, why, sizeof(why));
	text_adds(err, "--clients: invalid expression '");
	text_add_visible(err, im->options.clients, strlen(im->options.clients));
	text_addf(err, "': %s: expected e.g. 'ffmpeg|weston'", why);
	return false;
}

struct import *
import_new(const struct import_options *options, struct text *err)
{
	struct import *im = mem_calloc(1, sizeof(*im));

	im->options = *options;
	devices_open(im);
	if (rings_open(im, err) && open_regex(im, err))
		return im;
	import_free(im);
	return NULL;
}

void
import_free(struct import *im)
{
	if (im == NULL)
		return;
	devices_free(im);
	for (size_t i = 0; im->named != NULL && i < im->n_clients; i++) {
		free(im->named[i].name);
		free(im->named[i].device);
	}
	if (im->has_regex)
		regfree(&im->clients_regex);
	chains_free(&im->by_number);
	chains_free(&im->by_fence);
	chains_free(&im->by_id);
	chains_free(&im->xe_queues);
	chains_free(&im->xe_fences);
	chains_free(&im->lines_by_number);
	chains_free(&im->clients_by_number);
	text_free(&im->map);
	text_free(&im->warnings);
	free(im->jobs);
	free(im->lines);
	free(im->clients);
	free(im->deps);
	free(im->waits);
	free(im->rings);
	free(im->marks);
	free(im->mark_times);
	free(im->requests);
	free(im->roaming);
	free(im->infer_deps);
	free(im->acts);
	free(im->named);
	arena_free(&im->arena);
	free(im);
}

/* Which reader a file has, by its beginning. */

static bool
begins_as(const struct import_source *s, const char *bytes, size_t len)
{
	return s->len >= len && memcmp(s->begin, bytes, len) == 0;
}

static bool
read_by_beginning(struct import_source *s, struct text *err)
{
	static const char dat[] = "\x17\x08\x44tracing";
	static const char table[] = "client\titeration\tstep\t";

	if (refused_by_beginning(s, err))
		return false;
	if (begins_as(s, dat, sizeof(dat) - 1))
		return dat_file_read(s, err);
	if (begins_as(s, table, sizeof(table) - 1))
		return requests_file_read(s, err);
	return text_file_read(s, err);
}

/* Removes the mark that editors put before text in UTF-8. */
static void
skip_mark(struct import_source *s)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t len = sizeof(mark) - 1;

	if (!begins_as(s, mark, len))
		return;
	s->len -= len;
	memmove(s->begin, s->begin + len, s->len);
	s->done += len;
}

static bool
fill_beginning(struct import_source *s, struct text *err)
{
	while (s->len < BEGINNING) {
		ssize_t n = read(s->fd, s->begin + s->len, BEGINNING - s->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			text_add_visible(err, s->path, strlen(s->path));
			text_addf(err, ": %s", strerror(errno));
			return false;
		}
		if (n == 0)
			break;
		s->len += (size_t)n;
	}
	skip_mark(s);
	if (s->len > 0)
		return true;
	text_add_visible(err, s->path, strlen(s->path));
	text_adds(err, ": empty: expected a trace");
	return false;
}

static bool
open_trace(struct import_source *s, struct text *err)
{
	struct stat st;

	s->fd = strcmp(s->path, "-") == 0 ? dup(STDIN_FILENO)
					  : open(s->path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		text_add_visible(err, s->path, strlen(s->path));
		text_addf(err, ": %s", strerror(errno));
		return false;
	}
	if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode))
		s->size = (uint64_t)st.st_size;
	return true;
}

bool
import_read(struct import *im, const char *path, struct text *err)
{
	char begin[BEGINNING];
	struct import_source s = {.im = im, .path = path, .begin = begin};
	bool ok;

	if (!open_trace(&s, err))
		return false;
	im->counts.n_lines = 0;
	if (im->any_event)
		import_job_begin_part(im);
	im->any_event = false;
	ok = fill_beginning(&s, err) && read_by_beginning(&s, err);
	close(s.fd);
	return ok;
}

/* Requests from elsewhere */

bool
import_tell_progress(const struct import *im, uint64_t done, uint64_t size)
{
	const struct import_options *o = &im->options;

	return o->progress == NULL || o->progress(o->progress_data, done, size);
}

static const char outside[1];

uint32_t
import_add_client(struct import *im, const char *name, int64_t pid)
{
	struct job_client *c = import_job_client(im, outside, im->n_clients);

	c->comm = arena_copy(&im->arena, name, strlen(name));
	c->pid = pid;
	im->from_table = true;
	return c->index;
}

uint32_t
import_add_request(struct import *im, const struct infer_request *r)
{
	uint64_t number = (uint64_t)r->client << 40 ^
	    (uint64_t)r->context << 8 ^ r->slot;
	struct job_line *line;
	struct job *job;

	im->device = 0;
	line = import_job_line(im, FAMILY_I915, number, true);
	job = import_job_new(im, line, ++line->last_seqno);
	line->client = im->clients[r->client];
	line->context = r->context;
	import_job_on(im, job,
	    (uint8_t)(r->class * INFER_MAX_INSTANCES + r->instance - 1u));
	if ((r->allowed & (r->allowed - 1)) != 0)
		line->moved |= 1u << r->class;
	job->added_ns = r->queued_ns;
	job->ready_ns = r->ready_ns;
	job->start_ns = r->start_ns;
	job->end_ns = r->end_ns;
	job->run_ns = r->run_ns;
	job->priority = r->priority;
	job->origin = r->origin;
	job->added = true;
	job->ended = r->end_ns != NSEC_NEVER;
	return job->index;
}

void
import_add_dep(
    struct import *im, uint32_t request, uint32_t on, enum infer_dep_kind kind)
{
	im->any_dep_617 = true;
	import_job_add_dep(im, im->jobs[request], im->jobs[on], kind);
}

/* The result */

static bool
is_name_free(const struct import *im, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(im->named[i].name, name) == 0)
			return false;
	return true;
}

/* A name of letters and digits, so that it can be a file's. */
static char *
make_name(const struct import *im, size_t which)
{
	const struct job_client *c = im->clients[which];
	struct text t = {0};
	size_t len;

	for (const char *p = c->comm; *p != '\0'; p++) {
		bool plain = (*p >= '0' && *p <= '9') ||
		    (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		    *p == '_' || *p == '-' || (*p == '.' && t.len > 0);

		if (plain || (t.len > 0 && t.data[t.len - 1] != '_'))
			text_addc(&t, plain ? *p : '_');
	}
	if (t.len == 0)
		text_adds(&t, "client");
	len = t.len;
	if (which < MAX_COMPARED && is_name_free(im, which, text_str(&t)))
		return t.data;
	if (which < MAX_COMPARED && c->pid >= 0) {
		text_addf(&t, "-%lld", (long long)c->pid);
		if (is_name_free(im, which, text_str(&t)))
			return t.data;
		t.data[t.len = len] = '\0';
	}
	text_addf(&t, "-client-%zu", which);
	return t.data;
}

static void
name_clients(struct import *im)
{
	im->named = mem_calloc(im->n_clients + 1, sizeof(*im->named));
	for (size_t i = 0; i < im->n_clients; i++) {
		struct job_client *c = im->clients[i];

		if (c->comm == NULL)
			c->comm = arena_copy(&im->arena, "", 0);
		im->named[i] = (struct imported_client){
		    .comm = c->comm, .pid = c->pid};
		im->named[i].name = c->is_used ? make_name(im, i)
					       : mem_strdup("");
		if (im->has_several_devices && c->is_used) {
			struct text device = {0};

			devices_add_name(im, c->device, &device);
			im->named[i].device = device.data;
		}
	}
}

static enum import_grade
grade_of(const struct import *im)
{
	enum family best = N_FAMILIES;

	for (size_t i = 0; i < im->n_lines; i++)
		if (im->lines[i]->n_jobs > 0 && im->lines[i]->family < best)
			best = im->lines[i]->family;
	if (im->from_table)
		return IMPORT_TABLE;
	if (best == N_FAMILIES)
		return IMPORT_UNKNOWN;
	if (best != FAMILY_I915)
		return IMPORT_SCHED;
	return im->any_out ? IMPORT_I915_A
	    : im->any_in   ? IMPORT_I915_B
			   : IMPORT_I915_C;
}

/* Sets the number of engines of each class that requests may use. */
static void
count_used_engines(
    const struct infer_request *requests, size_t n, unsigned engines[N_CLASSES])
{
	for (size_t i = 0; i < n; i++) {
		const struct infer_request *r = &requests[i];
		unsigned last =
		    (unsigned)(63 - __builtin_clzll(r->allowed | 1)) %
			INFER_MAX_INSTANCES +
		    1;

		if (last > engines[r->class])
			engines[r->class] = last;
	}
}

/* A trace takes 1 us at least: no run is shorter. */
static void
look_at_times(const struct import *im, struct imported *result)
{
	result->begin_ns = NSEC_NEVER;
	for (size_t i = 0; i < im->n_requests; i++) {
		const struct infer_request *r = &im->requests[i];

		result->begin_ns = nsec_earlier(result->begin_ns, r->queued_ns);
		result->end_ns = nsec_later(
		    result->end_ns, r->unfinished ? r->queued_ns : r->end_ns);
	}
	result->end_ns = nsec_later(
	    result->end_ns, result->begin_ns + NSEC_PER_USEC);
}

/* The first times are 0: those of a machine that ran for months are large. */
static void
shift(struct import *im, nsec by)
{
	for (size_t i = 0; i < im->n_requests; i++) {
		struct infer_request *r = &im->requests[i];
		nsec *times[] = {
		    &r->queued_ns, &r->ready_ns, &r->start_ns, &r->end_ns};

		for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++)
			if (*times[k] != NSEC_NEVER)
				*times[k] -= nsec_earlier(*times[k], by);
	}
	for (size_t i = 0; i < im->n_mark_times; i++)
		im->mark_times[i] -= nsec_earlier(im->mark_times[i], by);
	for (size_t i = 0; i < im->n_acts; i++) {
		im->acts[i].from_ns -= nsec_earlier(im->acts[i].from_ns, by);
		im->acts[i].to_ns -= nsec_earlier(im->acts[i].to_ns, by);
	}
}

/* True for a job whose submission, engine and end are known. */
static bool
is_whole_job(const struct job *job)
{
	nsec end = job->ended ? job->end_ns : job->retired_ns;

	return end != NSEC_NEVER && job->added_ns <= end &&
	    job->engine != NO_ENGINE && job->line->client != NULL &&
	    !job->line->client->is_kernel;
}

/* Times of --time that are before the trace count from its first whole request: a
 * ring buffer may have submissions from long before the ends that it has. */
static void
settle_time(struct import *im)
{
	struct import_options *o = &im->options;
	nsec first = NSEC_NEVER, whole = NSEC_NEVER;

	for (size_t i = 0; i < im->n_jobs; i++) {
		const struct job *job = im->jobs[i];

		first = nsec_earlier(first, job->added_ns);
		if (is_whole_job(job))
			whole = nsec_earlier(whole, job->added_ns);
	}
	if (whole == NSEC_NEVER ||
	    (o->from_ns == 0 && o->to_ns == NSEC_NEVER) || o->to_ns > first)
		return;
	o->from_ns = nsec_after(whole, o->from_ns);
	o->to_ns = nsec_after(whole, o->to_ns);
}

/* Appends the names of the first clients that have requests. */
static void
add_client_names(const struct import *im, struct text *out)
{
	unsigned n = 0;

	for (size_t i = 0; i < im->n_clients; i++) {
		const struct job_client *c = im->clients[i];

		if (!c->has_ended || c->is_kernel)
			continue;
		text_adds(out, n == 0 ? "" : ", ");
		if (n++ == MAX_NAMES) {
			text_adds(out, "...");
			break;
		}
		text_add_visible(out, c->comm, strlen(c->comm));
		if (c->pid >= 0)
			text_addf(out, "-%lld", (long long)c->pid);
	}
}

/* Appends the reason why a trace has no request that can be used. */
static void
say_none(const struct import *im, struct text *err)
{
	nsec from = NSEC_NEVER, to = 0;

	for (size_t i = 0; i < im->n_jobs; i++) {
		if (!is_whole_job(im->jobs[i]))
			continue;
		from = nsec_earlier(from, im->jobs[i]->added_ns);
		to = nsec_later(to, im->jobs[i]->added_ns);
	}
	if (im->counts.n_outside > 0 && from != NSEC_NEVER)
		text_addf(err,
		    "--time: no whole request is submitted then: expected a "
		    "time within %.6f..%.6f, or one that counts from the first, "
		    "e.g. ..%.6f",
		    (double)from / 1e9, (double)to / 1e9,
		    (double)(to - from + NSEC_PER_USEC) / 2e9);
	else if (im->counts.n_unwanted > 0) {
		text_adds(err, "no client is called '");
		text_add_visible(
		    err, im->options.clients, strlen(im->options.clients));
		text_adds(err, "': the trace has ");
		add_client_names(im, err);
	} else if (!others_explain(im, err))
		text_adds(err,
		    "no request can be read: expected events of submissions "
		    "and of their ends, e.g. i915_request_add and "
		    "dma_fence_signaled");
}

bool
import_finish(struct import *im, struct imported *result, struct text *said,
    struct text *err)
{
	*result = (struct imported){0};
	settle_time(im);
	join_families(im);
	if (!devices_settle(im, err))
		return false;
	records_make(im);
	name_clients(im);
	text_adds(said, text_str(&im->warnings));
	rings_say_unused(im, said);
	import_say_counts(im, said);
	if (im->n_requests == 0) {
		say_none(im, err);
		return false;
	}
	look_at_times(im, result);
	shift(im, result->begin_ns);
	count_used_engines(im->requests, im->n_requests, result->engines);
	homes_roam(im);
	if (im->roaming != NULL)
		count_used_engines(
		    im->roaming, im->n_requests, result->roaming_engines);
	result->roaming = im->roaming;
	result->grade = grade_of(im);
	result->is_exact = im->is_exact;
	result->has_exact_times = im->has_ns_times;
	result->clients = im->named;
	result->n_clients = im->n_clients;
	result->n_requests = im->n_requests;
	result->input = (struct infer_input){.requests = im->requests,
	    .n_requests = im->n_requests,
	    .deps = im->infer_deps,
	    .n_deps = im->n_infer_deps,
	    .deps_are_complete = im->any_dep_617,
	    .acts = im->acts,
	    .n_acts = im->n_acts,
	    .is_trace = true,
	    .marks = im->mark_times,
	    .n_marks = im->n_mark_times};
	return true;
}
