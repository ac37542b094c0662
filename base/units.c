/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wall clock; figures as people read them, and as they type them. */
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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

const char *
format_time(char buf[UNITS_LEN], nsec ns)
{
	uint64_t s = ns / NSEC_PER_SEC;
	unsigned us = (unsigned)(ns % NSEC_PER_SEC / NSEC_PER_USEC);

	if (s < 60)
		snprintf(buf, UNITS_LEN, "%u.%06us", (unsigned)s, us);
	else if (s < 3600)
		snprintf(buf, UNITS_LEN, "%u:%02u.%06u", (unsigned)(s / 60),
		    (unsigned)(s % 60), us);
	else
		snprintf(buf, UNITS_LEN, "%llu:%02u:%02u.%06u",
		    (unsigned long long)(s / 3600), (unsigned)(s / 60 % 60),
		    (unsigned)(s % 60), us);
	return buf;
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

/* A number that is finite and not negative, and what follows it. */
static bool
parse_number(const char *s, double *v, const char **rest)
{
	char *end;

	if (strspn(s, "0123456789.") == 0)
		return false;
	*v = strtod(s, &end);
	*rest = end;
	return end != s && isfinite(*v) && *v >= 0;
}

bool
parse_duration(const char *s, nsec *ns)
{
	static const struct {
		const char *name;
		double size;
	} units[] = {
	    {"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	const char *rest;
	double v;

	if (!parse_number(s, &v, &rest))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(rest, units[i].name) != 0)
			continue;
		v = round(v * units[i].size);
		if (v >= 1e18)
			return false;
		*ns = (nsec)v;
		return true;
	}
	return false;
}

bool
parse_speed(const char *s, double *speed)
{
	const char *rest;
	double v;

	if (strcasecmp(s, "max") == 0) {
		*speed = 0;
		return true;
	}
	if (!parse_number(s, &v, &rest) || (*rest != 0 && strcmp(rest, "x")) ||
	    v < 0.001 || v > 1e6)
		return false;
	*speed = v;
	return true;
}

bool
parse_integer(const char *s, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(s, &end, 0);
	return errno == 0 && end != s && *end == 0 && strchr(" \t", *s) == NULL;
}
