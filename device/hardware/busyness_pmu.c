/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PMU of i915: an event for each engine, in one group. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <i915_drm.h>

#include "device/hardware/busyness.h"
#include "device/hardware/hardware.h"

#define MOST_CPUS 256

/* Reads a small file of a PMU; false: there is none. */
static bool
read_pmu_file(const char *folder, const char *file, char *text, size_t size)
{
	char path[256];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "%s/%s", folder, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Finds the PMU of the GPU: "i915" is that of an integrated one, others have
 * their address in the name (i915_pmu.c, i915_pmu_register). False: there is
 * none. */
static bool
find_pmu(const struct hardware *hw, const char *pmus, char *folder, size_t size,
    uint32_t *type)
{
	char text[32], address[sizeof hw->node.address];

	snprintf(address, sizeof address, "%s", hw->node.address);
	for (char *p = address; (p = strchr(p, ':')) != NULL;)
		*p = '_';
	snprintf(folder, size, "%s/i915_%s", pmus, address);
	if (!read_pmu_file(folder, "type", text, sizeof text)) {
		snprintf(folder, size, "%s/i915", pmus);
		if (hw->facts.discrete ||
		    !read_pmu_file(folder, "type", text, sizeof text))
			return false;
	}
	*type = (uint32_t)strtoul(text, NULL, 10);
	return true;
}

/* Returns a descriptor or -errno. */
static int
open_counter(uint32_t type, uint64_t config, int cpu, int leader)
{
	struct perf_event_attr attr = {
	    .type = type,
	    .size = sizeof attr,
	    .config = config,
	    .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_GROUP,
	};
	long fd = syscall(
	    SYS_perf_event_open, &attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);

	return fd >= 0 ? (int)fd : -errno;
}

/* Returns the processor that events are opened on; without a mask, which new
 * kernels do not have, the first that is taken. */
static int
pmu_cpu(const char *folder, uint32_t type, uint64_t config)
{
	char text[64];
	int fd;

	if (read_pmu_file(folder, "cpumask", text, sizeof text))
		return (int)strtol(text, NULL, 10);
	for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
		fd = open_counter(type, config, cpu, -1);
		if (fd >= 0)
			close(fd);
		if (fd != -EINVAL)
			return cpu;
	}
	return 0;
}

static void
explain_no_pmu(struct text *why, int error)
{
	char level[16];

	text_adds(why, "the PMU of i915 cannot be opened: ");
	if (error != EACCES && error != EPERM) {
		text_adds(why, strerror(error));
		return;
	}
	text_adds(why,
	    "needs the capability CAP_PERFMON, or `sysctl "
	    "kernel.perf_event_paranoid=0`");
	if (read_pmu_file(
		"/proc/sys/kernel", "perf_event_paranoid", level, sizeof level))
		text_addf(why, " (it is %ld)", strtol(level, NULL, 10));
}

static uint64_t
busy_event(const struct facts_engine *e)
{
	return I915_PMU_ENGINE_BUSY(e->i915_class, e->i915_instance);
}

bool
busyness_open_pmu(struct busyness *b, const char *pmus)
{
	const struct facts *facts = &b->hw->facts;
	char folder[192];
	uint32_t type;
	int cpu;

	for (unsigned i = 0; i < facts->n_engines; i++)
		b->pmu[i] = -1;
	if (!find_pmu(b->hw, pmus, folder, sizeof folder, &type)) {
		text_adds(&b->why, "no PMU of i915: needs Linux 4.16 or later");
		return false;
	}
	cpu = pmu_cpu(folder, type, busy_event(&facts->engines[0]));
	for (unsigned i = 0; i < facts->n_engines; i++) {
		int fd = open_counter(type, busy_event(&facts->engines[i]), cpu,
		    i > 0 ? b->pmu[0] : -1);

		if (fd < 0) {
			busyness_close_pmu(b);
			explain_no_pmu(&b->why, -fd);
			return false;
		}
		b->pmu[i] = fd;
	}
	return true;
}

bool
busyness_read_pmu(
    const struct busyness *b, nsec counts[DEVICE_MAX_ENGINES], nsec *time)
{
	/* Their number, the time, and a value for each. */
	uint64_t values[2 + DEVICE_MAX_ENGINES];
	unsigned n = b->hw->facts.n_engines;
	ssize_t size = read(b->pmu[0], values, sizeof values);

	if (size < (ssize_t)((2 + n) * sizeof *values) || values[0] != n)
		return false;
	*time = values[1];
	for (unsigned i = 0; i < n; i++)
		counts[i] = values[2 + i];
	return true;
}

void
busyness_close_pmu(struct busyness *b)
{
	for (unsigned i = b->hw->facts.n_engines; i-- > 0;) {
		if (b->pmu[i] >= 0)
			close(b->pmu[i]);
		b->pmu[i] = -1;
	}
}
