/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acts of clients beside submissions, where the records have them: each act is
 * put before the request that its thread submitted next.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

/* The sequence of a client; NULL: it has none. */
static struct infer_sequence *
sequence_of(const struct infer_book *book, uint32_t client)
{
	uint32_t i = (uint32_t)lower_bound(
	    at, 0, book->n_sequences, book->sequences[at].client < client);

	return i < book->n_sequences && book->sequences[i].client == client
	    ? &book->sequences[i]
	    : NULL;
}

/* The place in s of a record; INFER_NONE: it is of another, or was dropped. */
static uint32_t
place_in(const struct infer_book *book, const struct infer_sequence *s,
    uint32_t record)
{
	if (record >= book->input->n_requests ||
	    book->place[record] == INFER_NONE ||
	    s != &book->sequences[book->sequence[record]])
		return INFER_NONE;
	return book->place[record];
}

/* The place of the request before which an act is. One that was dropped is
 * followed by the next that was not. */
static uint32_t
index_of_act(const struct infer_book *book, const struct infer_sequence *s,
    const struct infer_act *act)
{
	const struct infer_input *input = book->input;

	for (size_t next = act->next; next > 0 && next <= input->n_requests;
	     next++) {
		uint32_t at = place_in(book, s, (uint32_t)next - 1);

		if (at != INFER_NONE)
			return at;
		if (next - act->next > 64)
			break;
	}
	if (act->next > 0)
		return s->n;
	return (uint32_t)lower_bound(
	    i, 0, s->n, s->seen[i].queued < act->to_ns);
}

static bool
take_act(struct infer_book *book, uint32_t which, struct infer_told *told)
{
	const struct infer_act *act = &book->input->acts[which];
	const struct infer_sequence *s = sequence_of(book, act->client);

	if (s == NULL || act->to_ns > NSEC_MAX || act->kind > INFER_SIGNALLED)
		return false;
	*told = (struct infer_told){.index = index_of_act(book, s, act),
	    .act = which,
	    .kind = act->kind,
	    .from = nsec_earlier(act->from_ns, act->to_ns),
	    .to = act->to_ns};
	if (act->kind == INFER_WAIT) {
		told->target = place_in(book, s, act->request);
		return told->target != INFER_NONE && told->target < told->index;
	}
	return true;
}

static int
compare_told(const void *a, const void *b)
{
	const struct infer_told *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->act > y->act) - (x->act < y->act);
}

/* The place in told of an act; INFER_NONE: it is not there. */
static uint32_t
find_told(const struct infer_sequence *s, uint32_t before, uint32_t act)
{
	for (uint32_t i = before; i-- > 0;)
		if (s->told[i].act == act)
			return i;
	return INFER_NONE;
}

/* Software fences are signalled soon: their making is near. A signal for a fence
 * that has signalled changes nothing. */
static void
find_makers(const struct infer_book *book, struct infer_sequence *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->n_told; i++) {
		struct infer_told t = s->told[i];

		if (t.kind == INFER_SIGNALLED) {
			t.target = find_told(
			    s, kept, book->input->acts[t.act].request);
			if (t.target == INFER_NONE ||
			    s->told[t.target].kind != INFER_MADE ||
			    s->told[t.target].is_over)
				continue;
			s->told[t.target].is_over = true;
		}
		s->told[kept++] = t;
	}
	s->n_told = kept;
}

void
infer_take_acts(struct infer_book *book)
{
	const struct infer_input *input = book->input;
	size_t *caps = mem_calloc(book->n_sequences + 1u, sizeof(*caps));

	for (uint32_t i = 0; i < input->n_acts; i++) {
		struct infer_sequence *s;
		struct infer_told told;

		if (!take_act(book, i, &told)) {
			book->result->n_bad_acts++;
			continue;
		}
		s = sequence_of(book, input->acts[i].client);
		s->told = mem_grow(s->told, s->n_told,
		    &caps[s - book->sequences], sizeof(*s->told));
		s->told[s->n_told++] = told;
	}
	free(caps);
	for (uint32_t i = 0; i < book->n_sequences; i++) {
		struct infer_sequence *s = &book->sequences[i];

		if (s->n_told > 0)
			qsort(
			    s->told, s->n_told, sizeof(*s->told), compare_told);
		find_makers(book, s);
		if (!input->is_trace)
			continue;
		s->raw = s->told;
		s->n_raw = s->n_told;
		s->told = NULL;
		s->n_told = 0;
	}
}
