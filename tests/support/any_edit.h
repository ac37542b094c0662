/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits that are drawn by lot: of lines of all kinds, wrong ones among them. */
#ifndef TESTS_SUPPORT_ANY_EDIT_H
#define TESTS_SUPPORT_ANY_EDIT_H

#include <stddef.h>
#include <stdint.h>

struct document;

/* The lot begins here; without it at 0. */
void edit_seed(uint64_t seed);
/* From 0 to n - 1; 0 of none. */
unsigned edit_dice(size_t n);

/* n lines; document_free() it. */
struct document *edit_any_document(unsigned n);
/* One edit, or none where it would make the document too short or too long. */
void edit_anything(struct document *doc);

/* Every line has an identity that no other one has, and is found by it. */
void check_identities(const struct document *doc);

#endif
