/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --calibrate: measures a GPU, prints each figure as it comes, and writes a
 * profile. */
#include "cli/modes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "device/hardware/calibrate.h"
#include "device/hardware/hardware.h"
#include "engine/profile.h"
#include "run/options.h"

/* Knobs that are not measured are those of it. */
#define BASE_PROFILE "default"

static bool
is_standard_output(const char *path)
{
	return strcmp(path, "-") == 0;
}

static bool
fail_calibration(const char *path, const char *why)
{
	output_textf(stderr, "gpuwl-top: %s: %s\n", path, why);
	return false;
}

/* Returns true if a file can be written, before some seconds are spent on it.
 * It is left as it is. */
static bool
is_writable_profile(const char *path)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0)
		return fail_calibration(path, strerror(errno));
	close(fd);
	if (!exists)
		unlink(path);
	return true;
}

static bool
write_profile(const char *path, const struct text *profile)
{
	int fd = is_standard_output(path)
	    ? STDOUT_FILENO
	    : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && file_write_all(fd, profile->data, profile->len);

	if (!ok)
		fail_calibration(path, strerror(errno));
	if (fd > STDERR_FILENO)
		ok = close(fd) == 0 && ok;
	return ok;
}

/* Prints and clears what a measurement has said. */
static void
print_measurement(
    const struct options *o, FILE *out, struct text *line, struct text *warning)
{
	if (line->len > 0 && o->verbose >= 0)
		output_textf(out, "%s\n", text_str(line));
	if (warning->len > 0 && o->verbose >= 0)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(warning));
	fflush(out);
	text_clear(line);
	text_clear(warning);
}

/* Makes all measurements. False, after a line: the GPU does not run batches. */
static bool
measure_all(struct calibration *c, const struct options *o)
{
	FILE *out = is_standard_output(o->calibrate) ? stderr : stdout;
	struct text line = {0}, warning = {0}, err = {0};
	bool ok;

	while (calibration_step(c, &line, &warning, &err))
		print_measurement(o, out, &line, &warning);
	ok = err.len == 0;
	if (!ok)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&line);
	text_free(&warning);
	text_free(&err);
	return ok;
}

static bool
calibrate_gpu(
    struct hardware *hw, const struct profile *base, const struct options *o)
{
	struct calibration *c = calibration_new(hw, base);
	struct text profile = {0};
	bool ok = measure_all(c, o);

	if (ok) {
		calibration_print(c, &profile);
		ok = write_profile(o->calibrate, &profile);
	}
	text_free(&profile);
	calibration_free(c);
	return ok;
}

int
calibrate_run(const struct options *o)
{
	struct profile base;
	struct hardware hw;
	struct text err = {0};
	bool ok = is_standard_output(o->calibrate) ||
	    is_writable_profile(o->calibrate);

	if (!ok)
		return EXIT_STATUS_OPTIONS;
	ok = profile_load(&base, BASE_PROFILE, &err) &&
	    hardware_open(&hw, o->device, &err);
	if (!ok) {
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
		text_free(&err);
		return EXIT_STATUS_OPTIONS;
	}
	ok = calibrate_gpu(&hw, &base, o);
	hardware_close(&hw);
	return output_close(ok ? EXIT_STATUS_OK : EXIT_STATUS_FAILED);
}
