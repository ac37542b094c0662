/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/errors/error_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/hang/hang.h"
#include "engine/sim.h"
#include "parser/document.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tui/errors/error_report.h"
#include "tui/plan.h"

struct error_files {
	struct observer observer;
	const char *dir;
	const struct run *run; /* NULL: watches none */
	const struct plan *plan;
	struct text problem; /* the first */
};

static void
note_problem(struct error_files *f, const char *path)
{
	if (f->problem.len > 0)
		return;
	text_addf(&f->problem, "%s: %s", path, strerror(errno));
}

static void
write_file(struct error_files *f, uint64_t number, const char *suffix,
    const struct text *content)
{
	struct text path = {0};
	FILE *file;

	text_addf(&path, "%s/error-%" PRIu64 ".%s", f->dir, number, suffix);
	file = fopen(text_str(&path), "we");
	if (file == NULL) {
		note_problem(f, text_str(&path));
	} else {
		bool ok = fwrite(content->data, 1, content->len, file) ==
		    content->len;

		if (fclose(file) != 0 || !ok)
			note_problem(f, text_str(&path));
	}
	text_free(&path);
}

static struct error_place
place_of(const struct error_files *f, const struct request *rq)
{
	struct error_place place = {0};

	place.line = run_line(f->run, f->plan, rq, &place.doc);
	return place;
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct error_files *f = (struct error_files *)(void *)o;
	const struct sim *sim = f->run->sim;
	struct error_place place = place_of(f, hang->rq);
	struct error_state *state = error_state_collect(sim, hang);
	struct text text = {0};

	error_report_text(sim, state, &place, &text);
	write_file(f, hang->number, "txt", &text);
	text_clear(&text);
	error_report_json(sim, state, &place, &text);
	write_file(f, hang->number, "json", &text);
	text_free(&text);
	error_state_free(state);
}

struct error_files *
error_files_new(const char *dir, struct text *err)
{
	struct error_files *f;
	struct stat st;

	if (mkdir(dir, 0777) != 0 &&
	    (errno != EEXIST || stat(dir, &st) != 0 || !S_ISDIR(st.st_mode))) {
		text_add_visible(err, dir, strlen(dir));
		text_addf(err, ": %s", strerror(errno));
		return NULL;
	}
	f = mem_calloc(1, sizeof *f);
	f->dir = dir;
	f->observer.hung = on_hung;
	return f;
}

void
error_files_watch(
    struct error_files *f, const struct run *run, const struct plan *plan)
{
	f->run = run;
	f->plan = plan;
	sim_add_observer(run->sim, &f->observer);
}

void
error_files_leave(struct error_files *f)
{
	if (f->run == NULL)
		return;
	sim_remove_observer(f->run->sim, &f->observer);
	f->run = NULL;
}

const char *
error_files_problem(const struct error_files *f)
{
	return f->problem.len > 0 ? text_str(&f->problem) : NULL;
}

void
error_files_free(struct error_files *f)
{
	if (f == NULL)
		return;
	text_free(&f->problem);
	free(f);
}
