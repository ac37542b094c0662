/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode's --sweep: its rows on standard output, or in a file where an
 * interrupted sweep goes on; or the commands of its rows.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/shell.h"
#include "base/text.h"
#include "cli/decide.h"
#include "cli/decide_outputs.h"
#include "decide/sweep.h"
#include "report/page.h"
#include "run/options.h"
#include "run/plan.h"

/* Where the rows go. */
struct sweep_file {
	FILE *out;
	const char *path; /* NULL: standard output */
	size_t done;      /* rows that it has already */
	bool has_header;
	struct decision_outputs outputs;
};

static bool
fail_file(const char *path, struct text *err)
{
	text_add_visible(err, path, strlen(path));
	text_addf(err, ": %s", strerror(errno));
	return false;
}

/* Refuses a file with a line that the sweep would not have written. */
static bool
refuse_line(
    const char *path, size_t line, const char *expected, struct text *err)
{
	text_add_visible(err, path, strlen(path));
	text_addf(err, ":%zu: this line is of another sweep: expected '", line);
	text_add_visible(err, expected, strcspn(expected, "\n"));
	text_adds(err, "', or a new file");
	return false;
}

/* Counts the rows of a file that an earlier run has written, up to the first that
 * is not whole, where writing goes on. */
static bool
read_rows(struct sweep_file *f, const struct sweep *s, struct text *err)
{
	struct text expected = {0};
	char *line = NULL;
	size_t cap = 0, n = 0;
	long end = 0;
	ssize_t len;
	bool ok = true;

	while (ok && (len = getline(&line, &cap, f->out)) > 0 &&
	    line[len - 1] == '\n') {
		text_clear(&expected);
		if (n == 0)
			sweep_print_header(s, &expected);
		else if (n <= sweep_n_rows(s))
			sweep_print_keys(s, n - 1, &expected);
		ok = expected.len > 0 &&
		    strncmp(line, text_str(&expected), expected.len) == 0;
		n++;
		if (ok) {
			end = ftell(f->out);
			decision_outputs_keep(&f->outputs, line, (size_t)len);
		} else {
			refuse_line(f->path, n, text_str(&expected), err);
		}
	}
	free(line);
	text_free(&expected);
	f->has_header = n > 0;
	f->done = n > 0 ? n - 1 : 0;
	if (!ok)
		return false;
	return (fseek(f->out, end, SEEK_SET) == 0 &&
		   ftruncate(fileno(f->out), end) == 0) ||
	    fail_file(f->path, err);
}

/* A device or a pipe has no rows to go on from, and may never end. */
static bool
can_have_rows(const struct sweep_file *f, struct text *err)
{
	struct stat st;

	if (fstat(fileno(f->out), &st) != 0)
		return fail_file(f->path, err);
	if (S_ISREG(st.st_mode))
		return true;
	text_add_visible(err, f->path, strlen(f->path));
	text_adds(err, " is not a regular file: expected one, or a new name");
	return false;
}

/* Refuses a file that another sweep writes now. The lock is of this process alone,
 * and ends with it; where files cannot be locked there is none. */
static bool
lock_rows(const struct sweep_file *f, struct text *err)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fileno(f->out), F_SETLK, &lock) == 0 ||
	    (errno != EACCES && errno != EAGAIN))
		return true;
	text_add_visible(err, f->path, strlen(f->path));
	text_adds(err,
	    " is being written by another sweep: expected another file, or "
	    "its end");
	return false;
}

static bool
open_rows(struct sweep_file *f, const struct options *o, const struct sweep *s,
    struct text *err)
{
	int fd;

	f->out = stdout;
	if (o->output == NULL || strcmp(o->output, "-") == 0)
		return true;
	f->path = o->output;
	fd = open(o->output, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	f->out = fd >= 0 ? fdopen(fd, "r+") : NULL;
	if (f->out == NULL)
		return fail_file(o->output, err);
	return can_have_rows(f, err) && lock_rows(f, err) &&
	    read_rows(f, s, err);
}

/* Closes the file. False, after a line: not all was written. */
static bool
close_rows(struct sweep_file *f)
{
	bool failed;

	if (f->path == NULL || f->out == NULL)
		return true;
	failed = ferror(f->out) != 0;
	failed |= fclose(f->out) != 0;
	if (failed)
		output_textf(stderr, "gpuwl-top: --output: %s: %s\n", f->path,
		    strerror(errno));
	return !failed;
}

/* Writes whole lines, so that a file has no other but for the last. */
static bool
write_lines(struct sweep_file *f, struct text *lines)
{
	bool ok = fwrite(lines->data, 1, lines->len, f->out) == lines->len &&
	    fflush(f->out) == 0;

	decision_outputs_keep(&f->outputs, text_str(lines), lines->len);
	text_clear(lines);
	return ok;
}

/* Runs rows from first to end. */
static int
run_rows(const struct sweep *s, struct plan *plan, const struct options *o,
    struct sweep_file *f, size_t first, size_t end)
{
	struct sweep_run *run = sweep_begin(
	    s, plan, o, first, end, decide_jobs(o));
	struct text lines = {0}, err = {0};
	int status = EXIT_STATUS_OK;
	char line[80];

