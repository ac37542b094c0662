/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles and runs whatever parses, under every scheduler: the first byte
 * chooses clients and switches, the rest is the descriptor. Small rings, so that they fill; a
 * bounded run, so that what runs for ever is no finding.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"
#include "engine/compile/platform.h"
#include "engine/sched/steps.h"
#include "engine/sim.h"
#include "parser/diag.h"
#include "parser/document/document.h"

#define MAX_BYTES  2048
#define MAX_EVENTS 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
run(struct sim_config *config, const struct program *p, uint8_t switches)
{
	struct sim *sim = sim_new(config);
	struct workload *w = sim_add_workload(sim, "fuzz", p);
	struct client_options options = {.repeat = 1 + (switches & 3)};
	struct text why = {0};

	for (unsigned i = 0; i <= (switches >> 2 & 3u); i++)
		sim_add_client(sim, w, &options);
	if (sim_run(sim, NSEC_NEVER, MAX_EVENTS) != SIM_DONE)
		sim_explain_deadlock(sim, &why);
	text_free(&why);
	sim_free(sim);
}

/* All switches of doc/model/execlists.md. */
static void
bring_near(struct profile *p)
{
	p->committed_port = p->sticky_yield = p->saturation = 1;
	p->virtual_tie = 1;
	p->hz = 1000;
	p->same_ring_ns = 100;
	p->next_port_ns = 200;
	p->completion_ns = 400;
	for (unsigned i = 0; i < N_CLASSES; i++)
		p->arbitration_ns[i] = 700;
}

/* Knobs of schedulers, by the bits that choose clients and their repeats. */
static void
vary_schedulers(struct profile *p, uint8_t bits)
{
	p->preemption = (bits & 0x0c) != 0x0c;
	p->semaphores = (bits & 0x03) != 0x03;
	p->quantum_ns = bits & 0x02 ? 100 * NSEC_PER_USEC : NSEC_PER_MSEC;
	p->timeslice_ns = bits & 0x01 ? 50 * NSEC_PER_USEC : NSEC_PER_MSEC;
	p->guc_ctb_messages = bits & 0x01 ? 2 : 0;
	p->guc_ctb_message_ns = 200;
	p->guc_yield_window_ns = bits & 0x02 ? NSEC_PER_MSEC : 0;
	p->guc_yield_percent = bits & 0x04 ? 25 : 0;
	p->gt[CLASS_VCS] = p->gt[CLASS_VECS] = bits & 0x04 ? 1 : 0;
	p->fence_timeout_ns = p->hang_ns / 20;
	p->ban_context_ns = p->ban_client_ns = p->hang_ns * 2;
	p->ban_score = 3;
}

/* Chooses a profile, and whether dependencies are synchronous, by the bits of the
 * first byte. */
static void
choose_config(struct sim_config *config, uint8_t bits)
{
	struct profile *p = &config->profile;

	profile_init(p);
	p->ring_requests = 8;
	p->hang_ns = bits & 0x80 ? NSEC_PER_SEC : 0;
	p->job_timeout_ns = p->hang_ns / 2;
	p->hang_limit = 1;
	p->preempt_timeout_ns = p->hang_ns / 500;
	p->preempt_timeout_compute_ns = p->preempt_timeout_ns;
	p->heartbeat_ns = p->hang_ns / 100;
	p->request_timeout_ns = p->hang_ns / 10;
	p->engine_reset = (bits & 0x08) == 0;
	p->engine_reset_ns = p->hang_ns / 10000;
	p->full_reset_ns = p->hang_ns / 1000;
	p->context_switch_ns = bits & 0x40 ? 700 : 0;
	p->ring_credits = bits & 0x40 ? 3 : 1;
	/* guc: two ids, and a run of two for parallel contexts. */
	p->guc_ids = bits & 0x40 ? 4 : 0;
	p->guc_multi_lrc_share = 2;
	p->guc_disable_delay_ns = p->hang_ns / 50000;
	p->guc_register_ns = p->hang_ns / 300000;
	p->submit_ns = bits & 0x20 ? 300 : 0;
	/* Shared by clients, and by engines (doc/model). */
	p->cpus = bits & 0x20 ? 2 : 0;
	p->wakeup_ns = bits & 0x20 ? 500 : 0;
	p->timer_slack_ns = bits & 0x20 ? 70 : 0;
	for (unsigned i = 0; i < N_CLASSES * N_CLASSES; i++)
		p->sharing[i / N_CLASSES][i % N_CLASSES] = bits & 0x40
		    ? i * 7 % 40
		    : 0;
	p->sseu_scales = bits & 0x40 ? 1 : 0;
	p->wake_ns = bits & 0x40 ? 900 : 0;
	if (bits & 0x20)
		bring_near(p);
	vary_schedulers(p, bits);
	config->sync_deps = bits & 0x10;
	/* The refusals of any platform, of an old one or of Xe. */
	p->generation = 9;
	p->kernel = PROFILE_KERNEL(6, 0);
	p->takes_sseu = 0;
	p->xe = bits & 0x40 ? 1 : 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_config config = {.seed = 1};
	struct platform_findings findings = {0};
	struct program_options options = {.duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = 7,
	    .findings = &findings};
	struct diag_list diags = {0};
	struct text err = {0};
	struct device dev;
	const struct document *doc;
	struct program *p;

	if (size < 1 || size > MAX_BYTES)
		return 0;
	choose_config(&config, data[0]);
	options.platform = data[0] & 0x10 ? &config.profile : NULL;
	device_init(&dev, &config.profile);
	doc = document_parse(
	    "fuzz", (const char *)data + 1, size - 1, SOURCE_FILE);
	p = program_compile(&doc, 1, &dev, &options, &diags);
	for (unsigned i = 0; p != NULL && sched_list(i) != NULL; i++) {
		config.sched = sched_list(i);
		if (sched_accepts(config.sched, p, &config.profile, &err))
			run(&config, p, data[0]);
	}
	for (size_t i = 0; i < findings.n; i++) {
		size_t len;

		document_line_text(doc, findings.list[i].line, &len);
		if (findings.list[i].col > len ||
		    platform_words(findings.list[i].rule,
			findings.list[i].verdict) == NULL)
			abort();
	}
	platform_findings_free(&findings);
	program_free(p);
	diag_list_free(&diags);
	document_free((struct document *)(uintptr_t)doc);
	text_free(&err);
	return 0;
}
