/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: the built-in ones, files, and what is wrong in them; and the
 * event queue's heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/text.h"
#include "engine/gpu/engine.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "tests/runner/test.h"

static void
expect_wrong(const char *ini, const char *message)
{
	struct profile p;
	struct text err = {0};

	profile_init(&p);
	assert_false(profile_parse(&p, "my.ini", ini, &err));
	assert_string_equal(text_str(&err), message);
	text_free(&err);
}

TEST(what_is_wrong)
{
	expect_wrong("[device]\nslices = 0\n",
	    "my.ini:2: error: invalid 'slices' = 0: expected 1 to 32");
	expect_wrong("[device]\nRCS = two\n",
	    "my.ini:2: error: invalid 'RCS' = 'two': expected a whole number");
	expect_wrong("[device]\nGPU = 1\n",
	    "my.ini:2: error: unknown key 'GPU' in section [device]");
	expect_wrong("[costs]\nsubmit_ns = -4\n",
	    "my.ini:2: error: invalid 'submit_ns' = '-4': expected a whole number");
	expect_wrong("nonsense\n",
	    "my.ini:1: error: expected a [section] or key = value");
	expect_wrong("[device]\nRCS=0\nBCS=0\nVCS=0\nVECS=0\nCCS=0\n",
	    "my.ini: no engines: expected at least one, e.g. RCS = 1");
}

/* Nothing costs time in `ideal`: doc/model/common.md. */
TEST(ideal)
{
	struct profile built_in, init;
	struct device dev;
	struct text err = {0};
	static const char *const names[] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS1", "VECS2", "CCS"};

	assert_true(profile_load(&built_in, "ideal", &err));
	profile_init(&init);
	assert_int_equal(built_in.ring_requests, 65536);
	assert_int_equal(built_in.iteration_min_ns, 1000);
	assert_int_equal(built_in.submit_ns + built_in.context_switch_ns +
		built_in.sseu_ns + built_in.completion_ns + built_in.hang_ns +
		built_in.preempt_timeout_ns +
		built_in.preempt_timeout_compute_ns + built_in.heartbeat_ns +
		built_in.request_timeout_ns + built_in.engine_reset_ns +
		built_in.full_reset_ns,
	    0);
	assert_memory_equal(
	    built_in.n_engines, init.n_engines, sizeof init.n_engines);
	device_init(&dev, &built_in);
	assert_int_equal(dev.n_engines, 7);
	for (unsigned i = 0; i < 7; i++)
		assert_string_equal(dev.engines[i].name, names[i]);
	assert_int_equal(device_all_slices(&dev), 7);
}

/* doc/model/guc.md "The profiles of Xe, and Arrow Lake". */
static void
check_timeouts_of_xe(const struct profile *p)
{
	assert_int_equal(p->job_timeout_ns, 5 * NSEC_PER_SEC);
	assert_int_equal(p->preempt_timeout_ns, 640 * NSEC_PER_MSEC);
	assert_int_equal(p->preempt_timeout_compute_ns, 640 * NSEC_PER_MSEC);
	assert_int_equal(p->guc_yield_window_ns, 80 * NSEC_PER_MSEC);
	assert_int_equal(p->guc_yield_percent, 20);
	assert_int_equal(
	    p->heartbeat_ns + p->request_timeout_ns + p->fence_timeout_ns, 0);
	assert_int_equal(p->ban_context_ns + p->ban_score, 0);
	assert_string_equal(p->scheduler, "guc");
}

/* doc/model/hangs.md "Numbers", "Bans"; doc/model/execlists.md "Ready";
 * doc/model/guc.md "The message buffer". */
