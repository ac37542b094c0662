/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual device of a session: opening it, letting it work and stand still
 * with the session, and what is reported of it.
 */
#include "run/live/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "device/i915/i915.h"
#include "device/model/virtual.h"
#include "device/service/service.h"
#include "engine/backend.h"
#include "run/capture.h"
#include "run/live/programs_private.h"
#include "run/live/session.h"
#include "run/plan.h"

#define REQUESTS_AT_A_TIME 256

/* Reports. */

void
programs_say(struct programs *p, bool bad, const char *line)
{
	text_clear(&p->news);
	text_adds(&p->news, line);
	p->bad_news = bad;
}

/* Keeps the line, unless it is the last one again; grave: shows it too. */
static void
on_refused(void *data, const char *line, bool grave)
{
	struct programs *p = data;
	uint64_t last = p->n_refusals - 1;
	char **slot = &p->refusals[p->n_refusals % PROGRAMS_REFUSALS];

	if (p->n_refusals > 0 &&
	    strcmp(p->refusals[last % PROGRAMS_REFUSALS], line) == 0)
		return;
	free(*slot);
	*slot = mem_strdup(line);
	p->n_refusals++;
	if (grave)
		programs_say(p, true, line);
}

static void
on_problem(void *data, const char *line)
{
	on_refused(data, line, true);
}

bool
session_take_program_news(struct session *s, struct text *out, bool *bad)
{
	struct programs *p = &s->programs;

	if (p->news.len == 0)
		return false;
	text_adds(out, text_str(&p->news));
	text_clear(&p->news);
	*bad = p->bad_news;
	return true;
}

/* Opening. */

static bool
open_service(struct session *s, const char *name, struct text *err)
{
	struct service_settings settings = {
	    .name = name,
	    .privileged = s->programs.privileged,
	    .problem = on_problem,
	    .data = &s->programs,
	};

	struct i915 *dev;
	struct capture_options capture = {
	    .profile = s->plan->profile.name,
	    .scheduler = s->plan->sched->name,
	};

	s->programs.service = service_open(s->run.sim, &settings, err);
	if (s->programs.service == NULL) {
		backend_set_open(s->run.sim, false);
		return false;
	}
	s->programs.capture = capture_new(s->run.sim, &capture);
	dev = virtual_i915(service_device(s->programs.service));
	capture_watch(s->programs.capture, dev);
	i915_set_refusals(dev, on_refused, &s->programs);
	i915_set_no_display(dev, on_problem, &s->programs);
	backend_set_speed(s->run.sim, s->programs.speed);
	return true;
}

/* True if the session is one that programs can be part of. */
static bool
may_serve(const struct session *s, struct text *err)
{
	if (s->programs.service != NULL)
		text_addf(err, "the virtual i915 %s is open already",
		    s->programs.name);
	else if (session_is_on_gpu(s))
		text_adds(err,
		    "no programs here: they open the GPU themselves, e.g. "
		    "gem_wsim from a shell");
	else if (session_is_past(s))
		text_adds(err,
		    "no programs in the past, where they were not: F returns "
		    "to the present");
	else if (session_is_of_recorded_gpu(s))
		text_adds(err,
		    "no programs here: what a GPU did is recorded, and can "
		    "only be looked at");
	else if (s->recorder != NULL)
		text_adds(err,
		    "no programs while --record writes: a replay could not "
		    "repeat what they do");
	else if (s->baseline.kind == BASELINE_SHADOW)
		text_adds(err,
		    "no programs while two runs are compared: :compare ends "
		    "that");
	return err->len == 0;
}

/* Sets the name that the device has by the path of its socket. */
static void
take_device_name(struct programs *p)
{
	const char *path = service_path(p->service);
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	slash = slash != NULL ? slash + 1 : path;
	free(p->name);
	p->name = mem_strndup(slash,
	    dot != NULL && dot > slash ? (size_t)(dot - slash) : strlen(slash));
}

bool
session_serve(
    struct session *s, const char *name, bool privileged, struct text *err)
{
	struct programs *p = &s->programs;
	struct text taken = {0};
	bool ok;

	if (!may_serve(s, err))
		return false;
	p->privileged = privileged;
	p->speed = name != NULL && s->clock.speed > 0 ? s->clock.speed : 1;
	ok = open_service(s, name != NULL ? name : PROGRAMS_DEVICE,
	    name != NULL ? err : &taken);
	if (!ok && name == NULL)
		ok = open_service(s, NULL, err);
	text_clear(&taken);
	if (!ok) {
		text_free(&taken);
		return false;
	}
	history_end(s); /* a device does not repeat what it did */
	take_device_name(p);
	text_addf(&taken, "serving %s: programs run on it with gpuwl-run",
	    service_path(p->service));
	programs_say(p, false, text_str(&taken));
	text_free(&taken);
	if (s->clock.speed != p->speed)
		programs_say(
		    p, false, "programs live in real time: the speed is 1 now");
	s->clock.speed = 1;
	clock_rebase(&s->clock, clock_wall(), s->run.sim->now);
	programs_follow(s);
	return true;
}

