/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents of a text, for tests of what becomes of that. */
#ifndef TESTS_SUPPORT_DOC_H
#define TESTS_SUPPORT_DOC_H

#include "parser/document/document.h"

/* document_free() it. */
struct document *doc_of(const char *text, enum document_source source);
void expect_text(const struct document *doc, const char *expected);

#endif
