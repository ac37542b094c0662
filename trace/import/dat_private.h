/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that read trace.dat (doc/model/import.md "trace.dat"): the
 * head of version 6, formats of events, and the pages of its cpus; version 7.
 */
#ifndef TRACE_IMPORT_DAT_PRIVATE_H
#define TRACE_IMPORT_DAT_PRIVATE_H

#include "trace/import/import_private.h"

#define DAT_MAX_FIELDS 16
#define DAT_MAX_IDS    65536
#define DAT_COMMON_LEN 8 /* bytes that all events begin with */

/* A field of an event that is read. */
struct dat_field {
	const struct read_field *as; /* NULL: the task's pid */
	uint16_t offset, size;
	bool is_signed, is_dynamic; /* a text whose place the field has */
};

/* An event's bytes, and when it was. */
struct dat_record {
	const uint8_t *bytes;
	uint32_t len;
	nsec time;
};

struct dat_format {
	unsigned kind; /* of struct read_event */
	char *name;
	struct dat_field fields[DAT_MAX_FIELDS];
	unsigned n_fields;
};

/* The name of a task, or its process. */
struct dat_task {
	int64_t pid, tgid;
	char *comm; /* NULL: not known */
};

/* A cpu's pages, and the event that is next in them. */
struct dat_cpu {
	uint64_t offset, end; /* of the pages not read yet */
	uint8_t *page;
	uint32_t at, used;        /* in the page's data */
	struct dat_record record; /* the next one, in the page */
	bool has_next;
};

struct dat {
	struct import_source *source;
	struct import *im;
	uint64_t at, size; /* in the file */
	bool is_big;       /* endian */
	unsigned long_size;
	uint32_t page_size, data_offset;
	uint16_t *by_id; /* of an event's id: 1 + index in formats */
	struct dat_format *formats;
	size_t n_formats, cap_formats;
	struct dat_task *tasks; /* by pid */
	size_t n_tasks, cap_tasks;
	struct dat_cpu *cpus;
	uint32_t n_cpus;
	bool has_clock; /* the option of the clock was there */
	struct text *err;
};

/* dat_file.c */
/* Reads len bytes at the place and moves it on. False: err says where the file
 * ends. */
bool dat_take(struct dat *d, void *to, uint64_t len, const char *what);
/* False, after err has the reason, with the place. */
bool dat_fail(struct dat *d, const char *why);
uint64_t dat_number(const struct dat *d, const uint8_t *at, unsigned size);

/* dat_head.c: reads all before the pages. */
bool dat_read_head(struct dat *d);
const struct dat_task *dat_find_task(const struct dat *d, int64_t pid);

/* dat_format.c */
/* Adds the field of that name to an event of f->kind, if it is read. */
void dat_add_field(
    struct dat_format *f, const char *name, size_t len, struct dat_field field);
/* Begins the format of an event. False: it is not read. */
bool dat_begin_format(
    const struct dat *d, struct dat_format *f, const char *name);
/* Keeps the format of the event with that id; copies its name. */
void dat_keep_format(
    struct dat *d, const struct dat_format *f, const char *name, unsigned id);
/* Returns the format of a record's event; NULL: it is not read. */
const struct dat_format *dat_format_of(
    const struct dat *d, const struct dat_record *r);
/* Reads a record's fields; its task has no name yet. */
void dat_decode(const struct dat *d, const struct dat_record *r,
    const struct dat_format *f, struct read_event *e);
/* Takes an event, or counts it if fields that it needs are absent. */
void dat_hand_over(struct import *im, struct read_event *e);

/* dat_pages.c: reads the events of all cpus, in the order of their times. */
bool dat_read_pages(struct dat *d);

/* dat_child.c: reads a file of version 7, in a process of its own. */
bool dat_read_by_library(struct dat *d);

/* A message of that process. The bytes of the event's texts follow: comm, name,
 * then texts in their order. */
struct dat_message {
	enum {
		DAT_EVENT,
		DAT_END,  /* all was read */
		DAT_FAIL, /* comm says why */
	} kind;
	uint64_t n_lost;  /* events before this one */
	uint64_t n_bytes; /* of records, so far */
	struct read_event e;
};

/* dat_library.c: reads the file through libtracecmd and writes messages to fd.
 * Ends the process if fd has no reader. */
void dat_send_by_library(struct dat *d, int fd);

#endif
