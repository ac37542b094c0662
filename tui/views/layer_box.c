/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The box of the Layer view: the metadata of the workload under the cursor,
 * merged from all messages about it, the workloads of the selected request with
 * their shares of it, or the workload that each engine runs now.
 */
#include "tui/views/layer_view.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "layerstream/message.h"

#define SHARE_COLS 8
#define NAME_COLS  7
#define MORE_COLS  11 /* " 12.3k more" */

static void
draw_box_title(struct area *a, const char *title)
{
	fill(a, 0, 0, a->r.w, ROLE_TITLE);
	put_cut(a, 0, 0, a->r.w, ROLE_TITLE, title);
}

/* Finds the workload message that a message is about, and the submitID that it
 * was played under: that of the last message with one before the annex, of
 * which each play has one. */
static bool
find_message_workload(const struct message_log *log, uint64_t at,
    const struct message *m, uint64_t *workload, uint64_t *sequence)
{
	uint64_t id = message_log_first(log), next;
	bool any = false;
	struct message i;

	*sequence = m->sequence;
	for (; message_log_at(log, id, &i, &next); id = next) {
		if (i.tag != m->tag)
			continue;
		if (i.type == MESSAGE_WORKLOAD) {
			if (id > at)
				break;
			*workload = id;
			any = true;
		} else if (id >= at || i.sequence == m->sequence) {
			if (*sequence == 0)
				*sequence = i.sequence;
			if (any && i.sequence == *sequence)
				break;
		}
	}
	return any;
}

struct merging {
	uint64_t sequence, tag;
	struct text *out;
	bool any;
};

static void
on_merged(void *user, const struct merged *m)
{
	struct merging *merging = user;

	if (m->tag != merging->tag || merging->any)
		return;
	merging->any = true;
	if (m->submit != 0)
		text_addf(merging->out, "submit %" PRIu64 ", ", m->submit);
	text_addf(merging->out, "tag %" PRIu64 ": ", m->tag);
	text_add_visible(merging->out, m->json, m->len);
}

/* Appends what the log's messages say together about the workload of that
 * message: submitID, tag and merged JSON. False: it is not about a workload. */
static bool
merge_messages(
    const struct message_log *log, uint64_t message, struct text *out)
{
	struct merging merging = {.out = out};
	struct merger *merger;
	struct message m;
	uint64_t id, next;

	if (!message_log_at(log, message, &m, &next) || m.tag == 0 ||
	    !find_message_workload(log, message, &m, &id, &merging.sequence))
		return false;
	merging.tag = m.tag;
	merger = merge_new(on_merged, &merging, 0);
	if (message_log_at(log, id, &m, &next))
		merge_message(merger, &m);
	for (id = next; message_log_at(log, id, &m, &next); id = next) {
		if (m.tag != merging.tag)
			continue;
		if (m.type == MESSAGE_WORKLOAD)
			break;
		if (m.sequence == merging.sequence)
			merge_message(merger, &m);
	}
	merge_finish(merger);
	merge_free(merger);
	return merging.any;
}

static bool
draw_message_box(const struct view_env *env, struct area *a, uint64_t message)
{
	struct text t = {0};
	bool ok = message != UINT64_MAX &&
	    merge_messages(&env->session->layer.messages, message, &t);
	int width = a->r.w - 1;

	if (ok)
		draw_box_title(a, "WORKLOAD of the message, merged");
	for (int y = 1; ok && y < a->r.h; y++) {
		int skip = (y - 1) * width;

		if (y + 1 < a->r.h)
			put_skip(a, y, 1, width, ROLE_ANNOTATION, text_str(&t),
			    t.len, skip);
		else
			put_cut_skip(a, y, 1, width, ROLE_ANNOTATION,
			    text_str(&t), t.len, skip);
	}
	text_free(&t);
	return ok;
}

static void
draw_share(struct area *a, int y, const struct trail_request *r, double share)
{
	char buf[UNITS_LEN];

	if (r->duration_ns != NSEC_NEVER)
		put_right(a, y, 0, SHARE_COLS, ROLE_STRONG,
		    format_duration(
			buf, (nsec)((double)r->duration_ns * share)));
}

static void
draw_pieces(
    const struct view_env *env, struct area *a, const struct trail_request *r)
{
	const struct layer_watch *w = &env->session->layer;
	size_t n = layer_watch_pieces(w, r->id), seen = 0;
	struct text t = {0};
	char buf[UNITS_LEN];
	double share;
	int width;

	for (int y = 1; y < a->r.h; y++, seen++) {
		text_clear(&t);
		if (!layer_watch_piece(w, r->id, seen, &t, &share))
			break;
		draw_share(a, y, r, share);
		/* The last row says how many workloads it leaves out. */
		width = a->r.w - SHARE_COLS - 2 -
		    (y + 1 == a->r.h && n > seen + 1 ? MORE_COLS : 0);
		put_cut(
		    a, y, SHARE_COLS + 2, width, ROLE_ANNOTATION, text_str(&t));
	}
	if (n == 0)
		put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM, "no workloads recorded");
	if (n > seen)
		putf(a, a->r.h - 1, a->r.w - MORE_COLS, MORE_COLS, ROLE_DIM,
		    " %s more", format_count(buf, n - seen));
	text_free(&t);
}

static bool
draw_request(const struct view_env *env, struct area *a)
{
	const struct session *s = env->session;
	const struct trail_request *r = trail_request(
	    s->trail, env->selection->request);
	struct text t = {0};

	if (r == NULL)
		return false;
	text_adds(&t, "WORKLOADS of ");
	session_name_past(s, r, &t);
	text_addf(&t, ", iteration %" PRIu64, r->iteration);
	draw_box_title(a, text_str(&t));
	draw_pieces(env, a, r);
	text_free(&t);
	return true;
}

/* Shows the last problem that annotations had when they were run. */
static void
draw_layer_problem(const struct layer_watch *w, struct area *a)
{
	struct text t = {0};

	if (w->n_problems == 0 || a->r.h < 2)
		return;
	text_add_visible(&t, text_str(&w->problem), w->problem.len);
	if (w->n_problems > 1)
		text_addf(&t, " (and %" PRIu64 " more)", w->n_problems - 1);
	fill(a, a->r.h - 1, 0, a->r.w, ROLE_WARN);
	put_cut(a, a->r.h - 1, 1, a->r.w - 1, ROLE_WARN, text_str(&t));
	text_free(&t);
}

static void
draw_workloads_now(const struct view_env *env, struct area *a)
{
	const struct device *d = &env->session->run.sim->device;
	struct text t = {0};
	int y = 1;

	draw_box_title(a,
	    "WORKLOADS now (select a request in Requests or Timeline for "
	    "its own)");
	for (uint32_t i = 0; i < d->n_engines && y < a->r.h; i++) {
		const struct hw_engine *e = &d->engines[i];

		text_clear(&t);
		if (e->running == NULL ||
		    !layer_watch_workload(&env->session->layer, e->running, &t))
			continue;
		put(a, y, 0, NAME_COLS - 1, ROLE_LABEL, e->name);
		put_cut(a, y, NAME_COLS, a->r.w - NAME_COLS, ROLE_ANNOTATION,
		    text_str(&t));
		y++;
	}
	if (y == 1)
		put_cut(
		    a, 1, 1, a->r.w - 1, ROLE_DIM, "no engine runs a workload");
	draw_layer_problem(&env->session->layer, a);
	text_free(&t);
}

void
layer_box_draw(const struct view_env *env, struct area *a, uint64_t message)
{
	if (!draw_message_box(env, a, message) && !draw_request(env, a))
		draw_workloads_now(env, a);
}
