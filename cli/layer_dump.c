/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer-dump: prints the messages of a file, or of a pipe while they arrive,
 * one per line. */
#include "cli/modes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "layerstream/message.h"
#include "run/options.h"

/* Bytes: more than any message has. */
#define DUMP_ROOM (2 * (size_t)MESSAGE_JSON_MAX)

struct dump_input {
	const char *name;
	int fd;
	uint8_t *data;
	size_t len;    /* bytes that were read and not printed */
	uint64_t base; /* their position in the file */
	bool at_end;
	struct text line;
};

/* Reads more. False, after a line: the file cannot be read. */
static bool
dump_fill(struct dump_input *d)
{
	ssize_t n;

	do
		n = read(d->fd, d->data + d->len, DUMP_ROOM - d->len);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		output_textf(
		    stderr, "gpuwl-top: %s: %s\n", d->name, strerror(errno));
		return false;
	}
	d->at_end = n == 0;
	d->len += (size_t)n;
	return true;
}

/* Prints the complete messages. False, after a line: the bytes are not one. */
static bool
print_whole(struct dump_input *d)
{
	size_t done = 0, used;
	const char *wrong = NULL;
	bool more = false;

	while (done < d->len) {
		struct message m;

		wrong = message_decode(
		    d->data + done, d->len - done, &m, &used, &more);
		if (wrong == NULL)
			wrong = message_check(&m);
		if (wrong != NULL)
			break;
		text_clear(&d->line);
		message_print(&m, &d->line);
		puts(text_str(&d->line));
		done += used;
	}
	d->base += done;
	d->len -= done;
	memmove(d->data, d->data + done, d->len);
	if (wrong == NULL || (more && !d->at_end))
		return true;
	fflush(stdout);
	output_textf(stderr, "gpuwl-top: %s: byte %" PRIu64 ": %s\n", d->name,
	    d->base, wrong);
	return false;
}

static bool
dump_all(struct dump_input *d)
{
	while (!d->at_end)
		if (!dump_fill(d) || !print_whole(d))
			return false;
	return true;
}

int
layer_dump_run(const struct options *o)
{
	bool is_input = strcmp(o->layer_dump, "-") == 0;
	struct dump_input d = {.name = o->layer_dump};
	int status;

	d.fd = is_input ? STDIN_FILENO
			: open(o->layer_dump, O_RDONLY | O_CLOEXEC);
	if (d.fd < 0) {
		output_textf(
		    stderr, "gpuwl-top: %s: %s\n", d.name, strerror(errno));
		return EXIT_STATUS_INPUT;
	}
	d.data = mem_calloc(DUMP_ROOM, 1);
	status = dump_all(&d) ? 0 : EXIT_STATUS_INPUT;
	free(d.data);
	text_free(&d.line);
	if (!is_input)
		close(d.fd);
	return output_close(status);
}
