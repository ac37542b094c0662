/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the table of options, which take an argument. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "device/hardware/node.h"
#include "parser/step.h"
#include "run/options.h"
#include "run/options_table.h"
#include "trace/host.h"
#include "trace/kernel/log.h"

#define MAX_CLIENTS  1000000u
#define MAX_SCALE    1e6 /* times STEP_MAX_SLEEP_US fits 64-bit ns */
#define MAX_DURATION (9000000000 * NSEC_PER_SEC)

/* The member of struct options at offset arg. */
#define MEMBER(r, type, arg) (*(type *)(void *)((char *)(r)->o + (arg)))

static bool
refuse_argument(
    struct option_reader *r, const char *value, const char *expected)
{
	text_addf(r->err, "%s: invalid value '", r->shown);
	text_add_visible(r->err, value, strlen(value));
	text_addf(r->err, "': expected %s", expected);
	return false;
}

/* Refuses the option for that reason, which is freed. */
static bool
refuse_because(struct option_reader *r, struct text *why)
{
	text_addf(r->err, "%s: %s", r->shown, text_str(why));
	text_free(why);
	return false;
}

/* Reads digits and nothing else, as a number up to max. */
static bool
parse_whole(const char *s, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		if (__builtin_mul_overflow(n, 10u, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n) ||
		    n > max)
			return false;
	}
	*value = n;
	return true;
}

/* Reads a number as strtod() does, but no blanks, signs, hexadecimals,
 * infinities or rest. */
static bool
parse_real(const char *s, double *value)
{
	char *end;

	if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0' || *s == '-')
		return false;
	*value = strtod(s, &end);
	return *end == '\0' && end != s && isfinite(*value);
}

void
reader_add_workload(
    struct option_reader *r, const char *argument, bool master, bool positional)
{
	struct options *o = r->o;

	o->workloads = mem_grow(o->workloads, o->n_workloads, &r->cap_workloads,
	    sizeof(*o->workloads));
	o->workloads[o->n_workloads++] = (struct workload_option){
	    .argument = argument,
	    .master = master,
	    .priority = r->priority,
	    .small_sseu = r->small_sseu,
	    .positional = positional,
	};
}

/* arg is the offset of a member of struct options unless a comment says
 * otherwise. */

/* arg: enum mode */
bool
take_program_mode(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	return reader_choose_mode(r, (enum mode)arg);
}

bool
take_true(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, bool, arg) = true;
	return true;
}

bool
take_string(struct option_reader *r, const char *value, size_t arg)
{
	MEMBER(r, const char *, arg) = value;
	return true;
}

/* A filter of GPUs; with --import the name of one in a trace. */
bool
take_device(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0}, said = {0};

	text_addf(&said, "%s: ", r->shown);
	free(r->device_why);
	r->device_why = NULL;
	if (!node_filter_check(value, &why)) {
		text_adds(&said, text_str(&why));
		r->device_why = mem_strdup(text_str(&said));
	}
	text_free(&why);
	text_free(&said);
	return take_string(r, value, arg);
}

static bool
master_given(const struct options *o)
{
	for (size_t i = 0; i < o->n_workloads; i++)
		if (o->workloads[i].master)
			return true;
	return false;
}

/* arg: true for the master */
bool
take_workload(struct option_reader *r, const char *value, size_t arg)
{
	if (arg && master_given(r->o)) {
		text_addf(r->err, "%s: only one master workload can be given",
		    r->shown);
		return false;
	}
	reader_add_workload(r, value, arg, false);
	return true;
}

bool
take_append(struct option_reader *r, const char *value, size_t arg)
{
	if (MEMBER(r, const char *, arg) != NULL) {
		text_addf(r->err, "%s: only one append workload can be given",
		    r->shown);
		return false;
	}
	return take_string(r, value, arg);
}

/* arg: enum value_kind */
bool
take_priority(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};
	int64_t n;

	if (!value_read(arg, value, strlen(value), &n, &why))
		return refuse_because(r, &why);
	r->priority = (int)n;
	return true;
}

/* arg: unused */
bool
take_small_sseu(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	(void)arg;
	r->small_sseu = !r->small_sseu;
	return true;
}

bool
take_n_clients(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, MAX_CLIENTS, &n) || n == 0)
		return refuse_argument(
		    r, value, "a number of clients, 1 to 1000000");
	MEMBER(r, unsigned, arg) = (unsigned)n;
	return true;
}

bool
take_repeat(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, INT64_MAX, &n) || n == 0)
		return refuse_argument(r, value,
		    "a number of iterations, 1 to 9223372036854775807");
	MEMBER(r, uint64_t, arg) = n;
	r->repeat_given = true;
	return true;
}

bool
take_seed(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, UINT32_MAX, &n))
		return refuse_argument(
		    r, value, "a whole number, 0 to 4294967295");
	MEMBER(r, uint32_t, arg) = (uint32_t)n;
	return true;
}

bool
take_scale(struct option_reader *r, const char *value, size_t arg)
{
	double *scale = &MEMBER(r, double, arg);

	if (!parse_real(value, scale) || *scale > MAX_SCALE)
		return refuse_argument(r, value, "a factor, 0 to 1000000");
	return true;
}

/* A batch without a duration is refused everywhere. */
bool
take_scale_above_0(struct option_reader *r, const char *value, size_t arg)
{
	if (!take_scale(r, value, arg))
		return false;
	return MEMBER(r, double, arg) > 0 ||
	    refuse_argument(r, value, "a factor above 0");
}

bool
take_quiet(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, int, arg) = -1;
	return true;
}

bool
take_verbose(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, int, arg)++;
	return true;
}

bool
take_speed(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return read_speed(value, &MEMBER(r, double, arg), &why) ||
	    refuse_because(r, &why);
}

bool
options_read_delay(const char *value, nsec *delay, struct text *err)
{
	return read_duration(
	    value, NSEC_PER_SEC / 100, 3600 * NSEC_PER_SEC, delay, err);
}

bool
take_delay(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return options_read_delay(value, &MEMBER(r, nsec, arg), &why) ||
	    refuse_because(r, &why);
}

bool
take_duration(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return read_duration(
		   value, 1, MAX_DURATION, &MEMBER(r, nsec, arg), &why) ||
	    refuse_because(r, &why);
}

bool
take_json(struct option_reader *r, const char *value, size_t arg)
{
	return take_string(r, value != NULL ? value : "-", arg);
}

bool
take_serve(struct option_reader *r, const char *value, size_t arg)
{
	return take_string(r, value != NULL ? value : "0", arg);
}

bool
take_layer_dump(struct option_reader *r, const char *value, size_t arg)
{
	take_string(r, value, arg);
	return reader_choose_mode(r, MODE_LAYER_DUMP);
}

bool
take_calibrate(struct option_reader *r, const char *value, size_t arg)
{
	take_string(r, value, arg);
	return reader_choose_mode(r, MODE_CALIBRATE);
}

bool
take_trace_events(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return kernel_sets_read(value, &MEMBER(r, unsigned, arg), &why) ||
	    refuse_because(r, &why);
}

bool
take_layer_connect(struct option_reader *r, const char *value, size_t arg)
{
	struct host_address address;

	if (!host_address_parse(&address, value))
		return refuse_argument(
		    r, value, "HOST:PORT, e.g. localhost:62142");
	return take_string(r, value, arg);
}
