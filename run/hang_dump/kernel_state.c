/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads i915's error state. It is never cleared here: others may want it. */
#include "run/hang_dump/kernel_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The driver's words for none, i915_sysfs.c. */
static const char NO_STATE[] = "No error state collected";
/* Batches and rings, compressed: some MiB of a real GPU. */
#define MAX_STATE (64u << 20)

/* Returns true if the beginning of a state, read from fd, says that there is
 * one. */
static bool
begins_state(const char *text, size_t len)
{
	size_t n = sizeof NO_STATE - 1;

	return len > 0 && (len < n || strncmp(text, NO_STATE, n) != 0);
}

void
kernel_state_watch(struct kernel_state *k, const char *card)
{
	const char *name = strrchr(card, '/');
	char start[64];
	ssize_t n;
	int fd;

	*k = (struct kernel_state){.is_old = false};
	if (name == NULL)
		return;
	snprintf(k->path, sizeof k->path, "/sys/class/drm%s/error", name);
	fd = open(k->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, start, sizeof start);
	k->is_old = n > 0 && begins_state(start, (size_t)n);
	close(fd);
}

static void
explain_no_state(const struct kernel_state *k, int error, struct text *note)
{
	text_addf(note, "%s: %s", k->path, strerror(error));
	if (error == EACCES || error == EPERM)
		text_adds(note,
		    ": only root reads the error state of i915 itself; that of "
		    "gpuwl-top is complete");
}

bool
kernel_state_take(struct kernel_state *k, struct text *out, struct text *note)
{
	struct text state = {0};
	int fd;

	if (k->over || k->path[0] == '\0')
		return false;
	fd = open(k->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !file_read_all(fd, MAX_STATE, &state))
		explain_no_state(k, errno, note);
	else if (k->is_old)
		text_addf(note,
		    "%s has the state of an earlier hang, and i915 keeps the "
		    "first one: expected none, e.g. after `echo >%s` as root",
		    k->path, k->path);
	if (fd >= 0)
		close(fd);
	k->over = note->len > 0 || begins_state(text_str(&state), state.len);
	if (k->over && note->len == 0)
		text_add(out, text_str(&state), state.len);
	text_free(&state);
	return out->len > 0;
}