bool
session_is_served(const struct session *s)
{
	return s->programs.service != NULL;
}

bool
session_has_only_programs(const struct session *s)
{
	return session_is_served(s) && s->plan->n_sources == 1 &&
	    source_is_blank(&s->plan->sources[0]);
}

double
session_speed(const struct session *s)
{
	return session_is_served(s) ? s->programs.speed : s->clock.speed;
}

unsigned
session_n_programs(const struct session *s)
{
	return s->run.sim->outsiders.n_live;
}

/* With the session. */

void
programs_follow(struct session *s)
{
	if (s->programs.service != NULL)
		virtual_stop(service_device(s->programs.service), clock_wall(),
		    !session_moves(s));
}

void
session_device_skip(struct session *s)
{
	struct virtual_device *v;

	gpu_follow(s);
	if (s->programs.service == NULL)
		return;
	v = service_device(s->programs.service);
	virtual_skip(v, clock_wall());
}

enum sim_ran
programs_step(struct session *s)
{
	return virtual_step(service_device(s->programs.service), clock_wall());
}

bool
session_device_work(struct session *s)
{
	struct programs *p = &s->programs;

	if (session_is_on_gpu(s) && session_moves(s))
		session_advance(s, clock_wall(), 0);
	if (p->service != NULL) {
		programs_follow(s);
		service_work(p->service, REQUESTS_AT_A_TIME);
	}
	programs_reap(s);
	programs_limit_log(p);
	return p->news.len > 0;
}

unsigned
session_device_poll(struct session *s, struct pollfd *fds, nsec *next)
{
	struct programs *p = &s->programs;
	unsigned n = 0;

	*next = NSEC_NEVER;
	if (session_is_on_gpu(s))
		return gpu_poll(s, fds, next);
	if (p->service == NULL)
		return 0;
	*next = service_next(p->service);
	fds[n++] = (struct pollfd){
	    .fd = service_fd(p->service), .events = POLLIN};
	for (unsigned i = 0; i < p->n_children; i++)
		fds[n++] = (struct pollfd){
		    .fd = p->children[i].process.pidfd, .events = POLLIN};
	return n;
}

/* Launches. */

void
programs_leave(struct session *s)
{
	struct programs *p = &s->programs;

	if (p->capture != NULL)
		capture_watch(p->capture, NULL);
	service_close(p->service);
	capture_free(p->capture);
	text_free(&p->shown.text);
	p->shown = (struct program_text){0};
	p->capture = NULL;
	p->service = NULL;
}

/* Descriptions. */

/* Share of the time that descriptions may take: one in that many. */
#define DESCRIBED_SHARE 400

void
session_describe_program(struct session *s, const struct client *c)
{
	struct programs *p = &s->programs;
	struct program_text *t = &p->shown;
	nsec now = clock_wall(), took;
	uint64_t ended;

	if (p->capture == NULL || c->walker != NULL)
		return;
	ended = capture_ended(p->capture, c->id);
	if (t->valid && t->of == c->id && (now < t->next || ended == t->ended))
		return;
	text_clear(&t->text);
	capture_text(p->capture, c->id, &t->text);
	t->valid = true;
	t->of = c->id;
	t->ended = ended;
	took = clock_wall() - now;
	t->next = now + NSEC_PER_SEC + took * DESCRIBED_SHARE;
}

const char *
session_program_text(const struct session *s, const struct client *c)
{
	const struct program_text *t = &s->programs.shown;

	return t->valid && t->of == c->id ? text_str(&t->text) : "";
}

bool
session_capture(struct session *s, const struct client *c, const char *path,
    bool over, struct text *said, struct text *err)
{
	if (s->programs.capture == NULL) {
		text_adds(err,
		    "no program runs here: expected one, e.g. :run gem_wsim -w "
		    "FILE");
		return false;
	}
	return capture_write(s->programs.capture,
	    c != NULL ? c->id : CAPTURE_ALL, path, over, said, err);
}

void
programs_enter(struct session *s)
{
	struct programs *p = &s->programs;
	struct text err = {0};

	if (p->name == NULL)
		return;
	if (open_service(s, p->name, &err))
		programs_follow(s);
	else
		programs_say(p, true, text_str(&err));
	text_free(&err);
}

void
programs_end(struct session *s)
{
	struct programs *p = &s->programs;

	programs_end_children(s);
	programs_leave(s);
	for (unsigned i = 0; i < PROGRAMS_REFUSALS; i++)
		free(p->refusals[i]);
	for (char **word = p->first; word != NULL && *word != NULL; word++)
		free(*word);
	free(p->first);
	free(p->name);
	text_free(&p->news);
	text_free(&p->log_path);
	*p = (struct programs){0};
}
