/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens, writes and closes the files of a decision. */
#include "cli/decide_outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/output.h"
#include "run/file_uses.h"
#include "run/options.h"
#include "run/plan.h"

#define MOST_LINES  (1 << 20) /* bytes */
#define NOT_REGULAR " is not a regular file: expected one, or a new name"

static bool
is_file_name(const char *path)
{
	return path != NULL && strcmp(path, "-") != 0;
}

void
decision_outputs_name(const char *path, size_t n, struct text *out)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	size_t stem = dot != NULL && dot > name ? (size_t)(dot - path)
						: strlen(path);

	text_clear(out);
	if (n == 1)
		text_adds(out, path);
	else
		text_addf(out, "%.*s-%zu%s", (int)stem, path, n, path + stem);
}

/* Adds the files of the second document on, which --tune writes. */
static void
add_numbered_outputs(
    struct file_uses *uses, const struct options *o, const struct plan *plan)
{
	size_t n = plan_n_documents(plan, plan->n_sources);
	struct text path = {0};

	for (size_t i = 2; i <= n; i++) {
		decision_outputs_name(o->output, i, &path);
		file_uses_add(uses, FILE_WRITTEN, "--output", text_str(&path));
	}
	text_free(&path);
}

static void
add_decision_uses(
    struct file_uses *uses, const struct options *o, const struct plan *plan)
{
	file_uses_add_options(uses, o, true);
	file_uses_add_workloads(uses, plan);
	file_uses_add_named(uses, plan);
	file_uses_add_stream(uses, FILE_READ, "standard input", STDIN_FILENO);
	file_uses_add_stream(
	    uses, FILE_WRITTEN, "standard output", STDOUT_FILENO);
	file_uses_add_stream(
	    uses, FILE_WRITTEN, "standard error", STDERR_FILENO);
	if (o->tune != NULL && is_file_name(o->output))
		add_numbered_outputs(uses, o, plan);
}

/* Looks if a file can be written, or made, without making it: a search may have
 * nothing to write. */
static bool
can_write_output(const char *path, struct text *err)
{
	char *folder = mem_strdup(path);
	struct stat st;
	bool is_there = stat(path, &st) == 0;
	bool is_other = is_there && !S_ISREG(st.st_mode);
	bool ok = is_there ? !is_other && access(path, W_OK) == 0
			   : access(dirname(folder), W_OK | X_OK) == 0;

	if (!ok) {
		text_adds(err, "--output: ");
		text_add_visible(err, path, strlen(path));
		if (is_other)
			text_adds(err, NOT_REGULAR);
		else
			text_addf(err, ": %s", strerror(errno));
	}
	free(folder);
	return ok;
}

/* Opens a file; "-" is standard output. */
static bool
open_decision_file(const struct file_uses *uses, const char *option,
    const char *path, int *fd, struct text *err)
{
	*fd = STDOUT_FILENO;
	if (is_file_name(path))
		*fd = file_uses_open(
		    uses, option, path, O_CREAT | O_TRUNC, err);
	return *fd >= 0;
}

static bool
open_decision_files(struct decision_outputs *out, const struct file_uses *uses,
    struct text *err)
{
	const struct options *o = out->o;
	int json = -1;

	if (is_file_name(o->output) && !can_write_output(o->output, err))
		return false;
	if (o->report != NULL &&
	    !open_decision_file(uses, "--report", o->report, &out->page, err))
		return false;
	if (o->json != NULL &&
	    !open_decision_file(uses, "--json", o->json, &json, err))
		return false;
	out->json = json == STDOUT_FILENO ? stdout
	    : json >= 0                   ? fdopen(json, "w")
					  : NULL;
	return true;
}

bool
decision_outputs_open(struct decision_outputs *out, const struct options *o,
    const struct plan *plan)
{
	struct file_uses uses = {0};
	struct text err = {0};
	bool ok;

	*out = (struct decision_outputs){.o = o, .page = -1};
	add_decision_uses(&uses, o, plan);
	ok = file_uses_are_apart(&uses, &err) &&
	    open_decision_files(out, &uses, &err);
	if (!ok) {
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
		decision_outputs_close(out, NULL);
	}
	file_uses_free(&uses);
	text_free(&err);
	return ok;
}

void
decision_outputs_keep(
    struct decision_outputs *out, const char *bytes, size_t len)
{
	if (out->page >= 0 && out->lines.len < MOST_LINES)
		text_add(&out->lines, bytes, len);
}

static bool
fail_decision_file(const char *path)
{
	output_textf(stderr, "gpuwl-top: %s: %s\n", path, strerror(errno));
	return false;
}

bool
decision_outputs_json(
    struct decision_outputs *out, void (*print)(void *of, FILE *file), void *of)
{
	FILE *json = out->json;
	bool failed;

	out->json = NULL;
	if (json == NULL)
		return true;
	print(of, json);
	if (json == stdout)
		return true; /* output_close() says if that failed */
	failed = ferror(json) != 0;
	if (fclose(json) != 0 || failed)
		return fail_decision_file(out->o->json);
	return true;
}

/* Writes the page to its file, or to standard output. */
static bool
write_decision_page(struct decision_outputs *out, const struct text *html)
{
	bool ok = true;

	fflush(stdout);
	if (html != NULL)
		ok = file_write_all(out->page, html->data, html->len);
	if (out->page != STDOUT_FILENO)
		ok = close(out->page) == 0 && ok;
	return ok || fail_decision_file(out->o->report);
}

bool
decision_outputs_close(struct decision_outputs *out, struct text *html)
{
	bool ok = out->page < 0 || write_decision_page(out, html);

	if (out->json != NULL && out->json != stdout)
		fclose(out->json);
	if (html != NULL)
		text_free(html);
	text_free(&out->lines);
	*out = (struct decision_outputs){.page = -1};
	return ok;
}
