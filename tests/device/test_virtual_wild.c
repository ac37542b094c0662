/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches that run wild, under all schedulers on three generations: each hangs
 * its engine, the error state says why, the context is guilty and banned in
 * the end, and other programs go on (doc/model/virtual.md "Faults").
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define MS     NSEC_PER_MSEC
#define ABSENT 0x40000000u
/* Time between submissions of a wild batch, us: longer than any timeout. */
#define ROUND_US 1000000
/* Batches of another program on another engine: they last from before each hang
 * until after it. */
#define BLITS   20
#define BLIT_US 4321

/* A command with one address, of one dword before generation 8. */
static void
emit_at(struct code *c, bool far, uint32_t header, uint64_t address)
{
	EMIT(c, header + far, (uint32_t)address);
	if (far)
		EMIT(c, (uint32_t)(address >> 32));
}

static void
loop(struct code *c, bool far)
{
	emit_at(c, far, 0x18800100, c->address);
}

static void
loop_with_points(struct code *c, bool far)
{
	EMIT(c, 0x02800000);
	loop(c, far);
}

static void
jump_nowhere(struct code *c, bool far)
{
	emit_at(c, far, 0x18800100, ABSENT);
}

static void
invalid_command(struct code *c, bool far)
{
	(void)far;
	EMIT(c, 0x20000000);
}

/* Generation 7: MI_STORE_DATA_IMM has a dword before its address. */
static void
foreign_memory(struct code *c, bool far)
{
	if (far)
		EMIT(c, 0x10000002, ADDRESS(ABSENT + 64), 1, BATCH_END);
	else
		EMIT(c, 0x10000002, 0, ABSENT + 64, 1, BATCH_END);
}

/* Calls itself as a second level. */
static void
chain(struct code *c, bool far)
{
	emit_at(c, far, 0x18c00100, c->address);
}

/* Its operands would be behind the end of its object. */
static void
truncated(struct code *c, bool far)
{
	(void)far;
	for (unsigned i = 0; i < 1023; i++)
		EMIT(c, 0);
	EMIT(c, 0x10000002);
}

static const struct wild {
	const char *name;
	void (*emit)(struct code *c, bool far);
	const char *why; /* in the error state; NULL: it loops */
	bool preemptible;
	bool told; /* soon under execlists, but on generation 7 */
} wilds[] = {
    {"loop", loop, NULL, false, false},
    {"loop with points", loop_with_points, NULL, true, false},
    {"jump nowhere", jump_nowhere,
	"    batch: page fault at 0x000040000000: no memory is there to fetch commands",
	false, false},
    {"invalid command", invalid_command,
	"    batch: invalid command 0x20000000 at 0x", false, true},
    {"foreign memory", foreign_memory,
	"    batch: page fault at 0x000040000040", false, false},
    {"chain", chain, NULL, false, false},
    {"truncated", truncated, "    batch: page fault at 0x", false, false},
};

/* How schedulers find hangs, and what they do then (doc/model/hangs.md;
 * doc/model/drm.md: a guilty entity's jobs are cancelled). Generation 7 has
 * neither preemption nor resets of engines. */
static const struct way {
	const char *sched, *cause, *cause_7;
	unsigned n_hangs; /* until no more batches run */
	int error;        /* of a request that hangs */
	int later;        /* of one that is submitted when no more run */
	int refused;      /* the submission's result then */
	bool watchdog;    /* requests with points are cancelled */
	bool replays;     /* requests of other engines, at a reset of all */
	bool tells;       /* of invalid commands */
} ways[] = {
    {"fifo", "batch time out", "batch time out", 3, -EIO, 0, -EIO, false, true,
	false},
    {"execlists", "preemption time out", "stopped heartbeat", 3, -EIO, 0, -EIO,
	true, true, true},
    {"drm", "job time out", "job time out", 1, -ETIMEDOUT, -ECANCELED, 0, false,
	true, false},
    {"guc", "preemption time out", "stopped heartbeat", 3, -EIO, 0, -EIO, true,
	true, false},
};

static const unsigned generations[] = {7, 9, 12};

static struct rig *
start(const char *sched, unsigned generation)
{
	struct rig *b = calloc(1, sizeof *b);
	struct profile *p = &b->model.config.profile;

	lab_init(&b->model, sched);
	p->generation = generation;
	p->preemption = p->engine_reset = generation > 7;
	p->blit_ns = BLIT_US * US;
	p->heartbeat_ns = 10 * MS;
	p->preempt_timeout_ns = p->preempt_timeout_compute_ns = 20 * MS;
	p->hang_ns = p->job_timeout_ns = 50 * MS;
	p->request_timeout_ns = 200 * MS;
	p->ban_context_ns = 120 * NSEC_PER_SEC;
	rig_open(b);
	return b;
}

/* A batch of one blit, in the file that is b->fd. */
static struct code
blit(struct rig *b, bool far)
{
	struct code c = rig_code(b);

	EMIT(&c, 0x54000004 + far, 0, 0, 0, 0, 0);
	EMIT(&c, far ? 0 : BATCH_END, BATCH_END);
	rig_write(b, c.handle, 0, c.dwords, c.n * 4);
	return c;
}

