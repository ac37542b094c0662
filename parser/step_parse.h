/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the fields of a step. Each function adds its errors to scan and goes
 * on, so that a line shows all its errors at once.
 */
#ifndef PARSER_STEP_PARSE_H
#define PARSER_STEP_PARSE_H

#include "parser/scan.h"
#include "parser/step.h"

/* Finds the kind that the first field names; false if there is none. */
bool step_kind_of(struct field first, enum step_kind *kind);
/* Number of fields of a kind, the first included. */
uint32_t step_n_fields(enum step_kind kind);

/* Parses fields, of which there are step_n_fields(kind). */
void step_parse(struct scan *scan, const struct field *fields,
    enum step_kind kind, struct step *step);

/* value.c. parse_value() returns 0 after an error. */
int64_t parse_value(struct scan *scan, struct field f, enum value_kind kind);
void parse_durations(struct scan *scan, struct field f, struct step *step);
/* depend.c. letter: of the step, for the diagnostic's example. */
uint32_t parse_target(struct scan *scan, struct field f, char letter);
void parse_dependencies(struct scan *scan, struct field f, struct step *step);
/* engine_name.c. what: "an engine map" or "a bond", for diagnostics. */
void parse_engine(struct scan *scan, struct field f, struct engine_name *name);
void parse_master(struct scan *scan, struct field f, struct engine_name *name);
void parse_map(
    struct scan *scan, struct field f, const char *what, struct step *step);
void parse_rows(struct scan *scan, struct field f, struct step *step);

#endif
