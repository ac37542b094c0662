/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are known by their beginnings but not read: each is refused with what would
 * be read in its place (doc/model/import.md "Other files").
 */
#include <string.h>

#include "trace/import/import_private.h"

#define TAR_MAGIC 257 /* bytes before it */

struct refused_format {
	const char *begin;
	size_t len;
	const char *why;
};

#define FORMAT(begin, why)                                                     \
	{                                                                      \
		begin, sizeof(begin) - 1, why                                  \
	}

#define CHROME                                                                 \
	"Chrome's trace events: expected what --trace-kernel or --requests "   \
	"writes of the same run"

#define UTF_16                                                                 \
	"text in UTF-16: iconv -f UTF-16 -t UTF-8 FILE >FILE.txt writes what " \
	"is read"

static const struct refused_format formats[] = {
    FORMAT("PK\x03\x04", "compressed (zip): expected the file that is in it"),
    FORMAT("\x1f\x8b", "compressed (gzip): unpack it with gzip -d"),
    FORMAT("\xfd"
	   "7zXZ",
	"compressed (xz): unpack it with xz -d"),
    FORMAT("\x28\xb5\x2f\xfd", "compressed (zstd): unpack it with zstd -d"),
    FORMAT("PERFILE2",
	"perf's own file: perf script -i FILE >FILE.txt writes it as text"),
    FORMAT("\xef\xbe\xad\xde",
	"a file of IGT's exec tracer, which has no times: expected a trace of "
	"the kernel's events"),
    FORMAT("\xff\xfe", UTF_16),
    FORMAT("\xfe\xff", UTF_16),
    FORMAT("{\"traceEvents\"", CHROME),
    FORMAT("[{", CHROME),
    FORMAT("[\n{", CHROME),
};

/* Takes a number as Perfetto's files have it. False: the bytes end before it
 * does. */
static bool
take_varint(const struct import_source *s, size_t *at, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; *at < s->len && shift < 63; shift += 7) {
		uint8_t byte = (uint8_t)s->begin[(*at)++];

		*n |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

/* True if the beginning is packets as Perfetto writes them: all have the tag of field
 * 1, which is a new line in text, and their lengths lead from one to the next. */
static bool
is_of_perfetto(const struct import_source *s)
{
	size_t at = 0, n_packets = 0;
	uint64_t len;

	if (memchr(s->begin, '\0', s->len) == NULL &&
	    memchr(s->begin, '\x08', s->len) == NULL)
		return false;
	while (at < s->len && s->begin[at] == '\n') {
		at++;
		if (!take_varint(s, &at, &len) || len == 0)
			return false;
		n_packets++;
		if (len > s->len - at)
			return true; /* the rest is behind the beginning */
		at += len;
	}
	return at == s->len && n_packets > 0;
}

/* True if the beginning is that of a tar archive, whose magic is behind a name. */
static bool
is_tar(const struct import_source *s)
{
	static const char magic[] = "ustar";

	return s->len >= TAR_MAGIC + sizeof(magic) - 1 &&
	    memcmp(s->begin + TAR_MAGIC, magic, sizeof(magic) - 1) == 0;
}

/* True if the beginning has no byte but 0, as /dev/zero never has another. */
static bool
is_zero(const struct import_source *s)
{
	size_t n = 0;

	while (n < s->len && s->begin[n] == '\0')
		n++;
	return n == s->len;
}

static bool
ends_as(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len > n && strcmp(path + len - n, end) == 0;
}

bool
refused_by_beginning(const struct import_source *s, struct text *err)
{
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (s->len >= formats[i].len &&
		    memcmp(s->begin, formats[i].begin, formats[i].len) == 0)
			why = formats[i].why;
	if (is_tar(s))
		why = "an archive (tar): expected the file that is in it";
	if (is_zero(s))
		why = "begins with zero bytes only: expected a trace";
	if (is_of_perfetto(s))
		why =
		    "Perfetto's trace is not read: expected text of trace-cmd "
		    "report, perf script or tracefs, trace.dat, or what "
		    "--trace-kernel or --requests writes of the same run";
	if (why == NULL && ends_as(s->path, ".wsim"))
		why = "a descriptor, as an import writes: -w runs it";
	if (why == NULL)
		return false;
	text_add_visible(err, s->path, strlen(s->path));
	text_addf(err, ": %s", why);
	return true;
}