/* Reads the error state of the last hang, and lets the device forget it. */
static const char *
take_error(struct rig *b)
{
	static const char path[] = "sys/kernel/debug/dri/0/i915_error_state";
	static char text[4096];
	struct wire_request rq = {.kind = WIRE_WRITE, .size = 1};
	int fd = uapi_open(&b->lab, 0, path);
	ssize_t n = read(fd, text, sizeof text - 1);

	assert_in_range(n, 1, sizeof text - 1);
	text[n] = '\0';
	close(fd);
	fd = uapi_open_with(&b->lab, 0, path, O_WRONLY);
	rq.token = uapi_fd(&b->lab, fd)->token;
	assert_int_equal(uapi_call(&b->lab, 0, &rq, "0"), 1);
	uapi_close(&b->lab, fd);
	return text;
}

static struct drm_i915_reset_stats
stats_of(struct rig *b, int fd, uint32_t context)
{
	struct drm_i915_reset_stats arg = {.ctx_id = context};

	assert_int_equal(
	    uapi_ioctl(&b->lab, fd, DRM_IOCTL_I915_GET_RESET_STATS, &arg), 0);
	return arg;
}

/* One program runs wild on RENDER, once in each round; another one has a batch
 * behind it, and more on BLIT. */
struct scene {
	struct rig *b;
	const struct wild *w;
	const struct way *way;
	int wild_fd, other_fd;
	uint32_t context;
	struct code wild, other;
};

static void
scene_open(struct scene *s, const struct way *way, unsigned generation,
    const struct wild *w)
{
	bool far = generation >= 8;
	struct rig *b = start(way->sched, generation);

	*s = (struct scene){.b = b, .w = w, .way = way, .wild_fd = b->fd};
	s->context = uapi_context(&b->lab, b->fd);
	s->wild = rig_code(b);
	w->emit(&s->wild, far);
	rig_write(b, s->wild.handle, 0, s->wild.dwords, (size_t)s->wild.n * 4);
	s->other_fd = b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	s->other = blit(b, far);
}

/* Runs a round. Returns the result of the wild submission, and the error of its
 * request, if there is one, in *error. */
static int
scene_round(struct scene *s, unsigned round, int *error)
{
	struct rig *b = s->b;
	size_t first = b->model.n_rows, n;
	int rc;

	b->fd = s->wild_fd;
	rc = rig_submit(b, &s->wild, s->context, RENDER);
	n = b->model.n_rows;
	b->fd = s->other_fd;
	for (unsigned i = 0; i < BLITS; i++)
		assert_int_equal(rig_submit(b, &s->other, 0, BLIT), 0);
	assert_int_equal(rig_submit(b, &s->other, 0, RENDER), 0);
	rig_run_to(b, (round + 1) * ROUND_US);
	*error = n > first ? b->model.rows[first].error : 0;
	assert_int_equal(b->model.n_rows, n + BLITS + 1);
	for (; n < b->model.n_rows; n++) {
		assert_int_equal(b->model.rows[n].error, 0);
		assert_int_equal(b->model.rows[n].run, BLIT_US * US);
	}
	return rc;
}

static void
expect_text(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no '%s' in '%s'", part, text);
}

/* Expects the error state of a hang. */
static void
expect_error(const struct scene *s, bool hung, const char *cause)
{
	const char *text = take_error(s->b);

	if (!hung) {
		assert_string_equal(text, "No error state collected\n");
		return;
	}
	expect_text(text, "GPU HANG: ecode");
	expect_text(text, cause);
	expect_text(text, " --- batch = 0x00000000 ");
	if (s->w->why != NULL)
		expect_text(text, s->w->why);
}

static void
run(const struct wild *w, const struct way *way, unsigned generation)
{
	bool cancelled = w->preemptible && way->watchdog && generation > 7;
	bool told = w->told && generation > 7 && way->tells;
	const char *cause = told ? "CS error"
	    : generation > 7     ? way->cause
				 : way->cause_7;
	struct drm_i915_reset_stats stats;
	struct scene s;
	unsigned n_hangs = 0, n_innocent = 0;

	scene_open(&s, way, generation, w);
	for (unsigned i = 0; i < 4; i++) {
		bool hangs = !cancelled && i < way->n_hangs;
		int error, rc = scene_round(&s, i, &error);

		n_hangs += hangs;
		assert_int_equal(s.b->model.hung, n_hangs);
		expect_error(&s, hangs, cause);
		if (told && hangs)
			assert_int_equal(
			    s.b->model.hang.time, i * ROUND_US * US + 10 * MS);
		if (cancelled)
			assert_int_equal(error, -EINTR);
		else
			assert_int_equal(
			    error, hangs ? way->error : way->later);
		assert_int_equal(rc, hangs || cancelled ? 0 : way->refused);
		stats = stats_of(s.b, s.wild_fd, s.context);
		assert_int_equal(stats.batch_active, n_hangs);
		assert_int_equal(stats.batch_pending, 0);
		stats = stats_of(s.b, s.other_fd, 0);
		assert_int_equal(stats.batch_active, 0);
		n_innocent += hangs && generation == 7 && way->replays;
		assert_int_equal(stats.batch_pending, n_innocent);
	}
	rig_finish(s.b);
}

TEST(wild_batches)
{
	for (size_t i = 0; i < sizeof wilds / sizeof *wilds; i++)
		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
			for (size_t g = 0; g < 3; g++)
				run(&wilds[i], &ways[k], generations[g]);
}
