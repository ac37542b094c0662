/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs on a virtual i915: starting one, its output, what was refused, and
 * the questions before keys end them.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printed.h"
#include "base/text.h"
#include "run/live/programs.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"
#include "tui/views/view.h"

/* The last bytes of the output that its page shows. */
#define OUTPUT_BYTES (64 * 1024)
#define OUTPUT_LINE  4096 /* a longer line is shown in part */

bool
cmd_run(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	return session_run_line(ui->session, typed, err);
}

/* The program that is selected; NULL: none is. */
static const struct client *
selected_program(const struct ui *ui)
{
	const struct sim *sim = ui->session->run.sim;
	const struct client *c = ui->selection.client < sim->n_clients
	    ? sim->clients[ui->selection.client]
	    : NULL;

	return c != NULL && c->walker == NULL ? c : NULL;
}

/* Appends the name of the file that is meant without one. */
static void
add_capture_name(const struct client *c, struct text *path)
{
	const char *name = c != NULL ? c->name : "capture";

	for (; *name != '\0'; name++)
		text_addc(path, *name == '/' || *name == '.' ? '-' : *name);
	text_adds(path, ".wsim");
}

bool
cmd_capture(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const struct client *c = selected_program(ui);
	struct text path = {0}, said = {0};
	bool ok;

	if (*typed != '\0')
		filename_of(typed, &path);
	else
		add_capture_name(c, &path);
	ok = session_capture(
	    ui->session, c, text_str(&path), arg == WRITE_OVER, &said, err);
	if (ok)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&path);
	text_free(&said);
	return ok;
}

void
programs_say_news(struct ui *ui)
{
	struct text said = {0};
	bool bad;

	if (session_take_program_news(ui->session, &said, &bad))
		ui_say(ui, bad ? ROLE_BAD : ROLE_NORMAL, "%s", text_str(&said));
	text_free(&said);
}

void
programs_describe(struct ui *ui)
{
	const struct sim *sim = ui->session->run.sim;

	if (ui->selection.client < sim->n_clients &&
	    layout_shows(&ui->layout, PART_DESCRIPTOR))
		session_describe_program(
		    ui->session, sim->clients[ui->selection.client]);
}

bool
programs_refuse_edit(struct ui *ui)
{
	struct view_env env = ui_env(ui, PART_DESCRIPTOR);
	const struct client *c = descriptor_program(&env);

	if (c != NULL)
		ui_say(ui, ROLE_WARN,
		    "%s (pid %" PRId64
		    ") runs no descriptor: J shows one to edit",
		    c->name, c->pid);
	return c != NULL;
}

bool
programs_refuse_write(struct ui *ui, struct text *err)
{
	struct view_env env = ui_env(ui, PART_DESCRIPTOR);
	const struct client *c = descriptor_program(&env);

	if (c != NULL)
		text_addf(err,
		    "%s (pid %" PRId64
		    ") runs no descriptor: :capture FILE writes what it did, J "
		    "shows a document to write",
		    c->name, c->pid);
	return c != NULL;
}

/* The page of the output. */

/* Appends the end of the file, from the beginning of a line on. */
static bool
read_output(const char *path, off_t size, struct text *out)
{
	off_t from = size > OUTPUT_BYTES ? size - OUTPUT_BYTES : 0;
	char bytes[OUTPUT_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n;
	const char *start = bytes;

	if (fd < 0)
		return false;
	n = pread(fd, bytes, sizeof(bytes), from);
	close(fd);
	if (n > OUTPUT_LINE && from > 0)
		start = memchr(bytes, '\n', OUTPUT_LINE);
	if (start == NULL)
		start = bytes; /* a part of a long line */
	if (n > 0)
		text_add(out, start, (size_t)(bytes + n - start));
	return n >= 0;
}

static struct page *
output_page(const struct ui *ui, off_t size)
{
	const char *path = session_output_log(ui->session);
	struct text title = {0}, out = {0}, shown = {0};
	struct page *p;
	const char *s, *end;

	text_addf(&title, "Output of programs, %s", path);
	p = page_new(text_str(&title));
	if (!read_output(path, size, &out))
		text_addf(&out, "%s", strerror(errno));
	end = text_str(&out) + out.len;
	for (s = text_str(&out); s < end;) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((newline != NULL ? newline : end) - s);

		text_clear(&shown);
		text_add_printed(&shown, s, len);
		page_add(p, *s == '$' ? ROLE_LABEL : ROLE_NORMAL,
		    text_str(&shown), NULL);
		s += len + (newline != NULL);
	}
	text_free(&shown);
	text_free(&title);
	text_free(&out);
	return p;
}

