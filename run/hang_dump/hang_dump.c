/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps of hangs. An observer formats the error state while the hang is being
 * handled; the files are written between two steps of the simulation.
 */
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
#include "base/util.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"
#include "run/hang_dump/hang_report.h"
#include "run/hang_dump/kernel_state.h"
#include "run/plan.h"

/* A dump that is to be written. */
struct dump {
	uint64_t number; /* of the hang */
	struct text text, json;
};

struct hang_dump {
	struct observer observer;
	const char *dir;
	int folder;            /* dir, opened; -1: not yet */
	const struct run *run; /* NULL: watches none */
	const struct plan *plan;
	struct dump *queue;
	size_t n, cap;
	struct text problem; /* the first one */
	struct kernel_state kernel;
	struct text note; /* about that */
};

static void
note_problem(struct hang_dump *d, const char *name)
{
	if (d->problem.len > 0)
		return;
	text_add_visible(&d->problem, d->dir, strlen(d->dir));
	if (name != NULL)
		text_addf(&d->problem, "/%s", name);
	text_addf(&d->problem, ": %s", strerror(errno));
}

/* Opens the folder, which is made if it does not exist. -1 with errno. */
static int
open_folder(struct hang_dump *d)
{
	if (d->folder >= 0)
		return d->folder;
	if (mkdir(d->dir, 0777) != 0 && errno != EEXIST)
		return -1;
	d->folder = open(d->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return d->folder;
}

/* Creates a file in the place of any that has its name. -1 with errno. */
static int
replace_file(int folder, const char *name)
{
	if (unlinkat(folder, name, 0) != 0 && errno != ENOENT)
		return -1;
	return openat(folder, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static void
write_dump_file(struct hang_dump *d, uint64_t number, const char *suffix,
    const struct text *content)
{
	int folder = open_folder(d), fd;
	char name[48];
	FILE *file;

	if (folder < 0) {
		note_problem(d, NULL);
		return;
	}
	snprintf(name, sizeof(name), "error-%" PRIu64 ".%s", number, suffix);
	fd = replace_file(folder, name);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file == NULL) {
		note_problem(d, name);
	} else {
		bool ok = fwrite(content->data, 1, content->len, file) ==
		    content->len;

		if (fclose(file) != 0 || !ok)
			note_problem(d, name);
	}
}

static void
on_dumped_hang(struct observer *o, const struct hang *hang)
{
	struct hang_dump *d = container_of(o, struct hang_dump, observer);
	const struct sim *sim = d->run->sim;
	struct error_place place = hang_report_place(d->run, d->plan, hang->rq);
	struct error_state *state = error_state_collect(sim, hang);
	struct dump dump = {.number = hang->number};

	hang_report_text(sim, state, &place, &dump.text);
	hang_report_json(sim, state, &place, &dump.json);
	error_state_free(state);
	d->queue = mem_grow(d->queue, d->n, &d->cap, sizeof(*d->queue));
	d->queue[d->n++] = dump;
}

/* Writes what i915 itself collected, beside the dump of that hang. */
static void
write_kernel_state(struct hang_dump *d, uint64_t number)
{
	struct text state = {0};

	if (kernel_state_take(&d->kernel, &state, &d->note))
		write_dump_file(d, number, "i915.txt", &state);
	text_free(&state);
}

void
hang_dump_write(struct hang_dump *d)
{
	if (d->n > 0)
		write_kernel_state(d, d->queue[0].number);
	for (size_t i = 0; i < d->n; i++) {
		struct dump *dump = &d->queue[i];

		write_dump_file(d, dump->number, "txt", &dump->text);
		write_dump_file(d, dump->number, "json", &dump->json);
		text_free(&dump->text);
		text_free(&dump->json);
	}
	d->n = 0;
}

/* True if dir is a folder that can be written to, or can be made. False with
 * errno. */
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
	/* A dangling link: no folder is made where it points. */
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
	struct hang_dump *d;

	if (!can_be_written(dir)) {
		text_add_visible(err, dir, strlen(dir));
		text_addf(err, ": %s", strerror(errno));
		return NULL;
	}
	d = mem_calloc(1, sizeof(*d));
	d->dir = dir;
	d->folder = -1;
	d->observer.hung = on_dumped_hang;
	return d;
}

void
hang_dump_watch(
    struct hang_dump *d, const struct run *run, const struct plan *plan)
{
	d->run = run;
	d->plan = plan;
	if (plan->gpu != NULL)
		kernel_state_watch(&d->kernel, plan_gpu_card(plan));
	sim_add_observer(run->sim, &d->observer);
}

void
hang_dump_leave(struct hang_dump *d)
{
	if (d->run == NULL)
		return;
	hang_dump_write(d);
	sim_remove_observer(d->run->sim, &d->observer);
	d->run = NULL;
}

const char *
hang_dump_problem(const struct hang_dump *d)
{
	return d->problem.len > 0 ? text_str(&d->problem) : NULL;
}

bool
hang_dump_note(struct hang_dump *d, struct text *out)
{
	bool any = d->note.len > 0;

	text_adds(out, text_str(&d->note));
	text_clear(&d->note);
	return any;
}

void
hang_dump_free(struct hang_dump *d)
{
	if (d == NULL)
		return;
	if (d->folder >= 0)
		close(d->folder);
	text_free(&d->problem);
	text_free(&d->note);
	free(d->queue);
	free(d);
}
