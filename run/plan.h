/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan: which workloads run, on which profile and scheduler. It is opened from
 * options and can be launched any number of times: once in batch mode, at each
 * restart in the console. Its documents are the ones that the console edits.
 *
 * A source is one workload: a file, a pipe, standard input, text of the command
 * line, or a shipped example. A file that is named twice in the console is two
 * sources with one document. A source whose text cannot run waits: it has its
 * workload in a launch, and gets clients as soon as the text can run.
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "engine/compile/program.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "run/versions.h"

struct diag_list;
struct document;
struct options;
struct stop;
struct text;
struct plan;
struct source;

/* The path of a file, "-", else descriptor text, which is called label in
 * diagnostics. False if it looks like a path but can't be read. Either way
 * free with source_close. */
bool source_open(struct source *s, const char *argument, const char *label,
    struct text *err);
/* The path of a file, or "-"; never text. */
bool source_open_file(struct source *s, const char *path, struct text *err);
/* The same, and false with "stopped" once stop says so (NULL: never). */
bool source_open_until(struct source *s, const char *path,
    const struct stop *stop, struct text *err);
/* Is there nothing of that name as yet, in a folder that is there? */
bool source_is_new_file(const char *path);
/* An empty document, that this file is to have. */
void source_open_new(struct source *s, const char *path);
/* The shipped example that runs when nothing is named. */
bool source_open_example(struct source *s, struct text *err);
void source_close(struct source *s);

/* Appends what is said of doc, explained, in order of place: its own
 * diagnostics and those of a compiler (NULL: none); warnings if wanted. */
void source_explain(const struct document *doc, const struct diag_list *own,
    const struct diag_list *compiled, bool warnings, struct text *out);
/* Was text that has errors perhaps meant as a path? */
bool source_may_be_path(const struct source *s);
/* Then says so. */
void source_hint(const struct source *s, struct text *out);

/* Appends "gpuwl-top: words" as a line of its own. */
void source_add_line(struct text *out, const char *words);

/* What is known of a descriptor's file (session/saving.h). All zero: as it was
 * read, and nothing has changed since. */
struct saved {
	uint64_t state;    /* of the document, when it was what the file is */
	uint64_t kept;     /* of the document, as the recovery file has it */
	bool has_recovery; /* there is one */
	bool told;         /* that there can be none */
	nsec due;          /* wall time to write it; 0: nothing to write */
	nsec rest;         /* not before that */
	/* The file's times when it was looked at last. */
	struct timespec seen, seen_change;
};

/* One descriptor, from a file, the text of -w, or a shipped example. */
struct source {
	char *name;      /* the argument of -w; what --json calls workload */
	bool is_file;    /* name is the path; else the text itself */
	char *real;      /* is_file: absolute, as it was when it was opened */
	bool is_example; /* shipped: name is the example's */
	bool is_inline;  /* the text stood on the command line */
	struct file_stamp stamp;
	struct saved saved;
	struct document *doc;
	/* Its file is that of sources[alias_of], whose document it has too, and who
	 * alone is edited and saved (plan_files.h). */
	bool is_alias;
	size_t alias_of;
	unsigned clones; /* clients of it */
	/* Its document can't be run as yet: it is launched without clients, and
	 * they are started when it can (waiting.h). */
	bool waiting;
	bool master;     /* -W: its first client is what others loop for */
	bool background; /* -w beside a -W */
	int priority;
	bool small_sseu;
	/* Compiled when the document was in that state, for the next
	 * plan_launch: that takes it over, or frees it if the document has
	 * changed. Owned by the source until then; NULL: none. */
	struct program *program;
	uint64_t program_state; /* document_state */
};

struct plan {
	struct source *sources;
	size_t n_sources;
	struct document *append; /* -a; NULL */
	bool append_inline;      /* as of a source */
	struct profile profile;
	const struct sched_ops *sched;
	uint32_t seed;
	bool same_random, sync_deps;
	uint64_t repeat; /* 0: until stopped */
	double duration_scale, delay_scale;
	/* Asked while files are read and documents compiled (base/stop.h):
	 * what is done then fails, and nothing has changed. NULL: never. */
	const struct stop *stop;
};

/* A launched plan. */
struct run {
	struct sim *sim;
	/* What clients run: at the launch one for each source, whose workload
	 * has its number. */
	struct versions versions;
};

/*
 * Reads and checks all that the options name. False: exit with *status (1 the
 * input is wrong, 2 the options are), err says why: diagnostics with row and
 * caret for descriptors. Warnings are added to err too, with true.
 */
bool plan_open(
    struct plan *plan, const struct options *o, int *status, struct text *err);
void plan_close(struct plan *plan);
/* Compiles all sources, as plan_open does, and keeps their programs for the
 * next launch: profile, scheduler and appended document must not change until
 * then. False: err has the diagnostics; warnings too, if wanted. */
bool plan_check(struct plan *plan, bool warnings, struct text *err);
/* One more source, of which there are no clients; its document may have
 * errors. may_be_new: of a file that is not there it is empty. Pointers to
 * sources are stale then. */
bool plan_add_file(
    struct plan *plan, const char *path, bool may_be_new, struct text *err);
void plan_drop_last(struct plan *plan);

/* Starts the clients of all documents, as they are now, at time 0. Compiles
 * those without a program that was kept for this launch; none is kept after
 * it. False: nothing is running, err has the diagnostics. */
bool plan_launch(struct plan *plan, struct run *run, struct text *err);
/* Frees the programs that are kept for the next launch. */
void plan_drop_programs(struct plan *plan);
void run_free(struct run *run);

/* A source, of the plan or not, for the plan's device and scheduler. NULL and
 * all diagnostics. */
struct program *plan_build(
    const struct plan *plan, const struct source *source, struct text *err);
/* As plan_build, and keeps the program for the next launch. */
bool plan_prepare(
    const struct plan *plan, struct source *source, struct text *err);
/* What the workload of a source that waits is launched with: no step. */
struct program *plan_placeholder(const struct plan *plan);
/* Is there any step to be run, of the source's or appended? */
bool plan_has_steps(const struct plan *plan, const struct source *source);
/* sim_control; the source of a control with a program is a struct source: its
 * document, from which the program was compiled just now, is a version then
 * (versions.h). */
bool run_control(
    struct run *run, const struct control *control, struct text *err);
/* The line that a request's step was, in its document. NULL if it is not
 * known. */
const struct line *run_line(const struct run *run, const struct plan *plan,
    const struct request *rq, const struct document **doc);

/* Compiles one source (for diagnostics as one types): NULL as
 * program_compile. diags gets what is said of the source's document, err
 * what is said of the appended one, explained. */
struct program *plan_compile(const struct plan *plan, size_t source,
    struct diag_list *diags, struct text *err);

/* Gives sources that are a file again the document of the first. */
void plan_share_documents(struct plan *plan);

/* The source that has the document and the file of this one. */
size_t plan_document(const struct plan *plan, size_t source);
/* How many documents the first so many sources have. */
size_t plan_n_documents(const struct plan *plan, size_t n_sources);
/* Clients, at the launch, of all workloads of the document. */
unsigned plan_n_clones(const struct plan *plan, size_t source);

/* The first source that is the file of that path; n_sources: none. */
size_t plan_find_file(const struct plan *plan, const char *path);

/*
 * Before a launch: those wait no more that can be run by now, and those do
 * that have no step left. Returns how it was, to be taken back or forgotten.
 */
bool *waiting_update(struct plan *plan);
void waiting_take_back(struct plan *plan, bool *was);

#endif
