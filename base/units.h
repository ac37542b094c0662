/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures as people read them, and as they type them. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct text;

#define UNITS_LEN 24 /* bytes that any of these needs */

/* These write to buf and return it. */

/* "740ns", "12.3us", "3.20ms", "1.50s", "never": at most 7 columns below a
 * day. */
const char *format_duration(char buf[UNITS_LEN], nsec ns);
/* "0.016700s", "1h02m03.450000s": a point in virtual time. */
const char *format_time(char buf[UNITS_LEN], nsec ns);
/* The same with the digits that multiples of step need: "0.02s" for 10 ms. */
const char *format_time_step(char buf[UNITS_LEN], nsec ns, nsec step);
/* "999", "12.3k", "4.56M": at most 5 columns. */
const char *format_count(char buf[UNITS_LEN], uint64_t n);
/* "999", "12k", "5M": at most 4. */
const char *format_count_brief(char buf[UNITS_LEN], uint64_t n);
/* Returns a difference that is printed in steps of that size: 0 if it is below
 * half a step, so that "-0" is never printed. */
double difference_in_steps(double v, double step);
/* "0.01x", "1x", "max". 0: max */
const char *format_speed(char buf[UNITS_LEN], double speed);

/*
 * These read what a user typed. False: *value is unchanged, and err, which may
 * be NULL, has a line such as "invalid speed '2y': expected ...".
 */

/* Reads 0.001 to 1000000, with or without "x", as virtual per real time; "max"
 * is 0. */
bool read_speed(const char *s, double *speed, struct text *err);
/* Reads "16.7ms", "2s", "500us", "10ns", or a number of seconds, from least to
 * most. */
bool read_duration(
    const char *s, nsec least, nsec most, nsec *duration, struct text *err);

/* Reads "100", "-1" or "0x3". False: *n is not defined. */
bool parse_integer(const char *s, int64_t *n);

#endif
