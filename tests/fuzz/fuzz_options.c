/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines, a word a line: they are read, to options that can be used, or
 * refused with a text that is safe to show. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/step.h"
#include "run/options.h"

#define MAX_WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_refusal(const struct text *err)
{
	if (err->len == 0)
		abort();
	for (size_t i = 0; i < err->len; i++) {
		unsigned char c = (unsigned char)err->data[i];

		if (c < ' ' || c == 0x7f)
			abort();
	}
}

static bool
is_scale(double x)
{
	return x >= 0 && x <= 1e6;
}

static void
check_workloads(const struct options *o)
{
	unsigned masters = 0;

	for (size_t i = 0; i < o->n_workloads; i++) {
		const struct workload_option *w = &o->workloads[i];

		masters += w->master;
		if (w->argument == NULL || w->priority < -STEP_MAX_PRIORITY ||
		    w->priority > STEP_MAX_PRIORITY)
			abort();
	}
	if (masters > 1 || (o->n_workloads > 0 && o->n_files > 0))
		abort();
	for (size_t i = 0; i < o->n_files; i++)
		if (*o->files[i] == '\0')
			abort();
}

static void
check_options(const struct options *o)
{
	const char *const names[] = {o->json, o->requests, o->record,
	    o->error_state, o->replay, o->script, o->config};

	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return;
	if (o->clients < 1 || o->duration == 0 || !(o->speed >= 0) ||
	    !is_scale(o->duration_scale) || !is_scale(o->delay_scale) ||
	    o->scheduler == NULL || o->profile == NULL || o->verbose < -1)
		abort();
	if (o->mode == MODE_BATCH && o->n_workloads == 0 &&
	    o->replay == NULL && o->serve == NULL)
		abort();
	if ((o->mode == MODE_CHECK || o->mode == MODE_FORMAT) &&
	    o->n_files == 0)
		abort();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] != NULL && *names[i] == '\0')
			abort();
	check_workloads(o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char program[] = "gpuwl-top";
	char *argv[MAX_WORDS + 2] = {program};
	char *words = mem_strndup((const char *)data, size);
	char *next = words;
	struct text err = {0};
	struct options o;
	int argc = 1;

	while (next != NULL && *next != '\0' && argc <= MAX_WORDS)
		argv[argc++] = strsep(&next, "\n");
	if (options_parse(&o, argc, argv, &err)) {
		if (err.len > 0)
			abort();
		check_options(&o);
	} else {
		check_refusal(&err);
	}
	options_free(&o);
	text_free(&err);
	free(words);
	return 0;
}
