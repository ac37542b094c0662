/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines count as the same one, before and after a change. */
#ifndef PARSER_DOCUMENT_IDENTITY_H
#define PARSER_DOCUMENT_IDENTITY_H

#include "parser/document/change.h"

/* The change was done, or undone. */
void identity_follow(
    struct document *doc, const struct change *change, bool back);
void identity_free(struct document *doc);

#endif
