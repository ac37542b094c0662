/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engines had no work, by which row the others are found, and how the
 * idle ones are named. */
#include "tui/views/idle_engines.h"

#include <string.h>

#include "base/text.h"

/* Room for the number of engines that are not named. */
#define MORE_ENGINES ", +99"

static engine_mask
all_engines(const struct device *dev)
{
	return dev->n_engines < DEVICE_MAX_ENGINES
	    ? ((engine_mask)1 << dev->n_engines) - 1
	    : ~(engine_mask)0;
}

engine_mask
engines_idle(const struct device *dev)
{
	engine_mask idle = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if (!hw_engine_had_work(&dev->engines[i]))
			idle |= dev->engines[i].bit;
	return idle == all_engines(dev) ? 0 : idle;
}

size_t
engines_shown(const struct device *dev, engine_mask idle)
{
	return engines_row(dev, idle, dev->n_engines);
}

unsigned
engines_at(const struct device *dev, engine_mask idle, size_t row)
{
	for (unsigned i = 0; i < dev->n_engines; i++)
		if (!(idle & dev->engines[i].bit) && row-- == 0)
			return i;
	return dev->n_engines;
}

size_t
engines_row(const struct device *dev, engine_mask idle, unsigned engine)
{
	size_t row = 0;

	for (unsigned i = 0; i < engine && i < dev->n_engines; i++)
		row += !(idle & dev->engines[i].bit);
	return row;
}

void
engines_name_idle(
    const struct device *dev, engine_mask idle, int room, struct text *out)
{
	const size_t end = out->len + (size_t)(room > 0 ? room : 0);
	const char *before = "idle: ";
	size_t left = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		left += (idle & dev->engines[i].bit) != 0;
	for (unsigned i = 0; i < dev->n_engines && left > 0; i++) {
		const char *name = dev->engines[i].name;
		size_t need = strlen(before) + strlen(name);

		if (!(idle & dev->engines[i].bit))
			continue;
		if (left > 1)
			need += strlen(MORE_ENGINES);
		text_adds(out, before);
		if (out->len - strlen(before) + need > end) {
			text_addf(out, "+%zu", left);
			return;
		}
		text_adds(out, name);
		before = ", ";
		left--;
	}
}
