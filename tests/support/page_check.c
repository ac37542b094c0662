/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A strict reader of pages, without any recovery. */
#include "tests/support/page_check.h"
#include "tests/runner/test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MOST_OPEN 40

struct page_reader {
	const char *at;
	char open[MOST_OPEN][16];
	unsigned n_open;
};

static void
refuse(const struct page_reader *r, const char *why)
{
	fail_msg("%s at: %.80s", why, r->at);
}

/* Reads a name. */
static void
read_name(struct page_reader *r, char name[16])
{
	size_t len = strspn(r->at,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

	if (len == 0 || len > 15)
		refuse(r, "no name");
	memcpy(name, r->at, len);
	name[len] = '\0';
	r->at += len;
}

static bool
is_one_of(const char *name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static void
read_entity(struct page_reader *r)
{
	static const char *const known[] = {
	    "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&nbsp;"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(r->at, known[i], strlen(known[i])) == 0) {
			r->at += strlen(known[i]);
			return;
		}
	refuse(r, "an unknown entity");
}

static void
read_attribute(struct page_reader *r)
{
	static const char *const known[] = {"charset", "class", "content",
	    "data-n", "d", "height", "href", "http-equiv", "id", "lang", "name",
	    "preserveAspect", "role", "scope", "style", "value", "viewBox",
	    "width", "aria-label", "aria-hidden", "colspan", NULL};
	char name[16];

	if (strncmp(r->at, "preserveAspectRatio", 19) == 0) {
		r->at += 19;
	} else {
		read_name(r, name);
		if (!is_one_of(name, known))
			refuse(r, "an unknown attribute");
	}
	if (strncmp(r->at, "=\"", 2) != 0)
		refuse(r, "an attribute without quotes");
	for (r->at += 2; *r->at != '"';) {
		if (*r->at == '&')
			read_entity(r);
		else if (strchr("<>", *r->at) != NULL) /* and the end */
			refuse(r, "an attribute without an end");
		else
			r->at++;
	}
	r->at++;
}

static void
close_element(struct page_reader *r)
{
	char name[16];

	r->at += 2;
	read_name(r, name);
	if (r->n_open == 0 || strcmp(r->open[r->n_open - 1], name) != 0 ||
	    *r->at != '>')
		refuse(r, "an end of another element");
	r->n_open--;
	r->at++;
}

/* Style sheets are read as they are. */
static void
skip_style(struct page_reader *r)
{
	const char *end = strstr(r->at, "</style>");
	const char *url = strstr(r->at, "url("),
		   *import = strstr(r->at, "@import");

	if (end == NULL || (url != NULL && url < end) ||
	    (import != NULL && import < end))
		refuse(r, "a style sheet that loads something");
	r->at = end;
}

static void
open_element(struct page_reader *r)
{
	static const char *const known[] = {"html", "head", "body", "meta",
	    "title", "style", "main", "section", "h1", "h2", "h3", "p", "div",
	    "span", "i", "b", "code", "pre", "dl", "dt", "dd", "table", "thead",
	    "tbody", "tr", "th", "td", "data", "figure", "figcaption", "svg",
	    "path", "footer", "a", "nav", NULL};
	char name[16];

	r->at++;
	read_name(r, name);
	if (!is_one_of(name, known))
		refuse(r, "an unknown element");
	while (*r->at == ' ') {
		r->at++;
		read_attribute(r);
	}
	if (strncmp(r->at, "/>", 2) == 0) {
		r->at += 2;
		return;
	}
	if (*r->at++ != '>')
		refuse(r, "a tag without an end");
	if (strcmp(name, "meta") == 0)
		return;
	if (r->n_open == MOST_OPEN)
		refuse(r, "too many open elements");
	memcpy(r->open[r->n_open++], name, sizeof name);
	if (strcmp(name, "style") == 0)
		skip_style(r);
}

void
page_check(const char *page)
{
	static const char doctype[] = "<!DOCTYPE html>\n";
	struct page_reader r = {.at = page};

	if (strncmp(page, doctype, strlen(doctype)) != 0)
		refuse(&r, "no doctype");
	for (r.at += strlen(doctype); *r.at != '\0';) {
		if (strncmp(r.at, "</", 2) == 0)
			close_element(&r);
		else if (*r.at == '<')
			open_element(&r);
		else if (*r.at == '&')
			read_entity(&r);
		else if (*r.at == '>' ||
		    (*r.at < ' ' && *r.at != '\n' && *r.at > 0))
			refuse(&r, "a stray character");
		else
			r.at++;
	}
	if (r.n_open > 0)
		fail_msg("%s is not closed", r.open[r.n_open - 1]);
}
