/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all parts of the compiler use: memory, reports, contexts by number. */
#include "engine/compile/compile.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

void *
compile_alloc(struct compiler *c, size_t n, size_t size)
{
	void *p = arena_array(&c->program->arena, n > 0 ? n : 1, size);

	return memset(p, 0, n * size);
}

void *
compile_copy(struct compiler *c, const void *from, size_t n, size_t size)
{
	void *p = compile_alloc(c, n, size);

	if (n > 0)
		memcpy(p, from, n * size);
	return p;
}

void
compile_report(struct compiler *c, const struct source_step *s,
    enum severity severity, unsigned field, const char *fmt, ...)
{
	struct diag_list *diags = &c->diags[s->document];
	uint32_t col, len;
	va_list ap;

	if (severity == DIAG_ERROR)
		c->failed = true;
	if (!diag_has_room(diags, severity)) {
		diag_count(diags, fmt, severity, 1);
		return;
	}
	document_field(c->docs[s->document], s->line, field, &col, &len);
	va_start(ap, fmt);
	diag_sayv(diags, fmt, severity, s->line, col, len, fmt, ap);
	va_end(ap);
}

uint32_t
compile_context(const struct compiler *c, uint32_t number)
{
	const struct program *p = c->program;
	uint32_t low = 0, high = p->n_contexts;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (p->contexts[middle].number <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void
compile_add_engines(
    const struct compiler *c, engine_mask engines, struct text *out)
{
	for (; engines != 0; engines &= engines - 1)
		text_addf(
		    out, " %s", c->dev->engines[__builtin_ctzll(engines)].name);
}

void
compile_no_engine(struct compiler *c, const struct source_step *s,
    unsigned field, struct engine_name name)
{
	struct text t = {0};

	engine_name_print(&t, name);
	text_adds(&t, "': the device has");
	compile_add_engines(c,
	    c->dev->n_engines < DEVICE_MAX_ENGINES
		? ((engine_mask)1 << c->dev->n_engines) - 1
		: ~(engine_mask)0,
	    &t);
	compile_report(c, s, DIAG_ERROR, field, "no engine '%s", text_str(&t));
	text_free(&t);
}
