/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the annotation language, and reading a line word by word. */
#ifndef PARSER_ANNOTATION_PRIVATE_H
#define PARSER_ANNOTATION_PRIVATE_H

#include "parser/annotation.h"

/* Where a line is read. */
struct reader {
	struct scan scan;
	struct annotation *a;
	const char *at, *end;
	unsigned words; /* that have stood here, bits of enum word */
};

enum word {
	WORD_DRAWS,
	WORD_SUBPASSES,
	WORD_ATTACH,
	WORD_SUSPEND,
	WORD_RESUME,
	WORD_LOCAL,
	WORD_SPIRV,
	WORD_INDIRECT,
	WORD_TIMES,
	WORD_WEIGHT,
	N_WORDS
};

#define WORD_BIT(word) (1u << (word))
/* What stands behind the name. */
enum first {
	FIRST_NONE,
	FIRST_LABEL,
	FIRST_AREA, /* may be left out by resume */
	FIRST_GROUPS,
	FIRST_RAYS,
	FIRST_AMOUNT,
	FIRST_AMOUNT_OR_WHOLE,
};

struct kind_row {
	const char *name;
	const char *second; /* NULL: it has one word only */
	uint8_t first;      /* enum first */
	bool workload;
	unsigned words; /* that may follow */
};

extern const struct kind_row annotation_kinds[N_ANNOTATION_KINDS];

/* A word that ends in '=' has a value. */
struct word_row {
	const char *name;
	void (*read)(struct reader *r, struct field value);
};

extern const struct word_row annotation_word_rows[N_WORDS];

/* Behind the `#@` of a line, if it has one. */
void reader_init(
    struct reader *r, struct annotation *a, const char *text, size_t len);
/* The next word; empty at the end of the line. */
struct field reader_next(struct reader *r);
/* True also for a name that ends in '=' and has a value behind it. */
bool reader_is(struct field f, const char *name, struct field *value);
bool reader_blank(char c);
/* The row of a line that begins with f; NULL after an error. */
const struct kind_row *reader_kind(struct reader *r, struct field f);
void reader_word(struct reader *r, const struct kind_row *row, struct field f);

#endif
