/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of GPU drivers that are not read, and fences without any submission: counted, so
 * that an import says which they are, and what to record instead (doc/model/import.md
 * "Other drivers").
 */
#include <inttypes.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

#define SCHED "add -e gpu_scheduler to trace-cmd record"

/* Events by how their names begin. */
static const struct {
	const char *begin;
	enum other_driver driver;
} other_events[] = {
    {"adreno_", OTHER_KGSL},
    {"kgsl_", OTHER_KGSL},
    {"gpu_job_enqueue", OTHER_MALI},
    {"gpu_sched_switch", OTHER_MALI},
    {"kbase_", OTHER_MALI},
    {"mali_", OTHER_MALI},
    {"v3d_", OTHER_V3D},
    {"pvr_", OTHER_PVR},
    {"rogue_", OTHER_PVR},
    {"virtio_gpu_", OTHER_VIRTIO},
    {"radeon_", OTHER_RADEON},
};

static const struct {
	const char *name, *instead;
} other_drivers[N_OTHER_DRIVERS] = {
    [OTHER_KGSL] = {"kgsl (Adreno)",
	"expected events of the kernel's own driver, e.g. -e msm:msm_gpu_submit "
	"-e msm:msm_gpu_submit_flush -e msm:msm_gpu_submit_retired"},
    [OTHER_MALI] = {"Mali's own driver",
	"expected those of panfrost or panthor: with these " SCHED},
    [OTHER_V3D] = {"v3d", SCHED},
    [OTHER_PVR] = {"PowerVR's own driver",
	"expected events of the kernel's driver powervr: then " SCHED},
    [OTHER_VIRTIO] = {"virtio_gpu",
	"they are the guest's: record the host's GPU, e.g. there with -e i915 "
	"or -e gpu_scheduler"},
    [OTHER_RADEON] = {"radeon",
	"expected those of amdgpu, which drives GPUs from GCN 1 on: with it "
	"" SCHED},
};

enum other_driver
others_find(const char *name, size_t len)
{
	if (len < 4 || strchr("agkmprv", *name) == NULL)
		return N_OTHER_DRIVERS;
	for (size_t i = 0; i < sizeof(other_events) / sizeof(*other_events);
	     i++) {
		size_t n = strlen(other_events[i].begin);

		if (len >= n && memcmp(name, other_events[i].begin, n) == 0)
			return other_events[i].driver;
	}
	return N_OTHER_DRIVERS;
}

void
others_count(struct import *im, const struct read_event *e)
{
	struct slice driver = e->texts[READ_DRIVER];
	enum other_driver other = e->kind == N_KERNEL_EVENTS
	    ? others_find(e->name.s, e->name.len)
	    : N_OTHER_DRIVERS;

	if (other < N_OTHER_DRIVERS)
		im->counts.n_others[other]++;
	if (e->kind < KERNEL_FENCE_INIT || e->kind > KERNEL_FENCE_WAIT_END)
		return;
	im->counts.n_fences++;
	if (im->fence_driver == NULL && driver.len > 0)
		im->fence_driver = arena_copy(&im->arena, driver.s, driver.len);
}

static void
add_others(const struct import *im, enum other_driver driver, struct text *out)
{
	uint64_t n = im->counts.n_others[driver];

	text_addf(out, "%" PRIu64 " %s of %s %s not read", n,
	    n == 1 ? "event" : "events", other_drivers[driver].name,
	    n == 1 ? "is" : "are");
}

void
others_say(const struct import *im, struct text *said)
{
	for (enum other_driver i = 0; i < N_OTHER_DRIVERS; i++) {
		if (im->counts.n_others[i] == 0)
			continue;
		add_others(im, i, said);
		text_addc(said, '\n');
	}
}

/* Appends what fences lack. */
static void
add_fences(const struct import *im, struct text *out)
{
	const char *driver = im->fence_driver != NULL ? im->fence_driver : "";

	text_addf(out,
	    "%" PRIu64
	    " events of fences alone, which say when work ended, but "
	    "not when it was submitted: ",
	    im->counts.n_fences);
	if (strcmp(driver, "i915") == 0)
		text_adds(out,
		    "add -e i915:i915_request_queue -e i915:i915_request_add to "
		    "trace-cmd record");
	else if (strncmp(driver, "xe", 2) == 0)
		text_adds(out, "add -e xe to trace-cmd record");
	else
		text_adds(out, SCHED);
}

bool
others_explain(const struct import *im, struct text *err)
{
	for (enum other_driver i = 0; i < N_OTHER_DRIVERS; i++) {
		if (im->counts.n_others[i] == 0)
			continue;
		add_others(im, i, err);
		text_addf(err, ": %s", other_drivers[i].instead);
		return true;
	}
	if (im->counts.n_fences == 0 || im->n_jobs > 0)
		return false;
	add_fences(im, err);
	return true;
}
