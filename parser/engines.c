/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines in a line: one name, a map's list, a parallel slot's rows. */
#include "parser/step_parse.h"

#define KNOWN "RCS, BCS, VCS, VECS, CCS"

void
parse_engine(struct scan *scan, struct field f, struct engine_name *name)
{
	if (engine_name_parse(name, f.s, f.len))
		return;
	*name = (struct engine_name){.class = CLASS_DEFAULT, .gt = -1};
	if (!f.len)
		scan_error(scan, f,
		    "empty engine: use DEFAULT, " KNOWN
		    ", with a number from 1 like VCS2");
	else
		scan_error(scan, f,
		    "'%s' is no engine: use DEFAULT, " KNOWN
		    ", with a number from 1 like VCS2 and a gt like VCS1-0",
		    quote(f).s);
}

void
parse_master(struct scan *scan, struct field f, struct engine_name *name)
{
	parse_engine(scan, f, name);
	if (name->class == CLASS_DEFAULT && !scan->failed)
		scan_error(scan, f,
		    "DEFAULT is no master of a bond: name one engine, like "
		    "RCS or VCS1");
}

static void
parse_listed(struct scan *scan, struct field f, const char *what,
    bool with_default, struct engine_name *name)
{
	bool known = engine_name_parse(name, f.s, f.len);

	if (known && (name->class != CLASS_DEFAULT || with_default))
		return;
	if (!f.len)
		scan_error(scan, f,
		    "empty engine in %s: join names by |, like VCS1|VCS2",
		    what);
	else if (known)
		scan_error(scan, f,
		    "DEFAULT is no engine of %s: name one of " KNOWN, what);
	else
		scan_error(scan, f,
		    "'%s' is no engine: use " KNOWN
		    ", with a number from 1 like VCS2",
		    quote(f).s);
}

static uint32_t
parse_list(struct scan *scan, struct field f, const char *what,
    bool with_default, struct engine_name *names)
{
	struct field rest = f, part;
	uint32_t n = 0;

	while (scan_part(&rest, '|', &part))
		parse_listed(scan, part, what, with_default, &names[n++]);
	return n;
}

void
parse_map(
    struct scan *scan, struct field f, const char *what, struct step *step)
{
	step->map.engines = arena_array(
	    scan->arena, scan_count(f, '|'), sizeof(*step->map.engines));
	step->map.n_engines = parse_list(
	    scan, f, what, false, step->map.engines);
	step->map.n_rows = 1;
}

void
parse_rows(struct scan *scan, struct field f, struct step *step)
{
	struct field rest = f, part;
	uint32_t n = 0, width = 0;

	step->map.n_rows = 0;
	step->map.engines = arena_array(scan->arena,
	    scan_count(f, '/') + scan_count(f, '|'),
	    sizeof(*step->map.engines));
	while (scan_part(&rest, '/', &part)) {
		uint32_t row = parse_list(
		    scan, part, "a parallel slot", true, step->map.engines + n);

		if (!step->map.n_rows++)
			width = row;
		else if (row != width)
			scan_error(scan, part,
			    "every row needs the same number of siblings: row "
			    "1 has %u, this one %u",
			    width, row);
		n += row;
	}
	step->map.n_engines = n;
}
