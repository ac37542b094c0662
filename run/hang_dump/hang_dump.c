/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of --error-state at each hang. */

#include "run/hang_dump/hang_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "run/hang_dump/hang_report.h"
#include "run/plan.h"

struct hang_dump {
	struct observer observer;
	const char *dir;
	int folder;            /* dir, open; -1: not yet */
	const struct run *run; /* NULL: watches none */
	const struct plan *plan;
	struct text problem; /* the first */
};

static void
note_problem(struct hang_dump *f, const char *name)
{
	if (f->problem.len > 0)
		return;
	text_add_visible(&f->problem, f->dir, strlen(f->dir));
	if (name != NULL)
		text_addf(&f->problem, "/%s", name);
	text_addf(&f->problem, ": %s", strerror(errno));
}

/* The folder, made if it is not there; -1, with errno. */
static int
open_folder(struct hang_dump *f)
{
	if (f->folder >= 0)
		return f->folder;
	if (mkdir(f->dir, 0777) != 0 && errno != EEXIST)
		return -1;
	f->folder = open(f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return f->folder;
}

/* A new file, in the place of what may have that name. */
static int
replace_file(int folder, const char *name)
{
	if (unlinkat(folder, name, 0) != 0 && errno != ENOENT)
		return -1;
	return openat(folder, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static void
write_dump(struct hang_dump *f, uint64_t number, const char *suffix,
    const struct text *content)
{
	int folder = open_folder(f), fd;
	char name[48];
	FILE *file;

	if (folder < 0) {
		note_problem(f, NULL);
		return;
	}
	snprintf(name, sizeof(name), "error-%" PRIu64 ".%s", number, suffix);
	fd = replace_file(folder, name);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file == NULL) {
		note_problem(f, name);
	} else {
		bool ok = fwrite(content->data, 1, content->len, file) ==
		    content->len;

		if (fclose(file) != 0 || !ok)
			note_problem(f, name);
	}
}

static struct error_place
hang_place(const struct hang_dump *f, const struct request *rq)
{
	struct error_place place = {0};

	place.line = run_line(f->run, f->plan, rq, &place.doc);
	return place;
}

static void
on_dumped_hang(struct observer *o, const struct hang *hang)
{
	struct hang_dump *f = (struct hang_dump *)(void *)o;
	const struct sim *sim = f->run->sim;
	struct error_place place = hang_place(f, hang->rq);
	struct error_state *state = error_state_collect(sim, hang);
	struct text text = {0};

	hang_report_text(sim, state, &place, &text);
	write_dump(f, hang->number, "txt", &text);
	text_clear(&text);
	hang_report_json(sim, state, &place, &text);
	write_dump(f, hang->number, "json", &text);
	text_free(&text);
	error_state_free(state);
}

/* It is a folder that can be written to, or can be made; false, with errno. */
static bool
can_be_written(const char *dir)
{
	struct text parent = {0};
	struct stat st;
	char *path;
	bool can;

	if (stat(dir, &st) == 0) {
		errno = ENOTDIR;
		return S_ISDIR(st.st_mode) && access(dir, W_OK | X_OK) == 0;
	}
	/* A link to nothing is no folder, and none is made where it points. */
	if (errno != ENOENT || lstat(dir, &st) == 0)
		return false;
	path = file_final_path(dir);
	if (path == NULL)
		return false;
	text_add(&parent, path, (size_t)(strrchr(path, '/') - path) + 1);
	can = access(text_str(&parent), W_OK | X_OK) == 0;
	text_free(&parent);
	free(path);
	return can;
}

struct hang_dump *
hang_dump_new(const char *dir, struct text *err)
{
	struct hang_dump *f;

	if (!can_be_written(dir)) {
		text_add_visible(err, dir, strlen(dir));
		text_addf(err, ": %s", strerror(errno));
		return NULL;
	}
	f = mem_calloc(1, sizeof *f);
	f->dir = dir;
	f->folder = -1;
	f->observer.hung = on_dumped_hang;
	return f;
}

void
hang_dump_watch(
    struct hang_dump *f, const struct run *run, const struct plan *plan)
{
	f->run = run;
	f->plan = plan;
	sim_add_observer(run->sim, &f->observer);
}

void
hang_dump_leave(struct hang_dump *f)
{
	if (f->run == NULL)
		return;
	sim_remove_observer(f->run->sim, &f->observer);
	f->run = NULL;
}

const char *
hang_dump_problem(const struct hang_dump *f)
{
	return f->problem.len > 0 ? text_str(&f->problem) : NULL;
}

void
hang_dump_free(struct hang_dump *f)
{
	if (f == NULL)
		return;
	if (f->folder >= 0)
		close(f->folder);
	text_free(&f->problem);
	free(f);
}
