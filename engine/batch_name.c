/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of batches and steps in texts for users. */
#include "engine/batch_name.h"

#include <inttypes.h>

#include "base/text.h"
#include "engine/client/origin.h"
#include "engine/client/walker.h"
#include "engine/compile/program.h"
#include "engine/explain/trail.h"
#include "engine/gpu/request.h"

struct step_place
request_place(const struct request *rq)
{
	const struct op *op = request_op(rq);

	return (struct step_place){
	    .line = op != NULL ? op->text_row : 0,
	    .step = rq->origin.step,
	    .outside = op == NULL,
	};
}

struct batch_name
batch_name_of(const struct request *rq)
{
	return (struct batch_name){
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .place = request_place(rq),
	    .row = rq->row,
	};
}

struct batch_name
batch_name_past(const struct trail_request *r)
{
	return (struct batch_name){
	    .client = r->client,
	    .context = r->context,
	    .place = r->place,
	    .row = r->row,
	};
}

struct step_place
batch_place(const struct client *c, uint32_t step)
{
	const struct program *p = client_program(c);

	return (struct step_place){
	    .line = p != NULL && step < p->n_ops ? p->ops[step].text_row : 0,
	    .step = step,
	    .outside = p == NULL,
	};
}

struct step_place
client_place(const struct client *c)
{
	return batch_place(c, c->walker != NULL ? c->walker->pc : 0);
}

void
batch_name_tight(
    const struct batch_name *name, bool with_client, struct text *out)
{
	if (with_client)
		text_addf(out, "%u/", name->client);
	text_addf(out, "%u:%u", name->context, name->place.step);
}

void
batch_name_short(
    const struct batch_name *name, bool with_client, struct text *out)
{
	batch_name_tight(name, with_client, out);
	if (name->place.line > 0)
		text_addf(out, " L%u", name->place.line);
}

/* Appends "step 7", with the row of a parallel step and the detail. */
static void
add_step_words(const struct step_place *place, uint32_t row, const char *detail,
    bool enclosed, struct text *out)
{
	text_addf(
	    out, "%s %u", place->outside ? "request" : "step", place->step);
	if (row > 0)
		text_addf(out, ", row %u", row);
	if (detail != NULL && detail[0] != 0)
		text_addf(out, enclosed ? ": %s" : " (%s)", detail);
}

static void
add_place_words(const struct step_place *place, uint32_t row,
    const char *detail, struct text *out)
{
	if (place->line == 0) {
		add_step_words(place, row, detail, false, out);
		return;
	}
	text_addf(out, "line %u (", place->line);
	add_step_words(place, row, detail, true, out);
	text_addc(out, ')');
}

void
step_place_long(
    const struct step_place *place, const char *detail, struct text *out)
{
	add_place_words(place, 0, detail, out);
}

void
step_place_add_iteration(
    const struct step_place *place, uint64_t iteration, struct text *out)
{
	if (!place->outside)
		text_addf(out, ", iteration %" PRIu64, iteration);
}

void
step_places_long(const struct step_place *first, const struct step_place *last,
    struct text *out)
{
	if (first->step == last->step)
		step_place_long(first, NULL, out);
	else if (first->line == 0 || last->line == 0)
		text_addf(out, "steps %u to %u", first->step, last->step);
	else if (first->line == last->line)
		text_addf(out, "line %u (steps %u to %u)", first->line,
		    first->step, last->step);
	else
		text_addf(out, "lines %u to %u (steps %u to %u)", first->line,
		    last->line, first->step, last->step);
}

void
batch_name_long(
    const struct batch_name *name, const char *detail, struct text *out)
{
	text_addf(out, "client %u context %u, ", name->client, name->context);
	add_place_words(&name->place, name->row, detail, out);
}