static void
check_timeouts(const struct profile *p)
{
	bool gen8 = strstr(p->description, "gen8") != NULL;
	bool gen12 = strstr(p->description, "gen12") != NULL;
	bool gen7 = strstr(p->description, "gen7") != NULL;
	bool no_preemption = gen7 || gen8;

	assert_int_equal(p->heartbeat_ns, 2500 * NSEC_PER_MSEC);
	assert_int_equal(p->request_timeout_ns, 20000 * NSEC_PER_MSEC);
	assert_int_equal(p->fence_timeout_ns, 10000 * NSEC_PER_MSEC);
	assert_int_equal(
	    p->preempt_timeout_ns, no_preemption ? 0 : 640 * NSEC_PER_MSEC);
	assert_int_equal(p->preempt_timeout_compute_ns,
	    no_preemption ? 0
		: gen12   ? 7500 * NSEC_PER_MSEC
			  : 640 * NSEC_PER_MSEC);
	assert_int_equal(
	    p->semaphores, !no_preemption && strcmp(p->scheduler, "guc") != 0);
	assert_int_equal(p->preemption, !no_preemption);
	assert_int_equal(p->engine_reset, !gen7);
	assert_int_equal(p->ban_context_ns, 120 * NSEC_PER_SEC);
	assert_int_equal(p->ban_client_ns, 60 * NSEC_PER_SEC);
	assert_int_equal(p->ban_score, 9);
}

/* The scheduler that i915 has there (the manual, PROFILES); ideal is for
 * working things out by hand. */
TEST(schedulers)
{
	static const struct {
		const char *profile, *wanted;
	} rows[] = {{"ideal", "fifo"}, {"default", "execlists"},
	    {"tgl", "execlists"}, {"skl-gt4", "execlists"}, {"dg2-g10", "guc"},
	    {"kbl-gt2", "execlists"}, {"ivb-gt2", "fifo"}, {"adl-p", "guc"},
	    {"lnl", "guc"}, {"arl", "guc"}};
	struct text err = {0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct profile p;

		assert_true(profile_load(&p, rows[i].profile, &err));
		assert_string_equal(
		    sched_of(&p, SCHED_OF_PROFILE, &err)->name, rows[i].wanted);
		assert_string_equal(sched_of(&p, "drm", &err)->name, "drm");
	}
}

TEST(every_builtin_loads)
{
	const char *file;
	unsigned n = 0;

	for (; (file = profile_builtin(n)) != NULL; n++) {
		char name[64];
		struct profile p;
		struct text err = {0};

		snprintf(name, sizeof name, "%.*s",
		    (int)(strlen(file) - strlen(".ini")), file);
		if (!profile_load(&p, name, &err))
			print_error("%s\n", text_str(&err));
		assert_true(err.len == 0);
		assert_string_equal(p.name, name);
		assert_true(p.description[0] != '\0');
		assert_non_null(sched_find(p.scheduler, &err));
		if (p.xe)
			check_timeouts_of_xe(&p);
		else if (strcmp(name, "ideal") != 0)
			check_timeouts(&p);
	}
	/* The real platforms, ideal and default. */
	assert_true(n >= 20);
}

TEST(files)
{
	char path[] = "/tmp/gpuwl-profile-XXXXXX";
	int fd = mkstemp(path);
	struct profile p;
	struct text err = {0};

	assert_true(fd >= 0);
	assert_true(write(fd, "[device]\nVCS = 4\n", 17) == 17);
	close(fd);
	assert_true(profile_load(&p, path, &err));
	assert_int_equal(p.n_engines[CLASS_VCS], 4);
	assert_int_equal(p.n_engines[CLASS_RCS], 1);
	unlink(path);
	assert_false(profile_load(&p, path, &err));
	text_clear(&err);
	assert_false(profile_load(&p, "nosuch", &err));
	assert_non_null(strstr(text_str(&err), "no profile 'nosuch'"));
	assert_non_null(strstr(text_str(&err), "ideal"));
	text_free(&err);
}

static void
expect_offer(const char *name, const char *wanted)
{
	struct profile p;
	struct text err = {0}, all = {0};

	assert_false(profile_load(&p, name, &err));
	text_addf(&all, "no profile '%s': did you mean %s? --help lists all",
	    name, wanted);
	assert_string_equal(text_str(&err), text_str(&all));
	text_free(&err);
	text_free(&all);
}

