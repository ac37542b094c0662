/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings (run/recording.h): a session that is recorded and replayed has the
 * same --requests, byte for byte, whatever was done to it. Recordings that cannot
 * be replayed are in test_replay_errors.c.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "parser/document/edit.h"
#include "report/report.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define US NSEC_PER_USEC

static bool
same_file(const char *a, const char *b)
{
	size_t n, m;
	char *x = read_whole(a, &n), *y = read_whole(b, &m);
	bool same = n == m && memcmp(x, y, n) == 0;

	free(x);
	free(y);
	return same;
}

/* Batch mode. */

TEST(batch)
{
	char scheduler[64];
	struct outcome r;

	for (unsigned i = 0; sched_list(i) != NULL; i++) {
		const char *rec = test_path("rec"), *live = test_path("live");
		const char *again = test_path("again");
		struct text t[4] = {{0}};

		snprintf(scheduler, sizeof scheduler, "--scheduler=%s",
		    sched_list(i)->name);
		text_addf(&t[0], "--record=%s", rec);
		text_addf(&t[1], "--requests=%s", live);
		text_addf(&t[2], "--replay=%s", rec);
		text_addf(&t[3], "--requests=%s", again);
		RUN(&r, "-b", scheduler, "-I", "7", "-r", "9", "-f", "0.7",
		    "-F", "1.3", "-p", "3", "-a", "2.BCS.70-90.0.1", "-w",
		    "1.RCS.1000-3000.0.0,2.VCS.700.-1.0,d.100,#\xff\xc3", "-s",
		    "-w", "P.1.-5,1.RCS.900.0.1,#x,2.CCS.70.0.1", t[0].data,
		    t[1].data);
		assert_int_equal(r.status, 0);
		outcome_free(&r);
		RUN(&r, "-b", t[2].data, t[3].data);
		assert_string_equal(r.err, "");
		assert_int_equal(r.status, 0);
		outcome_free(&r);
		assert_true(same_file(live, again));
		for (unsigned k = 0; k < 4; k++)
			text_free(&t[k]);
	}
}

/* A -W master, cut off by --duration: what is in flight is the same. */
TEST(batch_cut_off)
{
	struct text t[2] = {{0}};
	struct outcome r, again;

	text_addf(&t[0], "--record=%s", test_path("rec"));
	text_addf(&t[1], "--replay=%s", test_path("rec"));
	RUN(&r, "-b", "-q", "--duration=0.0333333", "-W",
	    "1.RCS.1000-3000.0.0,1.BCS.300.-1.0", "-w", "1.RCS.700.0.1",
	    t[0].data, "--requests=-");
	RUN(&again, "-b", "-q", t[1].data, "--requests=-");
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, again.out);
	assert_non_null(strstr(r.out, "EINPROGRESS"));
	assert_int_equal(again.status, 0);
	outcome_free(&r);
	outcome_free(&again);
	text_free(&t[0]);
	text_free(&t[1]);
}

/* A session as the console has it, with a clock of the test's. */

static const char *const texts[] = {
    "1.RCS.1000-3000.0.0,2.BCS.500.-1.0,1.VCS1.700.0.1,d.120,#\xfe",
    "P.2.7,2.RCS.900.0.0,M.4.VCS1|VCS2,B.4,4.DEFAULT.400-900.0.0,"
    "1.RCS.300.-1/-4.0,3.VECS1.200.-1.1",
    "W.1.4/4,w.2.8,1.RCS.333.w1-0/w2-0.0,f,2.BCS.444.f-1.0,X.3.0,"
    "3.RCS.2500.r2-0.0,S.1.1,d.1000,a.-6,s.-4,1.BCS.77.0.1",
    "5.RCS.*.0.0,1.BCS.200.s-1.0,d.900,T.-3,W.1.4,2.VCS1.90.r1-0.1",
};
#define N_TEXTS (sizeof texts / sizeof *texts)