/* Opens the page anew, at its end. */
static void
show_output(struct ui *ui, const struct stat *st, size_t top)
{
	struct page *p = output_page(ui, st->st_size);

	p->list.top = top;
	ui_open_page(ui, p);
	ui->output.page = p;
	ui->output.size = st->st_size;
}

bool
cmd_show_output(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const char *path = session_output_log(ui->session);
	struct stat st;

	(void)typed;
	(void)arg;
	if (*path == 0) {
		text_adds(err,
		    "no program was started here yet, e.g. :run gem_wsim -w "
		    "a.wsim");
		return false;
	}
	if (stat(path, &st) != 0) {
		text_addf(err, "%s: %s", path, strerror(errno));
		return false;
	}
	show_output(ui, &st, 0);
	list_act(&ui->page->list, ACT_LAST);
	return true;
}

void
programs_follow_output(struct ui *ui)
{
	const struct row_list *l;
	struct stat st;

	if (ui->page == NULL || ui->page != ui->output.page ||
	    stat(session_output_log(ui->session), &st) != 0 ||
	    st.st_size == ui->output.size)
		return;
	l = &ui->page->list;
	if (l->top + l->height >= l->n)
		cmd_show_output(ui, "", 0, NULL);
	else
		show_output(ui, &st, l->top);
}

/* Refusals. */

bool
cmd_refused(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const struct programs *p = &ui->session->programs;
	uint64_t first = p->n_refusals > PROGRAMS_REFUSALS
	    ? p->n_refusals - PROGRAMS_REFUSALS
	    : 0;
	struct page *page;

	(void)typed;
	(void)arg;
	if (p->n_refusals == 0) {
		text_adds(err, "no program and no call was refused");
		return false;
	}
	page = page_new("Refused programs and calls, the last one first");
	for (uint64_t i = p->n_refusals; i-- > first;)
		page_add_hanging(
		    page, ROLE_NORMAL, "", p->refusals[i % PROGRAMS_REFUSALS]);
	ui_open_page(ui, page);
	return true;
}

/* Questions. */

static void
quit_from_programs(struct ui *ui, int leave)
{
	files_quit(ui, (enum ui_leave)leave);
}

static void
interrupt_now(struct ui *ui, int leave)
{
	ui->leave = (enum ui_leave)leave;
}

static const struct ui_answer quit_program_answers[] = {
    {"yY", "quit", quit_from_programs, UI_QUIT},
    {"nN\033", "stay", NULL, 0},
    {"\003", NULL, interrupt_now, UI_INTERRUPTED},
    {0},
};

bool
programs_ask_to_quit(struct ui *ui)
{
	const struct session *s = ui->session;
	unsigned here = session_n_children(s), all = session_n_programs(s);

	if (here > 0)
		ui_ask(ui, quit_program_answers,
		    "Quit, and end %u program%s started here (SIGTERM)?", here,
		    here == 1 ? "" : "s");
	else if (all > 0)
		ui_ask(ui, quit_program_answers,
		    "Quit? %u program%s the device and get ENODEV", all,
		    all == 1 ? " loses" : "s lose");
	return here > 0 || all > 0;
}

bool
programs_ask_to_end(
    struct ui *ui, const struct client *c, const struct ui_answer *answers)
{
	if (c->walker != NULL)
		return false;
	ui_ask(ui, answers,
	    "End %s (pid %" PRId64 ") with SIGTERM, %u request%s in flight?",
	    c->name, c->pid, c->in_flight, c->in_flight == 1 ? "" : "s");
	return true;
}
