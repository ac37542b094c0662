/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture from its beginning to its files: which descriptors there are, what
 * their first comments say, and what the files are called.
 */
#include "run/capture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/shell.h"
#include "run/capture_private.h"

#define DEFAULT_REQUESTS 65536
#define SUFFIX           ".wsim"

struct capture *
capture_new(struct sim *sim, const struct capture_options *options)
{
	struct capture *c = mem_calloc(1, sizeof(*c));

	c->sim = sim;
	c->options = *options;
	if (options->max_requests == 0)
		c->options.max_requests = DEFAULT_REQUESTS;
	if (options->profile != NULL)
		c->options.profile = mem_strdup(options->profile);
	if (options->scheduler != NULL)
		c->options.scheduler = mem_strdup(options->scheduler);
	if (options->frame_on != NULL)
		c->options.frame_on = mem_strdup(options->frame_on);
	frame_marker_read(&c->marker, c->options.frame_on, NULL);
	capture_watch_begin(c);
	return c;
}

void
capture_watch(struct capture *c, struct i915 *dev)
{
	if (c->dev != NULL)
		i915_set_witness(c->dev, NULL);
	c->dev = dev;
	if (dev != NULL)
		i915_set_witness(dev, &c->witness);
}

void
capture_free(struct capture *c)
{
	if (c == NULL)
		return;
	capture_watch(c, NULL);
	capture_watch_end(c);
	for (size_t i = 0; i < c->n_processes; i++)
		capture_process_free(c->processes[i]);
	capture_forget(c);
	for (unsigned i = 0; i < c->n_labels; i++)
		free(c->labels[i]);
	free(c->processes);
	free((char *)(uintptr_t)c->options.profile);
	free((char *)(uintptr_t)c->options.scheduler);
	free((char *)(uintptr_t)c->options.frame_on);
	free(c);
}

/* The latest process of a client; NULL: none. */
static const struct capture_process *
process_of_client(const struct capture *c, uint32_t client)
{
	for (size_t i = c->n_processes; i-- > 0;)
		if (c->processes[i]->client == client)
			return c->processes[i];
	return NULL;
}

uint64_t
capture_ended(const struct capture *c, uint32_t client)
{
	const struct capture_process *p = process_of_client(c, client);

	return p != NULL ? p->n_ended : 0;
}

/* Infers the descriptors of a process, and counts the frames of each in a list that the
 * caller frees. False: it has none. */
static bool
infer_process(const struct capture *c, const struct capture_process *p,
    size_t max_acts, struct infer_result *result,
    struct capture_frames **frames, struct text *err)
{
	struct capture_records records;
	bool ok;

	capture_records_take(&records, p, max_acts);
	ok = infer(&records.input,
	    &(struct infer_options){.titled = true,
		.exact = c->options.exact,
		.merge = true,
		.vary = true,
		.all_slices = device_all_slices(&c->sim->device),
		.submit_ns = c->sim->config.profile.submit_ns,
		.wakeup_ns = c->sim->config.profile.wakeup_ns,
		.slack_ns = c->sim->config.profile.timer_slack_ns},
	    result, err);
	*frames = ok ? capture_frames_count(&c->marker, &records, result)
		     : NULL;
	capture_records_free(&records);
	return ok;
}

/* A thread as captures show it: where a process is shown by its place, by its place
 * in the process. */
static uint32_t
shown_thread(const struct capture_process *p, uint32_t thread)
{
	return p->shown_pid == p->pid ? p->threads[thread] : thread + 1;
}

/* Number of empty batches that no descriptor has, as they only ask the kernel. */
static uint64_t
count_questions(const struct capture_process *p)
{
	size_t n = capture_acts_of_questions(p);
	uint64_t n_batches = 0;

	for (size_t i = 0; i < n; i++)
		n_batches += p->acts[i].kind == CAPTURED_SUBMIT;
	return n_batches;
}

