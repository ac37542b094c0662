/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the bytes of a paste past curses, which would look for keys in them.
 * A paste whose end never comes is over when it is silent for a while, or at a
 * Ctrl-C that comes by itself.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "tui/terminal/terminal_private.h"

#define SILENCE_NS (2 * NSEC_PER_SEC)

/* As read() of one byte; where reading could block, only what is there. */
static ssize_t
read_byte(struct terminal *t, unsigned char *c)
{
	struct pollfd p = {.fd = t->fd, .events = POLLIN};
	ssize_t n;

	if (!t->own_fd && poll(&p, 1, 0) <= 0) {
		errno = EAGAIN;
		return -1;
	}
	do
		n = read(t->fd, c, 1);
	while (n < 0 && errno == EINTR);
	return n;
}

static enum terminal_read
give(struct terminal *t, struct key_press *key)
{
	return paste_give(&t->paste, key) ? READ_KEY : READ_NONE;
}

static bool
was_silent(const struct terminal *t)
{
	return t->paste_silent != 0 &&
	    clock_wall() - t->paste_silent > SILENCE_NS;
}

enum terminal_read
terminal_read_paste(struct terminal *t, struct key_press *key)
{
	bool alone = t->paste_silent != 0;
	unsigned char c;
	ssize_t n;

	if (was_silent(t)) {
		paste_break_off(&t->paste);
		return give(t, key);
	}
	while ((n = read_byte(t, &c)) == 1) {
		t->paste_silent = 0;
		if (alone && c == KEY_C_C) {
			paste_break_off(&t->paste);
			return give(t, key);
		}
		alone = false;
		if (paste_take(&t->paste, c))
			return give(t, key);
	}
	if (n == 0)
		return READ_END;
	if (t->paste_silent == 0)
		t->paste_silent = clock_wall();
	return give(t, key);
}
