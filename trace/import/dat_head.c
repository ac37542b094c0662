/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a trace.dat of version 6: formats of events, names of tasks, options,
 * and where the pages of each cpu are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/dat_private.h"

#define MAX_TEXT  ((uint64_t)64 << 20) /* bytes of a part of the head */
#define MAX_PARTS 65536                /* formats of a system, and systems */
#define MAX_CPUS  4096
#define MAX_NAME  256

#define OPTION_CLOCK    4
#define OPTION_CPUCOUNT 8 /* of an old patch: processes of tasks */
#define OPTION_TGIDS    32

static bool
take_dat_number(struct dat *d, unsigned size, uint64_t *n, const char *what)
{
	uint8_t bytes[8];

	if (!dat_take(d, bytes, size, what))
		return false;
	*n = dat_number(d, bytes, size);
	return true;
}

/* Takes a text of that many bytes; with a 0 behind it, to be freed. NULL: err says
 * why not. */
static char *
take_bytes(struct dat *d, uint64_t len, const char *what)
{
	char *text;

	if (len > MAX_TEXT) {
		dat_fail(d, "a part of the head is larger than 64 MiB");
		return NULL;
	}
	text = mem_calloc(len + 1, 1);
	if (dat_take(d, text, len, what))
		return text;
	free(text);
	return NULL;
}

static bool
skip_bytes(struct dat *d, uint64_t len, const char *what)
{
	if (len > d->size - d->at)
		return dat_take(d, NULL, len, what);
	d->at += len;
	return true;
}

/* Takes a word that ends with a 0. */
static bool
take_head_word(struct dat *d, char word[MAX_NAME], const char *what)
{
	for (size_t i = 0; i < MAX_NAME; i++) {
		if (!dat_take(d, &word[i], 1, what))
			return false;
		if (word[i] == '\0')
			return true;
	}
	return dat_fail(d, "a name is longer than 255 bytes");
}

static bool
expect_word(struct dat *d, const char *expected)
{
	char word[MAX_NAME];

	if (!take_head_word(d, word, expected))
		return false;
	return strcmp(word, expected) == 0 ||
	    dat_fail(d, "the parts of the head are not in their order");
}

/* Returns the number behind a key such as "offset:" in a line; fallback: it has
 * none. */
static unsigned
number_behind(const char *line, const char *key, unsigned fallback)
{
	const char *at = strstr(line, key);

	return at != NULL ? (unsigned)strtoul(at + strlen(key), NULL, 10)
			  : fallback;
}

/* Takes the line "\tfield:u64 ctx;\toffset:16;\tsize:8;\tsigned:0;". */
static void
take_format_field(struct dat_format *f, const char *line)
{
	const char *type = strstr(line, "field:"), *end, *name;
	struct dat_field field = {0};
	size_t len;

	end = type != NULL ? strchr(type, ';') : NULL;
	if (end == NULL)
		return;
	for (name = end; name > type && name[-1] != ' ' && name[-1] != '*';)
		name--;
	len = (size_t)(end - name);
	if (memchr(name, '[', len) != NULL)
		len = (size_t)((const char *)memchr(name, '[', len) - name);
	field.offset = (uint16_t)number_behind(end, "offset:", 0);
	field.size = (uint16_t)number_behind(end, "size:", 0);
	field.is_signed = number_behind(end, "signed:", 0) != 0;
	field.is_dynamic = strncmp(type + 6, "__data_loc", 10) == 0;
	dat_add_field(f, name, len, field);
}

/* Keeps the format of an event that is read. */
static void
take_format(struct dat *d, char *text)
{
	struct dat_format f = {0};
	char *line, *rest = text, name[MAX_NAME] = "";
	unsigned id = 0;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (strncmp(line, "name: ", 6) == 0) {
			strncpy(name, line + 6, sizeof(name) - 1);
			if (!dat_begin_format(d, &f, name))
				return;
		} else if (strncmp(line, "ID: ", 4) == 0) {
			id = (unsigned)strtoul(line + 4, NULL, 10);
		} else if (strncmp(line, "print fmt", 9) == 0) {
			break;
		} else {
			take_format_field(&f, line);
		}
	}
	if (name[0] != '\0')
		dat_keep_format(d, &f, name, id);
}

