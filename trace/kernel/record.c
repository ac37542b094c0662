/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records of the kernel's events, as text and as bytes, by the table of events:
 * doc/model/traces.md "Events" and "trace.dat".
 */
#include <inttypes.h>
#include <string.h>

#include "trace/kernel/events.h"

/* Bytes that all records begin with: id, flags, preempt count, pid. */
#define COMMON_SIZE 8

static bool
is_text(const struct kernel_field *f)
{
	return f->kind >= N_KFIELD_NUMBERS;
}

static const struct kernel_field *
record_field(const struct kernel_event *e, unsigned kind)
{
	const struct kernel_field *f = e->fields;

	while (f->kind != kind)
		f++;
	return f;
}

/* Returns the end of the conversion that begins at percent, its letter
 * included. */
static const char *
conversion_end(const char *percent)
{
	return percent + 1 + strcspn(percent + 1, "udxps") + 1;
}

static void
print_field(struct text *out, const struct kernel_record *r,
    const struct kernel_field *f, char letter)
{
	uint64_t n = is_text(f) ? 0 : r->numbers[f->kind];

	switch (letter) {
	case 's': text_adds(out, kernel_text(r, f->kind)); break;
	case 'd': text_add_number(out, (int32_t)n); break;
	case 'x': text_addf(out, "%" PRIx64, n); break;
	case 'p': text_addf(out, "0x%" PRIx64, n); break;
	default: text_add_count(out, f->size == 4 ? (uint32_t)n : n); break;
	}
}

void
kernel_print(struct text *out, const struct kernel_record *r)
{
	const struct kernel_event *e = &kernel_events[r->event];
	const char *at = e->print, *percent;
	const uint8_t *kind = e->printed;

	for (; (percent = strchr(at, '%')) != NULL; kind++) {
		text_add(out, at, (size_t)(percent - at));
		at = conversion_end(percent);
		print_field(out, r, record_field(e, *kind), at[-1]);
	}
	text_adds(out, at);
}

static uint32_t
field_offset(uint32_t end, const struct kernel_field *f)
{
	return (end + f->size - 1) / f->size * f->size;
}

static void
describe_field(struct text *out, const struct kernel_field *f, uint32_t offset)
{
	text_addf(out,
	    "\tfield:%s %s;\toffset:%" PRIu32 ";\tsize:%u;\tsigned:%d;\n",
	    f->type, f->name, offset, f->size, f->is_signed);
}

static void
describe_print(struct text *out, const struct kernel_event *e)
{
	text_addf(out, "\nprint fmt: \"%s\"", e->print);
	for (unsigned i = 0, n = 0; e->print[i] != '\0'; i++) {
		const struct kernel_field *f;

		if (e->print[i] != '%')
			continue;
		f = record_field(e, e->printed[n++]);
		text_addf(
		    out, is_text(f) ? ", __get_str(%s)" : ", REC->%s", f->name);
	}
	text_addc(out, '\n');
}

void
kernel_describe(struct text *out, enum kernel_event_kind kind, unsigned id)
{
	static const struct kernel_field common[] = {
	    {0, "common_type", "unsigned short", 2, false},
	    {0, "common_flags", "unsigned char", 1, false},
	    {0, "common_preempt_count", "unsigned char", 1, false},
	    {0, "common_pid", "int", 4, true},
	};
	const struct kernel_event *e = &kernel_events[kind];
	const struct kernel_field *f;
	uint32_t end = 0;

	text_addf(out, "name: %s\nID: %u\nformat:\n", e->name, id);
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		describe_field(out, &common[i], end);
		end += common[i].size;
	}
	text_addc(out, '\n');
	for (f = e->fields; f < e->fields + KERNEL_MAX_FIELDS && f->size > 0;
	     f++) {
		end = field_offset(end, f);
		describe_field(out, f, end);
		end += f->size;
	}
	describe_print(out, e);
}

static void
encode(uint8_t *at, uint64_t n, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(n >> 8 * i);
}

/* Texts are of a few bytes. */
static void
pad(struct text *out, size_t len)
{
	while (out->len < len)
		text_addc(out, '\0');
}

/* Returns the bytes before the texts. */
static uint32_t
fixed_size(const struct kernel_event *e)
{
	uint32_t end = COMMON_SIZE;

	for (const struct kernel_field *f = e->fields;
	     f < e->fields + KERNEL_MAX_FIELDS && f->size > 0; f++)
		end = field_offset(end, f) + f->size;
	return end;
}

void
kernel_encode(struct text *out, const struct kernel_record *r, unsigned id)
{
	const struct kernel_event *e = &kernel_events[r->event];
	size_t begin = out->len;
	uint32_t end = COMMON_SIZE;
	uint8_t *at;

	pad(out, begin + fixed_size(e));
	at = (uint8_t *)out->data + begin;
	encode(at, id, 2);
	encode(at + 4, (uint32_t)r->pid, 4);
	for (const struct kernel_field *f = e->fields;
	     f < e->fields + KERNEL_MAX_FIELDS && f->size > 0; f++) {
		uint64_t n;

		end = field_offset(end, f);
		if (is_text(f)) {
			const char *s = kernel_text(r, f->kind);

			n = (uint64_t)(strlen(s) + 1) << 16 |
			    (out->len - begin);
			text_add(out, s, strlen(s) + 1);
		} else {
			n = r->numbers[f->kind];
		}
		encode((uint8_t *)out->data + begin + end, n, f->size);
		end += f->size;
	}
	pad(out, begin + (out->len - begin + 3) / 4 * 4);
}
