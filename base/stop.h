/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asked now and then by work that may take seconds: is it wanted no more? Who
 * has a screen looks for a key there. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

struct stop {
	bool (*is_wanted)(void *data);
	void *data;
};

/* Lines or steps between two questions: less than a few milliseconds. */
#define STOP_EVERY 4096

/* stop may be NULL: never. */
static inline bool
stop_is_wanted(const struct stop *stop)
{
	return stop != NULL && stop->is_wanted(stop->data);
}

#endif
