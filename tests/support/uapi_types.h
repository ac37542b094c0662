/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and structures of the uAPI by name, for cases (tests/README.md, "Batches and
 * calls"). */
#ifndef TESTS_SUPPORT_UAPI_TYPES_H
#define TESTS_SUPPORT_UAPI_TYPES_H

#include "tests/support/case_file.h"

struct uapi_type {
	const char *name;
	unsigned long request; /* 0: a structure that calls point to */
	size_t size;
	/* Fields as `NAME:BYTES`; without a name they are padding. */
	const char *layout;
};

/* Returns NULL if there is none. */
const struct uapi_type *uapi_type(const char *name);
/* Returns the type's fields. */
const struct case_field *uapi_fields(const struct uapi_type *type);

#endif
