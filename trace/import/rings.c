/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings of the DRM scheduler as engines (doc/model/import.md "Rings"): rules
 * PATTERN=ENGINE, the user's before the usual names of drivers. `*` in a pattern
 * is any text.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "trace/import/import_private.h"

/* Names of rings of xe, i915, amdgpu, msm, panfrost, v3d and others. */
static const char usual_rings[] =
    "rcs*=RCS ccs*=CCS bcs*=BCS vcs*=VCS vecs*=VECS gfx=RCS1 gfx_low=RCS1 gfx_high=RCS1 gfx*=RCS comp*=CCS kiq*=CCS "
    "mes*=CCS gpu-ring-*=RCS1 ring*=RCS1 sdma*=BCS vcn_enc*=VCS vcn*=VCS uvd*=VCS vce*=VCS jpeg*=VECS "
    "vpe*=VECS page0=BCS1 page1=BCS2 page*=BCS "
    "v3d_tfu=BCS v3d_csd=CCS v3d_cache_clean=BCS *=RCS";

#define MOST_PATTERN 63 /* characters */

struct ring_rule {
	struct slice pattern;
	uint8_t class;
	unsigned instance; /* from 1; 0: by the ring's number */
};

static bool
read_engine(struct slice word, uint8_t *class, unsigned *instance)
{
	*instance = 0;
	for (unsigned c = 0; c < N_CLASSES; c++) {
		size_t len = strlen(engine_class_names[c]), i;

		if (word.len < len ||
		    strncasecmp(word.s, engine_class_names[c], len) != 0)
			continue;
		for (i = len; i < word.len && i < len + 3; i++) {
			if (word.s[i] < '0' || word.s[i] > '9')
				break;
			*instance = *instance * 10 +
			    (unsigned)(word.s[i] - '0');
		}
		*class = (uint8_t)c;
		if (i == word.len && *instance <= INFER_MAX_INSTANCES &&
		    (i == len || *instance > 0))
			return true;
	}
	return false;
}

/* Takes the next rule; 0: there is none, -1: it is invalid, *word has it. */
static int
next_rule(const char **at, struct ring_rule *rule, struct slice *word)
{
	static const char between[] = " ,\t\r\n";
	const char *equals;

	*at += strspn(*at, between);
	while (**at == '#') {
		*at += strcspn(*at, "\n");
		*at += strspn(*at, between);
	}
	*word = (struct slice){*at, strcspn(*at, between)};
	*at += word->len;
	if (word->len == 0)
		return 0;
	equals = memrchr(word->s, '=', word->len);
	if (equals == NULL || equals == word->s ||
	    equals - word->s > MOST_PATTERN)
		return -1;
	rule->pattern = (struct slice){word->s, (size_t)(equals - word->s)};
	return read_engine((struct slice){equals + 1,
			       (size_t)(word->s + word->len - equals - 1)},
		   &rule->class, &rule->instance)
	    ? 1
	    : -1;
}

#define RULES_EXPECTED                                                          \
	"RING=ENGINE,..., e.g. gfx*=RCS,sdma0=BCS, or the name of a file with " \
	"such rules"

static bool
is_map_file(const struct import *im)
{
	return strchr(im->options.engine_map, '=') == NULL;
}

/* Appends the option, or the file and the line of a rule. */
static void
add_rule_place(const struct import *im, const char *at, struct text *err)
{
	const char *given = im->options.engine_map;
	unsigned line = 1;

	for (const char *p = text_str(&im->map); p < at; p++)
		line += *p == '\n';
	if (is_map_file(im)) {
		text_add_visible(err, given, strlen(given));
		text_addf(err, ":%u: ", line);
	} else {
		text_adds(err, "--engine-map: ");
	}
}

static bool
check_rules(const struct import *im, struct text *err)
{
	const char *at = text_str(&im->map);
	struct ring_rule rule;
	struct slice word;
	int found;

	while ((found = next_rule(&at, &rule, &word)) > 0)
		;
	if (found == 0)
		return true;
	add_rule_place(im, word.s, err);
	text_adds(err, "invalid rule '");
	text_add_visible(err, word.s, word.len < 80 ? word.len : 80);
	text_adds(err, "': expected " RULES_EXPECTED);
	return false;
}

bool
rings_open(struct import *im, struct text *err)
{
	const char *given = im->options.engine_map;
	bool ok = true;

	if (given != NULL && is_map_file(im) &&
	    !file_read(given, &im->map, NULL, err)) {
		text_adds(err, ": --engine-map expects " RULES_EXPECTED);
		ok = false;
	}
	if (given != NULL && !is_map_file(im))
		text_adds(&im->map, given);
	text_addc(&im->map, '\n');
	ok = ok && (given == NULL || check_rules(im, err));
	im->own_rules = im->map.len;
	text_adds(&im->map, usual_rings);
	return ok;
}

