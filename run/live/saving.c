/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saves documents, keeps their recovery files, and notices files that other
 * programs change. */
#include "run/live/saving.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/file_uses.h"
#include "run/live/session.h"
#include "run/plan.h"

/* Files that one call looks at. */
#define LOOK_AT 16

size_t
saving_n_unsaved(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_sources; i++)
		n += source_is_unsaved(&plan->sources[i]);
	return n;
}

void
saving_add_unsaved(const struct plan *plan, struct text *out)
{
	bool any = false;

	for (size_t i = 0; i < plan->n_sources; i++) {
		if (!source_is_unsaved(&plan->sources[i]))
			continue;
		text_adds(out, any ? ", " : "");
		source_add_title(plan, i, out);
		any = true;
	}
}

/* The document is equal to its file now: no recovery file is needed. */
static void
note_saved(struct source *s, unsigned number)
{
	s->saved.state = document_state(s->doc);
	s->saved.seen = s->stamp.mtime;
	s->saved.seen_change = s->stamp.ctime;
	s->saved.due = 0;
	s->saved.kept = s->saved.state;
	if (s->saved.has_recovery)
		recovery_remove(source_recovery_path(s), number);
	s->saved.has_recovery = false;
}

enum save_result
saving_write(struct plan *plan, size_t source, bool force, struct text *err)
{
	struct source *s = &plan->sources[source];
	struct text t = {0};
	enum save_result result;

	document_print_file(s->doc, &t);
	result = file_save(s->name, &t, &s->stamp, force, err);
	text_free(&t);
	if (result == SAVE_DONE)
		note_saved(s, (unsigned)source);
	return result;
}

/* Two documents of one file would overwrite each other. */
static enum save_result
refuse_open(const char *path, struct text *err)
{
	text_add_visible(err, path, strlen(path));
	text_adds(err, " is open here as another descriptor");
	return SAVE_FAILED;
}

/* Makes path, which was written, the document's file. */
static void
take_name(struct source *s, unsigned number, const char *path)
{
	if (s->saved.has_recovery)
		recovery_remove(NULL, number);
	s->saved.has_recovery = false;
	free(s->name);
	free(s->real);
	s->name = mem_strdup(path);
	s->real = file_absolute_path(path);
	s->is_file = true;
	s->is_example = s->is_inline = false;
	edit_into_file(s->doc);
	note_saved(s, number);
}

enum save_result
saving_write_to(struct plan *plan, size_t source, const char *path,
    const struct file_stamp *seen, bool force, struct text *err)
{
	struct source *s = &plan->sources[source];
	size_t open = plan_find_file(plan, path);
	struct file_stamp stamp = *seen;
	enum save_result result;
	struct text t = {0};

	if (open == source)
		return saving_write(plan, source, force, err);
	if (open < plan->n_sources && !force)
		return refuse_open(path, err);
	document_print_file(s->doc, &t);
	result = file_save(path, &t, &stamp, force, err);
	text_free(&t);
	/* Saving over another source's file has removed its recovery file. */
	if (open < plan->n_sources)
		plan->sources[open].saved.kept = UINT64_MAX;
	if (result != SAVE_DONE || s->is_file || open < plan->n_sources)
		return result;
	s->stamp = stamp;
	take_name(s, (unsigned)source, path);
	return result;
}

bool
saving_reread(struct plan *plan, size_t source, struct text *err)
{
	struct source *s = &plan->sources[source];
	struct file_stamp stamp = s->stamp;
	struct text t = {0};
	bool done = file_read(s->name, &t, &stamp, err) &&
	    edit_rewrite_until(s->doc, text_str(&t), t.len, plan->stop);

	if (done) {
		s->stamp = stamp;
		note_saved(s, (unsigned)source);
	}
	text_free(&t);
	return done;
}

void
saving_recover(struct plan *plan, size_t source, const struct text *contents)
{
	struct source *s = &plan->sources[source];

	edit_rewrite(s->doc, text_str(contents), contents->len);
}

static void
write_recovery_of(struct source *s, unsigned number, struct text *err)
{
	struct text t = {0}, why = {0};

	document_print(s->doc, &t);
	if (recovery_write(source_recovery_path(s), number, &t, &why)) {
		s->saved.has_recovery = true;
	} else if (err != NULL && err->len == 0 && !s->saved.reported) {
		text_addf(err, "no recovery file: %s", text_str(&why));
		s->saved.reported = true;
	}
	text_free(&t);
	text_free(&why);
}

/* Writes the recovery file of an unsaved document, and removes it of a saved
 * one. */
