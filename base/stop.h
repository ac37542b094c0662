/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cancelling work that may take seconds: the work asks now and then whether to
 * stop; the console looks for a key press then. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

struct stop {
	bool (*is_wanted)(void *data);
	void *data;
};

/* Lines or steps between two questions: a few milliseconds at most. */
#define STOP_EVERY 4096

/* stop NULL: never. */
static inline bool
stop_is_wanted(const struct stop *stop)
{
	return stop != NULL && stop->is_wanted(stop->data);
}

#endif
