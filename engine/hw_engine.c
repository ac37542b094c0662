/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hw_engine.h"

#include <stdio.h>
#include <string.h>

#include "engine/profile.h"

static void
add_engine(struct device *dev, unsigned class, unsigned instance,
    const struct profile *p)
{
	struct hw_engine *e = &dev->engines[dev->n_engines];

	e->class = (uint8_t) class;
	e->instance = (uint8_t)instance;
	e->gt = (uint8_t)p->gt[class];
	e->index = (uint8_t)dev->n_engines++;
	e->waiting_since = NSEC_NEVER;
	if (p->n_engines[class] > 1)
		snprintf(e->name, sizeof e->name, "%s%u",
		    engine_class_names[class], instance + 1);
	else
		snprintf(
		    e->name, sizeof e->name, "%s", engine_class_names[class]);
}

void
device_init(struct device *dev, const struct profile *p)
{
	memset(dev, 0, sizeof *dev);
	dev->slices = p->slices;
	for (unsigned class = 0; class < N_CLASSES; class ++) {
		for (unsigned i = 0; i < p->n_engines[class] &&
		     dev->n_engines < DEVICE_MAX_ENGINES;
		     i++)
			add_engine(dev, class, i, p);
	}
}

nsec
hw_engine_busy(const struct hw_engine *e, nsec now)
{
	/* Taken in the gap after a completion, it is busy only after that. */
	if (e->running == NULL || now <= e->busy_since)
		return e->busy_ns;
	return e->busy_ns + (now - e->busy_since);
}

nsec
hw_engine_waiting(const struct hw_engine *e, nsec now)
{
	if (e->waiting_since == NSEC_NEVER)
		return e->waiting_ns;
	return e->waiting_ns + (now - e->waiting_since);
}

engine_mask
device_match(const struct device *dev, struct engine_name name)
{
	engine_mask mask = 0;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct hw_engine *e = &dev->engines[i];

		if (e->class != name.class)
			continue;
		if (name.instance != 0 && e->instance + 1 != name.instance)
			continue;
		if (name.gt >= 0 && e->gt != name.gt)
			continue;
		mask |= (engine_mask)1 << i;
	}
	return mask;
}

uint32_t
device_all_slices(const struct device *dev)
{
	return dev->slices >= 32 ? UINT32_MAX : (1u << dev->slices) - 1;
}
