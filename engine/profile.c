/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles: one table of knobs says each one's section, key, unit, limits and
 * value in `ideal`.
 */
#include "engine/profile.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embedded.h"
#include "engine/hw_engine.h"
#include "engine/sched/guc_ids.h"
#include "parser/file.h"
#include "parser/text.h"

enum knob_type { KNOB_UNSIGNED, KNOB_NSEC };

struct knob {
	const char *section, *key;
	size_t offset;
	enum knob_type type;
	nsec unit; /* KNOB_NSEC: of the number in the file */
	uint64_t min, max;
	uint64_t ideal; /* in the file's unit */
};

#define AT(field)      offsetof(struct profile, field)
#define COUNT(class)   AT(n_engines[CLASS_##class])
#define GT(class)      AT(gt[CLASS_##class])
#define MAX_COST       1000000000ull
#define MAX_TIMEOUT_MS 100000000ull
#define MAX_QUANTUM_US 100000000ull /* facts/i915-scheduling.md section 2.3 */

static const struct knob knobs[] = {
    {"device", "RCS", COUNT(RCS), KNOB_UNSIGNED, 1, 0, PROFILE_MAX_PER_CLASS,
	1},
    {"device", "BCS", COUNT(BCS), KNOB_UNSIGNED, 1, 0, PROFILE_MAX_PER_CLASS,
	1},
    {"device", "VCS", COUNT(VCS), KNOB_UNSIGNED, 1, 0, PROFILE_MAX_PER_CLASS,
	2},
    {"device", "VECS", COUNT(VECS), KNOB_UNSIGNED, 1, 0, PROFILE_MAX_PER_CLASS,
	2},
    {"device", "CCS", COUNT(CCS), KNOB_UNSIGNED, 1, 0, PROFILE_MAX_PER_CLASS,
	1},
    {"device", "gt.RCS", GT(RCS), KNOB_UNSIGNED, 1, 0, 15, 0},
    {"device", "gt.BCS", GT(BCS), KNOB_UNSIGNED, 1, 0, 15, 0},
    {"device", "gt.VCS", GT(VCS), KNOB_UNSIGNED, 1, 0, 15, 0},
    {"device", "gt.VECS", GT(VECS), KNOB_UNSIGNED, 1, 0, 15, 0},
    {"device", "gt.CCS", GT(CCS), KNOB_UNSIGNED, 1, 0, 15, 0},
    {"device", "slices", AT(slices), KNOB_UNSIGNED, 1, 1, PROFILE_MAX_SLICES,
	3},
    /* CPU time that a client spends in one execbuf. */
    {"costs", "submit_ns", AT(submit_ns), KNOB_NSEC, 1, 0, MAX_COST, 0},
    /* What an iteration costs that submits nothing and takes no time. */
    {"costs", "iteration_min_ns", AT(iteration_min_ns), KNOB_NSEC, 1, 1,
	MAX_COST, 1000},
    /* An engine takes a batch of another context than its last one. */
    {"costs", "context_switch_ns", AT(context_switch_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0},
    /* RCS or CCS takes a context with another slice mask, on top of that. */
    {"costs", "sseu_ns", AT(sseu_ns), KNOB_NSEC, 1, 0, MAX_COST, 0},
    /* From the end of a batch until the engine can begin the next one. */
    {"costs", "completion_ns", AT(completion_ns), KNOB_NSEC, 1, 0, MAX_COST, 0},
    {"costs", "ring_requests", AT(ring_requests), KNOB_UNSIGNED, 1, 2, 1u << 20,
	65536},
    /* execlists, guc: 0 where a batch can't be taken off an engine. */
    {"scheduling", "preemption", AT(preemption), KNOB_UNSIGNED, 1, 0, 1, 1},
    /* execlists: 0 where engines don't poll for the end of others' batches. */
    {"scheduling", "semaphores", AT(semaphores), KNOB_UNSIGNED, 1, 0, 1, 1},
    /* execlists: turn of one context while others of its level wait. */
    {"scheduling", "timeslice_us", AT(timeslice_ns), KNOB_NSEC, NSEC_PER_USEC,
	0, MAX_COST, 1000},
    /* guc: engine time of one context while others of its band wait. */
    {"scheduling", "quantum_us", AT(quantum_ns), KNOB_NSEC, NSEC_PER_USEC, 0,
	MAX_QUANTUM_US, 1000},
    /* drm: so many jobs may be on the ring of an engine, which runs them in
     * order; the next is chosen when one ends. */
    {"scheduling", "ring_credits", AT(ring_credits), KNOB_UNSIGNED, 1, 1,
	1u << 20, 1},
    /* fifo, which has no other: an infinite batch (a finite one never) that has
     * run for so long is given up; 0, as with all of them: never. */
    {"timeouts", "hang_ms", AT(hang_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0},
    /* For so long one that is to take an engine waits for it. */
    {"timeouts", "preempt_timeout_ms", AT(preempt_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0},
    /* The same on RCS and CCS. */
    {"timeouts", "preempt_timeout_compute_ms", AT(preempt_timeout_compute_ns),
	KNOB_NSEC, NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0},
    /* Between two looks at an engine that has work. */
    {"timeouts", "heartbeat_ms", AT(heartbeat_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0},
    /* From readiness: the request is cancelled. */
    {"timeouts", "request_timeout_ms", AT(request_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0},
    /* drm: the oldest job on a ring hangs when it has been that for so long;
     * 0: never. */
    {"timeouts", "job_timeout_ms", AT(job_timeout_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 0},
    /* i915.reset: 1 where engines can be reset one by one, else the GPU is. */
    {"resets", "engine_reset", AT(engine_reset), KNOB_UNSIGNED, 1, 0, 1, 1},
    /* An engine takes nothing while it is reset. */
    {"resets", "engine_reset_ns", AT(engine_reset_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0},
    {"resets", "full_reset_ns", AT(full_reset_ns), KNOB_NSEC, 1, 0, MAX_COST,
	0},
    /* drm: so often a job that hangs is run again; once more, and its context
     * is guilty. */
    {"resets", "hang_limit", AT(hang_limit), KNOB_UNSIGNED, 1, 0, 100, 0},
    /* Context ids that GuC knows queues by; 0: no limit. */
    {"guc", "ids", AT(guc_ids), KNOB_UNSIGNED, 1, 0, GUC_MAX_IDS, 0},
    /* One in so many of them is for parallel contexts only. */
    {"guc", "multi_lrc_share", AT(guc_multi_lrc_share), KNOB_UNSIGNED, 1, 2,
	GUC_MAX_IDS, 16},
    /* From a queue's being idle until its id can be stolen. */
    {"guc", "disable_delay_ms", AT(guc_disable_delay_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0},
    /* With more of the other ids in use, in percent, there is no delay. */
    {"guc", "disable_threshold", AT(guc_disable_threshold), KNOB_UNSIGNED, 1, 0,
	100, 75},
    /* GuC gets to know a queue: the message, and its answer. */
    {"guc", "register_ns", AT(guc_register_ns), KNOB_NSEC, 1, 0, MAX_COST, 0},
    /* A context's third hang bans it if the first of the three was so long ago
     * or less; 0: never. */
    {"bans", "context_window_ms", AT(ban_context_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 120000},
    /* A client scores 1 if its hang comes so soon after the one before, and 3
     * for each ban of a context. */
    {"bans", "client_window_ms", AT(ban_client_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 60000},
    /* With this score a client is banned: it can make no contexts; 0: never. */
    {"bans", "client_score", AT(ban_score), KNOB_UNSIGNED, 1, 0, 1u << 20, 9},
};

#define N_KNOBS (sizeof knobs / sizeof *knobs)

static void
knob_set(struct profile *p, const struct knob *k, uint64_t value)
{
	char *at = (char *)p + k->offset;

	if (k->type == KNOB_NSEC)
		*(nsec *)(void *)at = value * k->unit;
	else
		*(unsigned *)(void *)at = (unsigned)value;
}

static uint64_t
knob_get(const struct profile *p, const struct knob *k)
{
	const char *at = (const char *)p + k->offset;

	if (k->type == KNOB_NSEC)
		return *(const nsec *)(const void *)at / k->unit;
	return *(const unsigned *)(const void *)at;
}

void
profile_print(const struct profile *p, struct text *out)
{
	const char *section = "";

	for (size_t i = 0; i < N_KNOBS; i++) {
		const struct knob *k = &knobs[i];

		if (strcmp(section, k->section) != 0)
			text_addf(out, "[%s]\n", k->section);
		section = k->section;
		text_addf(out, "%s = %llu\n", k->key,
		    (unsigned long long)knob_get(p, k));
	}
}

void
profile_init(struct profile *p)
{
	memset(p, 0, sizeof *p);
	strcpy(p->name, "ideal");
	strcpy(p->scheduler, "fifo");
	for (size_t i = 0; i < N_KNOBS; i++)
		knob_set(p, &knobs[i], knobs[i].ideal);
}

struct reader {
	struct profile *profile;
	struct text *err; /* what the first wrong line has wrong */
};

/* Notes what is wrong, the first time; returns what inih takes for an error. */
static int __attribute__((format(printf, 2, 3)))
wrong(struct reader *r, const char *fmt, ...)
{
	struct text raw = {0};
	va_list ap;

	if (r->err->len > 0)
		return 0;
	va_start(ap, fmt);
	text_addv(&raw, fmt, ap);
	va_end(ap);
	text_add_visible(r->err, text_str(&raw), raw.len);
	text_free(&raw);
	return 0;
}

static int
set_text(
    struct reader *r, char *to, size_t size, const char *key, const char *value)
{
	struct text visible = {0};
	bool fits;

	text_add_visible(&visible, value, strlen(value));
	fits = visible.len > 0 && visible.len < size;
	if (fits)
		memcpy(to, visible.data, visible.len + 1);
	else
		wrong(r, "'%s' is empty or too long: '%s'", key, value);
	text_free(&visible);
	return fits;
}

static int
set_number(struct reader *r, const struct knob *k, const char *value)
{
	char *end;

	errno = 0;
	unsigned long long n = strtoull(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || errno != 0)
		return wrong(
		    r, "'%s' takes a whole number, not '%s'", k->key, value);
	if (n < k->min || n > k->max)
		return wrong(r, "'%s' goes from %llu to %llu, not %llu", k->key,
		    (unsigned long long)k->min, (unsigned long long)k->max, n);
	knob_set(r->profile, k, n);
	return 1;
}

static int
on_line(void *user, const char *section, const char *key, const char *value)
{
	struct reader *r = user;
	struct profile *p = r->profile;

	if (strcmp(section, "profile") == 0 && strcmp(key, "name") == 0)
		return set_text(r, p->name, sizeof p->name, key, value);
	if (strcmp(section, "profile") == 0 && strcmp(key, "description") == 0)
		return set_text(
		    r, p->description, sizeof p->description, key, value);
	if (strcmp(section, "profile") == 0 && strcmp(key, "scheduler") == 0)
		return set_text(
		    r, p->scheduler, sizeof p->scheduler, key, value);
	for (size_t i = 0; i < N_KNOBS; i++) {
		if (strcmp(section, knobs[i].section) == 0 &&
		    strcmp(key, knobs[i].key) == 0)
			return set_number(r, &knobs[i], value);
	}
	return wrong(
	    r, "profiles have no key '%s' in a section [%s]", key, section);
}

static bool
fits_the_device(const struct profile *p, const char *name, struct text *err)
{
	unsigned n = 0;

	for (unsigned class = 0; class < N_CLASSES; class ++)
		n += p->n_engines[class];
	if (n == 0)
		text_addf(err, "%s: a device needs at least one engine", name);
	else if (n > DEVICE_MAX_ENGINES)
		text_addf(err, "%s: %u engines, at most %u can be modelled",
		    name, n, DEVICE_MAX_ENGINES);
	return n > 0 && n <= DEVICE_MAX_ENGINES;
}

bool
profile_parse(
    struct profile *p, const char *name, const char *ini, struct text *err)
{
	struct text what = {0};
	struct reader reader = {p, &what};
	int line = ini_parse_string(ini, on_line, &reader);

	if (line == 0) {
		text_free(&what);
		return fits_the_device(p, name, err);
	}
	text_add_visible(err, name, strlen(name));
	text_addf(err, ":%d: error: %s", line > 0 ? line : 1,
	    what.len > 0 ? text_str(&what)
			 : "neither a [section] nor a key = value");
	text_free(&what);
	return false;
}

#define BUILTIN_PREFIX "workloads/profiles/"
#define BUILTIN_SUFFIX ".ini"

/* Is file the built-in profile called name? */
static bool
is_builtin(const struct embedded_file *file, const char *name)
{
	const char *path = file->path;
	size_t len = strlen(name);

	if (strncmp(path, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) != 0)
		return false;
	path += strlen(BUILTIN_PREFIX);
	return strncmp(path, name, len) == 0 &&
	    strcmp(path + len, BUILTIN_SUFFIX) == 0;
}

const char *
profile_builtin(unsigned index)
{
	for (size_t i = 0; i < n_embedded_files; i++) {
		const char *path = embedded_files[i].path;

		if (strncmp(path, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) != 0)
			continue;
		if (index-- == 0)
			return path + strlen(BUILTIN_PREFIX);
	}
	return NULL;
}

static void
list_builtin(struct text *out)
{
	const char *file;

	for (unsigned i = 0; (file = profile_builtin(i)) != NULL; i++)
		text_addf(out, "%s%.*s", i > 0 ? ", " : "",
		    (int)(strlen(file) - strlen(BUILTIN_SUFFIX)), file);
}

static bool
load_file(struct profile *p, const char *path, struct text *err)
{
	struct text ini = {0}, name = {0};
	struct file_stamp stamp;
	const char *base = strrchr(path, '/');

	base = base != NULL ? base + 1 : path;
	text_add_visible(&name, base, strcspn(base, "."));
	if (name.len > 0 && name.len < sizeof p->name)
		memcpy(p->name, name.data, name.len + 1);
	text_free(&name);

	bool ok = file_read(path, &ini, &stamp, err) &&
	    profile_parse(p, path, text_str(&ini), err);

	text_free(&ini);
	return ok;
}

bool
profile_load(struct profile *p, const char *name, struct text *err)
{
	profile_init(p);
	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];

		if (is_builtin(file, name))
			return profile_parse(p, file->path, file->data, err);
	}
	if (strchr(name, '/') != NULL || strchr(name, '.') != NULL)
		return load_file(p, name, err);
	text_adds(err, "no profile '");
	text_add_visible(err, name, strlen(name));
	text_adds(err, "': a file, or one of ");
	list_builtin(err);
	return false;
}
