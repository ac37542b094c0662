/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the traces of an import, and writes descriptors: each with comments on where it comes from, and the
 * command line that runs all of them. A profile is written if the trace has more
 * engines than the one that is nearest.
 */
#include "run/import/import_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/shell.h"
#include "run/import/recorded.h"
#include "run/texts.h"

bool
import_files_read(
    struct import *im, const char *const *paths, size_t n, struct text *err)
{
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++)
		ok = recorded_is(paths[i]) ? recorded_read(im, paths[i], err)
					   : import_read(im, paths[i], err);
	return ok;
}

void
import_files_join(const char *const *paths, size_t n, struct text *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(paths[i], '/');

		if (i > 0)
			text_adds(out, ", ");
		text_adds(out, slash != NULL ? slash + 1 : paths[i]);
	}
}

static char *
file_in(const char *folder, const char *name, const char *suffix)
{
	struct text t = {0};

	if (strcmp(folder, ".") != 0)
		text_addf(&t, "%s/", folder);
	text_addf(&t, "%s%s", name, suffix);
	return t.data;
}

const char *
import_files_profile(const struct import_files *f, const struct import_model *m)
{
	return f->profile != NULL ? f->profile : m->profile_name;
}

/* A profile is a file if its name has a dot or slash. */
static void
add_profile(struct text *out, const struct import_files *f,
    const struct import_model *m)
{
	const char *name = import_files_profile(f, m);

	text_adds(out, " --profile=");
	if (f->profile == NULL)
		shell_add_word(out, name);
	else
		shell_add_quoted(out, name);
}

static void
make_command(struct import_files *f, const struct import_model *m)
{
	struct text *out = &f->command;
	const struct infer_client *clients = m->inferred.clients;
	bool cloned = false;

	text_adds(out, "gpuwl-top -b");
	add_profile(out, f, m);
	text_addf(out, " --scheduler=%s", m->scheduler);
	for (size_t i = 0; i < f->n; i++)
		cloned |= clients[i].n_clones > 1;
	for (size_t i = 0; i < f->n && cloned; i++)
		text_addf(
		    out, "%s%u", i == 0 ? " --mix=" : ":", clients[i].n_clones);
	run_add_duration(m->span_ns, out);
	for (size_t i = 0; i < f->n; i++) {
		text_adds(out, " -w ");
		shell_add_quoted(out, f->paths[i]);
	}
}

void
import_files_name(
    struct import_files *f, const struct import_model *m, const char *folder)
{
	*f = (struct import_files){.n = m->inferred.n_clients};
	f->paths = mem_calloc(f->n + 1, sizeof(char *));
	for (size_t i = 0; i < f->n; i++)
		f->paths[i] = file_in(folder, m->names[i], ".wsim");
	if (m->has_own_engines)
		f->profile = file_in(strcmp(folder, ".") == 0 ? "./" : folder,
		    "imported", ".ini");
	make_command(f, m);
}

static const char *
grade_words(enum import_grade grade)
{
	switch (grade) {
	case IMPORT_I915_A: return "i915's starts and ends on the engine";
	case IMPORT_I915_B:
		return "i915's hand-over to the firmware, and ends; when batches "
		       "were preempted is inferred";
	case IMPORT_I915_C:
		return "i915's submissions, and ends; starts are inferred";
	case IMPORT_SCHED:
		return "the DRM scheduler's hand-over to the ring, and ends";
	default: return "a table of requests";
	}
}

static void
print_import_title(const struct import_model *m, const struct imported *trace,
    const char *sources, size_t which, struct text *out)
{
	const struct infer_client *c = &m->inferred.clients[which];
	const struct imported_client *client = &trace->clients[c->client];

	text_adds(out, "# ");
	text_add_visible(out, client->comm, strlen(client->comm));
	if (client->pid >= 0)
		text_addf(out, " (pid %" PRId64 ")", client->pid);
	if (client->device != NULL)
		text_addf(out, " on %s", client->device);
	text_adds(out, " of ");
	text_add_visible(out, sources, strlen(sources));
	text_addf(out, ": %" PRIu64 " batches from %.6f s to %.6f s\n",
	    c->n_requests, (double)(trace->begin_ns + c->begin_ns) / 1e9,
	    (double)(trace->begin_ns + c->end_ns) / 1e9);
	text_addf(out, "# times are of %s\n", grade_words(trace->grade));
}

static bool
is_name_unused(const char *path, struct text *err)
{
	if (path == NULL || access(path, F_OK) != 0)
		return true;
	text_add_visible(err, path, strlen(path));
	text_adds(err,
	    " is there already: add --force to write over it, or name another "
	    "folder with -o");
	return false;
}

static bool
are_names_unused(
    const struct import_files *f, const char *folder, struct text *err)
{
	bool ok = is_name_unused(f->profile, err);

	(void)folder;
	for (size_t i = 0; i < f->n && ok; i++)
		ok = is_name_unused(f->paths[i], err);
	return ok;
}

static bool
make_folder(const char *folder, struct text *err)
{
	if (mkdir(folder, 0777) == 0 || errno == EEXIST)
		return true;
	text_add_visible(err, folder, strlen(folder));
	text_addf(err, ": %s", strerror(errno));
	return false;
}

static bool
write_engines(const struct import_files *f, const struct import_model *m,
    bool force, struct text *err)
{
	struct text text = {0};
	bool ok;

	if (f->profile == NULL)
		return true;
	text_addf(&text, "# %s, with the engines of an imported trace\n",
	    m->profile_name);
	text_adds(&text, "[profile]\nname = imported\n");
	profile_print(&m->profile, &text);
	ok = file_write(f->profile, force, &text, err);
	text_free(&text);
	return ok;
}

bool
import_files_write(const struct import_files *f, const struct import_model *m,
    const struct imported *trace, const char *sources, const char *folder,
    bool force, struct text *err)
{
	bool ok = (force || are_names_unused(f, folder, err)) &&
	    make_folder(folder, err) && write_engines(f, m, force, err);

	for (size_t i = 0; i < f->n && ok; i++) {
		struct text text = {0};

		print_import_title(m, trace, sources, i, &text);
		text_addf(&text, "# %s\n", text_str(&f->command));
		text_adds(&text, text_str(&m->inferred.clients[i].text));
		ok = file_write(f->paths[i], force, &text, err);
		text_free(&text);
	}
	return ok;
}

void
import_files_free(struct import_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->paths[i]);
	free(f->paths);
	free(f->profile);
	text_free(&f->command);
}
