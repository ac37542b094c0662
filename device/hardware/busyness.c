/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of a source of busyness, and what it said between two looks. */
#include "device/hardware/busyness.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/hardware/fdinfo.h"
#include "device/hardware/hardware.h"

/* Counters are read that often. */
#define LOOK_EVERY_NS (500 * NSEC_PER_MSEC)
/* Other processes are looked for that often, this number of descriptors at a time: some
 * 0.5 ms. */
#define FIND_EVERY_NS (200 * NSEC_PER_MSEC)
#define AT_A_TIME     256

/* A GPU is watched for that time for others' work, and is busy from that share
 * on. */
#define WATCH_NS   (100 * NSEC_PER_MSEC)
#define LEAST_BUSY 0.02F

const struct busyness_places busyness_machine = {
    "/sys/bus/event_source/devices", PROC};

const char *
busyness_source_name(enum busyness_source source)
{
	static const char *const names[N_BUSYNESS_SOURCES] = {
	    [BUSYNESS_PMU] = "pmu",
	    [BUSYNESS_FDINFO] = "fdinfo",
	    [BUSYNESS_STAMPS] = "stamps",
	};

	return names[source];
}

/* Reads what the driver says of our own file. */
static bool
read_own(const struct busyness *b, struct fdinfo *info)
{
	return fdinfo_read(info, b->others.proc, getpid(), b->hw->fd);
}

static enum busyness_source
choose_source(struct busyness *b, const struct fdinfo *own, const char *pmus)
{
	if (busyness_open_pmu(b, pmus))
		return BUSYNESS_PMU;
	if (fdinfo_has_engines(own))
		return BUSYNESS_FDINFO;
	text_adds(&b->why,
	    "; no times of engines in fdinfo: needs Linux 5.19 or later");
	return BUSYNESS_STAMPS;
}

void
busyness_open(struct busyness *b, const struct hardware *hw,
    const struct busyness_places *places)
{
	struct fdinfo own = {0};

	*b = (struct busyness){.hw = hw};
	b->began_ns = b->looked_ns = hardware_now();
	foreign_init(&b->others, places->proc, hw->node.address, UINT64_MAX);
	if (read_own(b, &own))
		b->others.own_id = own.id;
	memcpy(b->own_ns, own.busy_ns, sizeof b->own_ns);
	b->source = choose_source(b, &own, places->pmus);
}

void
busyness_close(struct busyness *b)
{
	if (b->source == BUSYNESS_PMU)
		busyness_close_pmu(b);
	foreign_free(&b->others);
	text_free(&b->why);
}

static void
add_busy(struct busyness_engine *e, nsec busy, nsec time)
{
	float share = time > 0 ? (float)busy / (float)time : 0;

	e->busy_ns += busy;
	e->share = share > 1 ? 1 : share;
}

static void
count_pmu(struct busyness *b)
{
	nsec counts[DEVICE_MAX_ENGINES], time;

	if (!busyness_read_pmu(b, counts, &time))
		return;
	for (unsigned i = 0; i < b->hw->facts.n_engines; i++) {
		struct busyness_engine *e = &b->engines[i];
		nsec busy = counts[i] > e->busy_ns ? counts[i] - e->busy_ns : 0;

		add_busy(e, busy, time - b->counted_ns);
	}
	b->counted_ns = time;
}

/* Adds up what all clients have used since the last look, by class. */
static void
sum_clients(struct busyness *b, nsec used[N_CLASSES])
{
	struct fdinfo own;

	memset(used, 0, N_CLASSES * sizeof *used);
	for (size_t i = 0; i < b->others.n; i++)
		for (int k = 0; k < N_CLASSES; k++)
			used[k] += b->others.list[i].used_ns[k];
	if (!read_own(b, &own))
		return;
	for (int k = 0; k < N_CLASSES; k++) {
		if (own.busy_ns[k] > b->own_ns[k])
			used[k] += own.busy_ns[k] - b->own_ns[k];
		b->own_ns[k] = own.busy_ns[k];
	}
}

/* Each engine gets the mean of its class. */
static void
count_other_clients(struct busyness *b, nsec now)
{
	const struct facts *facts = &b->hw->facts;
	nsec used[N_CLASSES];
	unsigned n[N_CLASSES] = {0};

	sum_clients(b, used);
	for (unsigned i = 0; i < facts->n_engines; i++)
		n[facts->engines[i].class]++;
	for (unsigned i = 0; i < facts->n_engines; i++) {
		unsigned class = facts->engines[i].class;

		add_busy(
		    &b->engines[i], used[class] / n[class], now - b->looked_ns);
	}
	b->counted_ns = now - b->began_ns;
}

static void
read_counters(struct busyness *b, nsec now, nsec time)
{
	foreign_read(&b->others, now, time);
	if (b->source == BUSYNESS_PMU)
		count_pmu(b);
	else if (b->source == BUSYNESS_FDINFO)
		count_other_clients(b, now);
	b->looked_ns = now;
}

bool
busyness_look(struct busyness *b, nsec time)
{
	nsec now = hardware_now();

	if (now - b->found_ns >= FIND_EVERY_NS) {
		foreign_find(&b->others, now, AT_A_TIME);
		b->found_ns = now;
	}
	if (now - b->looked_ns < LOOK_EVERY_NS)
		return false;
	read_counters(b, now, time);
	return true;
}

void
busyness_look_whole(struct busyness *b, nsec time)
{
	foreign_find_all(&b->others, hardware_now());
	read_counters(b, hardware_now(), time);
}

/* Appends "RCS 98 %, VCS 20 %", the busy engines; false: there is none. */
static bool
add_busy_engines(const struct busyness *b, struct text *out)
{
	const struct facts *facts = &b->hw->facts;
	bool any = false;

	for (unsigned i = 0; i < facts->n_engines; i++) {
		float share = b->engines[i].share;

		if (share < LEAST_BUSY)
			continue;
		text_addf(out, "%s%s %.0f %%", any ? ", " : "",
		    engine_class_names[facts->engines[i].class],
		    (double)share * 100);
		any = true;
	}
	return any;
}

bool
busyness_of_others(const struct hardware *hw, struct text *out)
{
	struct timespec watch = {.tv_nsec = WATCH_NS};
	struct busyness b;
	bool busy;

	busyness_open(&b, hw, &busyness_machine);
	busyness_look_whole(&b, 0);
	nanosleep(&watch, NULL);
	busyness_look_whole(&b, 1);
	busy = add_busy_engines(&b, out);
	for (size_t i = 0; busy && i < b.others.n; i++) {
		text_adds(out, i > 0 ? ", " : "; programs: ");
		foreign_add_name(&b.others.list[i], out);
	}
	busyness_close(&b);
	return busy;
}