static void
keep_recovery(struct source *s, unsigned number, nsec wall, struct text *err)
{
	nsec began = clock_wall(), rest;

	s->saved.due = 0;
	s->saved.kept = document_state(s->doc);
	if (source_is_unsaved(s)) {
		write_recovery_of(s, number, err);
	} else {
		if (s->saved.has_recovery)
			recovery_remove(source_recovery_path(s), number);
		s->saved.has_recovery = false;
	}
	rest = (clock_wall() - began) * SAVING_SHARE;
	s->saved.rest = wall +
	    (rest > SAVING_EVERY_NS ? rest : SAVING_EVERY_NS);
}

nsec
saving_keep(struct plan *plan, nsec wall, bool all, struct text *err)
{
	nsec next = NSEC_NEVER;

	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		if (s->doc == NULL || s->is_alias ||
		    document_state(s->doc) == s->saved.kept)
			continue;
		if (s->saved.due == 0)
			s->saved.due = wall + SAVING_SOON_NS;
		if (s->saved.due < s->saved.rest)
			s->saved.due = s->saved.rest;
		if (all || s->saved.due <= wall)
			keep_recovery(s, (unsigned)i, wall, err);
		else if (s->saved.due < next)
			next = s->saved.due;
	}
	return next;
}

void
saving_remove_dead(const struct plan *plan, size_t first)
{
	const char *last = "";
	size_t len = 0;
	struct text path = {0};

	for (size_t i = first; i < plan->n_sources; i++) {
		const char *real = source_recovery_path(&plan->sources[i]);

		if (real == NULL || plan->sources[i].is_alias)
			continue;
		/* Neighbouring sources are mostly in one folder. */
		if (len > 0 && strncmp(real, last, len) == 0 &&
		    strchr(real + len, '/') == NULL)
			continue;
		file_remove_dead(real);
		last = real;
		len = (size_t)(strrchr(real, '/') - real) + 1;
	}
	for (enum state_place p = 0; p < N_STATE_PLACES; p++)
		if (state_folder(p, false, &path))
			file_remove_dead(text_str(&path));
	text_free(&path);
}

void
saving_discard(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		if (s->saved.has_recovery)
			recovery_remove(source_recovery_path(s), (unsigned)i);
		s->saved.has_recovery = false;
	}
}

static bool
times_equal(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Reads the file only if its times have changed. */
static bool
has_changed(struct source *s)
{
	struct saved *saved = &s->saved;
	struct stat st;

	if (stat(s->name, &st) != 0)
		st = (struct stat){
		    .st_mtim.tv_sec = -1}; /* it does not exist */
	if (saved->seen.tv_sec == 0) {
		saved->seen = s->stamp.mtime;
		saved->seen_change = s->stamp.ctime;
	}
	if (times_equal(st.st_mtim, saved->seen) &&
	    times_equal(st.st_ctim, saved->seen_change))
		return false;
	saved->seen = st.st_mtim;
	saved->seen_change = st.st_ctim;
	return file_changed(s->name, &s->stamp);
}

size_t
saving_find_changed(struct plan *plan, size_t *next)
{
	size_t n = plan->n_sources < LOOK_AT ? plan->n_sources : LOOK_AT;

	while (n-- > 0) {
		size_t i = (*next)++ % plan->n_sources;

		if (plan->sources[i].is_file && !plan->sources[i].is_alias &&
		    has_changed(&plan->sources[i]))
			return i;
	}
	return plan->n_sources;
}

static void
add_fixed(const struct session *s, struct file_uses *uses)
{
	if (s->options != NULL)
		file_uses_add_options(uses, s->options, false);
	file_uses_add(uses, FILE_READ, "the profile", s->profile_file);
}

static void
add_outputs(const struct session *s, struct file_uses *uses)
{
	for (unsigned i = 0; i < N_OUTPUT_FILES; i++)
		file_uses_add(uses, FILE_WRITTEN, output_option(i),
		    session_output_path(s, i));
}

void
session_add_uses(const struct session *s, struct file_uses *uses)
{
	add_fixed(s, uses);
	add_outputs(s, uses);
	file_uses_add_workloads(uses, s->plan);
	file_uses_add_named(uses, s->plan);
}

bool
session_may_save(
    const struct session *s, const char *path, bool own, struct text *err)
{
	struct file_uses uses = {0};
	bool ok;

	add_fixed(s, &uses);
	if (own)
		file_uses_drop_read(&uses);
	else
		file_uses_add_named(&uses, s->plan);
	add_outputs(s, &uses);
	ok = file_uses_may_write(&uses, NULL, path, err);
	file_uses_free(&uses);
	return ok;
}
