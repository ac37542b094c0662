/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of engines in a descriptor: CLASS[instance][-gt], in any letter case
 * (doc/model/gem_wsim.md "Language"). Instances count from 1, gts from 0.
 */
#ifndef PARSER_ENGINE_NAME_H
#define PARSER_ENGINE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* In the order in which a request takes idle engines (doc/model/common.md
 * "Virtual engines"). */
enum engine_class {
	CLASS_RCS,
	CLASS_BCS,
	CLASS_VCS,
	CLASS_VECS,
	CLASS_CCS,
	N_CLASSES,
	CLASS_DEFAULT = N_CLASSES,
};

struct engine_name {
	uint8_t class;    /* enum engine_class */
	int16_t gt;       /* -1: not named */
	int32_t instance; /* from 1; 0: not named */
};

/* By enum engine_class. */
extern const char *const engine_class_names[N_CLASSES + 1];
/* The work of each class of engines, in a word or two. */
extern const char *const engine_class_help[N_CLASSES];

/* Appends the name in capitals. */
void engine_name_print(struct text *t, struct engine_name name);
/* True if two names are the same, instance and gt included. */
bool engine_name_equal(struct engine_name a, struct engine_name b);

#endif
