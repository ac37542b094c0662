/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In which order a table shows its rows: pure functions over arrays. Rows
 * belong to groups (contexts to clients), the rows of a group stand together.
 */
#ifndef TUI_VIEWS_TABLE_ORDER_H
#define TUI_VIEWS_TABLE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What rows are sorted by. Equal ones stay as the rows stand. */
struct order_keys {
	const double *rows;
	bool descends;
	/* A tree: by group first, and groups by these. NULL: all rows alike. */
	const double *groups;
	const uint32_t *group_of; /* row */
};

/* Sorts the n rows of order, which may be any of the table's. */
void order_sort(uint32_t *order, size_t n, const struct order_keys *keys);

/* A line of a tree that stands for a group, and not for a row. */
#define LINE_GROUP UINT32_C(0x80000000)

static inline bool
line_is_group(uint32_t line)
{
	return (line & LINE_GROUP) != 0;
}

static inline uint32_t
line_index(uint32_t line)
{
	return line & ~LINE_GROUP;
}

/*
 * Makes lines (room for n rows and their groups) from an order sorted by
 * group: each group's line, and below it its rows unless it is folded.
 * Returns how many lines they are.
 */
size_t order_tree(uint32_t *lines, const uint32_t *order, size_t n,
    const uint32_t *group_of, const bool *folded);

#endif