/* Appends the comments that say what a descriptor is of. */
static void
print_captured_title(const struct capture_process *p, size_t n_of_process,
    uint32_t thread, uint64_t n_unused, struct text *out)
{
	uint64_t n_questions = count_questions(p);

	text_adds(out, "# ");
	text_add_visible(out, p->name, strlen(p->name));
	text_addf(out, " (pid %" PRId64 ")", p->shown_pid);
	if (n_of_process > 1)
		text_addf(out, ", thread %" PRIu32, shown_thread(p, thread));
	text_addf(out, ": %" PRIu64 " batch%s\n", p->n_submitted,
	    p->n_submitted == 1 ? "" : "es");
	if (p->n_dropped > 0)
		text_addf(out,
		    "# the first %" PRIu64 " batches were not kept\n",
		    p->n_dropped);
	if (n_questions > 0)
		text_addf(out,
		    "# left out: %" PRIu64
		    " empty batch%s before the first with work\n",
		    n_questions, n_questions == 1 ? "" : "es");
	if (p->n_hangs > 0)
		text_addf(out, "# left out: %" PRIu64 " hang%s\n", p->n_hangs,
		    p->n_hangs == 1 ? "" : "s");
	if (p->n_foreign > 0)
		text_addf(out,
		    "# left out: %" PRIu64
		    " batch%s that waited for other programs\n",
		    p->n_foreign, p->n_foreign == 1 ? "" : "es");
	if (n_unused > 0)
		text_addf(out,
		    "# left out: %" PRIu64 " batch%s that no engine ran\n",
		    n_unused, n_unused == 1 ? "" : "es");
}

/* Number of requests that no descriptor has, as they were on no engine. */
static uint64_t
count_unused(const struct infer_result *result)
{
	return result->n_engineless + result->n_incomplete;
}

void
capture_text(const struct capture *c, uint32_t client, struct text *out)
{
	const struct capture_process *p = process_of_client(c, client);
	struct infer_result result;
	struct capture_frames *frames;
	struct text err = {0};

	if (p == NULL)
		return;
	if (infer_process(c, p, CAPTURE_TEXT_ACTS, &result, &frames, &err)) {
		for (size_t i = 0; i < result.n_clients; i++) {
			print_captured_title(p, result.n_clients,
			    result.clients[i].client, count_unused(&result),
			    out);
			capture_frames_print(
			    &frames[i], &c->marker, &result.clients[i], out);
			text_adds(out, text_str(&result.clients[i].text));
		}
	}
	free(frames);
	infer_free(&result);
	text_free(&err);
}

/* A descriptor, and its file. */
struct captured_file {
	const struct capture_process *process;
	uint32_t n_of_process; /* descriptors */
	uint64_t n_unused;     /* requests of the process that none has */
	struct infer_client client;
	struct capture_frames frames;
	char *path;
};

/* The descriptors of all processes. */
struct captured_files {
	struct captured_file *list;
	size_t n, cap;
};

/* Adds those of a process; takes their texts. */
static void
add_files(struct captured_files *f, const struct capture_process *p,
    struct infer_result *result, const struct capture_frames *frames)
{
	for (size_t i = 0; i < result->n_clients; i++) {
		f->list = mem_grow(f->list, f->n, &f->cap, sizeof(*f->list));
		f->list[f->n++] = (struct captured_file){.process = p,
		    .n_of_process = (uint32_t)result->n_clients,
		    .n_unused = count_unused(result),
		    .client = result->clients[i],
		    .frames = frames[i]};
		result->clients[i].text = (struct text){0};
	}
}

static int
compare_processes(const void *a, const void *b)
{
	const struct capture_process *p = *(struct capture_process *const *)a;
	const struct capture_process *q = *(struct capture_process *const *)b;

	return p->client < q->client ? -1 : p->client > q->client;
}

/* Returns the processes in the order in which they opened the device. The caller
 * frees the list. */
static struct capture_process **
processes_in_order(const struct capture *c)
{
	struct capture_process **list = mem_calloc(
	    c->n_processes, sizeof *list);

	for (size_t i = 0; i < c->n_processes; i++)
		list[i] = c->processes[i];
	qsort(list, c->n_processes, sizeof *list, compare_processes);
	return list;
}

