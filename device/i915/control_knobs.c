/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control files with a number: frequencies of the GT, and knobs of engines. A
 * number that the driver would have to change is refused. Rules:
 * doc/model/i915_files.md "Live files".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nsec.h"
#include "device/i915/control.h"

/* Frequencies. */

enum frequency {
	FREQUENCY_CUR,
	FREQUENCY_ACT,
	FREQUENCY_MIN,
	FREQUENCY_MAX,
	FREQUENCY_BOOST,
	FREQUENCY_RP0,
	FREQUENCY_RP1,
	FREQUENCY_RPN,
	N_FREQUENCIES
};

static const char *const frequency_names[N_FREQUENCIES] = {
    "cur", "act", "min", "max", "boost", "RP0", "RP1", "RPn"};

/* Folder of the only GT, since Linux 5.18. */
#define GT0 "gt/gt0/"

static bool
frequency_find(struct i915 *dev, const char *name,
    enum i915_control_place place, struct i915_control *control)
{
	char file[32];

	bool per_gt = strncmp(name, GT0, sizeof(GT0) - 1) == 0;

	if (place != CONTROL_CARD || (per_gt && !i915_since(dev, 5, 18)))
		return false;
	name += per_gt ? sizeof(GT0) - 1 : 0;
	if (per_gt && strcmp(name, "punit_req_freq_mhz") == 0) {
		control->knob = FREQUENCY_CUR;
		return true;
	}
	for (unsigned i = 0; i < N_FREQUENCIES; i++) {
		snprintf(file, sizeof(file), "%s_%s_freq_mhz",
		    per_gt ? "rps" : "gt", frequency_names[i]);
		control->knob = i;
		if (strcmp(name, file) == 0)
			return true;
	}
	return false;
}

/* Returns the requested frequency: the greatest while it works, else the
 * least. */
static unsigned
frequency_wanted(struct i915 *dev)
{
	return dev->gpu->ops->frequency(dev->gpu) ? dev->mhz.most
						  : dev->mhz.least;
}

static unsigned
frequency_value(struct i915 *dev, enum frequency which)
{
	switch (which) {
	case FREQUENCY_CUR: return frequency_wanted(dev);
	case FREQUENCY_ACT: return dev->gpu->ops->frequency(dev->gpu);
	case FREQUENCY_MIN: return dev->mhz.least;
	case FREQUENCY_MAX: return dev->mhz.most;
	case FREQUENCY_BOOST: return dev->mhz.boost;
	case FREQUENCY_RP0: return dev->config->max_mhz;
	case FREQUENCY_RP1: return dev->config->efficient_mhz;
	case FREQUENCY_RPN:
	case N_FREQUENCIES: break;
	}
	return dev->config->min_mhz;
}

static void
frequency_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	text_addf(
	    out, "%u\n", frequency_value(dev, (enum frequency)control->knob));
}

static int
frequency_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	struct i915_mhz *l = &dev->mhz;
	uint64_t mhz;
	int rc = i915_control_number(text, dev->config->max_mhz, &mhz);

	(void)call;
	if (rc)
		return rc;
	if (mhz < dev->config->min_mhz)
		return -EINVAL;
	i915_frequency_count(dev);
	switch (control->knob) {
	case FREQUENCY_MIN:
		if (mhz > l->most)
			return -EINVAL;
		l->least = (unsigned)mhz;
		return 0;
	case FREQUENCY_MAX:
		if (mhz < l->least)
			return -EINVAL;
		l->most = (unsigned)mhz;
		return 0;
	case FREQUENCY_BOOST: l->boost = (unsigned)mhz; return 0;
	default: return -EACCES;
	}
}

const struct i915_control_ops i915_frequency_ops = {
    frequency_find, frequency_read, frequency_write, NULL};

/* Sleep. */

static bool
rc6_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)control;
	return place == CONTROL_CARD &&
	    (strcmp(name, "power/rc6_residency_ms") == 0 ||
		(strcmp(name, GT0 "rc6_residency_ms") == 0 &&
		    i915_since(dev, 5, 18)));
}

static void
rc6_read(struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)control;
	i915_frequency_count(dev);
	text_addf(
	    out, "%u\n", (unsigned)(dev->frequency.asleep_ns / NSEC_PER_MSEC));
}

