/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of annotations: kinds and their options, with what each is for. For
 * the files of the parser only; annotation.h has what others need.
 */
#ifndef PARSER_ANNOTATION_ROWS_H
#define PARSER_ANNOTATION_ROWS_H

#include "parser/annotation.h"

struct annotation_reader;

/* Options of annotations. */
enum word {
	WORD_DRAWS,
	WORD_SUBPASSES,
	WORD_ATTACH,
	WORD_SUSPEND,
	WORD_RESUME,
	WORD_LOCAL,
	WORD_SPIRV,
	WORD_INDIRECT,
	WORD_FASTTRACE,
	WORD_UPDATE,
	WORD_TIMES,
	WORD_WEIGHT,
	N_WORDS
};

#define WORD_BIT(word) (1u << (word))
/* Operand after the name. */
enum annotation_operand {
	FIRST_NONE,
	FIRST_LABEL,
	FIRST_AREA, /* optional with resume */
	FIRST_GROUPS,
	FIRST_RAYS,
	FIRST_AMOUNT,
	FIRST_AMOUNT_OR_WHOLE,
};

struct kind_row {
	const char *name;
	const char *second; /* second word of the name; NULL: none */
	const char *help;
	uint8_t first; /* enum annotation_operand */
	bool workload;
	unsigned words;   /* options allowed, bits of enum word */
	const char *pair; /* what the first of two words is for; NULL: one */
};

/* An option; one whose name ends in '=' has a value. */
struct word_row {
	const char *name;
	const char *form; /* of the value; "": it has none */
	const char *help;
	void (*read)(struct annotation_reader *r, struct field value);
};

extern const struct kind_row annotation_kinds[N_ANNOTATION_KINDS];
extern const struct word_row annotation_options[N_WORDS];

#endif
