/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main(): prepares memory and streams, reads the command line, and calls the
 * mode that it asks for. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/decide.h"
#include "cli/modes.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tui/console/actions.h"
#include "tui/console/console.h"
#include "tui/settings/config.h"
#include "tui/settings/settings.h"
#include "tui/terminal/signals.h"

#define STACK_ROOM   ((size_t)256 << 10)
#define STACK_WANTED ((size_t)1 << 20)

/* The last act without memory. Unsaved edits are in the recovery file. */
static void
leave_terminal(void *data)
{
	(void)data;
	signals_give_back();
	mem_tell_exhausted();
}

static int
run_plan(const struct options *o, struct settings *settings)
{
	struct plan plan;
	struct replay replay = {0};
	struct text err = {0};
	int status = EXIT_STATUS_INPUT;
	bool ok = o->replay == NULL
	    ? plan_open(&plan, o, &status, &err)
	    : replay_open(&replay, &plan, o->replay, &err);

	output_text(stderr, text_str(&err));
	mem_on_exhausted(leave_terminal, NULL);
	if (ok)
		status = console_run(
		    o, &plan, o->replay != NULL ? &replay : NULL, settings);
	replay_close(&replay);
	plan_close(&plan);
	text_free(&err);
	return status;
}

static int
run_console(const struct options *given)
{
	struct options o = *given;
	struct settings settings;
	struct text err = {0};
	int status = EXIT_STATUS_OPTIONS;

	if (startup_settings(&settings, &o, &console_actions, &err))
		status = run_plan(&o, &settings);
	else
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	settings_free(&settings);
	text_free(&err);
	return status;
}

static int
run_batch(const struct options *o)
{
	struct plan plan;
	struct replay replay = {0};
	struct text err = {0};
	int status = EXIT_STATUS_INPUT;
	bool ok;

	if (o->serve != NULL)
		return program_run(o);
	if (o->tune != NULL)
		return decide_tune(o);
	if (options_decide(o))
		return o->capacity ? decide_capacity(o) : decide_sweep(o);
	ok = o->replay == NULL ? plan_open(&plan, o, &status, &err)
			       : replay_open(&replay, &plan, o->replay, &err);

	output_text(stderr, text_str(&err));
	if (ok && o->replay == NULL) {
		status = decide_mix(o, &plan);
		ok = status == EXIT_STATUS_OK;
	}
	if (ok)
		status = batch_run(
		    o, &plan, o->replay != NULL ? &replay : NULL);
	replay_close(&replay);
	plan_close(&plan);
	text_free(&err);
	return status;
}

static int
print_help(const struct options *o)
{
	struct text help = {0};

	if (o->is_run)
		options_print_run_help(&help);
	else
		options_print_help(&help);
	fputs(text_str(&help), stdout);
	text_free(&help);
	return output_close(0);
}

static int
print_version(const struct options *o)
{
	(void)o;
	puts("gpuwl-top " GPUWL_VERSION);
	return output_close(0);
}

static int
print_config(const struct options *o)
{
	struct text config = {0};

	(void)o;
	config_print(&console_actions, &config);
	fputs(text_str(&config), stdout);
	text_free(&config);
	return output_close(0);
}

static int (*const modes[])(const struct options *o) = {
    [MODE_CONSOLE] = run_console,
    [MODE_BATCH] = run_batch,
    [MODE_CHECK] = check_run,
    [MODE_FORMAT] = format_run,
    [MODE_LIST_DEVICES] = devices_list,
    [MODE_LIST_ENGINES] = devices_list_engines,
    [MODE_HELP] = print_help,
    [MODE_VERSION] = print_version,
    [MODE_PRINT_CONFIG] = print_config,
    [MODE_LAYER_DUMP] = layer_dump_run,
    [MODE_PROGRAM] = program_run,
    [MODE_CALIBRATE] = calibrate_run,
    [MODE_COMPARE] = compare_run_device,
    [MODE_IMPORT] = import_run,
};

/* Opens /dev/null for each standard stream that the caller closed, so that no
 * file gets its number. Opened the wrong way round: using it still fails. */
static void
hold_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void *
json_malloc(size_t size)
{
	return mem_realloc(NULL, size, 1);
}

/* std::set_new_handler(): SPIRV-Tools is in C++. */
void (*set_new_handler(void (*handler)(void)))(void) __asm__(
    "_ZSt15set_new_handlerPFvvE");

static void
on_no_memory(void)
{
	mem_exhausted();
}

/* Touches the stack early, while there is address space for it to grow. */
static __attribute__((noinline)) void
grow_stack(void)
{
	volatile char room[STACK_ROOM];

	for (size_t i = 0; i < sizeof(room); i += 1024)
		room[i] = 0;
}

/* Without address space for it the stack cannot grow, which would be a SIGSEGV. */
static bool
stack_has_room(void)
{
	void *room = mmap(NULL, STACK_ROOM, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return room != MAP_FAILED && munmap(room, STACK_ROOM) == 0;
}

/* Makes libraries end the program like mem_exhausted() without memory. */
static void
prepare_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 &&
	    limit.rlim_cur >= STACK_WANTED) {
		if (!stack_has_room())
			mem_exhausted();
		grow_stack();
	}
	mem_reserve();
	json_set_alloc_funcs(json_malloc, free);
	set_new_handler(on_no_memory);
}

/* Says why the command line is refused; returns the exit status. */
static int
refuse_options(const struct options *o, const char *why)
{
	const char *name = options_caller(o);

	output_textf(stderr, "%s: %s\nTry '%s --help'.\n", name, why, name);
	return o->is_run ? PROGRAM_RUN_FAILED : EXIT_STATUS_OPTIONS;
}

int
main(int argc, char **argv)
{
	struct options o;
	struct text err = {0};
	int status = EXIT_STATUS_OPTIONS;

	prepare_memory();
	hold_standard_streams();
	/* Writing beyond a file size limit fails with EFBIG instead. */
	signal(SIGXFSZ, SIG_IGN);
	/* LC_CTYPE only: numbers look the same in every locale. */
	setlocale(LC_CTYPE, "");
	if (options_parse(&o, argc, argv, &err))
		status = modes[o.mode](&o);
	else
		status = refuse_options(&o, text_str(&err));
	options_free(&o);
	text_free(&err);
	return status;
}