const struct i915_control_ops i915_rc6_ops = {rc6_find, rc6_read, NULL, NULL};

/* Engines. */

/* jiffies_to_msecs(MAX_SCHEDULE_TIMEOUT) with CONFIG_HZ 250; the GuC's. */
#define MOST_MS     4294967292u
#define MOST_GUC_MS 100000u
/* Parameter reset of the module, unless a user changes it. */
#define I915_RESETS 3
/* Two jiffies. */
#define MOST_BUSYWAIT_NS 8000000u

/* Names; the first ones are the GPU's. */
static const char *const knob_names[I915_N_KNOBS] = {
    [GPU_TIMESLICE_MS] = "timeslice_duration_ms",
    [GPU_PREEMPT_TIMEOUT_MS] = "preempt_timeout_ms",
    [GPU_HEARTBEAT_MS] = "heartbeat_interval_ms",
    [I915_STOP_TIMEOUT] = "stop_timeout_ms",
    [I915_BUSYWAIT] = "max_busywait_duration_ns",
};

static const char *const class_names[N_GPU_CLASSES] = {
    [GPU_RENDER] = "rcs",
    [GPU_COPY] = "bcs",
    [GPU_VIDEO] = "vcs",
    [GPU_VIDEO_ENHANCE] = "vecs",
    [GPU_COMPUTE] = "ccs",
};

const char *
i915_class_name(unsigned class)
{
	return class_names[class];
}

static bool
engine_control_find(struct i915 *dev, const char *name,
    enum i915_control_place place, struct i915_control *control)
{
	const struct i915_config *c = dev->config;
	char folder[32];

	for (unsigned i = 0; place == CONTROL_CARD && i < c->n_engines; i++) {
		int n = snprintf(folder, sizeof(folder), "engine/%s%u/",
		    class_names[c->engines[i].class], c->engines[i].instance);

		if (strncmp(name, folder, (size_t)n) != 0)
			continue;
		control->engine = i;
		for (unsigned k = 0; k < I915_N_KNOBS; k++) {
			control->knob = k;
			if (strcmp(name + n, knob_names[k]) == 0)
				return k >= N_GPU_KNOBS || dev->gpu->ops->knob;
		}
	}
	return false;
}

static void
engine_control_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	unsigned k = control->knob;
	uint64_t value = k < N_GPU_KNOBS
	    ? dev->gpu->ops->knob(dev->gpu, control->engine, (enum gpu_knob)k)
	    : dev->knobs[control->engine][k - N_GPU_KNOBS];

	text_addf(out, "%llu\n", (unsigned long long)value);
}

static uint64_t
knob_most(const struct i915 *dev, unsigned knob)
{
	bool guc = dev->config->scheduler == I915_GUC;

	if (knob == I915_BUSYWAIT)
		return MOST_BUSYWAIT_NS;
	return guc &&
		(knob == GPU_TIMESLICE_MS || knob == GPU_PREEMPT_TIMEOUT_MS)
	    ? MOST_GUC_MS
	    : MOST_MS;
}

static int
engine_control_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	unsigned k = control->knob;
	uint64_t value;
	int rc = i915_control_number(text, knob_most(dev, k), &value);

	(void)call;
	if (rc)
		return rc;
	if (k < N_GPU_KNOBS)
		dev->gpu->ops->knob_set(
		    dev->gpu, control->engine, (enum gpu_knob)k, value);
	else
		dev->knobs[control->engine][k - N_GPU_KNOBS] = value;
	return 0;
}

const struct i915_control_ops i915_engine_ops = {
    engine_control_find, engine_control_read, engine_control_write, NULL};

void
i915_knobs_init(struct i915 *dev)
{
	dev->resets = I915_RESETS;
	dev->request_timeout_ms = dev->config->request_timeout_ms;
	for (size_t i = 0; i < GPU_ENGINES_MAX; i++) {
		dev->knobs[i][I915_STOP_TIMEOUT - N_GPU_KNOBS] =
		    I915_STOP_TIMEOUT_MS;
		dev->knobs[i][I915_BUSYWAIT - N_GPU_KNOBS] = I915_BUSYWAIT_NS;
	}
	dev->mhz = (struct i915_mhz){.least = dev->config->min_mhz,
	    .most = dev->config->max_mhz,
	    .boost = dev->config->max_mhz};
}
