/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines in sysfs, their counters in perf, the driver's debugfs and module
 * parameters (doc/model/i915_files.md "Engines", "Counters", "debugfs"). */
#include <string.h>

#include "device/tree/tree_private.h"
#include "device/wire/wire.h"

#define CARD_FOLDER TREE_PCI_FOLDER "/drm/card0"

/* Knobs of an engine are read and written below its name, and their defaults are
 * below .defaults. */
static void
put_knobs(struct tree_writer *w, const struct tree_engine *e, bool defaults)
{
	const struct tree_device *d = w->device;
	const struct {
		const char *name;
		int value; /* -1: there is no such knob */
	} knobs[] = {
	    {"timeslice_duration_ms", e->timeslice_ms},
	    {"preempt_timeout_ms", e->preempt_timeout_ms},
	    {"heartbeat_interval_ms", (int)d->heartbeat_ms},
	    {"stop_timeout_ms", (int)d->stop_timeout_ms},
	    {"max_busywait_duration_ns", (int)d->busywait_ns},
	};

	for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
		if (knobs[i].value < 0)
			continue;
		if (defaults)
			tree_file(w, knobs[i].name, "%d\n", knobs[i].value);
		else
			tree_live(
			    w, knobs[i].name, 0644, "%d\n", knobs[i].value);
	}
}

static void
put_engine(struct tree_writer *w, const struct tree_engine *e)
{
	bool video = e->class == TREE_VIDEO;
	bool hevc = video && (e->capabilities & 1u) != 0;
	bool sfc = (e->capabilities & 2u) != 0;

	tree_folder(w, "%s/engine/%s", CARD_FOLDER, e->name);
	tree_file(w, "name", "%s\n", e->name);
	tree_file(w, "class", "%d\n", (int)e->class);
	tree_file(w, "instance", "%u\n", e->instance);
	tree_file(w, "mmio_base", "0x%x\n", e->mmio_base);
	tree_file(w, "capabilities", "%s%s%s\n", hevc ? "hevc" : "",
	    hevc && sfc ? " " : "", sfc ? "sfc" : "");
	tree_file(w, "known_capabilities", "%s\n",
	    video                                ? "hevc sfc"
		: e->class == TREE_VIDEO_ENHANCE ? "sfc"
						 : "");
	put_knobs(w, e, false);
	tree_folder(w, "%s/engine/%s/.defaults", CARD_FOLDER, e->name);
	put_knobs(w, e, true);
}

void
tree_put_engines(struct tree_writer *w)
{
	tree_folder(w, "%s/engine", CARD_FOLDER);
	for (size_t i = 0; i < w->device->n_engines; i++)
		put_engine(w, &w->device->engines[i]);
}

static void
put_event(
    struct tree_writer *w, const char *name, unsigned config, const char *unit)
{
	struct text unit_file = {0};

	tree_file(w, name, "config=0x%x\n", config);
	text_addf(&unit_file, "%s.unit", name);
	if (unit != NULL)
		tree_file(w, text_str(&unit_file), "%s\n", unit);
	text_free(&unit_file);
}

/* Busy, waiting and semaphore time: samples 0, 1 and 2 of an engine. */
static void
put_engine_events(struct tree_writer *w, const struct tree_engine *e)
{
	static const char *const samples[] = {"busy", "wait", "sema"};
	struct text name = {0};

	for (unsigned i = 0; i < 3; i++) {
		text_clear(&name);
		text_addf(&name, "%s-%s", e->name, samples[i]);
		put_event(w, text_str(&name),
		    (unsigned)e->class << 12 | e->instance << 4 | i, "ns");
	}
	text_free(&name);
}

void
tree_put_pmu(struct tree_writer *w)
{
	tree_folder(w, "sys/bus/event_source/devices");
	tree_link(w, "i915", "../../../devices/i915");
	tree_folder(w, "sys/devices/i915");
	tree_file(w, "type", "%u\n", WIRE_PERF_TYPE);
	tree_file(w, "cpumask", "0\n");
	tree_link(w, "subsystem", "../../bus/event_source");
	tree_folder(w, "sys/devices/i915/format");
	tree_file(w, "i915_eventid", "config:0-20\n");
	tree_folder(w, "sys/devices/i915/events");
	put_event(w, "actual-frequency", 0x100000, "M");
	put_event(w, "requested-frequency", 0x100001, "M");
	put_event(w, "interrupts", 0x100002, NULL);
	put_event(w, "rc6-residency", 0x100003, "ns");
	for (size_t i = 0; i < w->device->n_engines; i++)
		put_engine_events(w, &w->device->engines[i]);
}

void
tree_put_debugfs(struct tree_writer *w)
{
	tree_folder(w, "sys/kernel/debug/dri/0");
	tree_file(w, "name", "i915 dev=%s unique=%s\n", TREE_PCI_ADDRESS,
	    TREE_PCI_ADDRESS);
	tree_live(w, "i915_wedged", 0644, "0\n");
	tree_live(w, "i915_gem_drop_caches", 0644, "0x3ff\n");
	tree_live(w, "i915_error_state", 0644, "%s", NO_ERROR_STATE);
	tree_live(w, "i915_gem_objects", 0444, "%s",
	    "0 shrinkable [0 free] objects, 0 bytes\n");
	tree_live(w, "i915_forcewake_user", 0400, "%s", "");
	tree_file(w, "i915_wa_registers", "Workarounds applied: 0\n");
	tree_folder(w, "sys/kernel/debug/dri/0/gt0");
	tree_file(w, "drpc", "RC6 Enabled: yes\n");
	/* Root writes to it in a kernel, whatever its rights are. */
	tree_live(w, "forcewake_user", 0644, "%s", "");
	tree_folder(w, "sys/kernel/debug/dri");
	tree_link(w, "128", "0");
	tree_folder(w, "sys/kernel/debug/sync");
	tree_link(w, "sw_sync", "../../../../dev/sw_sync");

	tree_folder(w, "sys/module/i915/parameters");
	tree_live(w, "reset", 0644, "3\n");
	tree_live(w, "enable_hangcheck", 0644, "Y\n");
	if (w->device->request_timeout_ms > 0)
		tree_live(w, "request_timeout_ms", 0600, "%u\n",
		    w->device->request_timeout_ms);
	tree_file(w, "enable_guc", "%d\n", w->device->guc ? 3 : 0);
}
