/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wall clock; figures as people read them, and as they type them. */
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/text.h"

nsec
clock_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (nsec)t.tv_sec * NSEC_PER_SEC + (nsec)t.tv_nsec;
}

const char *
format_duration(char buf[UNITS_LEN], nsec ns)
{
	static const struct {
		double size;
		const char *name;
	} units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
	unsigned i = 0;
	double v = (double)ns;

	if (ns == NSEC_NEVER)
		return strcpy(buf, "never");
	while (i < 3 && v >= 999.5 * units[i].size)
		i++;
	v /= units[i].size;
	snprintf(buf, UNITS_LEN, "%.*f%s",
	    i == 0 || v >= 99.95 ? 0
		: v >= 9.995     ? 1
				 : 2,
	    v, units[i].name);
	return buf;
}

/* Prints seconds with that number of digits, after minutes and hours if there are
 * any. */
static const char *
print_time_digits(char buf[UNITS_LEN], nsec ns, int digits)
{
	uint64_t s = ns / NSEC_PER_SEC, fraction = ns % NSEC_PER_SEC;
	unsigned m = (unsigned)(s / 60 % 60), h = (unsigned)(s / 3600);
	int n = 0;

	for (int i = digits; i < 9; i++)
		fraction /= 10;
	if (h > 0)
		n = snprintf(buf, UNITS_LEN, "%uh%02um", h, m);
	else if (m > 0)
		n = snprintf(buf, UNITS_LEN, "%um", m);
	n += snprintf(buf + n, UNITS_LEN - (size_t)n, n > 0 ? "%02u" : "%u",
	    (unsigned)(s % 60));
	if (digits > 0)
		n += snprintf(buf + n, UNITS_LEN - (size_t)n, ".%0*llu", digits,
		    (unsigned long long)fraction);
	snprintf(buf + n, UNITS_LEN - (size_t)n, "s");
	return buf;
}

const char *
format_time(char buf[UNITS_LEN], nsec ns)
{
	return print_time_digits(buf, ns, 6);
}

const char *
format_time_step(char buf[UNITS_LEN], nsec ns, nsec step)
{
	nsec unit = NSEC_PER_SEC;
	int digits = 0;

	while (digits < 9 && step % unit != 0) {
		unit /= 10;
		digits++;
	}
	return print_time_digits(buf, ns, digits);
}

const char *
format_count(char buf[UNITS_LEN], uint64_t n)
{
	static const char names[] = "kMGTPE";
	double v = (double)n;
	int i = -1;

	if (n < 10000) {
		snprintf(buf, UNITS_LEN, "%u", (unsigned)n);
		return buf;
	}
	while (v >= 999.5) {
		v /= 1000;
		i++;
	}
	snprintf(buf, UNITS_LEN, "%.*f%c",
	    v >= 99.95       ? 0
		: v >= 9.995 ? 1
			     : 2,
	    v, names[i]);
	return buf;
}

const char *
format_count_brief(char buf[UNITS_LEN], uint64_t n)
{
	static const char names[] = " kMGTPE";
	double v = (double)n;
	int i = 0;

	if (n < 10000) {
		snprintf(buf, UNITS_LEN, "%u", (unsigned)n);
		return buf;
	}
	for (; v >= 999.5; i++)
		v /= 1000;
	snprintf(buf, UNITS_LEN, "%.0f%c", v, names[i]);
	return buf;
}

double
difference_in_steps(double v, double step)
{
	return v > -step / 2 && v < step / 2 ? 0 : v;
}

const char *
format_speed(char buf[UNITS_LEN], double speed)
{
	if (speed == 0)
		return strcpy(buf, "max");
	if (speed < 0.001)
		return strcpy(buf, "<0.001x");
	snprintf(buf, UNITS_LEN, speed < 999.5 ? "%.3gx" : "%.0fx", speed);
	return buf;
}

static const struct {
	const char *name;
	double ns;
} duration_units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

#define N_DURATION_UNITS (sizeof(duration_units) / sizeof(duration_units[0]))

/* Reads a decimal number, finite and not negative; *rest is what follows. */
static bool
parse_number(const char *s, double *v, const char **rest)
{
	char *end;

	if (strspn(s, "0123456789.") == 0 || strncasecmp(s, "0x", 2) == 0)
		return false;
	*v = strtod(s, &end);
	*rest = end;
	return end != s && isfinite(*v) && *v >= 0;
}

/* Appends "invalid WHAT 'S': expected ". */
static void
add_invalid(struct text *err, const char *what, const char *s)
{
	text_addf(err, "invalid %s '", what);
	text_add_visible(err, s, strlen(s));
	text_adds(err, "': expected ");
}

/* Appends a duration in the largest unit that needs no fraction. */
static void
add_limit(struct text *err, nsec ns)
{
	size_t i = 0;

	while (ns % (nsec)duration_units[i].ns != 0)
		i++;
	text_addf(err, "%" PRIu64 "%s", ns / (nsec)duration_units[i].ns,
	    duration_units[i].name);
}

static bool
parse_duration_ns(const char *s, double *ns)
{
	const char *rest;

	if (!parse_number(s, ns, &rest))
		return false;
	for (size_t i = 0; i < N_DURATION_UNITS; i++)
		if (strcmp(rest, duration_units[i].name) == 0 ||
		    (i == 0 && *rest == 0)) {
			*ns = round(*ns * duration_units[i].ns);
			return true;
		}
	return false;
}

bool
read_duration(
    const char *s, nsec least, nsec most, nsec *duration, struct text *err)
{
	double ns;

	if (parse_duration_ns(s, &ns) && ns >= (double)least &&
	    ns <= (double)most) {
		*duration = (nsec)ns;
		return true;
	}
	if (err == NULL)
		return false;
	add_invalid(err, "duration", s);
	add_limit(err, least);
	text_adds(err, " to ");
	add_limit(err, most);
	text_adds(err, ", e.g. 0.5 or 500ms");
	return false;
}

bool
read_speed(const char *s, double *speed, struct text *err)
{
	const char *rest;
	double v;

	if (strcasecmp(s, "max") == 0) {
		*speed = 0;
		return true;
	}
	if (parse_number(s, &v, &rest) &&
	    (*rest == 0 || strcmp(rest, "x") == 0) && v >= 0.001 && v <= 1e6) {
		*speed = v;
		return true;
	}
	if (err != NULL) {
		add_invalid(err, "speed", s);
		text_adds(err, "0.001 to 1000000, or max; 1 is real time");
	}
	return false;
}

bool
parse_integer(const char *s, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(s, &end, 0);
	return errno == 0 && end != s && *end == 0 && strchr(" \t", *s) == NULL;
}
