/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens a trace.dat. One of version 6 is read by the files beside this one;
 * version 7, which may be compressed, through libtracecmd.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/import/dat_private.h"

#define MAGIC_LEN 10 /* 0x17 0x08 0x44 "tracing" */

bool
dat_fail(struct dat *d, const char *why)
{
	text_add_visible(d->err, d->source->path, strlen(d->source->path));
	text_addf(d->err, ": byte %" PRIu64 ": %s", d->at, why);
	return false;
}

bool
dat_take(struct dat *d, void *to, uint64_t len, const char *what)
{
	uint8_t *p = to;

	if (len > d->size - d->at) {
		struct text why = {0};

		text_addf(&why, "the file ends within %s", what);
		dat_fail(d, text_str(&why));
		text_free(&why);
		return false;
	}
	while (len > 0) {
		ssize_t n = pread(d->source->fd, p, len, (off_t)d->at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return dat_fail(
			    d, n < 0 ? strerror(errno) : "cannot be read");
		p += n;
		d->at += (uint64_t)n;
		len -= (uint64_t)n;
	}
	return true;
}

uint64_t
dat_number(const struct dat *d, const uint8_t *at, unsigned size)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < size; i++)
		n |= (uint64_t)at[d->is_big ? size - 1 - i : i] << 8 * i;
	return n;
}

static bool
read_version(struct dat *d)
{
	char version[2];

	d->at = MAGIC_LEN;
	if (!dat_take(d, version, sizeof(version), "the version"))
		return false;
	if (version[0] == '6' && version[1] == '\0')
		return dat_read_head(d) && dat_read_pages(d);
	if (version[0] == '7' && version[1] == '\0')
		return dat_read_by_library(d);
	return dat_fail(d, "unknown version: expected 6 or 7");
}

static void
dat_free(struct dat *d)
{
	for (size_t i = 0; i < d->n_formats; i++)
		free(d->formats[i].name);
	for (size_t i = 0; i < d->n_tasks; i++)
		free(d->tasks[i].comm);
	for (uint32_t i = 0; d->cpus != NULL && i < d->n_cpus; i++)
		free(d->cpus[i].page);
	free(d->formats);
	free(d->tasks);
	free(d->cpus);
	free(d->by_id);
}

bool
dat_file_read(struct import_source *s, struct text *err)
{
	struct dat d = {.source = s, .im = s->im, .size = s->size, .err = err};
	bool ok;

	if (s->size == 0)
		return dat_fail(
		    &d, "a trace.dat is read from a file, not from a pipe");
	d.by_id = mem_calloc(DAT_MAX_IDS, sizeof(*d.by_id));
	ok = read_version(&d);
	s->im->has_ns_times |= ok;
	dat_free(&d);
	return ok;
}