struct live {
	struct plan plan;
	struct source sources[N_TEXTS];
	struct run_recorder *recording;
	struct session session;
	struct request_log *log;
	int fd;
	nsec wall;
	unsigned n_done;
};

static void
begin_with(struct live *live, const char *sched, double speed,
    const char *first, const char *second)
{
	char scheduler[64];
	const char *argv[] = {"gpuwl-top", scheduler, "-I", "3", "-f", "0.9",
	    first, second, NULL};
	struct options o;
	struct text err = {0};
	int status;

	*live = (struct live){0};
	snprintf(scheduler, sizeof scheduler, "--scheduler=%s", sched);
	assert_true(options_parse(&o, 8, (char **)(uintptr_t)argv, &err));
	if (!plan_open(&live->plan, &o, &status, &err))
		fail_msg("%s", text_str(&err));
	options_free(&o);
	for (size_t i = 0; i < N_TEXTS; i++)
		assert_true(
		    source_open(&live->sources[i], texts[i], "live", &err));
	live->recording = recorder_new(open(
	    test_path("rec"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
	assert_true(session_begin(&live->session, &live->plan, speed,
	    NSEC_NEVER, live->recording, NULL, &err));
	text_free(&err);
}

static void
begin(struct live *live, const char *sched, double speed)
{
	begin_with(live, sched, speed, texts[0], texts[2]);
}

static void
watch(struct live *live, const char *path)
{
	live->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	assert_true(live->fd >= 0);
	live->log = request_log_new(live->session.run.sim, live->fd, false);
}

static void
end(struct live *live)
{
	assert_int_equal(request_log_finish(live->log), 0);
	close(live->fd);
	session_end(&live->session);
	assert_int_equal(recorder_close(live->recording), 0);
	for (size_t i = 0; i < N_TEXTS; i++)
		source_close(&live->sources[i]);
	plan_close(&live->plan);
}

/* Opens a file with that text as the console does: a workload is a source. */
static struct source *
open_another(struct live *live, size_t text)
{
	struct text err = {0};
	char name[32];

	snprintf(name, sizeof name, "another%zu.wsim", live->plan.n_sources);
	write_file(test_path(name), texts[text]);
	if (!plan_add_file(&live->plan, test_path(name), false, &err))
		fail_msg("%s", text_str(&err));
	return &live->plan.sources[live->plan.n_sources - 1];
}

static void
control(struct live *live, struct control c, size_t text)
{
	struct source *source = &live->sources[text % N_TEXTS];
	struct program *p = NULL;
	struct text err = {0};
	bool opens = c.kind == CONTROL_ADD && c.name != NULL, done = false;

	if (opens)
		source = open_another(live, text % N_TEXTS);
	if (c.kind == CONTROL_SWAP || c.name != NULL) {
		p = plan_build(&live->plan, source, &err);
		c.program = p;
		c.name = source->name;
		c.source = source;
	}
	if (c.program != NULL || c.kind != CONTROL_SWAP)
		done = session_control(&live->session, &c, &err);
	live->n_done += done;
	program_free(p);
	if (opens && !done)
		plan_drop_last(&live->plan);
	text_free(&err);
}

static void
take_step(struct live *live, enum sim_step what)
{
	struct text happened = {0};

	session_step(&live->session, live->wall, what, &happened);
	text_free(&happened);
}

static void
do_something(struct live *live)
{
	struct session *s = &live->session;
	const struct sim *sim = s->run.sim;
	unsigned dice[6];
	struct control c = {0};

	for (unsigned i = 0; i < 6; i++)
		dice[i] = (unsigned)random();
	c.kind = dice[0] % N_CONTROLS;
	c.client = dice[1] % (unsigned)sim->n_clients;
	if (dice[1] % 7 == 0)
		c.client = CONTROL_ALL;
	c.workload = dice[2] % sim->n_workloads;
	c.context = dice[3] % 6;
	c.value = c.kind == CONTROL_SSEU ? 1 + dice[4] % 7 : dice[4] % 500;
	c.persistent = dice[5] % 2;
	c.at_once = dice[5] / 2 % 2;
	c.n_clients = 1 + dice[3] % 2;
	c.options = (struct client_options){.repeat = dice[4] % 9,
	    .priority = (int)dice[5] % 40,
	    .background = dice[2] % 5 == 0,
	    .small_sseu = dice[3] % 2};
	if (c.kind == CONTROL_ADD && dice[5] % 3 == 0)
		c.name = "another";
	if ((c.kind == CONTROL_ADD && sim->n_clients > 15) ||
	    (c.kind == CONTROL_KILL && dice[4] % 3 > 0))
		c.kind = CONTROL_SWAP;
	control(live, c, dice[4]);
	switch (dice[0] / 64 % 6) {
	case 0: session_pause(s, live->wall, !s->clock.paused); break;
	case 1: take_step(live, SIM_STEP_EVENT); break;
	case 2: take_step(live, SIM_STEP_BATCH); break;
	case 3: take_step(live, SIM_STEP_ITERATION); break;
	case 4:
		session_set_speed(s, live->wall, 0.1 * (1 + dice[5] % 40));
		break;
	default: break;
	}
	if (dice[2] % 3 > 0)
		session_pause(s, live->wall, false);
}

static void
watch_it_go(struct live *live)
{
	live->wall += 1 + (nsec)random() % (1500 * US);
	session_advance(&live->session, live->wall, 0);
	session_tick(&live->session, live->wall);
}

/* Every kind of control at odd times, under every scheduler. */
TEST(session)
{
	unsigned n_done = 0;

	for (unsigned i = 0; sched_list(i) != NULL; i++) {
		for (unsigned seed = 1; seed <= 6; seed++) {
			struct text t[2] = {{0}};
			struct outcome r;
			struct live live;

			srandom(seed);
			begin(&live, sched_list(i)->name, 1);
			watch(&live, test_path("live"));
			for (unsigned n = 0; n < 60; n++) {
				watch_it_go(&live);
				do_something(&live);
			}
			end(&live);
			n_done += live.n_done;
			text_addf(&t[0], "--replay=%s", test_path("rec"));
			text_addf(&t[1], "--requests=%s", test_path("again"));
			RUN(&r, "-b", "-q", t[0].data, t[1].data);
			assert_null(strstr(r.err, "error"));
			assert_true(
			    same_file(test_path("live"), test_path("again")));
			outcome_free(&r);
			text_free(&t[0]);
			text_free(&t[1]);
		}
	}
	assert_true(n_done > 500);
}

/* A session that was started again: the last start is replayed. */
TEST(relaunch)
{
	struct text err = {0}, replay = {0}, requests = {0};
	struct outcome r;
	struct live live;

	begin(&live, "fifo", 2);
	watch_it_go(&live);
	control(&live, (struct control){.kind = CONTROL_KILL}, 0);
	assert_true(
	    session_set_scheduler(&live.session, live.wall, "drm", &err));
	watch_it_go(&live);
	assert_true(
	    session_set_profile(&live.session, live.wall, "ideal", &err));
	assert_false(
	    session_set_scheduler(&live.session, live.wall, "none", &err));
	watch(&live, test_path("live"));
	assert_null(trail_request(live.session.trail, 1)); /* a new one */
	for (unsigned i = 0; i < 5; i++)
		watch_it_go(&live);
	assert_non_null(trail_request(live.session.trail, 1));
	control(&live,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = 77},
	    0);
	assert_int_equal(live.n_done, 2);
	watch_it_go(&live);
	end(&live);
	text_addf(&replay, "--replay=%s", test_path("rec"));
	text_addf(&requests, "--requests=%s", test_path("again"));
	RUN(&r, "-b", "--json", replay.data, requests.data);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "\"scheduler\": \"drm\""));
	assert_non_null(strstr(r.out, "\"profile\": \"ideal\""));
	assert_non_null(strstr(r.out, "\"priority\": 77"));
	assert_true(same_file(test_path("live"), test_path("again")));
	outcome_free(&r);
	text_free(&err);
	text_free(&replay);
	text_free(&requests);
}

