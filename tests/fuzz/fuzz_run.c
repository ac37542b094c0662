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
	profile_init(&config.profile);
	config.profile.ring_requests = 8;
	config.profile.hang_ns = data[0] & 0x80 ? NSEC_PER_SEC : 0;
	config.profile.job_timeout_ns = config.profile.hang_ns / 2;
	config.profile.hang_limit = 1;
	config.profile.preempt_timeout_ns = config.profile.hang_ns / 500;
	config.profile.preempt_timeout_compute_ns =
	    config.profile.preempt_timeout_ns;
	config.profile.heartbeat_ns = config.profile.hang_ns / 100;
	config.profile.request_timeout_ns = config.profile.hang_ns / 10;
	config.profile.engine_reset = (data[0] & 0x08) == 0;
	config.profile.engine_reset_ns = config.profile.hang_ns / 10000;
	config.profile.full_reset_ns = config.profile.hang_ns / 1000;
	config.profile.context_switch_ns = data[0] & 0x40 ? 700 : 0;
	config.profile.ring_credits = data[0] & 0x40 ? 3 : 1;
	/* guc: two ids, and a run of two for parallel contexts. */
	config.profile.guc_ids = data[0] & 0x40 ? 4 : 0;
	config.profile.guc_multi_lrc_share = 2;
	config.profile.guc_disable_delay_ns = config.profile.hang_ns / 50000;
	config.profile.guc_register_ns = config.profile.hang_ns / 300000;
	config.profile.submit_ns = data[0] & 0x20 ? 300 : 0;
	/* Shared by clients, and by engines (doc/model). */
	config.profile.cpus = data[0] & 0x20 ? 2 : 0;
	config.profile.wakeup_ns = data[0] & 0x20 ? 500 : 0;
	config.profile.timer_slack_ns = data[0] & 0x20 ? 70 : 0;
	for (unsigned i = 0; i < N_CLASSES * N_CLASSES; i++)
		config.profile.sharing[i / N_CLASSES][i % N_CLASSES] =
		    data[0] & 0x40 ? i * 7 % 40 : 0;
	config.profile.sseu_scales = data[0] & 0x40 ? 1 : 0;
	config.profile.wake_ns = data[0] & 0x40 ? 900 : 0;
	if (data[0] & 0x20)
		bring_near(&config.profile);
	config.sync_deps = data[0] & 0x10;
	/* The refusals of any platform, of an old one or of Xe. */
	config.profile.generation = 9;
	config.profile.kernel = PROFILE_KERNEL(6, 0);
	config.profile.takes_sseu = 0;
	config.profile.xe = data[0] & 0x40 ? 1 : 0;
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
