/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that concern files: writing, reading, leaving. */
#include <sys/stat.h>

#include "base/text.h"
#include "run/live/saving.h"
#include "tui/console/execute.h"
#include "tui/console/files.h"
#include "tui/console/launch.h"
#include "tui/input/filenames.h"

static bool
write_to(struct ui *ui, const char *arg, bool forced, bool quit, nsec wall)
{
	struct text path = {0};

	filename_of(arg, &path);
	files_write(ui, text_str(&path), forced, quit, wall);
	text_free(&path);
	return true;
}

static bool
run_write(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, false, false, wall);
}

static bool
run_write_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, true, false, wall);
}

static bool
run_wq(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, false, true, wall);
}

static bool
run_wall(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_write_all(ui, wall);
	return true;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The prompt again, with what there is in the folder to choose from. */
static void
browse(struct ui *ui, const char *arg, nsec wall)
{
	struct key_press tab = {.code = KEY_TAB, .bytes = "\t", .len = 1};
	struct text line = {0};

	text_addf(&line, "e %s", arg);
	if (line.data[line.len - 1] != '/')
		text_addc(&line, '/');
	ui_open_line(ui, &command_line, text_str(&line));
	ui_line_key(ui, &tab, wall);
	text_free(&line);
}

static bool
open_file(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct text path = {0};
	bool ok = true;

	filename_of(arg, &path);
	if (is_folder(text_str(&path)))
		browse(ui, arg, wall);
	else
		ok = launch_file(ui, text_str(&path), 1, false, wall, err);
	text_free(&path);
	return ok;
}

static bool
run_edit(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t i = ui->selection.source;

	if (*arg != 0)
		return open_file(ui, arg, wall, err);
	if (source_is_unsaved(&ui->session->plan->sources[i])) {
		text_adds(err,
		    "there are unsaved edits: w writes them, :e! reads the "
		    "file all the same");
		return false;
	}
	files_reread(ui, wall);
	return true;
}

static bool
run_edit_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_reread(ui, wall);
	return true;
}

static bool
run_recover(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	return files_recover(ui, wall, err);
}

static bool
run_quit(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_quit(ui, UI_QUIT, wall);
	return true;
}

static bool
run_quit_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	ui->leave = UI_QUIT;
	return true;
}

const struct command_row commands_of_files[] = {
    {CMD_EDIT, run_edit},
    {CMD_EDIT_FORCED, run_edit_forced},
    {CMD_QUIT, run_quit},
    {CMD_QUIT_FORCED, run_quit_forced},
    {CMD_RECOVER, run_recover},
    {CMD_WALL, run_wall},
    {CMD_WQ, run_wq},
    {CMD_WRITE, run_write},
    {CMD_WRITE_FORCED, run_write_forced},
    {N_COMMANDS, NULL},
};
