/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines, a word a line: they are read, to options that can be used, or
 * refused with a text that is safe to show. They are gpuwl-run's if that is the
 * first word. */
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
	for (size_t i = 0; i < o->n_imports; i++)
		if (*o->imports[i] == '\0')
			abort();
}

/* Checks that the mode has all that it needs. */
static void
check_mode(const struct options *o)
{
	bool ok = true;

	switch (o->mode) {
	case MODE_BATCH:
		ok = o->n_workloads > 0 || o->replay != NULL ||
		    o->serve != NULL;
		break;
	case MODE_CHECK:
	case MODE_FORMAT: ok = o->n_files > 0; break;
	case MODE_LAYER_DUMP: ok = o->layer_dump != NULL; break;
	case MODE_PROGRAM:
		ok = o->is_run && o->program != NULL && o->program[0] != NULL;
		break;
	case MODE_CALIBRATE:
		ok = o->calibrate != NULL && o->device != NULL;
		break;
	case MODE_COMPARE: ok = o->n_workloads > 0 && o->device != NULL; break;
	case MODE_IMPORT:
		ok = o->n_imports > 0 && o->import_from < o->import_to;
		break;
	case MODE_CONSOLE:
	case MODE_LIST_DEVICES:
	case MODE_LIST_ENGINES:
	case MODE_HELP:
	case MODE_VERSION:
	case MODE_PRINT_CONFIG: break;
	}
	if (!ok)
		abort();
}

static void
check_options(const struct options *o)
{
	const char *const names[] = {o->json, o->requests, o->report,
	    o->capture, o->record, o->error_state, o->layer, o->trace,
	    o->trace_json, o->arm_metadata, o->trace_kernel, o->profile_frames,
	    o->layer_dump, o->calibrate, o->replay, o->output, o->script,
	    o->config};

	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return;
	if (o->clients < 1 || o->duration == 0 || !(o->speed >= 0) ||
	    !is_scale(o->duration_scale) || !is_scale(o->delay_scale) ||
	    o->scheduler == NULL || o->profile == NULL || o->verbose < -1)
		abort();
	if (o->max_clients < 1 || o->seeds > 1000 || o->jobs > 1000)
		abort();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] != NULL && *names[i] == '\0')
			abort();
	check_workloads(o);
	check_mode(o);
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
	if (argc > 1 && strcmp(argv[1], "gpuwl-run") == 0) {
		memmove(argv, argv + 1, sizeof(argv) - sizeof(*argv));
		argc--;
	}
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
