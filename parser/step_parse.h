/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields to a step. Each function notes what is wrong in scan and goes on, so
 * that a line shows all its errors at once.
 */
#ifndef PARSER_STEP_PARSE_H
#define PARSER_STEP_PARSE_H

#include "parser/scan.h"
#include "parser/step.h"

#define MAX_CONTEXT 0x7fffffffu
#define MAX_BACK    0x7fffffffu

/* The kind that the first field names; false if none. */
bool step_kind_of(struct field first, enum step_kind *kind);
/* Number of fields of a kind, the first included. */
uint32_t step_n_fields(enum step_kind kind);

/* fields has as many as the kind wants. */
void step_parse(struct scan *scan, const struct field *fields,
    enum step_kind kind, struct step *step);

/* depend.c */
uint32_t parse_target(struct scan *scan, struct field f, char letter);
void parse_dependencies(struct scan *scan, struct field f, struct step *step);
/* value.c */
uint32_t parse_context(struct scan *scan, struct field f, unsigned from);
uint32_t parse_limit(struct scan *scan, struct field f, const char *what);
int64_t parse_priority(struct scan *scan, struct field f);
int64_t parse_mask(struct scan *scan, struct field f);
void parse_durations(struct scan *scan, struct field f, struct step *step);
uint64_t parse_us(struct scan *scan, struct field f, const char *what,
    uint64_t min, uint64_t max);
/* engine_name.c */
void parse_map(
    struct scan *scan, struct field f, const char *what, struct step *step);
void parse_rows(struct scan *scan, struct field f, struct step *step);
void parse_engine(struct scan *scan, struct field f, struct engine_name *name);
void parse_master(struct scan *scan, struct field f, struct engine_name *name);

#endif
