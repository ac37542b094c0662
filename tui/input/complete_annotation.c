/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of an annotation ("#@ ..."): its words, parts of attachments, and
 * paths of SPIR-V files. Words break at blanks, commas, dots and slashes; a
 * completion is a whole word, including what is typed of it.
 */
#include "tui/input/complete.h"

#include <string.h>

#include "base/text.h"
#include "parser/annotation.h"
#include "tui/input/filenames.h"

#define MAX_WORDS 32
#define ATTACH    "attach="
#define SPIRV     "spirv="

static bool
has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Offers the entries of list that begin with the last part of the word, after
 * the parts before it. */
static void
offer_parts(const char *const *list, const char *word, const char *part,
    struct text *out)
{
	for (; *list != NULL; list++) {
		if (!has_prefix(*list, part))
			continue;
		text_add(out, word, (size_t)(part - word));
		text_addf(out, "%s\n", *list);
	}
}

/* Completes NAME:load|clear|discard:store|discard. word is the last one of a list
 * with commas; the first follows attach=. */
static char
complete_attachment(const char *word, struct text *out)
{
	static const char *const bindings[] = {
	    "C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "D", "S", NULL};
	static const char *const loads[] = {
	    "load", "clear", "discard", "resolve", NULL};
	static const char *const stores[] = {"store", "discard", NULL};
	static const char *const *const lists[] = {bindings, loads, stores};
	const char *part = has_prefix(word, ATTACH) ? word + strlen(ATTACH)
						    : word;
	size_t at = 0;

	for (const char *colon; (colon = strchr(part, ':')) != NULL; at++)
		part = colon + 1;
	if (at >= sizeof(lists) / sizeof(*lists))
		return 0;
	offer_parts(lists[at], word, part, out);
	return at == 0 ? ':' : 0;
}

/* value is the path as typed; word may be only its end. */
static char
complete_path(const char *value, const char *word, struct text *out)
{
	size_t seen = has_prefix(word, SPIRV) ? 0
					      : strlen(value) - strlen(word);
	const char *name;

	for (unsigned i = 0; (name = filename_complete(value, i)) != NULL;
	     i++) {
		/* Annotations have no quotes. */
		if (strchr(name, '\\') != NULL || strlen(name) < seen)
			continue;
		text_addf(out, "%s%s\n", seen == 0 ? SPIRV : "", name + seen);
	}
	return 0;
}

/* A value follows a word that ends in '=' without a blank. */
static char
complete_word(
    const char *text, size_t start, const char *word, struct text *out)
{
	const char *words[MAX_WORDS];
	size_t len = start + strlen(word), typed, n;
	bool value = true;

	n = annotation_words(text, len, words, MAX_WORDS, &typed);
	if (typed != strlen(word))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *help = annotation_word_help(
		    words[i], strlen(words[i]));

		text_adds(out, words[i]);
		if (help != NULL)
			text_addf(out, "\t%s", help);
		text_addc(out, '\n');
		value &= words[i][strlen(words[i]) - 1] == '=';
	}
	return n > 0 && !value ? ' ' : 0;
}

char
complete_annotation(
    const char *text, size_t start, const char *word, struct text *out)
{
	struct text typed = {0};
	const char *token;
	char next;

	text_add(&typed, text, start);
	text_adds(&typed, word);
	token = text_str(&typed) + typed.len;
	while (token > text_str(&typed) && strchr(" \t", token[-1]) == NULL)
		token--;
	if (has_prefix(token, ATTACH))
		next = complete_attachment(word, out);
	else if (has_prefix(token, SPIRV))
		next = complete_path(token + strlen(SPIRV), word, out);
	else
		next = complete_word(text, start, word, out);
	text_free(&typed);
	return next;
}
