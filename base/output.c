/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that are safe to show on a terminal; closing standard output. */
#include "base/output.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define PATIENCE_MS 1000

void
output_text(FILE *out, const char *lines)
{
	struct text text = {0};

	while (*lines != '\0') {
		size_t len = strcspn(lines, "\n");

		text_add_visible(&text, lines, len);
		lines += len;
		if (*lines == '\n') {
			text_addc(&text, '\n');
			lines++;
		}
	}
	fputs(text_str(&text), out);
	text_free(&text);
}

void
output_textf(FILE *out, const char *fmt, ...)
{
	struct text text = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&text, fmt, ap);
	va_end(ap);
	output_text(out, text_str(&text));
	text_free(&text);
}

void
output_last_words(const char *fmt, ...)
{
	struct pollfd err = {.fd = STDERR_FILENO, .events = POLLOUT};
	struct text text = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&text, fmt, ap);
	va_end(ap);
	if (poll(&err, 1, PATIENCE_MS) > 0)
		output_text(stderr, text_str(&text));
	text_free(&text);
}

bool
output_reader_is_gone(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int
output_close(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (!output_reader_is_gone())
		fprintf(stderr, "gpuwl-top: standard output: %s\n",
		    errno != 0 ? strerror(errno) : "not all was written");
	clearerr(stdout);
	return EXIT_STATUS_FAILED;
}
