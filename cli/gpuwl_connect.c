/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run on a device that another process serves: starts the program, passes
 * signals on, waits for its end, and asks the device what its processes did.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/modes.h"
#include "device/serve/join.h"
#include "device/serve/launch.h"
#include "device/serve/program.h"
#include "run/options.h"

static const int passed_signals[] = {SIGTERM, SIGHUP};
#define N_PASSED (sizeof(passed_signals) / sizeof(*passed_signals))

/* Signals that came, a bit for each. */
static volatile sig_atomic_t to_pass;

static void
note_to_pass(int signal)
{
	to_pass |= 1 << signal;
}

/* Blocks those that are passed on, but while the loop waits. The terminal sends
 * INT and QUIT to the program too, whose end is waited for. */
static void
take_passed(sigset_t *unblocked)
{
	struct sigaction note = {.sa_handler = note_to_pass};
	sigset_t mask;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	for (size_t i = 0; i < N_PASSED; i++) {
		sigaction(passed_signals[i], &note, NULL);
		sigaddset(&mask, passed_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, unblocked);
}

/* Refuses an option that the device's own process has. */
static bool
refuse_there(const char *device, const char *option, bool given, bool output,
    struct text *err)
{
	if (!given)
		return false;
	text_addf(err, "--%s: another process serves the device '", option);
	text_add_visible(err, device, strlen(device));
	text_adds(err, "': ");
	if (output)
		text_addf(err,
		    "ask there, as in gpuwl-top -b --serve --%s=FILE, or add "
		    "--own for a new device",
		    option);
	else
		text_adds(err, "add --own for a new device");
	return true;
}

/* True if all options can be used on a device that another process serves. */
static bool
options_fit(const struct options *o, const char *device, struct text *err)
{
	return !refuse_there(device, "profile", o->profile_given, false, err) &&
	    !refuse_there(
		device, "scheduler", o->scheduler_given, false, err) &&
	    !refuse_there(device, "speed", o->speed_given, false, err) &&
	    !refuse_there(device, "json", o->json != NULL, true, err) &&
	    !refuse_there(device, "requests", o->requests != NULL, true, err) &&
	    !refuse_there(device, "trace", o->trace != NULL, true, err) &&
	    !refuse_there(device, "trace", o->trace_json != NULL, true, err) &&
	    !refuse_there(
		device, "trace-kernel", o->trace_kernel != NULL, true, err) &&
	    !refuse_there(device, "capture", o->capture != NULL, false, err);
}

/* Waits for the program's end and returns its status. */
static int
await_program(struct launched *p, const sigset_t *unblocked)
{
	struct pollfd fd = {.fd = p->pidfd, .events = POLLIN};
	int status = 0;

	while (!launch_ended(p, &status)) {
		ppoll(&fd, 1, NULL, unblocked);
		for (size_t i = 0; i < N_PASSED; i++)
			if ((to_pass & 1 << passed_signals[i]) != 0)
				launch_signal(p, passed_signals[i]);
		to_pass = 0;
	}
	return status;
}

/* Prints what the device says about the program's processes. */
static void
print_device_summary(struct joined *j, const char *device)
{
	struct text lines = {0};

	if (join_summary(j, &lines)) {
		output_text(stderr, text_str(&lines));
	} else {
		text_clear(&lines);
		text_add_visible(&lines, device, strlen(device));
		output_textf(stderr,
		    "gpuwl-run: the device '%s' is gone: it ended before the "
		    "program, whose own figures are wrong\n",
		    text_str(&lines));
	}
	text_free(&lines);
}

static void
print_wait(const char *line)
{
	output_textf(stderr, "gpuwl-run: %s\n", line);
}

/* Starts the program at path. Returns its status, or PROGRAM_RUN_FAILED. */
static int
run_there(const struct options *o, const char *device, const char *path,
    struct text *err)
{
	struct launch how = {
	    .path = path,
	    .argv = o->program,
	    .run = getpid(),
	    .privileged = o->privileged,
	    .output = -1,
	};
	struct text library = {0};
	struct launched program;
	struct joined joined;
	sigset_t unblocked;
	int status = PROGRAM_RUN_FAILED;

	if (!launch_library(&library, err) ||
	    !join_device(
		&joined, device, o->verbose >= 0 ? print_wait : NULL, err)) {
		text_free(&library);
		return status;
	}
	how.library = text_str(&library);
	how.socket = text_str(&joined.path);
	how.root = text_str(&joined.root);
	take_passed(&unblocked);
	if (launch_start(&program, &how, err)) {
		status = await_program(&program, &unblocked);
		if (o->verbose >= 0)
			print_device_summary(&joined, device);
	}
	join_close(&joined);
	text_free(&library);
	return status;
}

int
program_run_on(const struct options *o, const char *device)
{
	struct text err = {0};
	char *path = NULL;
	int status = PROGRAM_RUN_FAILED;

	if (options_fit(o, device, &err)) {
		status = program_find(o->program[0], &path, &err);
		if (status == 0)
			status = run_there(o, device, path, &err);
	}
	if (err.len > 0)
		output_textf(stderr, "gpuwl-run: %s\n", text_str(&err));
	free(path);
	text_free(&err);
	return status;
}