static void
mend(struct live *live, size_t source, const char *text)
{
	struct text said = {0};

	edit_rewrite(live->plan.sources[source].doc, text, strlen(text));
	assert_int_equal(
	    session_document_changed(&live->session, source, LIVE_LATER, &said),
	    LIVE_STARTED);
	text_free(&said);
}

/* A descriptor with errors has its place in the recording, and its clients once
 * it was corrected, also where nothing ran before. */
TEST(waiting)
{
	static const char *const others[] = {"d.100,1.BCS.70-900.0.1", "1.x,2"};
	struct text err = {0}, replay = {0}, requests = {0};
	const char *path = test_path("bad.wsim");
	struct outcome r;
	struct live live;
	size_t source;
	FILE *f;

	for (unsigned i = 0; i < 2; i++) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs("1.RCS.none.0.0\n", f);
		fclose(f);
		srandom(i);
		begin_with(&live, "execlists", 1, "1.x.\xff,#", others[i]);
		watch(&live, test_path("live"));
		watch_it_go(&live);
		assert_true(
		    session_open(&live.session, path, 3, true, &source, &err));
		assert_int_equal(source, 2);
		watch_it_go(&live);
		mend(&live, 2, "1.RCS.100-900.0.0");
		watch_it_go(&live);
		mend(&live, 0, "2.RCS.100-500.0.0,d.50");
		watch_it_go(&live);
		assert_int_equal(live.session.run.sim->n_clients, 5 - i);
		assert_true(session_add_clients(&live.session, 0, 1, &err));
		watch_it_go(&live);
		end(&live);
		text_addf(&replay, "--replay=%s", test_path("rec"));
		text_addf(&requests, "--requests=%s", test_path("again"));
		RUN(&r, "-b", "-q", replay.data, requests.data);
		assert_string_equal(r.err, "");
		assert_int_equal(r.status, 0);
		assert_true(same_file(test_path("live"), test_path("again")));
		outcome_free(&r);
		text_free(&replay);
		text_free(&requests);
	}
}

