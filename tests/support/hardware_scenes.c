/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/hardware_scenes.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/capability.h>

#include "device/hardware/batch.h"
#include "device/hardware/context.h"
#include "device/hardware/hardware.h"
#include "device/hardware/submit.h"
#include "device/hardware/sync_file.h"

#define MS          NSEC_PER_MSEC
#define MAX_BATCHES 512
#define ALL(e)      (UINT64_C(1) << (e))

/* A GPU with an address space, and batches in the order of submission. */
struct scene {
	struct hardware hw;
	uint32_t space;
	struct page_pool pool;
	struct batch {
		struct batch_page *page;
		int fence; /* -1: ended */
		nsec submitted_ns;
	} batches[MAX_BATCHES];
	unsigned n;
	nsec base_ns; /* of times that are printed */
};

static _Noreturn void
stop(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void
need(bool ok, struct text *err)
{
	if (!ok)
		stop(text_str(err));
	text_free(err);
}

/* Creates a context with those slots. */
static uint32_t
context_of(
    struct scene *s, const struct slot_setup *slots, uint32_t n, int priority)
{
	struct gpu_context_setup setup = {s->space, priority, slots, n};
	struct text err = {0};
	uint32_t id;

	need(gpu_context_new(&s->hw, &setup, &id, &err), &err);
	return id;
}

/* Creates a context with a slot for each engine. */
static uint32_t
plain_context(struct scene *s, int priority)
{
	struct slot_setup slots[DEVICE_MAX_ENGINES];
	unsigned n = s->hw.facts.n_engines;

	for (unsigned i = 0; i < n; i++)
		slots[i] = (struct slot_setup){.engines = ALL(i)};
	return context_of(s, slots, n, priority);
}

static struct batch *
write_batch(struct scene *s, nsec duration_ns, engine_mask engines)
{
	struct batch_order order = {duration_ns, true, engines};
	struct batch *b = &s->batches[s->n++];
	struct text err = {0};

	if (s->n > MAX_BATCHES)
		stop("too many batches");
	need(batch_possible(&s->hw, &order, &err), &err);
	b->page = page_take(&s->hw, &s->pool, &err);
	need(b->page != NULL, &err);
	batch_write(
	    &s->hw, &order, b->page->object.map, b->page->object.address);
	return b;
}

/* Submits to a slot of single engines; returns -errno or 0. */
static int
try_submit(struct scene *s, struct gpu_execbuf *e, struct batch *b)
{
	e->pages = &b->page;
	e->n_pages = 1;
	return gpu_submit(&s->hw, e, &b->fence, &b->submitted_ns);
}

/* Submits a batch to the slot of an engine; wait: a fence, -1 for none. */
static struct batch *
submit(struct scene *s, uint32_t context, uint32_t engine, nsec duration_ns,
    int wait)
{
	struct batch *b = write_batch(s, duration_ns, ALL(engine));
	struct gpu_execbuf e = {
	    .context = context, .slot = engine, .wait = wait, .wait_start = -1};

	if (try_submit(s, &e, b) != 0)
		stop("submit");
	return b;
}

/* Polls the fences of all batches until they have ended, in one loop. */
static void
finish(struct scene *s)
{
	struct pollfd fds[MAX_BATCHES];
	struct sync_info info;
	unsigned left = 1;

	while (left > 0) {
		left = 0;
		for (unsigned i = 0; i < s->n; i++) {
			fds[i] = (struct pollfd){
			    s->batches[i].fence, POLLIN, 0};
			left += fds[i].fd >= 0;
		}
		if (left > 0 && poll(fds, s->n, 5000) <= 0)
			stop("no fence signals");
		for (unsigned i = 0; left > 0 && i < s->n; i++) {
			if (fds[i].fd < 0 || fds[i].revents == 0)
				continue;
			if (sync_ask(fds[i].fd, &info) != 0 || !info.signalled)
				stop("a readable fence has not signalled");
			if (info.error != 0)
				printf("%u: error %d\n", i, info.error);
			close(fds[i].fd);
			s->batches[i].fence = -1;
		}
	}
}

/* Prints when batches ran, us since the first began, and where. */
static void
print_batches(struct scene *s)
{
	struct batch_stamps stamps;

	for (unsigned i = 0; i < s->n; i++) {
		const struct batch *b = &s->batches[i];
		nsec start, seen;

		batch_read(b->page->object.map, &stamps);
		start = clock_time(&s->hw.clock, stamps.start);
		seen = clock_time(&s->hw.clock, stamps.seen);
		if (s->base_ns == 0)
			s->base_ns = start;
		printf("%u: %s engine %d, %.3f to %.3f\n", i,
		    stamps.begun ? "begun" : "not begun",
		    hardware_engine_of(&s->hw, stamps.mark),
		    (double)(int64_t)(start - s->base_ns) / 1e3,
		    (double)(int64_t)(seen - s->base_ns) / 1e3);
	}
}

static void
give_pages(struct scene *s)
{
	while (s->n > 0)
		page_give(&s->pool, s->batches[--s->n].page);
}

static void
loop_scene(struct scene *s)
{
	uint32_t id = plain_context(s, 0);

	for (unsigned e = 0; e < s->hw.facts.n_engines; e++)
		submit(s, id, e, MS, -1);
	submit(s, id, 0, 1000, -1);
	submit(s, id, 0, 2 * MS + 1, -1);
	finish(s);
}

/* Batches on each engine, one after the other: what they took, in whole us. */
static void
durations_scene(struct scene *s)
{
	static const nsec durations[] = {1000, MS, 2500000};
	uint32_t id = plain_context(s, 0);
	struct batch_stamps stamps;

	for (unsigned e = 0; e < s->hw.facts.n_engines; e++) {
		printf("engine %u:", e);
		for (int i = 0; i < 3; i++) {
			struct batch *b = submit(s, id, e, durations[i], -1);

			finish(s);
			batch_read(b->page->object.map, &stamps);
			if (s->hw.facts.has[FEATURE_RELATIVE] &&
			    hardware_engine_of(&s->hw, stamps.mark) != (int)e)
				stop("another engine");
			printf("%s %.0f", i > 0 ? "," : "",
			    (double)(clock_time(&s->hw.clock, stamps.seen) -
				clock_time(&s->hw.clock, stamps.start)) /
				1e3);
		}
		printf(" us\n");
	}
	give_pages(s);
}

/* Fences: 1 after 0, 2 after both 0 and 1, 3 beside 2 from its start on. */
static void
fences_scene(struct scene *s)
{
	uint32_t id = plain_context(s, 0), other = plain_context(s, 0);
	struct batch *b0 = submit(s, id, 0, MS, -1), *b1, *b2, *b3;
	struct gpu_execbuf e = {.context = other, .slot = 3, .wait = -1};
	int merged;

	b1 = submit(s, id, 1, MS, b0->fence);
	merged = sync_merge(b0->fence, b1->fence);
	if (merged < 0)
		stop("merge");
	b2 = submit(s, id, 2, 2 * MS, merged);
	close(merged);
	e.wait_start = b2->fence;
	b3 = write_batch(s, MS, ALL(3));
	if (try_submit(s, &e, b3) != 0)
		stop("submit fence");
	finish(s);
	printf("%.3f us\n", (double)(hardware_now() - b0->submitted_ns) / 1e3);
}

/* Data: two readers of what a writer wrote, then a writer. */
static void
data_scene(struct scene *s)
{
	static const bool writes[] = {true, false, false, true};
	uint32_t ids[4];
	struct gpu_object object;
	struct text err = {0};

	need(memory_object_new(&s->hw, 10000, false, &object, &err), &err);
	printf("%d bytes\n", (int)object.size);
	for (unsigned i = 0; i < 4; i++) {
		struct batch *b = write_batch(s, (i + 1) * MS, ALL(i));
		struct gpu_use use = {&object, writes[i]};
		struct gpu_execbuf e = {.context = plain_context(s, 0),
		    .slot = i,
		    .uses = &use,
		    .n_uses = 1,
		    .wait = -1,
		    .wait_start = -1};

		ids[i] = e.context;
		if (try_submit(s, &e, b) != 0)
			stop("submit");
	}
	memory_object_free(&s->hw, &object);
	finish(s);
	for (unsigned i = 0; i < 4; i++)
		gpu_context_free(&s->hw, ids[i]);
}

/* Infinite batches: one that runs, one behind it that ends before it begins. */
static void
infinite_scene(struct scene *s)
{
	uint32_t id = plain_context(s, 0);
	struct batch *a = submit(s, id, 0, NSEC_NEVER, -1), *b;
	struct batch_stamps stamps;

	b = submit(s, id, 0, NSEC_NEVER, -1);
	if (poll(&(struct pollfd){a->fence, POLLIN, 0}, 1, 5) != 0)
		stop("ended by itself");
	batch_read(a->page->object.map, &stamps);
	printf("%s", stamps.begun ? "runs\n" : "");
	batch_end(b->page->object.map);
	batch_end(a->page->object.map);
	finish(s);
}

/* A virtual engine of two: the third batch waits for the first end. */
static void
balance_scene(struct scene *s)
{
	struct slot_setup slot = {.engines = ALL(2) | ALL(3)};

	for (unsigned i = 0; i < 3; i++) {
		struct gpu_execbuf e = {.context = context_of(s, &slot, 1, 0),
		    .wait = -1,
		    .wait_start = -1};

		if (try_submit(
			s, &e, write_batch(s, (i + 1) * MS, slot.engines)) != 0)
			stop("submit");
	}
	finish(s);
}

/* A parallel slot of two rows. */
static void
parallel_scene(struct scene *s)
{
	static const uint8_t rows[] = {2, 3};
	struct slot_setup slot = {.n_rows = 2, .n_siblings = 1, .rows = rows};
	struct batch *a = write_batch(s, MS, ALL(2)),
		     *b = write_batch(s, 2 * MS, ALL(3));
	struct batch_page *const pages[] = {a->page, b->page};
	struct batch_stamps one, two;
	struct gpu_execbuf e = {.context = context_of(s, &slot, 1, 0),
	    .pages = pages,
	    .n_pages = 2,
	    .wait = -1,
	    .wait_start = -1};

	b->fence = -1;
	if (gpu_submit(&s->hw, &e, &a->fence, &a->submitted_ns) != 0)
		stop("submit");
	finish(s);
	batch_read(a->page->object.map, &one);
	batch_read(b->page->object.map, &two);
	printf("engines %d and %d, %.0f and %.0f us, together: %d\n",
	    hardware_engine_of(&s->hw, one.mark),
	    hardware_engine_of(&s->hw, two.mark),
	    (double)(clock_time(&s->hw.clock, one.seen) -
		clock_time(&s->hw.clock, one.start)) /
		1e3,
	    (double)(clock_time(&s->hw.clock, two.seen) -
		clock_time(&s->hw.clock, two.start)) /
		1e3,
	    one.start == two.start);
	give_pages(s);
}

/* The higher priority begins first, and preempts where it may. */
static void
priority_scene(struct scene *s)
{
	uint32_t low = plain_context(s, -5), high = plain_context(s, 0);
	struct text err = {0};

	submit(s, low, 0, 2 * MS, -1);
	submit(s, low, 0, MS, -1);
	usleep(1000);
	submit(s, high, 0, MS, -1);
	need(gpu_context_set_priority(&s->hw, high, -1000, &err), &err);
	submit(s, high, 0, MS, -1);
	finish(s);
}

/* A ring takes batches until it is full, and more once some have ended. */
static void
room_scene(struct scene *s)
{
	uint32_t id = plain_context(s, 0);
	struct gpu_execbuf e = {.context = id, .wait = -1, .wait_start = -1};
	int rc = 0;

	while (rc == 0)
		rc = try_submit(s, &e, write_batch(s, MS, 1));
	s->n--;
	page_give(&s->pool, s->batches[s->n].page);
	printf("%u, then %s\n", s->n, strerrorname_np(-rc));
	finish(s);
	printf("%d\n", try_submit(s, &e, write_batch(s, MS, 1)));
	finish(s);
	give_pages(s);
}

/* The clock: set again later on, it agrees. */
static void
clock_scene(struct scene *s)
{
	struct text err = {0};

	usleep(100000);
	need(clock_set(&s->hw.clock, s->hw.fd, &err), &err);
	printf("%u Hz, context %u Hz, error below 2 us: %d, drift below 1 us: "
	       "%d\n",
	    (unsigned)s->hw.clock.hz, (unsigned)s->hw.context_hz,
	    s->hw.clock.error_ns < 2000, llabs(s->hw.clock.drift_ns) < 1000);
}

static void
slices_scene(struct scene *s)
{
	uint32_t id = plain_context(s, 0);
	struct text err = {0};

	need(gpu_context_set_slices(&s->hw, id, 0, 1, &err), &err);
	submit(s, id, 0, MS, -1);
	finish(s);
	need(gpu_context_set_slices(&s->hw, id, 0, 0, &err), &err);
}

/* Features that the device lacks. */
static void
features_scene(struct scene *s)
{
	struct text err = {0};

	for (int i = 0; i < N_FEATURES; i++) {
		facts_need(&s->hw.facts, (enum facts_feature)i, &err);
		text_adds(&err, err.len > 0 ? "\n" : "");
		printf("%s", text_str(&err));
		text_clear(&err);
	}
	text_free(&err);
}

/* A user without CAP_SYS_NICE. */
static void
user_scene(struct scene *s)
{
	uint32_t id = plain_context(s, -1);
	struct text err = {0};

	features_scene(s);
	if (gpu_context_set_priority(&s->hw, id, 1, &err))
		stop("priority 1");
	printf("%s\n", text_str(&err));
	text_free(&err);
	submit(s, id, 0, MS, -1);
	finish(s);
}

static const struct {
	const char *name;
	void (*play)(struct scene *s);
} scenes[] = {
    {"loop", loop_scene},
    {"durations", durations_scene},
    {"fences", fences_scene},
    {"data", data_scene},
    {"infinite", infinite_scene},
    {"balance", balance_scene},
    {"parallel", parallel_scene},
    {"priority", priority_scene},
    {"room", room_scene},
    {"clock", clock_scene},
    {"slices", slices_scene},
    {"features", features_scene},
    {"user", user_scene},
};

/* True if the driver says that the file has no memory. */
static bool
has_no_memory(const struct hardware *hw)
{
	char path[64], line[128];
	bool none = true; /* older kernels do not say */
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", hw->fd);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, "drm-total-", 10) == 0)
			none = strcmp(strchr(line, ':'), ":\t0\n") == 0;
	if (f != NULL)
		fclose(f);
	return none;
}

/* Gives all back but the contexts, which go with the file. */
static void
leave(struct scene *s)
{
	give_pages(s);
	pages_free(&s->hw, &s->pool);
	if (s->pool.n_used != 0 || !has_no_memory(&s->hw))
		stop("memory is left");
	memory_space_free(&s->hw, s->space);
	hardware_close(&s->hw);
}

int
hardware_scene_as_user(const char *name)
{
	/* A user who may not drop a capability has none. */
	if (prctl(PR_CAPBSET_DROP, CAP_SYS_NICE) != 0 && errno != EPERM)
		stop("prctl");
	execl("/proc/self/exe", "run", ":hardware", name, (char *)NULL);
	stop("exec");
}

int
hardware_scene(const char *name)
{
	struct scene s = {.n = 0};
	struct text err = {0};

	if (!hardware_open(&s.hw, "pci:vendor=intel", &err) ||
	    !memory_space_new(&s.hw, &s.space, &err))
		stop(text_str(&err));
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		if (strcmp(scenes[i].name, name) == 0)
			scenes[i].play(&s);
	print_batches(&s);
	leave(&s);
	return 0;
}
