/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of the virtual i915. Since Linux 5.14 a context is a proto context
 * until its first use, and its engines and address space can be set until then
 * only: doc/model/i915.md "Contexts".
 */
#ifndef DEVICE_I915_CONTEXT_H
#define DEVICE_I915_CONTEXT_H

#include "device/i915/device.h"
#include "device/i915/object.h"

struct drm_i915_gem_context_param;

#define I915_SLOTS_MAX 64

/* Slots of a context without an engine map. */
enum {
	I915_LEGACY_RENDER,
	I915_LEGACY_COPY,
	I915_LEGACY_VIDEO_1,
	I915_LEGACY_VIDEO_2,
	I915_LEGACY_VIDEO_ENHANCE,
	N_I915_LEGACY
};

enum i915_slot_kind {
	I915_SLOT_HOLE,
	I915_SLOT_ENGINE,
	I915_SLOT_BALANCED,
	I915_SLOT_PARALLEL,
};

/* A slot of an engine map. */
struct i915_slot {
	enum i915_slot_kind kind;
	unsigned width, n_siblings;
	uint8_t *engines; /* width x n_siblings, by row */
	struct gpu_bond *bonds;
	size_t n_bonds;
	struct gpu_sseu sseu;
	struct gpu_timeline *timeline; /* NULL: not used yet */
	uint64_t fences, seqno;        /* its number, its last request */
};

/* An engine map. */
struct i915_engines {
	struct i915_slot slots[I915_SLOTS_MAX];
	size_t n;
	bool user; /* set by the program, else legacy */
};

struct i915_context {
	unsigned refs;
	uint32_t id;
	struct i915_file *file; /* NULL: destroyed or closed */
	struct i915_program *program;
	bool in_use;          /* no proto context any more */
	bool single_timeline; /* all slots share one order */
	bool no_error_capture;
	struct gpu_context_state state;
	struct i915_space *space;
	struct i915_engines *engines;
	struct gpu_context *gpu; /* NULL: not used yet */
	struct i915_fence *last; /* of single_timeline */
};

/* context.c */
/* Makes the context of id 0 of a new file. */
void i915_context_default(struct i915 *dev, struct i915_file *file);
/* Finds a context and ends its time as proto context. Returns 0, -ENOENT, or
 * -EINVAL if its map cannot be made. */
int i915_context_use(struct i915 *dev, struct i915_file *file, uint64_t id,
    struct i915_context **context);
struct i915_context *i915_context_get(struct i915_context *context);
void i915_context_put(struct i915 *dev, struct i915_context *context);
/* Destroys it: no number names it any more. */
void i915_context_close(struct i915 *dev, struct i915_context *context);
/* Gives a space (NULL: a new one) a number in the file. Returns 0 or -ENOSPC. */
int i915_context_name_space(struct i915 *dev, struct i915_file *file,
    struct i915_space *space, uint32_t *id);
/* Tells the GPU of a change of state. */
void i915_context_changed(struct i915 *dev, struct i915_context *context);

/* context_param.c */
/* Sets a parameter, in creation or later. */
int i915_context_set(struct i915 *dev, struct i915_call *call,
    struct i915_context *context, struct drm_i915_gem_context_param *param,
    bool creating);

/* context_sseu.c */
int i915_sseu_get(struct i915 *dev, struct i915_call *call,
    struct i915_context *context, struct drm_i915_gem_context_param *param);
int i915_sseu_set(struct i915 *dev, struct i915_call *call,
    struct i915_context *context, struct drm_i915_gem_context_param *param);

/* engine_map.c */
/* Returns the map of a context without one. */
struct i915_engines *i915_engines_legacy(const struct i915 *dev);
void i915_engines_free(struct i915 *dev, struct i915_engines *engines);
/* Reads a map with its extensions. Returns 0 or -errno. */
int i915_engines_read(struct i915 *dev, struct i915_call *call, uint64_t user,
    uint64_t size, struct i915_engines **engines);
/* Returns 0, or -EINVAL where siblings differ in class or are named twice. */
int i915_engines_check(
    const struct i915 *dev, const struct i915_engines *engines);
/* Writes the map, as before Linux 5.14. */
int i915_engines_write(struct i915 *dev, struct i915_call *call,
    const struct i915_engines *engines,
    struct drm_i915_gem_context_param *param);
/* Returns the number of an engine of the device, -1: none. */
int i915_engine_find(const struct i915 *dev, unsigned class, unsigned instance);
/* Returns the first free slot ... of a class, its bit set for each. */
uint32_t i915_slot_classes(
    const struct i915 *dev, const struct i915_slot *slot);
/* Makes the slot's timeline at its first use. */
void i915_slot_start(
    struct i915 *dev, struct i915_context *context, struct i915_slot *slot);

/* engine_extensions.c */
int i915_engine_extensions(struct i915 *dev, struct i915_call *call,
    uint64_t user, struct i915_engines *engines);

#endif