/* Names of GPUs, names without their end, and mistyped ones. */
TEST(offers)
{
	expect_offer("tigerlake", "tgl");
	expect_offer("Tiger Lake", "tgl");
	expect_offer("kabylake", "kbl-gt2, skl-gt2 or skl-gt3");
	expect_offer("alderlake", "adl-n, adl-p or adl-s");
	expect_offer("dg2", "dg2-g10, dg2-g11 or dg2-g12");
	expect_offer("defalt", "default");
}

static void
expect_round_trip(const struct profile *p)
{
	struct profile again;
	struct text ini = {0}, err = {0};

	profile_print(p, &ini);
	profile_init(&again);
	assert_true(profile_parse(&again, "printed", text_str(&ini), &err));
	memcpy(again.name, p->name, sizeof p->name);
	memcpy(again.description, p->description, sizeof p->description);
	memcpy(again.scheduler, p->scheduler, sizeof p->scheduler);
	assert_memory_equal(p, &again, sizeof again);
	text_free(&ini);
}

/* A recording has the printed knobs, and no more. */
TEST(printed_knobs_are_read_again)
{
	struct profile p;
	struct text err = {0};
	const char *file;

	profile_init(&p);
	expect_round_trip(&p);
	for (unsigned n = 0; (file = profile_builtin(n)) != NULL; n++) {
		char name[64];

		snprintf(name, sizeof name, "%.*s",
		    (int)(strlen(file) - strlen(".ini")), file);
		assert_true(profile_load(&p, name, &err));
		expect_round_trip(&p);
	}
}

TEST(values_by_class)
{
	struct profile p;
	struct text err = {0};

	profile_init(&p);
	assert_true(profile_parse(&p, "my.ini",
	    "[platform]\ngeneration = 11\nkernel = 5.14\n"
	    "[costs]\ncontext_switch_ns = 8000\ncompletion_ns = 3000\n"
	    "context_switch_ns.VCS = 700\nsame_ring_ns = 0\n"
	    "ring_requests = 64\nring_requests.CCS = 2048\n"
	    "[nearness]\narbitration_us.BCS = 5\n"
	    "[sharing]\nRCS.CCS = 40\nCCS.RCS = 60\n",
	    &err));
	assert_int_equal(p.kernel, PROFILE_KERNEL(5, 14));
	assert_int_equal(profile_switch_ns(&p, CLASS_RCS), 8000);
	assert_int_equal(profile_switch_ns(&p, CLASS_VCS), 700);
	assert_int_equal(profile_same_ring_ns(&p), 0);
	assert_int_equal(profile_next_port_ns(&p), 3000);
	assert_int_equal(profile_ring_requests(&p, CLASS_VECS), 64);
	assert_int_equal(profile_ring_requests(&p, CLASS_CCS), 2048);
	assert_int_equal(p.arbitration_ns[CLASS_BCS], 5000);
	assert_int_equal(p.arbitration_ns[CLASS_RCS], 0);
	assert_int_equal(p.sharing[CLASS_RCS][CLASS_CCS], 40);
	assert_int_equal(p.sharing[CLASS_CCS][CLASS_RCS], 60);
	assert_int_equal(p.sharing[CLASS_VCS][CLASS_RCS], 0);
	expect_wrong("[platform]\nkernel = six\n",
	    "my.ini:2: error: invalid 'kernel' = 'six': expected a version, e.g. 6.11");
	expect_wrong("[platform]\nkernel = 6\n",
	    "my.ini:2: error: invalid 'kernel' = '6': expected a version, e.g. 6.11");
	expect_wrong("[platform]\nkernel = 6.+1\n",
	    "my.ini:2: error: invalid 'kernel' = '6.+1': expected a version, e.g. 6.11");
	expect_wrong("[sharing]\nRCS.XCS = 4\n",
	    "my.ini:2: error: unknown key 'RCS.XCS' in section [sharing]");
	expect_wrong("[nearness]\narbitration_us = 4\n",
	    "my.ini:2: error: unknown key 'arbitration_us' in section [nearness]");
}

