/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the fuzz targets of trace/import: bytes as a file that is imported. */
#ifndef TESTS_FUZZ_FUZZ_IMPORT_H
#define TESTS_FUZZ_FUZZ_IMPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/import/import.h"

#define FUZZ_IMPORT_MAX 65536 /* bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A client's name can be a file's. */
static inline void
fuzz_check_name(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	if (*name == '\0' || *name == '.' || name[strspn(name, plain)] != '\0')
		abort();
}

/* Every request is complete, but for an end that the trace has not, and every
 * dependency is on another one. */
static inline void
fuzz_check_imported(const struct imported *t)
{
	const struct infer_input *in = &t->input;

	for (size_t i = 0; i < in->n_requests; i++) {
		const struct infer_request *r = &in->requests[i];

		if (r->client >= t->n_clients || r->class >= N_CLASSES ||
		    r->instance < 1 || r->instance > INFER_MAX_INSTANCES ||
		    r->first_dep + r->n_deps > in->n_deps ||
		    (r->end_ns == NSEC_NEVER && !r->unfinished))
			abort();
		fuzz_check_name(t->clients[r->client].name);
	}
	for (size_t i = 0; i < in->n_deps; i++)
		if (in->deps[i].request >= in->n_requests)
			abort();
}

/* Texts for a terminal have no control characters but ends of lines. */
static inline void
fuzz_check_visible(const struct text *t)
{
	for (size_t i = 0; i < t->len; i++) {
		unsigned char c = (unsigned char)t->data[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			abort();
	}
}

/* Imports the bytes, with begin before them, and infers descriptors. */
static inline void
fuzz_import(const char *begin, size_t n_begin, const uint8_t *data, size_t size)
{
	struct import_options options = {.to_ns = NSEC_NEVER};
	struct text err = {0}, said = {0};
	struct infer_result result = {0};
	struct imported trace;
	struct import *im = import_new(&options, &err);
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || im == NULL ||
	    write(fd, begin, n_begin) != (ssize_t)n_begin ||
	    write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!import_read(im, path, &err) && err.len == 0)
		abort(); /* it says why */
	fuzz_check_visible(&err);
	text_clear(&err);
	if (import_finish(im, &trace, &said, &err)) {
		fuzz_check_imported(&trace);
		infer(&trace.input,
		    &(struct infer_options){
			.merge = true, .exact = trace.is_exact},
		    &result, &err);
		infer_free(&result);
	} else if (err.len == 0) {
		abort();
	}
	fuzz_check_visible(&err);
	fuzz_check_visible(&said);
	close(fd);
	import_free(im);
	text_free(&err);
	text_free(&said);
}

#endif
