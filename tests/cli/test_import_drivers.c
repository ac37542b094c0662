/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --import of events that xe and msm have of their own, in the forms of several
 * kernels, alone and beside those of the DRM scheduler (doc/model/import.md
 * "Requests").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define FRAMES 40

static void
put_line(struct text *t, uint64_t us, const char *task, const char *event,
    const char *fields)
{
	text_addf(t, "%16s [000] %5lu.%06lu: %s: %s\n", task, us / 1000000,
	    us % 1000000, event, fields);
}

#define PUT(t, us, task, event, ...)                                           \
	do {                                                                   \
		char put_fields[256];                                          \
		snprintf(put_fields, sizeof(put_fields), __VA_ARGS__);         \
		put_line((t), (us), (task), (event), put_fields);              \
	} while (0)

static void
expect_words(const char *text, const char *words)
{
	if (strstr(text, words) == NULL)
		fail_msg("'%s' is not in:\n%s", words, text);
}

/* Imports the text and returns the descriptor of game; frees the text. */
static char *
import_game(struct text *t, struct outcome *o, const char *option)
{
	write_file("game.trace", text_str(t));
	text_free(t);
	RUN(o, "--import=game.trace", "-o", "out", "--force", option);
	if (o->status != 0)
		fail_msg("%s", o->err);
	return read_whole("out/game.wsim", NULL);
}

/* xe's print formats: before 6.9, since, and with the GT. */
enum xe_form { XE_68, XE_69, XE_GT };

struct xe_trace {
	struct text text;
	enum xe_form form;
	bool no_queues, no_signals;
};

static void
put_xe_queue(struct xe_trace *x, uint64_t us, const char *event, int class,
    unsigned mask, int gt, int width, int id)
{
	if (!x->no_queues)
		PUT(&x->text, us, "game-77", event,
		    "%s%d:0x%x, gt=%d, width=%d, guc_id=%d, guc_state=0x0, "
		    "flags=0x0",
		    x->form >= XE_69 ? "dev=0000:03:00.0, " : "", class, mask,
		    gt, width, id);
}

static void
put_xe_job(struct xe_trace *x, uint64_t us, const char *task, const char *event,
    int id, int gt, unsigned seqno, unsigned fence)
{
	char where[32] = "", seqnos[64];

	snprintf(seqnos, sizeof(seqnos),
	    x->form == XE_68 ? "seqno=%u" : "seqno=%u, lrc_seqno=%u", seqno,
	    seqno);
	if (x->form == XE_GT)
		snprintf(where, sizeof(where), " gt=%d,", gt);
	PUT(&x->text, us, task, event,
	    "%sfence=0xffff8881%08x, %s,%s guc_id=%d, "
	    "batch_addr=0x000000010000, guc_state=0x1, flags=0x0, error=0",
	    x->form >= XE_69 ? "dev=0000:03:00.0, " : "", fence, seqnos, where,
	    id);
}

static void
put_xe_signal(
    struct xe_trace *x, uint64_t us, int ctx, unsigned seqno, unsigned fence)
{
	PUT(&x->text, us, "<idle>-0", "dma_fence_signaled",
	    "driver=xe timeline=rcs context=%d seqno=%u", ctx, seqno);
	if (!x->no_signals)
		PUT(&x->text, us, "<idle>-0", "xe_hw_fence_signal",
		    "%sctx=0x%016x, fence=0xffff8881%08x, seqno=%u",
		    x->form >= XE_69 ? "dev=0000:03:00.0, " : "", (unsigned)ctx,
		    fence, seqno);
}

