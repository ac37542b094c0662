/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace.dat of version 7 through libtracecmd: its formats become those of this
 * reader, which decodes the records, so that both versions give the same events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "trace/import/dat_private.h"

#define SEND_BYTES ((size_t)64 << 10)

/* Messages that are gathered until they are SEND_BYTES. */
struct sender {
	struct dat *dat;
	struct tep_handle *tep;
	struct text out;
	uint64_t n_lost, n_bytes;
	int fd;
};

static void
send_gathered(struct sender *s)
{
	const char *at = s->out.data;
	size_t left = s->out.len;

	while (left > 0) {
		ssize_t n = write(s->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);
		at += n;
		left -= (size_t)n;
	}
	text_clear(&s->out);
}

static void
add_message(struct sender *s, const struct dat_message *m)
{
	text_add(&s->out, (const char *)m, sizeof(*m));
	text_add(&s->out, m->e.comm.s, m->e.comm.len);
	text_add(&s->out, m->e.name.s, m->e.name.len);
	for (unsigned i = 0; i < N_READ_TEXTS; i++)
		text_add(&s->out, m->e.texts[i].s, m->e.texts[i].len);
	if (s->out.len >= SEND_BYTES)
		send_gathered(s);
}

static void
send_failure(struct sender *s, const char *why)
{
	struct dat_message m = {.kind = DAT_FAIL};

	m.e.comm = (struct slice){why, strlen(why)};
	add_message(s, &m);
	send_gathered(s);
}

/* Formats */

static void
take_library_fields(struct dat_format *f, const struct tep_format_field *field)
{
	for (; field != NULL; field = field->next)
		dat_add_field(f, field->name, strlen(field->name),
		    (struct dat_field){
			.offset = (uint16_t)field->offset,
			.size = (uint16_t)field->size,
			.is_signed = (field->flags & TEP_FIELD_IS_SIGNED) != 0,
			.is_dynamic = (field->flags & TEP_FIELD_IS_DYNAMIC) !=
			    0,
		    });
}

static void
take_library_formats(struct dat *d, struct tep_handle *tep)
{
	struct tep_event **events = tep_list_events(tep, TEP_EVENT_SORT_ID);
	struct dat_format f;

	for (; events != NULL && *events != NULL; events++) {
		const struct tep_event *e = *events;

		if (e->name == NULL || e->id < 0 ||
		    !dat_begin_format(d, &f, e->name))
			continue;
		take_library_fields(&f, e->format.common_fields);
		take_library_fields(&f, e->format.fields);
		dat_keep_format(d, &f, e->name, (unsigned)e->id);
	}
}

/* Records */

/* The library calls a task that it does not know <...>. */
static void
name_library_task(struct sender *s, struct read_event *e)
{
	const char *comm;

	if (e->pid < 0 || e->pid > INT32_MAX ||
	    !tep_is_pid_registered(s->tep, (int)e->pid))
		return;
	comm = tep_data_comm_from_pid(s->tep, (int)e->pid);
	if (comm != NULL)
		e->comm = (struct slice){comm, strlen(comm)};
}

/* Returns 0: the next one is wanted. */
static int
take_library_record(struct tracecmd_input *input, struct tep_record *record,
    int cpu, void *data)
{
	struct sender *s = data;
	struct dat_message m = {.kind = DAT_EVENT};
	struct dat_record r = {.bytes = record->data, .time = record->ts};
	const struct dat_format *f;

	(void)input;
	(void)cpu;
	r.len = record->size > 0 ? (uint32_t)record->size : 0;
	if (record->missed_events != 0)
		s->n_lost += record->missed_events > 0
		    ? (uint64_t)record->missed_events
		    : 1;
	s->n_bytes += r.len;
	f = dat_format_of(s->dat, &r);
	if (f == NULL)
		return 0;
	dat_decode(s->dat, &r, f, &m.e);
	name_library_task(s, &m.e);
	m.n_lost = s->n_lost;
	m.n_bytes = s->n_bytes;
	s->n_lost = 0;
	add_message(s, &m);
	return 0;
}

void
dat_send_by_library(struct dat *d, int fd)
{
	struct sender s = {.dat = d, .fd = fd};
	struct dat_message end = {.kind = DAT_END};
	struct tracecmd_input *input;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	if (lseek(d->source->fd, 0, SEEK_SET) != 0) {
		send_failure(&s, strerror(errno));
		return;
	}
	input = tracecmd_open_fd(d->source->fd, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (input == NULL) {
		send_failure(&s,
		    "libtracecmd cannot open it: it is cut off or broken, or "
		    "compressed in a way that this libtracecmd does not have");
		return;
	}
	s.tep = tracecmd_get_tep(input);
	d->is_big = tep_is_file_bigendian(s.tep);
	take_library_formats(d, s.tep);
	if (tracecmd_iterate_events(input, NULL, 0, take_library_record, &s) !=
	    0) {
		send_failure(&s, "libtracecmd cannot read its records");
		return;
	}
	end.n_lost = s.n_lost;
	end.n_bytes = s.n_bytes;
	add_message(&s, &end);
	send_gathered(&s);
}
