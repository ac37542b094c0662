/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures as people read them, and as they type them. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

#define UNITS_LEN 24 /* room that any of these needs */

/* "740ns", "12.3us", "3.20ms", "1.50s": at most 7 columns below a day. */
const char *format_duration(char buf[UNITS_LEN], nsec ns);
/* "0.016700s", "1:02:03.450000": a point in virtual time. */
const char *format_time(char buf[UNITS_LEN], nsec ns);
/* "999", "12.3k", "4.56M": at most 5 columns. */
const char *format_count(char buf[UNITS_LEN], uint64_t n);
/* "999", "12k", "5M": at most 4. */
const char *format_count_brief(char buf[UNITS_LEN], uint64_t n);
/* "0.01x", "1x", "max". 0: max */
const char *format_speed(char buf[UNITS_LEN], double speed);

/* "16.7ms", "2s", "500us", "10ns"; a bare number is seconds. */
bool parse_duration(const char *s, nsec *ns);
/* "0.5", "10x", "max" (0). */
bool parse_speed(const char *s, double *speed);
/* "100", "-1", "0x3". */
bool parse_integer(const char *s, int64_t *n);

#endif
