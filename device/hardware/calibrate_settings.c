/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings of the driver that a calibration reads, as nothing measures them: the
 * files of engines in sysfs, which all users may read
 * (doc/model/libdrm.md "Calibration").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/hardware/calibrate_private.h"

/* Timeouts of RCS and CCS are others than those of the rest. */
static const struct driver_setting {
	const char *key, *file;
	bool compute;
} settings[N_SETTINGS] = {
    {"preempt_timeout_ms", "preempt_timeout_ms", false},
    {"preempt_timeout_compute_ms", "preempt_timeout_ms", true},
    {"heartbeat_ms", "heartbeat_interval_ms", true},
};

static bool
is_compute(unsigned class)
{
	return class == CLASS_RCS || class == CLASS_CCS;
}

/* Returns the first engine that a setting is of; -1: none. */
static int
engine_of_setting(const struct facts *facts, const struct driver_setting *s)
{
	for (unsigned i = 0; i < facts->n_engines; i++)
		if (is_compute(facts->engines[i].class) == s->compute)
			return (int)i;
	return -1;
}

/* Appends the path of a setting's file. False: no engine has it. */
static bool
add_setting_path(const struct hardware *hw, const struct driver_setting *s,
    struct text *path)
{
	static const char *const names[N_CLASSES] = {
	    [CLASS_RCS] = "rcs",
	    [CLASS_BCS] = "bcs",
	    [CLASS_VCS] = "vcs",
	    [CLASS_VECS] = "vecs",
	    [CLASS_CCS] = "ccs",
	};
	const char *card = strrchr(hw->node.card, '/');
	int i = engine_of_setting(&hw->facts, s);

	if (card == NULL || i < 0)
		return false;
	text_addf(path, "/sys/class/drm%s/engine/%s%u/%s", card,
	    names[hw->facts.engines[i].class],
	    hw->facts.engines[i].i915_instance, s->file);
	return true;
}

static bool
read_setting(const char *path, uint64_t *value)
{
	FILE *file = fopen(path, "re");
	char line[32], *end;
	bool ok = file != NULL && fgets(line, sizeof line, file) != NULL;

	if (file != NULL)
		fclose(file);
	if (!ok)
		return false;
	*value = strtoull(line, &end, 10);
	return end > line && (*end == '\n' || *end == '\0');
}

void
settings_apply(const struct calibration *c, struct profile *p)
{
	for (unsigned i = 0; i < N_SETTINGS; i++) {
		struct text path = {0};
		uint64_t value;
		unsigned at;
		const struct knob *k = knob_find(
		    "timeouts", settings[i].key, &at);

		if (add_setting_path(c->hw, &settings[i], &path) &&
		    read_setting(text_str(&path), &value))
			knob_set(p, k, at, value < k->max ? value : k->max);
		text_free(&path);
	}
}

bool
settings_explain(
    const struct calibration *c, const char *key, struct text *words)
{
	for (unsigned i = 0; i < N_SETTINGS; i++) {
		struct text path = {0};
		uint64_t value;
		bool known = strcmp(settings[i].key, key) == 0 &&
		    add_setting_path(c->hw, &settings[i], &path) &&
		    read_setting(text_str(&path), &value);

		if (known)
			text_addf(words, "The driver: %s.", text_str(&path));
		text_free(&path);
		if (known)
			return true;
	}
	return false;
}
