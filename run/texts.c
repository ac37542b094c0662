/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the texts of steps and the names of sources, for outputs. */
#include "run/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/shell.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "engine/explain/trail.h"
#include "run/plan.h"

static const char *
file_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Appends what the text is called that the step is in. */
static void
add_step_file(
    const struct plan *plan, const struct request *rq, struct text *out)
{
	uint32_t source = client_workload(rq->client);
	const struct op *op = request_op(rq);

	if (op == NULL)
		return;
	if (op->document > 0 && plan->append_inline)
		text_adds(out, "-a");
	else if (op->document > 0)
		text_adds(out, file_of_path(document_name(plan->append)));
	else if (source < plan->n_sources)
		source_add_title(plan, source, out);
}

/* Appends the first line of the comment right above a line; annotations may be
 * between. */
static void
add_step_comment(const struct document *doc, size_t line, struct text *out)
{
	const char *text;
	size_t len;

	do {
		if (line-- == 0)
			return;
	} while (document_line_kind(doc, line) == LINE_ANNOTATION);
	if (document_line_kind(doc, line) != LINE_COMMENT)
		return;
	while (line > 0 && document_line_kind(doc, line - 1) == LINE_COMMENT)
		line--;
	text = document_line_text(doc, line, &len);
	while (len > 0 && strchr("# \t", *text) != NULL) {
		text++;
		len--;
	}
	while (len > 0 && strchr(" \t\r", text[len - 1]) != NULL)
		len--;
	text_add_visible(out, text, len);
}

static void
find_step_texts(const struct output_texts *texts, const struct request *rq,
    struct step_texts *out)
{
	const struct run_texts *t = (const struct run_texts *)texts;
	const struct document *doc;
	const struct line *line = run_line(t->run, t->plan, rq, &doc);
	const char *text;
	size_t len, index;

	add_step_file(t->plan, rq, &out->file);
	if (line == NULL)
		return;
	text = document_line_was(line, &len);
	text_add_visible(&out->line, text, len);
	if (document_line_index(doc, line, &index))
		add_step_comment(doc, index, &out->comment);
}

static void
add_title(
    const struct output_texts *texts, const struct client *c, struct text *out)
{
	const struct run_texts *t = (const struct run_texts *)texts;

	uint32_t source = client_workload(c);

	if (source < t->plan->n_sources)
		source_add_title(t->plan, source, out);
	else
		text_adds(out, c->name);
}

const struct line *
run_past_line(const struct run *run, const struct trail_request *r,
    const struct version **v)
{
	const struct op *op;

	*v = versions_find(&run->versions, r->program);
	if (*v == NULL || r->place.step >= (*v)->program->n_ops)
		return NULL;
	/* The program's address may have been reused by another one. */
	op = &(*v)->program->ops[r->place.step];
	if (op->line != r->line || op->document != r->document)
		return NULL;
	return (*v)->lines[r->place.step];
}

const char *
run_label_text(const char *label, size_t *len)
{
	if (label == NULL)
		label = "";
	*len = strlen(label);
	return label;
}

const char *
run_past_step_text(
    const struct run *run, const struct trail_request *r, size_t *len)
{
	const struct version *v;
	const struct line *line = run_past_line(run, r, &v);
	const struct request *rq;

	if (line != NULL)
		return document_line_was(line, len);
	if (!r->place.outside || r->end_ns != NSEC_NEVER)
		return run_label_text(r->label, len);
	rq = request_get((struct request_ref){r->live, r->id});
	return run_label_text(rq != NULL ? request_label(rq) : NULL, len);
}

void
run_texts_init(struct run_texts *t, const struct run *run,
    const struct plan *plan, const char *command)
{
	*t = (struct run_texts){
	    .texts = {.command = command,
		.step = find_step_texts,
		.title = add_title},
	    .run = run,
	    .plan = plan,
	};
}

char *
run_command_line(int argc, char *const *argv)
{
	struct text out = {0};
	char *line;

	for (int i = 0; i < argc; i++) {
		if (i > 0)
			text_addc(&out, ' ');
		shell_add_word(&out, i == 0 ? file_of_path(argv[0]) : argv[i]);
	}
	line = mem_strdup(text_str(&out));
	text_free(&out);
	return line;
}

void
run_add_duration(nsec t, struct text *out)
{
	char buf[48];
	size_t len;

	snprintf(buf, sizeof(buf), "%" PRIu64 ".%09" PRIu64,
	    (uint64_t)(t / NSEC_PER_SEC), (uint64_t)(t % NSEC_PER_SEC));
	len = strlen(buf);
	while (buf[len - 1] == '0')
		len--;
	len -= buf[len - 1] == '.';
	text_addf(out, " --duration=%.*s", (int)len, buf);
}