static bool
take_formats(struct dat *d)
{
	uint64_t n, len;

	if (!take_dat_number(d, 4, &n, "the number of formats"))
		return false;
	if (n > MAX_PARTS)
		return dat_fail(d, "more than 65536 formats of a system");
	for (; n > 0; n--) {
		char *text;

		if (!take_dat_number(d, 8, &len, "a format"))
			return false;
		text = take_bytes(d, len, "a format");
		if (text == NULL)
			return false;
		take_format(d, text);
		free(text);
	}
	return true;
}

static bool
take_systems(struct dat *d)
{
	char name[MAX_NAME];
	uint64_t n;

	if (!take_formats(d) || /* ftrace's own */
	    !take_dat_number(d, 4, &n, "the number of systems"))
		return false;
	if (n > MAX_PARTS)
		return dat_fail(d, "more than 65536 systems");
	for (; n > 0; n--)
		if (!take_head_word(d, name, "a system") || !take_formats(d))
			return false;
	return true;
}

/* Names of tasks */

static struct dat_task *
task_at(struct dat *d, int64_t pid)
{
	size_t i = lower_bound(k, 0, d->n_tasks, d->tasks[k].pid < pid);

	if (i < d->n_tasks && d->tasks[i].pid == pid)
		return &d->tasks[i];
	d->tasks = mem_grow(
	    d->tasks, d->n_tasks, &d->cap_tasks, sizeof(*d->tasks));
	memmove(&d->tasks[i + 1], &d->tasks[i],
	    (d->n_tasks - i) * sizeof(*d->tasks));
	d->tasks[i] = (struct dat_task){.pid = pid};
	d->n_tasks++;
	return &d->tasks[i];
}

const struct dat_task *
dat_find_task(const struct dat *d, int64_t pid)
{
	size_t i = lower_bound(k, 0, d->n_tasks, d->tasks[k].pid < pid);

	return i < d->n_tasks && d->tasks[i].pid == pid ? &d->tasks[i] : NULL;
}

#define MAX_TASKS 100000

/* Lines "PID COMM" or, of processes, "PID TGID". */
static void
take_task_lines(struct dat *d, char *text, bool are_tgids)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL) {
		char *behind;
		long pid = strtol(line, &behind, 10);
		struct dat_task *t;

		if (behind == line || *behind != ' ' || pid <= 0 ||
		    pid > INT32_MAX || d->n_tasks >= MAX_TASKS)
			continue;
		t = task_at(d, pid);
		if (are_tgids) {
			t->tgid = strtol(behind, NULL, 10);
			continue;
		}
		free(t->comm);
		t->comm = mem_strdup(behind + 1);
	}
}

static bool
take_tasks(struct dat *d, uint64_t len, bool are_tgids)
{
	char *text = take_bytes(d, len, "the names of tasks");

	if (text != NULL)
		take_task_lines(d, text, are_tgids);
	free(text);
	return text != NULL;
}

/* Options, up to the id 0. */
static bool
take_options(struct dat *d)
{
	for (;;) {
		uint64_t id, len;

		if (!take_dat_number(d, 2, &id, "the options"))
			return false;
		if (id == 0)
			return true;
		if (!take_dat_number(d, 4, &len, "an option"))
			return false;
		d->has_clock |= id == OPTION_CLOCK;
		if (id == OPTION_TGIDS || (id == OPTION_CPUCOUNT && len > 4)) {
			if (!take_tasks(d, len, true))
				return false;
		} else if (!skip_bytes(d, len, "an option")) {
			return false;
		}
	}
}

/* The pages of all cpus together are not longer than the file: a file in which they
 * overlap would have them read as often as there are cpus. */