/* The console itself, played by a script. */
TEST(console)
{
	struct text script = {0}, record = {0}, replay = {0};
	struct outcome r, again;
	char *recording;
	size_t len;

	write_file(test_path("script"),
	    ":scheduler execlists\nadvance 33.3ms\n:pause\n:step batch\n.\n"
	    ":speed 3\n:pause\nadvance 12.345ms\n:quit\n");
	text_addf(&script, "--script=%s", test_path("script"));
	text_addf(&record, "--record=%s", test_path("rec"));
	text_addf(&replay, "--replay=%s", test_path("rec"));
	RUN(&r, script.data, record.data, "--profile=ideal",
	    "1.RCS.1000-3000.0.0,2.BCS.500.-1.1");
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	recording = read_whole(test_path("rec"), &len);
	assert_non_null(strstr(recording, "\"note\":\"pause\"}\n"));
	assert_non_null(
	    strstr(recording, "\"note\":\"step\",\"value\":\"batch\"}\n"));
	assert_non_null(
	    strstr(recording, "\"note\":\"speed\",\"value\":\"3x\"}\n"));
	assert_non_null(strstr(recording, "\"end\":\"quit\"}\n"));
	free(recording);
	RUN(&r, "-b", "-q", replay.data, "--requests=-");
	RUN(&again, "-b", "-q", replay.data, "--requests=-", "--speed=20");
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, again.out);
	assert_non_null(strstr(r.out, "EINPROGRESS"));
	outcome_free(&r);
	outcome_free(&again);
	text_free(&script);
	text_free(&record);
	text_free(&replay);
}