/* 3 ms on the render engine, then 1 ms of copies, at 100 Hz. */
static void
put_xe_game(struct xe_trace *x)
{
	put_xe_queue(x, 990000, "xe_exec_queue_create", 0, 1, 0, 1, 5);
	put_xe_queue(x, 990000, "xe_exec_queue_create", 3, 1, 0, 1, 6);
	for (unsigned i = 1; i <= FRAMES; i++) {
		uint64_t at = 1000000 + 10000 * (uint64_t)i;

		put_xe_job(
		    x, at, "game-77", "xe_sched_job_exec", 5, 0, i, 0x100);
		put_xe_job(x, at + 10, "kworker/u8:1-50", "xe_sched_job_run", 5,
		    0, i, 0x100);
		put_xe_queue(x, at + 12, "xe_exec_queue_submit", 0, 1, 0, 1, 5);
		put_xe_job(
		    x, at + 20, "game-77", "xe_sched_job_exec", 6, 0, i, 0x200);
		put_xe_signal(x, at + 3010, 40, i, 0x100);
		put_xe_job(x, at + 3010, "kworker/u8:1-50", "xe_sched_job_run",
		    6, 0, i, 0x200);
		put_xe_signal(x, at + 4010, 41, i, 0x200);
		put_xe_job(x, at + 4100, "kworker/u8:1-50", "xe_sched_job_free",
		    5, 0, i, 0x100);
	}
}

TEST(xe)
{
	enter_test_folder();
	for (unsigned form = XE_68; form <= XE_GT; form++) {
		for (unsigned no_signals = 0; no_signals < 2; no_signals++) {
			struct xe_trace x = {.form = (enum xe_form)form,
			    .no_signals = no_signals != 0};
			struct outcome o;
			char *text;

			put_xe_game(&x);
			text = import_game(&x.text, &o, NULL);
			expect_words(o.out, "rate.game\t100.00\t100.00\t");
			expect_words(text, "1.RCS.3000.0.0\n");
			expect_words(text, "1.BCS.1000.-1.0\n");
			expect_words(text, "p.10000\n");
			free(text);
			outcome_free(&o);
		}
	}
}

/* Without events of queues all are one ring, which the user may name. */
TEST(xe_unknown_queues)
{
	struct xe_trace x = {.form = XE_69, .no_queues = true};
	struct outcome o;
	char *text;

	enter_test_folder();
	put_xe_game(&x);
	text = import_game(&x.text, &o, "--engine-map=xe=CCS1");
	expect_words(o.out, "busy.CCS\t4");
	free(text);
	outcome_free(&o);
}

/* A queue of two engines at once, and one that is balanced over two. */
TEST(xe_wide)
{
	struct xe_trace x = {.form = XE_GT};
	struct outcome o;
	char *text;

	enter_test_folder();
	put_xe_queue(&x, 990000, "xe_exec_queue_create", 1, 3, 1, 2, 5);
	put_xe_queue(&x, 990000, "xe_exec_queue_create", 5, 3, 0, 1, 5);
	for (unsigned i = 1; i <= FRAMES; i++) {
		uint64_t at = 1000000 + 10000 * (uint64_t)i;

		put_xe_job(
		    &x, at, "game-77", "xe_sched_job_exec", 5, 1, i, 0x100);
		put_xe_job(
		    &x, at, "kworker/1-50", "xe_sched_job_run", 5, 1, i, 0x100);
		put_xe_job(&x, at + 20, "game-77", "xe_sched_job_exec", 5, 0, i,
		    0x200);
		put_xe_job(&x, at + 20, "kworker/1-50", "xe_sched_job_run", 5,
		    0, i, 0x200);
		put_xe_signal(&x, at + 1900, 50, i, 0x300);
		put_xe_signal(&x, at + 2000, 51, i, 0x400);
		put_xe_signal(&x, at + 4020, 60, i, 0x200);
	}
	text = import_game(&x.text, &o, NULL);
	expect_words(o.out, "busy.VCS1\t20.");
	expect_words(o.out, "busy.VCS2\t20.");
	expect_words(o.out, "busy.CCS\t40.");
	expect_words(text, ".CCS1|CCS2");
	free(text);
	outcome_free(&o);
}

/* The ring of a queue is called by its number, not its engine's; the request is
 * told of by both drivers and counts once. */
