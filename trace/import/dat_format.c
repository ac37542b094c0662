/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary records of events: formats say where their fields are, of which those
 * are kept that are read (read_event.h).
 */
#include <stdlib.h>
#include <string.h>

#include "trace/import/dat_private.h"

static const char pid_name[] = "common_pid";

void
dat_add_field(
    struct dat_format *f, const char *name, size_t len, struct dat_field field)
{
	field.as = read_field_find(f->kind, name, len);
	if (f->n_fields == DAT_MAX_FIELDS ||
	    (field.as == NULL &&
		(len != sizeof(pid_name) - 1 || memcmp(name, pid_name, len))))
		return;
	f->fields[f->n_fields++] = field;
}

bool
dat_begin_format(const struct dat *d, struct dat_format *f, const char *name)
{
	const char *marked = d->im->options.frame_on;

	*f = (struct dat_format){.kind = read_event_find(name, strlen(name))};
	return f->kind != N_KERNEL_EVENTS ||
	    others_find(name, strlen(name)) != N_OTHER_DRIVERS ||
	    (marked != NULL && strcmp(marked, name) == 0);
}

void
dat_keep_format(
    struct dat *d, const struct dat_format *f, const char *name, unsigned id)
{
	if (id == 0 || id >= DAT_MAX_IDS || d->n_formats >= UINT16_MAX - 1)
		return;
	d->formats = mem_grow(
	    d->formats, d->n_formats, &d->cap_formats, sizeof(*d->formats));
	d->formats[d->n_formats] = *f;
	d->formats[d->n_formats++].name = mem_strdup(name);
	d->by_id[id] = (uint16_t)d->n_formats;
}

/* Text of a field: behind the record's numbers, or among them. */
static struct slice
field_text(
    const struct dat *d, const struct dat_record *r, const struct dat_field *f)
{
	uint32_t at = f->offset, len = f->size;
	const char *s;

	if (f->is_dynamic) {
		uint32_t place = (uint32_t)dat_number(
		    d, r->bytes + f->offset, 4);

		at = place & 0xffff;
		len = place >> 16;
	}
	if (at > r->len || len > r->len - at)
		return (struct slice){"", 0};
	s = (const char *)r->bytes + at;
	return (struct slice){s, strnlen(s, len)};
}

static void
take_dat_field(const struct dat *d, const struct dat_record *r,
    const struct dat_field *f, struct read_event *e)
{
	unsigned size = f->size;
	uint64_t n;

	if ((uint32_t)f->offset + (f->is_dynamic ? 4 : f->size) > r->len)
		return;
	if (f->as != NULL && f->as->text >= 0 &&
	    (f->is_dynamic || f->size > 8 || f->as->number < 0))
		e->texts[f->as->text] = field_text(d, r, f);
	if ((f->as != NULL && f->as->number < 0) || f->is_dynamic ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return;
	n = dat_number(d, r->bytes + f->offset, size);
	if (f->is_signed && size < 8 && (n >> (8 * size - 1) & 1) != 0)
		n |= ~0ull << 8 * size;
	if (f->as == NULL)
		e->pid = (int64_t)n;
	else if (f->as->number == READ_FENCE)
		event_set(e, KFIELD_FENCE, n);
	else if (f->as->number < N_READ_NUMBERS)
		event_set(e, (unsigned)f->as->number, n);
}

const struct dat_format *
dat_format_of(const struct dat *d, const struct dat_record *r)
{
	uint32_t id = r->len >= DAT_COMMON_LEN
	    ? (uint32_t)dat_number(d, r->bytes, 2)
	    : 0;

	if (d->by_id[id] == 0 || r->time > NSEC_MAX)
		return NULL;
	return &d->formats[d->by_id[id] - 1];
}

void
dat_decode(const struct dat *d, const struct dat_record *r,
    const struct dat_format *f, struct read_event *e)
{
	*e = (struct read_event){
	    .kind = f->kind, .time = r->time, .comm = {"", 0}};
	e->name = (struct slice){f->name, strlen(f->name)};
	for (unsigned i = 0; i < f->n_fields; i++)
		take_dat_field(d, r, &f->fields[i], e);
}

void
dat_hand_over(struct import *im, struct read_event *e)
{
	if (read_event_settle(e))
		assemble_event(im, e);
	else
		im->counts.n_broken++;
}
