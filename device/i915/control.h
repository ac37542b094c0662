/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control files: what each of the files of sysfs and debugfs reads and does.
 * Rules: doc/model/i915_files.md "Live files".
 */
#ifndef DEVICE_I915_CONTROL_H
#define DEVICE_I915_CONTROL_H

#include "device/i915/device.h"

struct i915_control_ops;

/* Folders of control files: of the card, debugfs, parameters of the module. */
enum i915_control_place { CONTROL_CARD, CONTROL_DEBUGFS, CONTROL_MODULE };

/* A file: its kind, and its engine if it is one of an engine. */
struct i915_control {
	const struct i915_control_ops *ops;
	unsigned engine;
	unsigned knob; /* index in the table of ops */
};

struct i915_control_ops {
	/* Sets the rest of *control if name, below that folder, is such a
	 * file. */
	bool (*find)(struct i915 *dev, const char *name,
	    enum i915_control_place place, struct i915_control *control);
	/* Appends the text of the file. */
	void (*read)(struct i915 *dev, const struct i915_control *control,
	    struct text *out);
	/* Does what text asks for. Returns as a function that serves an ioctl.
	 * NULL: the file is read only. */
	int (*write)(struct i915 *dev, struct i915_call *call,
	    const struct i915_control *control, const char *text);
	/* The file acts while it is open, and is neither read nor written. Called
	 * with +1 when it is opened and -1 when it is closed. NULL: none such. */
	void (*hold)(struct i915 *dev, int more);
};

/* control_gpu.c: the error state; resets; caches; detection of hangs; what keeps the
 * GPU awake. */
extern const struct i915_control_ops i915_error_ops, i915_wedged_ops,
    i915_drop_caches_ops, i915_hangcheck_ops, i915_resets_ops, i915_timeout_ops,
    i915_objects_ops, i915_forcewake_ops;
/* control_knobs.c: frequencies; time asleep; knobs of engines. */
extern const struct i915_control_ops i915_frequency_ops, i915_rc6_ops,
    i915_engine_ops;

/* Parses a number as kstrtoull() does, with base 0. Returns 0, -EINVAL, also if
 * it is above most, or -ERANGE. */
int i915_control_number(const char *text, uint64_t most, uint64_t *value);

#endif
