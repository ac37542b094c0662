/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of tests that are data: `case NAME` begins a test, which is a list of
 * statements (tests/README.md, "Batches and calls"). Each kind of file has a lab that
 * statements are played on.
 */
#ifndef TESTS_SUPPORT_CASE_FILE_H
#define TESTS_SUPPORT_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line and the indented lines below it. */
struct statement {
	const char *file;
	unsigned line;
	const char *text; /* of all lines, behind the first word */
	char **words;
	size_t n; /* words, the first one included */
};

struct case_kind {
	const char *pattern; /* of the files' paths */
	/* NULL: there is no lab, or nothing of it has a name. */
	void *(*begin)(void);
	void (*end)(void *lab);
	/* Returns true if the name is a number of the lab. */
	bool (*find_name)(void *lab, const char *name, uint64_t *value);
	void (*play)(void *lab, const struct statement *s);
};

/* Adds a test for each case of the files. The kind is static. */
void case_files_add(const struct case_kind *kind);

/* Ends the test, with the statement's place. */
void case_fail(const struct statement *s, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Returns word i; the test fails if there is none. */
const char *case_word(const struct statement *s, size_t i);
/* Returns true if word i is that. */
bool case_is(const struct statement *s, size_t i, const char *word);
/* Returns a sum (+) or an "or" (|) of numbers, in base 16 or as in C (0), and of names
 * of the lab. */
uint64_t case_value(const struct statement *s, const char *text, int base);
/* Returns word i as such a number, as in C. */
uint64_t case_number(const struct statement *s, size_t i);
/* Fails unless the value is what the text says: a number, `A..B`, or `never`, the
 * highest. */
void case_expect(const struct statement *s, const char *what, uint64_t value,
    const char *text, int base);

/* A number in a struct; an array of them ends with {0}. */
struct case_field {
	const char *name;
	size_t offset, size;
};
#define CASE_FIELD(type, name)                                                 \
	{                                                                      \
#name, offsetof(type, name), sizeof(((type *)NULL)->name)      \
	}

/* Return, set, and check the field of the object that a word FIELD=VALUE names. */
uint64_t case_get(const struct statement *s, const char *word,
    const struct case_field *fields, const void *object, const char **text);
void case_set(const struct statement *s, const char *word,
    const struct case_field *fields, void *object);
void case_check(const struct statement *s, const char *word,
    const struct case_field *fields, const void *object);

#endif