/* The GPU that programs see; two of its keys have been elsewhere. */
TEST(i915)
{
	struct profile p;
	struct text err = {0};

	assert_true(profile_load(&p, "ideal", &err));
	assert_int_equal(p.pci_id, 0x9a49);
	assert_int_equal(p.clock_hz, 1000000000);
	assert_int_equal(p.command_ns + p.draw_ns + p.blit_ns + p.frame_ns, 0);
	assert_true(profile_load(&p, "ivb-gt2", &err));
	assert_int_equal(p.pci_id, 0x0166);
	assert_int_equal(p.generation, 7);
	assert_int_equal(p.clock_hz, 0);
	assert_int_equal(p.frame_ns, 4000000);
	assert_true(profile_parse(&p, "my.ini",
	    "[i915]\npci_id = 0x5916\ngeneration = 9\nkernel = 6.1\n"
	    "[commands]\ndraw_ns = 7\n",
	    &err));
	assert_int_equal(p.pci_id, 0x5916);
	assert_int_equal(p.generation, 9);
	assert_int_equal(p.kernel, PROFILE_KERNEL(6, 1));
	assert_int_equal(p.draw_ns, 7);
	assert_true(profile_parse(&p, "my.ini",
	    "[platform]\ngeneration = 11\nkernel = 5.14\n", &err));
	assert_int_equal(p.generation, 11);
	assert_int_equal(p.kernel, PROFILE_KERNEL(5, 14));
	expect_wrong("[i915]\npci_id = tgl\n",
	    "my.ini:2: error: invalid 'pci_id' = 'tgl': expected a hexadecimal number, e.g. 0x9a49");
	expect_wrong("[i915]\npci_id = 0x10000\n",
	    "my.ini:2: error: invalid 'pci_id' = 0x10000: expected 0x0000 to 0xffff");
}

/* `ideal` has none of the nearness; every other built-in one has. */
TEST(nearness)
{
	struct profile p, init;
	struct text err = {0};

	profile_init(&init);
	assert_true(profile_load(&p, "ideal", &err));
	assert_int_equal(p.hz + p.cpus + p.wakeup_ns + p.timer_slack_ns +
		p.committed_port + p.saturation + p.sticky_yield +
		p.virtual_tie + p.sseu_scales + p.wake_ns + p.guc_ctb_messages +
		p.guc_yield_window_ns,
	    0);
	assert_memory_equal(
	    p.arbitration_ns, init.arbitration_ns, sizeof p.arbitration_ns);
	assert_memory_equal(p.sharing, init.sharing, sizeof p.sharing);
	assert_true(profile_load(&p, "default", &err));
	assert_int_equal(p.cpus, 0);
	assert_int_equal(p.hz, 1000);
	assert_memory_equal(p.sharing, init.sharing, sizeof p.sharing);
	assert_true(p.arbitration_ns[CLASS_RCS] > 0);
	assert_true(profile_load(&p, "dg2-g10", &err));
	assert_true(p.cpus > 0 && p.hz > 0);
}

/* A heap is in the order of keys, equal ones in the order of insertion. */
TEST(heap)
{
	struct heap h = {0};
	uint64_t key = 0, seq = 0;

	srand(7);
	for (uint64_t i = 1; i <= 5000; i++) {
		heap_push(&h, (uint64_t)rand() % 100, i, NULL);
		if (i % 3 == 0)
			heap_pop(&h);
	}
	while (heap_peek(&h) != NULL) {
		const struct heap_entry *e = heap_peek(&h);

		assert_true(e->key > key || (e->key == key && e->seq > seq));
		key = e->key;
		seq = e->seq;
		heap_pop(&h);
	}
	heap_free(&h);
}