TEST(xe_beside_sched)
{
	struct xe_trace x = {.form = XE_GT};
	struct outcome o;
	char *text;

	enter_test_folder();
	put_xe_queue(&x, 990000, "xe_exec_queue_create", 5, 1, 0, 1, 9);
	for (unsigned i = 1; i <= FRAMES; i++) {
		uint64_t at = 1000000 + 10000 * (uint64_t)i;
		static const char fields[] =
		    "dev=0000:03:00.0, fence=9:%u, ring=ccs9, job count:1, hw "
		    "job count:0, client_id:3";

		put_xe_job(
		    &x, at, "game-77", "xe_sched_job_exec", 9, 0, i, 0x100);
		PUT(&x.text, at, "game-77", "drm_sched_job_queue", fields, i);
		put_xe_job(&x, at + 5, "kworker/1-50", "xe_sched_job_run", 9, 0,
		    i, 0x100);
		PUT(&x.text, at + 5, "kworker/1-50", "drm_sched_job_run",
		    fields, i);
		put_xe_signal(&x, at + 3005, 70, i, 0x100);
		PUT(&x.text, at + 3006, "<idle>-0", "drm_sched_job_done",
		    "fence=9:%u signaled", i);
	}
	text = import_game(&x.text, &o, NULL);
	expect_words(o.out, "batches.CCS\t101");
	expect_words(text, "1.CCS.300");
	free(text);
	outcome_free(&o);
}

#define MSM_TICKS(us) ((us)*192 / 10 + 5000000)

/* Two rings of one GPU, whose clock says when jobs ran; interrupts are late. */
TEST(msm)
{
	struct text t = {0};
	struct outcome o;
	char *text;

	enter_test_folder();
	for (unsigned i = 0; i < FRAMES; i++) {
		uint64_t at = 1000000 + 10000 * (uint64_t)i;

		PUT(&t, at, "game-77", "msm_gpu_submit",
		    "id=%u pid=77 ring=2 bos=9 cmds=1", 2 * i);
		PUT(&t, at + 30, "ring2-44", "msm_gpu_submit_flush",
		    "id=%u pid=77 ring=2:%u ticks=%lu", 2 * i, i,
		    MSM_TICKS(at + 30));
		PUT(&t, at + 100, "game-77", "msm_gpu_submit",
		    "id=%u pid=77 ring=0 bos=9 cmds=1", 2 * i + 1);
		PUT(&t, at + 130, "ring0-44", "msm_gpu_submit_flush",
		    "id=%u pid=77 ring=0:%u ticks=%lu", 2 * i + 1, i,
		    MSM_TICKS(at + 130));
		PUT(&t, at + 3300, "kworker/0-5", "msm_gpu_submit_retired",
		    "id=%u pid=77 ring=2:%u elapsed=3000000 ns mhz=500 "
		    "start=%lu end=%lu",
		    2 * i, i, MSM_TICKS(at + 130), MSM_TICKS(at + 3130));
		PUT(&t, at + 4900, "kworker/0-5", "msm_gpu_submit_retired",
		    "id=%u pid=77 ring=0:%u elapsed=1500000 ns mhz=500 "
		    "start=%lu end=%lu",
		    2 * i + 1, i, MSM_TICKS(at + 3200), MSM_TICKS(at + 4700));
	}
	text = import_game(&t, &o, NULL);
	expect_words(o.out, "busy.RCS\t4");
	expect_words(o.out, "batches.RCS\t20");
	expect_words(text, ".RCS.3000.");
	expect_words(text, ".RCS.1500.");
	free(text);
	outcome_free(&o);
}

/* Events without what they need are counted, not read. */
TEST(broken_events)
{
	struct xe_trace x = {.form = XE_69};
	struct outcome o;
	char *text;

	enter_test_folder();
	put_xe_game(&x);
	PUT(&x.text, 5000000, "game-77", "xe_exec_queue_create", "gt=0");
	PUT(&x.text, 5000000, "game-77", "xe_sched_job_exec", "guc_id=70000");
	PUT(&x.text, 5000000, "game-77", "xe_hw_fence_signal", "ctx=0x");
	PUT(&x.text, 5000000, "game-77", "msm_gpu_submit", "id=1 pid=2");
	PUT(&x.text, 5000000, "game-77", "msm_gpu_submit_retired",
	    "id=9 elapsed=99999999999999999999 ns");
	text = import_game(&x.text, &o, NULL);
	expect_words(o.err, "5 events without their fields are left out");
	free(text);
	outcome_free(&o);
}
