/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many frames an iteration of a captured descriptor has, and with which periods it
 * does 24, 30 and 60 of them in a second.
 */
#include "run/capture_frames.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "run/capture_private.h"

#define LABEL "label:"

/* CLASS or CLASS with an instance from 1. */
static bool
read_marking_engine(struct frame_marker *m, const char *value)
{
	for (unsigned i = 0; i < N_CLASSES; i++) {
		size_t len = strlen(engine_class_names[i]);
		const char *number = value + len;
		char *end;
		unsigned long n;

		if (strncasecmp(value, engine_class_names[i], len) != 0)
			continue;
		n = isdigit((unsigned char)*number) ? strtoul(number, &end, 10)
						    : 0;
		if (*number != '\0' &&
		    (n == 0 || n > INFER_MAX_INSTANCES || *end != '\0'))
			continue;
		m->kind = FRAME_ON_ENGINE;
		m->class = (uint8_t)i;
		m->instance = (uint8_t)n;
		return true;
	}
	return false;
}

bool
frame_marker_read(struct frame_marker *m, const char *value, struct text *err)
{
	*m = (struct frame_marker){.kind = FRAME_ON_VIDEO};
	if (value == NULL)
		return true;
	m->kind = FRAME_ON_DECODE;
	if (strcmp(value, "decode") == 0)
		return true;
	m->kind = FRAME_ON_ENCODE;
	if (strcmp(value, "encode") == 0)
		return true;
	m->kind = FRAME_ON_LABEL;
	m->text = value + strlen(LABEL);
	if (strncmp(value, LABEL, strlen(LABEL)) == 0 && *m->text != '\0')
		return true;
	if (read_marking_engine(m, value))
		return true;
	text_adds(err, "--frame-on: invalid value '");
	text_add_visible(err, value, strlen(value));
	text_adds(err,
	    "': expected decode, encode, an engine, e.g. VCS1, or label:TEXT");
	return false;
}

/* The frames of a request. */
static uint64_t
frames_of(const struct frame_marker *m, const struct infer_request *r,
    const struct capture_media *media)
{
	switch (m->kind) {
	case FRAME_ON_VIDEO:
	case FRAME_ON_DECODE: return media->decoded;
	case FRAME_ON_ENCODE: return media->coded;
	case FRAME_ON_ENGINE:
		return r->class == m->class && r->instance > 0 &&
		    (m->instance == 0 || r->instance == m->instance);
	case FRAME_ON_LABEL:
		return r->label != NULL && strstr(r->label, m->text) != NULL;
	default: return 0;
	}
}

/* Returns the descriptor of each client of the records: at most CAPTURE_THREADS,
 * whose numbers are less. */
static void
list_descriptors(
    const struct infer_result *result, uint32_t descriptors[CAPTURE_THREADS])
{
	for (unsigned i = 0; i < CAPTURE_THREADS; i++)
		descriptors[i] = 0;
	for (size_t i = 0; i < result->n_members; i++)
		if (result->members[i].client < CAPTURE_THREADS)
			descriptors[result->members[i].client] =
			    result->members[i].descriptor;
}

/* Adds the frames of the requests that are in an iteration. Returns their number. */
static uint64_t
count_frames(struct capture_frames *frames, const struct frame_marker *m,
    const struct capture_records *r, const struct infer_result *result)
{
	uint32_t descriptors[CAPTURE_THREADS];
	uint64_t sum = 0;

	list_descriptors(result, descriptors);
	for (size_t i = 0; i < result->n_clients; i++)
		frames[i] = (struct capture_frames){0};
	for (size_t i = 0; i < r->input.n_requests; i++) {
		const struct infer_request *rq = &r->requests[i];
		struct capture_frames *f = &frames[descriptors[rq->client]];
		uint32_t position = result->positions[i];

		if (position == INFER_NO_POSITION)
			continue;
		f->n += frames_of(m, rq, &r->media[i]);
		f->iterations += position == 0;
		if (position >= f->length)
			f->length = position + 1;
		f->estimated |= r->media[i].estimated;
		sum += frames_of(m, rq, &r->media[i]);
	}
	return sum;
}

struct capture_frames *
capture_frames_count(const struct frame_marker *marker,
    const struct capture_records *r, const struct infer_result *result)
{
	struct frame_marker coded = {.kind = FRAME_ON_ENCODE};
	struct capture_frames *frames = mem_calloc(
	    result->n_clients + 1, sizeof(*frames));

	if (count_frames(frames, marker, r, result) == 0 &&
	    marker->kind == FRAME_ON_VIDEO)
		count_frames(frames, &coded, r, result);
	return frames;
}

/* Frames of an iteration of the descriptor: it may stand for several of those that
 * were seen. */
static double
frames_of_iteration(
    const struct capture_frames *f, const struct infer_client *client)
{
	uint64_t each = f->length > 0 ? client->n_batches / f->length : 1;

	return f->iterations > 0 ? (double)(f->n * each) / (double)f->iterations
				 : 0;
}

void
capture_frames_print(const struct capture_frames *f,
    const struct frame_marker *marker, const struct infer_client *client,
    struct text *out)
{
	static const unsigned rates[] = {24, 30, 60};
	double n = frames_of_iteration(f, client);
	bool whole = n == floor(n);

	if (f->estimated)
		text_addf(out, "%s\n", CAPTURE_ESTIMATES);
	if (n == 0 && marker->kind != FRAME_ON_VIDEO)
		text_adds(out, "# 1 iteration has no frame of --frame-on\n");
	for (size_t i = 0; n > 0 && i < sizeof rates / sizeof *rates; i++)
		text_addf(out,
		    "# 1 iteration = %.*f frame%s: period p.%.0f for %u fps\n",
		    whole ? 0 : 2, n, n == 1 ? "" : "s",
		    fmax(1, round(n * 1000000 / rates[i])), rates[i]);
}