/* True if another ring of the GPU has that engine. */
static bool
is_engine_taken(const struct import *im, uint8_t device, unsigned engine)
{
	for (size_t i = 0; i < im->n_rings; i++)
		if (im->rings[i].device == device &&
		    im->rings[i].engine == engine)
			return true;
	return false;
}

/* The number at the end of a name such as vcs1; -1: the name has none, or more
 * than letters before it. */
static int
number_of_ring(const char *ring)
{
	size_t letters = strspn(ring, "abcdefghijklmnopqrstuvwxyz");
	size_t digits = strspn(ring + letters, "0123456789");

	if (digits == 0 || digits > 2 || ring[letters + digits] != '\0')
		return -1;
	return (int)strtol(ring + letters, NULL, 10);
}

static uint8_t
engine_by_rule(const struct import *im, uint8_t device,
    const struct ring_rule *rule, const char *ring)
{
	unsigned base = rule->class * INFER_MAX_INSTANCES;
	int number = number_of_ring(ring);

	if (rule->instance > 0)
		return (uint8_t)(base + rule->instance - 1);
	if (number >= 0 && number < INFER_MAX_INSTANCES &&
	    !is_engine_taken(im, device, base + (unsigned)number))
		return (uint8_t)(base + (unsigned)number);
	for (unsigned i = 0; i < INFER_MAX_INSTANCES; i++)
		if (!is_engine_taken(im, device, base + i))
			return (uint8_t)(base + i);
	return (uint8_t)(base + INFER_MAX_INSTANCES - 1);
}

static bool
matches(struct slice pattern, const char *ring)
{
	char copy[MOST_PATTERN + 1];

	memcpy(copy, pattern.s, pattern.len);
	copy[pattern.len] = '\0';
	return fnmatch(copy, ring, 0) == 0;
}

static uint8_t
choose_engine(const struct import *im, uint8_t device, const char *ring)
{
	const char *at = text_str(&im->map);
	struct ring_rule rule;
	struct slice word;

	while (next_rule(&at, &rule, &word) > 0)
		if (matches(rule.pattern, ring))
			return engine_by_rule(im, device, &rule, ring);
	return NO_ENGINE;
}

/* True for the name of a class alone: a virtual engine of it. */
static bool
is_class(const char *ring)
{
	for (unsigned c = 0; c < N_CLASSES; c++)
		if (strcasecmp(ring, engine_class_names[c]) == 0)
			return true;
	return false;
}

#define MAX_RINGS 256

uint8_t
rings_engine(struct import *im, uint8_t device, struct slice ring)
{
	struct ring_name *r;

	if (ring.len > 0)
		ring.len = strnlen(ring.s, ring.len);
	if (ring.len == 0)
		return NO_ENGINE;
	for (size_t i = 0; i < im->n_rings; i++)
		if (im->rings[i].device == device &&
		    strlen(im->rings[i].name) == ring.len &&
		    memcmp(im->rings[i].name, ring.s, ring.len) == 0)
			return im->rings[i].engine;
	if (im->n_rings == MAX_RINGS)
		return im->rings[MAX_RINGS - 1].engine;
	im->rings = mem_grow(
	    im->rings, im->n_rings, &im->cap_rings, sizeof(*im->rings));
	r = &im->rings[im->n_rings];
	r->name = arena_copy(&im->arena, ring.s, ring.len);
	r->device = device;
	r->engine = is_class(r->name) ? NO_ENGINE
				      : choose_engine(im, device, r->name);
	im->n_rings++;
	return r->engine;
}

static bool
fits_a_ring(const struct import *im, const struct ring_rule *rule)
{
	for (size_t i = 0; i < im->n_rings; i++)
		if (matches(rule->pattern, im->rings[i].name))
			return true;
	return false;
}

#define MOST_NAMED 8 /* rings that a warning has */

void
rings_say_unused(const struct import *im, struct text *said)
{
	const char *at = text_str(&im->map), *end = at + im->own_rules;
	struct ring_rule rule;
	struct slice word;

	while (next_rule(&at, &rule, &word) > 0 && word.s < end) {
		if (fits_a_ring(im, &rule))
			continue;
		text_adds(said, "--engine-map: no ring is called '");
		text_add_visible(said, rule.pattern.s, rule.pattern.len);
		text_adds(said, "': the trace has ");
		if (im->n_rings == 0)
			text_adds(said, "none");
		for (size_t i = 0; i < im->n_rings && i < MOST_NAMED; i++) {
			text_adds(said, i > 0 ? ", " : "");
			text_add_visible(
			    said, im->rings[i].name, strlen(im->rings[i].name));
		}
		text_adds(said, im->n_rings > MOST_NAMED ? ", ...\n" : "\n");
	}
}
