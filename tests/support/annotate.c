/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/annotate.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

static unsigned
below(uint64_t *random, unsigned n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (unsigned)((*random >> 11) % n);
}

static void
add_pass(struct text *out, uint64_t *random)
{
	bool resume = below(random, 2) == 0;

	text_adds(out, resume ? "#@ renderpass resume" : "#@ renderpass 64x32");
	if (below(random, 4) > 0)
		text_addf(out, " draws=%u", below(random, 9));
	if (!resume && below(random, 4) == 0)
		text_adds(out, " attach=C0:clear:store,D:load:discard");
}

static void
add_weight(struct text *out, uint64_t *random)
{
	if (below(random, 4) == 0)
		text_addf(out, " weight=%u", 1 + below(random, 5));
	else if (below(random, 30) == 0)
		text_adds(out, " weight=1000000");
}

static void
add_workload(struct text *out, uint64_t *random)
{
	static const char *const others[] = {"#@ copybuffer 4096",
	    "#@ fillbuffer whole", "#@ copyimage 777", "#@ clearimage 1",
	    "#@ mipmaps 5", "#@ asbuild 900 fasttrace", "#@ memorytoas 64",
	    "#@ datagraph"};

	switch (below(random, 5)) {
	case 0:
	case 1:
		add_pass(out, random);
		add_weight(out, random);
		text_adds(out, below(random, 2) == 0 ? " suspend\n" : "\n");
		return;
	case 2:
		text_addf(out, "#@ dispatch %ux2x1 local=8x4x1",
		    1 + below(random, 50));
		break;
	case 3:
		text_addf(out, "#@ tracerays %ux3x2", 1 + below(random, 50));
		break;
	default:
		text_adds(out, others[below(random, 8)]);
		add_weight(out, random);
		text_addc(out, '\n');
		return;
	}
	if (below(random, 3) == 0)
		text_adds(out, " indirect");
	add_weight(out, random);
	text_addc(out, '\n');
}

static void
add_line(struct text *out, uint64_t *random)
{
	switch (below(random, 6)) {
	case 0:
	case 1:
		text_addf(out, "#@ label push \"%c\\\"",
		    (char)('A' + below(random, 26)));
		text_addf(out, "%c\"\n", (char)('a' + below(random, 26)));
		break;
	case 2: text_adds(out, "#@ label pop\n"); break;
	default: add_workload(out, random); break;
	}
}

static void
add_secondary(struct text *out, uint64_t *random)
{
	text_addf(out, "#@ secondary begin times=%u\n", 1 + below(random, 3));
	for (unsigned n = below(random, 4); n > 0; n--)
		add_line(out, random);
	text_adds(out, "#@ secondary end\n");
}

static void
add_lines(struct text *out, uint64_t *random)
{
	if (below(random, 5) == 0)
		text_adds(out, "#@ once\n");
	for (unsigned n = below(random, 4); n > 0; n--) {
		if (below(random, 8) == 0)
			add_secondary(out, random);
		else
			add_line(out, random);
	}
}

void
annotate(struct text *out, const char *text, size_t len, uint64_t *random)
{
	const char *end = text + len;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((eol != NULL ? eol + 1 : end) - text);

		if (isdigit((unsigned char)*text))
			add_lines(out, random);
		text_add(out, text, n);
		text += n;
	}
}
