/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan: which workloads run, on which profile and scheduler. It is opened
 * from options and can be launched any number of times: once in batch mode, at
 * each restart in the console. Its documents are the ones that the console
 * edits.
 *
 * A source is one workload: a file, a pipe, standard input, text of the command
 * line, or a shipped example. A file that is named twice in the console is two
 * sources with one document. A source whose text cannot run waits: it has its
 * workload in a launch, and gets clients as soon as the text can run.
 *
 * Functions that return false append the reason to err, in lines with the
 * position for descriptors.
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

struct busyness;
struct diag_list;
struct document;
struct follow_past;
struct hardware;
struct options;
struct past_gpu;
struct record;
struct stop;
struct text;
struct trail_request;

/* A document and its file, for run/live/saving.h. All zero: the document is as
 * it was read. States are those of document_state(). */
struct saved {
	uint64_t state;    /* the state that the file has */
	uint64_t kept;     /* the state that the recovery file has */
	bool has_recovery; /* there is a recovery file */
	bool reported;     /* that the recovery file cannot be written */
	/* Wall time to write the recovery file; 0: nothing to write. */
	nsec due;
	nsec rest; /* wall time before which it is not written again */
	/* Times of the file when it was last looked at. */
	struct timespec seen, seen_change;
};

struct source {
	char *name;      /* as given; "workload" in --json */
	bool is_file;    /* name is a path; else the text itself */
	char *real;      /* is_file: absolute path when it was opened */
	bool is_example; /* name is that of a shipped example */
	bool is_inline;  /* the text was on the command line */
	struct file_stamp stamp;
	struct saved saved;
	struct document *doc; /* owned, unless is_alias */
	/* The file is that of sources[alias_of], which owns the document and is
	 * the one that is edited and saved. */
	bool is_alias;
	size_t alias_of;
	unsigned clones; /* clients at a launch */
	uint64_t repeat; /* iterations of each of them; 0: the plan's */
	/* The text cannot run yet: launched without clients, which are started
	 * when it can. */
	bool waiting;
	bool master;     /* -W: the others loop until its first client ends */
	bool background; /* -w beside a -W */
	int priority;
	bool small_sseu;
	/* Compiled when the document had program_state, for the next
	 * plan_launch(), which takes it over, or frees it if the document has
	 * changed. Owned by the source until then; NULL: none. */
	struct program *program;
	uint64_t program_state; /* document_state() */
};

struct plan {
	struct source *sources;
	size_t n_sources;
	struct document *append; /* -a; NULL */
	bool append_inline;      /* as is_inline of a source */
	struct hardware *gpu;    /* -D: it runs there; NULL: on the model */
	struct past_gpu *past;   /* it ran there, and is played again; NULL */
	bool counts_busyness;    /* of a GPU, for launches */
	struct profile profile;  /* of a GPU: its own */
	const struct sched_ops *sched;
	uint32_t seed;
	bool same_random, sync_deps;
	uint64_t repeat; /* iterations; 0: until stopped */
	double duration_scale, delay_scale;
	/* Asked while files are read and documents compiled (base/stop.h). When
	 * it stops a function that function fails, and changes nothing. NULL:
	 * never. */
	const struct stop *stop;
};

/* A launched plan. */
struct run {
	struct sim *sim;
	struct record *record;     /* of plan.gpu; NULL: none */
	struct busyness *busyness; /* of plan.gpu; NULL: is not counted */
	/* Programs that clients run. Workload i of a launch is source i. */
	struct versions versions;
};

/* source.c: one source. */

/* Opens a path, "-" or descriptor text; diagnostics call text by its label.
 * False if argument looks like a path that cannot be read. Free with
 * source_close() either way. */
bool source_open(struct source *s, const char *argument, const char *label,
    struct text *err);
/* Opens a path or "-", never text. */
bool source_open_file(struct source *s, const char *path, struct text *err);
/* As source_open_file(); false with "stopped" when stop says so. NULL:
 * never. */
bool source_open_until(struct source *s, const char *path,
    const struct stop *stop, struct text *err);
/* True if there is no file of that name, in a folder that exists. */
bool source_is_new_file(const char *path);
/* Opens an empty document for a file that does not exist yet. */
void source_open_new(struct source *s, const char *path);
/* Opens the shipped example that runs when nothing is named. */
bool source_open_example(struct source *s, struct text *err);
/* Begins an empty text that has no file. */
void source_open_blank(struct source *s);
/* True if it is such a text, and still empty. */
bool source_is_blank(const struct source *s);
void source_close(struct source *s);

/* The path; NULL if it has no file. */
const char *source_path(const struct source *s);
/* The path that its recovery files are found by, even if folders and links
 * change while it is open; NULL if it has no file. */
const char *source_recovery_path(const struct source *s);
/* Appends a short name: the file without folders; "-w (2)" for the second
 * -w. */
void source_add_title(const struct plan *plan, size_t source, struct text *out);
/* True if the document has edits that its file has not; false for aliases. */
bool source_is_unsaved(const struct source *s);