/* Infers the descriptors of a client, or of all. */
static void
infer_files(const struct capture *c, uint32_t client, struct captured_files *f)
{
	struct capture_process **list = processes_in_order(c);

	for (size_t i = 0; i < c->n_processes; i++) {
		const struct capture_process *p = list[i];
		struct infer_result result = {0};
		struct capture_frames *frames = NULL;
		struct text err = {0};

		if (p->n_submitted > 0 &&
		    (client == CAPTURE_ALL || p->client == client) &&
		    infer_process(c, p, SIZE_MAX, &result, &frames, &err))
			add_files(f, p, &result, frames);
		free(frames);
		infer_free(&result);
		text_free(&err);
	}
	free(list);
}

static void
files_free(struct captured_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		text_free(&f->list[i].client.text);
		free(f->list[i].path);
	}
	free(f->list);
}

/* "FILE.wsim", then "FILE-2.wsim" and so on. */
static char *
captured_path(const char *path, size_t which)
{
	size_t len = strlen(path), end = strlen(SUFFIX);
	const char *suffix = "";
	struct text t = {0};

	if (len > end && strcmp(path + len - end, SUFFIX) == 0)
		suffix = SUFFIX;
	text_add(&t, path, len - strlen(suffix));
	if (which > 0)
		text_addf(&t, "-%zu", which + 1);
	text_adds(&t, suffix);
	return t.data;
}

/* Appends the command that runs the files. */
static void
print_captured_command(
    const struct capture *c, const struct captured_files *f, struct text *out)
{
	struct infer_result all = {
	    .clients = mem_calloc(f->n, sizeof(*all.clients)),
	    .n_clients = f->n};
	const char **paths = mem_calloc(f->n, sizeof(*paths));
	struct text command = {0};

	for (size_t i = 0; i < f->n; i++) {
		all.clients[i] = f->list[i].client;
		paths[i] = f->list[i].path;
	}
	infer_print_command(&all, paths, &command);
	text_adds(out, "gpuwl-top -b");
	if (c->options.profile != NULL) {
		text_adds(out, " --profile=");
		shell_add_word(out, c->options.profile);
	}
	if (c->options.scheduler != NULL)
		text_addf(out, " --scheduler=%s", c->options.scheduler);
	text_adds(out, text_str(&command) + strlen("gpuwl-top -b"));
	text_free(&command);
	free(all.clients);
	free(paths);
}

static bool
write_captured(const struct captured_file *f, const struct frame_marker *marker,
    bool over, const struct text *run, struct text *err)
{
	struct text text = {0};
	bool ok;

	print_captured_title(
	    f->process, f->n_of_process, f->client.client, f->n_unused, &text);
	text_addf(&text, "# %s\n", text_str(run));
	capture_frames_print(&f->frames, marker, &f->client, &text);
	text_adds(&text, text_str(&f->client.text));
	ok = file_write(f->path, over, &text, err);
	text_free(&text);
	return ok;
}

bool
capture_write(const struct capture *c, uint32_t client, const char *path,
    bool over, struct text *said, struct text *err)
{
	struct captured_files f = {0};
	struct text run = {0};
	bool ok = true;

	infer_files(c, client, &f);
	for (size_t i = 0; i < f.n; i++)
		f.list[i].path = captured_path(path, i);
	if (f.n == 0)
		text_addf(
		    &run, "%s is not written: no batch was submitted", path);
	else
		print_captured_command(c, &f, &run);
	for (size_t i = 0; i < f.n && ok; i++)
		ok = write_captured(&f.list[i], &c->marker, over, &run, err);
	if (ok)
		text_adds(said, text_str(&run));
	if (ok && c->n_forgotten > 0)
		text_addf(said,
		    "\ncaptured: %" PRIu64 " more processes are not written: a"
		    " capture keeps %d, those that did something last",
		    c->n_forgotten, CAPTURE_PROCESSES);
	text_free(&run);
	files_free(&f);
	return ok;
}
