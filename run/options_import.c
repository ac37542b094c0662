/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of --import: their arguments, and what they exclude. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "run/options.h"
#include "run/options_table.h"

#define MAX_TIME (9000000000 * NSEC_PER_SEC)

/* arg: unused */
bool
take_import(struct option_reader *r, const char *value, size_t arg)
{
	struct options *o = r->o;

	(void)arg;
	o->imports = mem_grow(
	    o->imports, o->n_imports, &r->cap_imports, sizeof(*o->imports));
	o->imports[o->n_imports++] = value;
	return reader_choose_mode(r, MODE_IMPORT);
}

static bool
read_end_of_time(const char *s, size_t len, nsec *time)
{
	char *copy;
	bool ok;

	if (len == 0)
		return true;
	copy = mem_strndup(s, len);
	ok = read_duration(copy, 0, MAX_TIME, time, NULL);
	free(copy);
	return ok;
}

/* FROM..TO, each of which may be missing. */
bool
take_time(struct option_reader *r, const char *value, size_t arg)
{
	struct options *o = r->o;
	const char *dots = strstr(value, "..");

	(void)arg;
	o->import_from = 0;
	o->import_to = NSEC_NEVER;
	if (dots != NULL &&
	    read_end_of_time(value, (size_t)(dots - value), &o->import_from) &&
	    read_end_of_time(dots + 2, strlen(dots + 2), &o->import_to) &&
	    o->import_from < o->import_to)
		return true;
	text_addf(r->err, "%s: invalid value '", r->shown);
	text_add_visible(r->err, value, strlen(value));
	text_adds(r->err,
	    "': expected FROM..TO in seconds or with a unit, e.g. 1.5..3 or "
	    "500ms..");
	return false;
}

/* --clients is a number of clients, with --import an expression. */
bool
take_clients(struct option_reader *r, const char *value, size_t arg)
{
	struct text err = {0}, *out = r->err;

	r->o->client_names = value;
	free(r->clients_why);
	r->clients_why = NULL;
	r->err = &err;
	if (!take_n_clients(r, value, arg))
		r->clients_why = mem_strdup(text_str(&err));
	r->err = out;
	text_free(&err);
	return true;
}

bool
check_clients(struct option_reader *r)
{
	bool ok = r->clients_why == NULL || r->o->mode == MODE_IMPORT;

	if (!ok)
		text_adds(r->err, r->clients_why);
	if (r->o->mode != MODE_IMPORT)
		r->o->client_names = NULL;
	free(r->clients_why);
	r->clients_why = NULL;
	return ok;
}

bool
check_import(struct option_reader *r)
{
	size_t n_stdin = 0;

	for (size_t i = 0; i < r->o->n_imports; i++)
		n_stdin += strcmp(r->o->imports[i], "-") == 0;
	if (n_stdin > 1)
		text_adds(r->err,
		    "--import: standard input can be read once: name a file");
	return n_stdin <= 1;
}