/* True if the text has errors and may have been meant as a path. */
bool source_may_be_path(const struct source *s);
/* Appends a hint if source_may_be_path(). */
void source_hint(const struct source *s, struct text *out);
/* Appends "who: words" as a line. */
void source_add_line_of(struct text *out, const char *who, const char *words);
/* The same of gpuwl-top. */
void source_add_line(struct text *out, const char *words);

/* explain.c: appends the diagnostics of doc in order of position, explained: its
 * own and a compiler's (NULL: none), with warnings if wanted. Only the first
 * of many of one kind are quoted. */
void source_explain(const struct document *doc, const struct diag_list *own,
    const struct diag_list *compiled, bool warnings, struct text *out);

/* plan_sources.c: the sources of a plan. */

/* Opens and compiles everything that the options name. False: the program ends
 * with *status (base/output.h). Warnings are appended to err with true, too. */
bool plan_open(
    struct plan *plan, const struct options *o, int *status, struct text *err);
void plan_close(struct plan *plan);
/* Sets what options say of model and run, and then the knobs that INI text names
 * (NULL: none); the documents are those of plan_open(), and so are clients where
 * there are several sources. Programs that are kept are dropped. False: err says why, and the plan may have changed. */
bool plan_vary(struct plan *plan, const struct options *o, const char *knobs,
    struct text *err);
/* Adds a source without clients; its document may have errors. may_be_new: a
 * file that does not exist gets an empty document. Pointers to sources become
 * invalid. False: nothing has changed. */
bool plan_add_file(
    struct plan *plan, const char *path, bool may_be_new, struct text *err);
/* Closes the last source. */
void plan_drop_last(struct plan *plan);

/* The source that owns the document: source itself, unless it is an alias. */
size_t plan_document(const struct plan *plan, size_t source);
/* Number of documents of the first n_sources sources. */
size_t plan_n_documents(const struct plan *plan, size_t n_sources);
/* Clients at a launch, of all workloads of the document. */
unsigned plan_n_clones(const struct plan *plan, size_t source);
/* The first source of that file, however the path is spelled; n_sources:
 * none. */
size_t plan_find_file(const struct plan *plan, const char *path);

/* Before a launch: sources that can run no longer wait, sources without a step
 * wait. Returns what waited before, to be freed or given to
 * plan_restore_waiting(), which frees it. */
bool *plan_update_waiting(struct plan *plan);
void plan_restore_waiting(struct plan *plan, bool *was);

/* True if a source is a capture whose durations are estimates, as its comment
 * says (capture_frames.h). */
bool plan_has_estimates(const struct plan *plan);

/* plan.c: programs and launches. */

/* Compiles all sources and keeps their programs for the next launch: profile,
 * scheduler and appended document must not change until then. may_wait: a
 * source that cannot run waits, without a diagnostic, instead of failing; not
 * if source_may_be_path(). */
bool plan_check(
    struct plan *plan, bool warnings, bool may_wait, struct text *err);
/* Frees the programs that are kept for the next launch. */
void plan_drop_programs(struct plan *plan);
/* Starts the clients of all documents, as they are now, at time 0. Compiles
 * those without a kept program, and keeps none. False: nothing runs. Freed with
 * run_free(). */
bool plan_launch(struct plan *plan, struct run *run, struct text *err);
void run_free(struct run *run);

/* Compiles a source, of the plan or not, for the plan's device and scheduler.
 * NULL: err has all diagnostics. Freed with program_free(). */
struct program *plan_build(
    const struct plan *plan, const struct source *source, struct text *err);
/* As plan_build(), and keeps the program for the next launch. */
bool plan_prepare(
    const struct plan *plan, struct source *source, struct text *err);
/* As plan_build(), with the diagnostics of the source's document as a list and
 * those of the appended one explained in err. The scheduler is not asked. */
struct program *plan_compile(const struct plan *plan, size_t source,
    struct diag_list *diags, struct text *err);
/* Returns true if the scheduler accepts the program of a source. False: adds an
 * error to the diagnostics of the source's document or, diags[1], of the
 * appended one; a reason that is not about one step to err. */
bool plan_diagnose(const struct plan *plan, const struct source *source,
    const struct program *program, struct diag_list diags[2], struct text *err);
/* The program, without a step, of the workload of a source that waits. */
struct program *plan_placeholder(const struct plan *plan);
/* True if the source or the appended document has a step. */
bool plan_has_steps(const struct plan *plan, const struct source *source);
/* True if the clients' steps include a batch, a sleep or a period; else an
 * iteration takes no time. Looks at lines up to the first such step. */
bool plan_takes_time(const struct plan *plan, const struct source *source);

/* plan_past.c: a GPU that is not here any more. */

/* True if the plan runs on a GPU, or did. */
bool plan_is_of_gpu(const struct plan *plan);
/* Makes the plan one of a GPU's past. pci: NULL, or its address. */
void plan_open_past(struct plan *plan, const char *name, const char *pci);
/* Does nothing if there is none. */
void plan_close_past(struct plan *plan);
/* Returns the device of such a plan. NULL: it is another one. */
struct follow_past *plan_past(const struct plan *plan);
/* Return the name of the GPU, and the PCI address; NULL: it has none. */
const char *plan_gpu_name(const struct plan *plan);
const char *plan_gpu_address(const struct plan *plan);