	if (first == 0 && !f->has_header)
		sweep_print_header(s, &lines);
	while (status == EXIT_STATUS_OK && !sweep_is_done(run)) {
		snprintf(line, sizeof line, "%zu of %zu runs",
		    sweep_position(run) - first, end - first);
		decide_progress(o, line);
		sweep_step(run, -1, &lines, &err);
		if ((lines.len > 0 && !write_lines(f, &lines)) || err.len > 0)
			status = EXIT_STATUS_FAILED;
	}
	decide_progress_end();
	if (err.len > 0)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	sweep_end(run);
	text_free(&lines);
	text_free(&err);
	return status;
}

/* Writes the page of --report. */
static bool
write_sweep_page(struct decision_outputs *outputs, const struct sweep *s,
    const struct plan *plan, const struct options *o)
{
	struct text html = {0};

	if (outputs->page >= 0)
		page_of_sweep(text_str(&outputs->lines), sweep_n_rows(s), plan,
		    o->command, &html);
	return decision_outputs_close(outputs, &html);
}

/* Runs what is not done yet. */
static int
run_sweep(const struct sweep *s, struct plan *plan, const struct options *o)
{
	size_t n = sweep_n_rows(s), row = o->sweep_row;
	struct sweep_file f = {.out = NULL};
	struct text err = {0};
	int status;

	if (row != OPTIONS_ALL_ROWS && row >= n) {
		text_addf(&err, "the sweep has %zu rows", n);
		return decide_refuse("--sweep-row", &err);
	}
	if (!decision_outputs_open(&f.outputs, o, plan))
		return EXIT_STATUS_OPTIONS;
	if (!open_rows(&f, o, s, &err)) {
		close_rows(&f);
		decision_outputs_close(&f.outputs, NULL);
		return decide_refuse("--output", &err);
	}
	if (row != OPTIONS_ALL_ROWS)
		status = run_rows(s, plan, o, &f, row, row + 1);
	else
		status = run_rows(s, plan, o, &f, f.done, n);
	if (!close_rows(&f) || !write_sweep_page(&f.outputs, s, plan, o))
		status = EXIT_STATUS_FAILED;
	return output_close(status);
}

/* True for --sweep-commands, which may be shortened as getopt allows. */
static bool
asks_for_commands(const char *word)
{
	static const char option[] = "--sweep-commands",
			  shortest[] = "--sweep-c";
	size_t len = strlen(word);

	return len >= strlen(shortest) && strncmp(option, word, len) == 0;
}

/* Appends the command of a row: this one, with the number of the row. */
static void
add_row_command(char *const *argv, size_t row, struct text *out)
{
	bool options = true;

	shell_add_word(out, *argv++);
	text_addf(out, " --sweep-row=%zu", row + 1);
	for (; *argv != NULL; argv++) {
		options = options && strcmp(*argv, "--") != 0;
		if (options && asks_for_commands(*argv))
			continue;
		text_addc(out, ' ');
		shell_add_word(out, *argv);
	}
	text_addc(out, '\n');
}

static int
print_commands(const struct sweep *s, const struct options *o)
{
	size_t n = sweep_n_rows(s);
	struct text line = {0};

	for (size_t row = 0; row < n; row++) {
		text_clear(&line);
		add_row_command(o->argv, row, &line);
		if (fputs(text_str(&line), stdout) < 0)
			break;
	}
	text_free(&line);
	return output_close(EXIT_STATUS_OK);
}

/* True if a workload is read from standard input, which can be read once. */
static bool
reads_input(const struct options *o)
{
	for (size_t i = 0; i < o->n_workloads; i++)
		if (strcmp(o->workloads[i].argument, "-") == 0)
			return true;
	return o->append != NULL && strcmp(o->append, "-") == 0;
}

static int
sweep_plan(const struct sweep *s, const struct options *o)
{
	struct text err = {0};
	struct plan plan;
	int status;
	bool ok;

	if (o->sweep_commands && !reads_input(o))
		return print_commands(s, o);
	if (o->sweep_commands) {
		text_adds(&err,
		    "standard input can be read once: name a file with -w");
		return decide_refuse("--sweep-commands", &err);
	}
	ok = plan_open(&plan, o, &status, &err);
	output_text(stderr, text_str(&err));
	text_free(&err);
	if (ok)
		status = run_sweep(s, &plan, o);
	plan_close(&plan);
	return status;
}

int
decide_sweep(const struct options *o)
{
	struct sweep s = {0};
	struct text err = {0};
	int status;
	bool ok = true;

	for (size_t i = 0; ok && i < o->n_sweeps; i++)
		ok = sweep_add(&s, o->sweeps[i], &err);
	if (ok && o->n_workloads > 1 && sweep_has(&s, "clients")) {
		text_adds(&err,
		    "clients: cloned clients cannot be combined with several "
		    "workloads");
		ok = false;
	}
	if (ok) {
		sweep_find_engines(&s, o);
		status = sweep_plan(&s, o);
	} else {
		status = decide_refuse("--sweep", &err);
	}
	sweep_free(&s);
	return status;
}