static bool
take_cpus(struct dat *d)
{
	uint64_t left = d->size;

	d->cpus = mem_calloc(d->n_cpus + 1, sizeof(*d->cpus));
	for (uint32_t i = 0; i < d->n_cpus; i++) {
		uint64_t offset, len;

		if (!take_dat_number(d, 8, &offset, "the cpus' places") ||
		    !take_dat_number(d, 8, &len, "the cpus' places"))
			return false;
		if (offset > d->size || len > d->size - offset || len > left)
			d->im->counts.n_cut++;
		offset = offset < d->size ? offset : d->size;
		len = len < d->size - offset ? len : d->size - offset;
		len = len < left ? len : left;
		left -= len;
		d->cpus[i].offset = offset;
		d->cpus[i].end = offset + len;
	}
	return true;
}

/* Behind the cpus is what tracefs' file trace_clock had, with brackets around the clock. */
static bool
check_clock(struct dat *d)
{
	uint64_t len;
	char *clocks;
	bool ok;

	if (!d->has_clock || d->size - d->at < 8)
		return true;
	if (!take_dat_number(d, 8, &len, "the clock"))
		return false;
	if (len > MAX_NAME || len > d->size - d->at)
		return true;
	clocks = take_bytes(d, len, "the clock");
	ok = clocks != NULL && strstr(clocks, "[x86-tsc]") == NULL &&
	    strstr(clocks, "[counter]") == NULL;
	free(clocks);
	return ok ||
	    dat_fail(d,
		"times are not in seconds: the trace's clock counts cycles "
		"(x86-tsc) or events (counter): expected a clock of nanoseconds, e.g. "
		"trace-cmd record -C mono");
}

static bool
take_places(struct dat *d)
{
	char word[MAX_NAME];
	uint64_t n;

	if (!take_dat_number(d, 4, &n, "the number of cpus"))
		return false;
	if (n == 0 || n > MAX_CPUS)
		return dat_fail(d, "expected 1 to 4096 cpus");
	d->n_cpus = (uint32_t)n;
	if (!take_head_word(d, word, "the options"))
		return false;
	if (strcmp(word, "options  ") == 0 &&
	    (!take_options(d) || !take_head_word(d, word, "the kind of data")))
		return false;
	if (strcmp(word, "flyrecord") != 0)
		return dat_fail(d,
		    "the trace is one of a latency tracer: expected one of "
		    "trace-cmd record");
	return take_cpus(d) && check_clock(d);
}

static bool
take_header_page(struct dat *d)
{
	uint64_t len;
	char *text, *data;

	if (!expect_word(d, "header_page") ||
	    !take_dat_number(d, 8, &len, "header_page"))
		return false;
	text = take_bytes(d, len, "header_page");
	if (text == NULL)
		return false;
	data = strstr(text, " data;");
	d->data_offset = data != NULL ? number_behind(data, "offset:", 16) : 16;
	free(text);
	if (d->data_offset >= 8 + d->long_size && d->data_offset < d->page_size)
		return true;
	return dat_fail(d, "invalid place of the data in a page");
}

bool
dat_read_head(struct dat *d)
{
	uint8_t sizes[6];
	uint64_t len;

	if (!dat_take(d, sizes, sizeof(sizes), "the sizes"))
		return false;
	d->is_big = sizes[0] != 0;
	d->long_size = sizes[1];
	d->page_size = (uint32_t)dat_number(d, &sizes[2], 4);
	if (sizes[0] > 1 || (d->long_size != 4 && d->long_size != 8) ||
	    d->page_size < 64 || d->page_size > (1u << 24))
		return dat_fail(d,
		    "invalid sizes: expected an endianness of 0 or 1, a long of "
		    "4 or 8 bytes, and a page of 64 bytes to 16 MiB");
	return take_header_page(d) && expect_word(d, "header_event") &&
	    take_dat_number(d, 8, &len, "header_event") &&
	    skip_bytes(d, len, "header_event") && take_systems(d) &&
	    take_dat_number(d, 4, &len, "the symbols") &&
	    skip_bytes(d, len, "the symbols") &&
	    take_dat_number(d, 4, &len, "the formats of printk") &&
	    skip_bytes(d, len, "the formats of printk") &&
	    take_dat_number(d, 8, &len, "the names of tasks") &&
	    take_tasks(d, len, false) && take_places(d);
}