/* plan_gpu.c: a real GPU. */

/* Opens the first GPU that the filter lets through, and takes its profile.
 * False: err has the reason, not as a line. */
bool plan_open_gpu(struct plan *plan, const char *filter, struct text *err);
/* Return what hardware_accepts() does, and add warnings as hardware_warn()
 * does; on the model true, and none. */
bool plan_gpu_accepts(const struct plan *plan, const struct program *program,
    const struct document *const *docs, struct diag_list *diags);
void plan_gpu_warn(const struct plan *plan, const struct program *program,
    const struct document *const *docs, struct diag_list *diags);
/* Appends the first warning of plan_gpu_warn() about the program of a source, as a
 * sentence; nothing if there is none. */
void plan_gpu_notice(const struct plan *plan, const struct source *source,
    const struct program *program, struct text *out);
/* Checks the sources of a plan on a GPU for what options ask of it. False: err
 * has a line. With true err may have warnings. */
bool plan_gpu_takes_options(
    const struct plan *plan, bool warnings, struct text *err);
/* Does nothing if none is open. */
void plan_close_gpu(struct plan *plan);
/* Returns the path of its card ("/dev/dri/card0"); "": it has none. */
const char *plan_gpu_card(const struct plan *plan);
/* Lets the simulation of run, which is new, follow the GPU. */
bool run_follow_gpu(const struct plan *plan, struct run *run, struct text *err);
/* Returns true if the GPU of a run, if it has one, lets this user do that;
 * else err says what would be needed. */
bool run_gpu_allows(
    const struct run *run, const struct control *control, struct text *err);
/* Ends all batches on the GPU, in a second at most; the simulation may be read,
 * but not run any more. */
void run_finish_gpu(struct run *run);
/* Destroys what the run has on the GPU, after its simulation. */
void run_leave_gpu(struct run *run);
/* Has the news of the GPU reported. Returns the time of the run: the simulation
 * may run until then. */
nsec run_look_at_gpu(struct run *run);
/* Returns why the run must end: what the driver has refused; "": it need
 * not. */
const char *run_gpu_failure(const struct run *run);
/* Returns the greatest error of the times that the GPU's stamps give, ns. */
nsec plan_gpu_error(const struct plan *plan);
/* Returns a descriptor that is readable when there are news, and the wall time
 * at which to look without that: of the next event, or that time of the run. */
int run_gpu_fd(const struct run *run);
nsec run_gpu_due(const struct run *run, nsec until);
/* Returns true if no request is in flight. */
bool run_gpu_is_idle(const struct run *run);
/* Holds all submissions from now on, or submits what was held. */
void run_hold_gpu(struct run *run, bool hold);
/* Lets the time of the run go on from where it is, if nothing is in flight: the
 * clock has passed it by. */
void run_resume_gpu(struct run *run);
/* Ends all batches that are in flight, at their next turn. */
void run_end_gpu_batches(struct run *run);
/* Waits, from now on, for news of the GPU, the next event of the simulation
 * or that time of the run; 50 ms at most. */
void run_wait_for_gpu(struct run *run, nsec now, nsec until);

/* gpu_busyness.c: the GPU as a whole. */

/* Begins to count how busy a GPU is with all programs, and finds those (run's
 * busyness). Does nothing on the model. */
void run_count_busyness(const struct plan *plan, struct run *run);
void run_end_busyness(struct run *run);
/* Reads the counters if the last time is a while ago. Returns true if it did. */
bool run_look_at_busyness(struct run *run);
/* Appends the names of other programs that used an engine, or another one of its
 * class, in [from, to) of the run; nothing if none is known. */
void run_add_other_users(const struct run *run, unsigned engine, nsec from,
    nsec to, struct text *out);
/* Returns true if the clocks of GPU and CPU are known to plan_gpu_error(). */
bool plan_gpu_has_clock(const struct plan *plan);

/* As sim_control(). control->source is a struct source if there is a program:
 * the program, just compiled from its document, becomes a version. */
bool run_control(
    struct run *run, const struct control *control, struct text *err);
/* The line of a request's step, in *doc. NULL: unknown. */
const struct line *run_line(const struct run *run, const struct plan *plan,
    const struct request *rq, const struct document **doc);

/* texts.c: requests that may have ended. */

/* Returns the line of a request's step, and its version; NULL: no client runs that
 * program any more, or there was none. */
const struct line *run_past_line(const struct run *run,
    const struct trail_request *r, const struct version **v);
/* Returns the text of that step when it was submitted, of *len bytes, without a
 * terminating zero; of a program's request its contents; "": not known. Valid until
 * the simulation goes on. */
const char *run_past_step_text(
    const struct run *run, const struct trail_request *r, size_t *len);
/* Returns a label, "" for NULL, and sets *len. */
const char *run_label_text(const char *label, size_t *len);

#endif
