/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting and completion of names of files and programs that are typed. */
#include "tui/input/filenames.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "tui/input/prompt.h"

/* Completions of a folder with more files stop here. */
#define MAX_NAMES 10000

static bool
is_octal(const char *s)
{
	for (int i = 0; i < 3; i++)
		if (s[i] < '0' || s[i] > '7')
			return false;
	return s[0] < '4';
}

void
filename_of(const char *typed, struct text *out)
{
	const char *home = getenv("HOME");

	if (typed[0] == '~' && (typed[1] == '/' || typed[1] == 0) &&
	    home != NULL && home[0] == '/') {
		text_adds(out, home);
		typed++;
	}
	for (; *typed != 0; typed++) {
		if (*typed == '\\' && is_octal(typed + 1)) {
			text_addc(out,
			    (char)strtol(
				(char[]){typed[1], typed[2], typed[3], 0}, NULL,
				8));
			typed += 3;
			continue;
		}
		if (*typed == '\\' && typed[1] != 0)
			typed++;
		text_addc(out, *typed);
	}
}

/* Adds the name quoted, so that filename_of() returns it. */
static void
filename_quote(const char *name, size_t len, struct text *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c < ' ' || c == 127)
			text_addf(out, "\\%03o", c);
		else if (c == ' ' || c == '\\' || (i == 0 && c == '~'))
			text_addf(out, "\\%c", c);
		else
			text_addc(out, name[i]);
	}
}

/* True if the name begins so. Hidden files fit only words that begin with a
 * dot. */
static bool
fits(const char *name, const char *begin, size_t len)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    (name[0] == '.' && len == 0))
		return false;
	return strncmp(name, begin, len) == 0;
}

static bool
is_folder(const struct text *folder, const char *name)
{
	struct text path = {0};
	struct stat st;
	bool is;

	text_addf(&path, "%s%s", text_str(folder), name);
	is = stat(text_str(&path), &st) == 0 && S_ISDIR(st.st_mode);
	text_free(&path);
	return is;
}

/* The completions of a word, read when the first is asked for. */
static struct {
	struct text names; /* a zero after each */
	size_t at;
} found;

static void
list_folder(const char *word, const struct text *path)
{
	const char *slash = strrchr(text_str(path), '/');
	const char *typed = strrchr(word, '/');
	size_t head = slash != NULL ? (size_t)(slash - path->data) + 1 : 0;
	size_t kept = typed != NULL ? (size_t)(typed - word) + 1 : 0;
	struct text folder = {0};
	struct dirent *entry;
	unsigned n = 0;
	DIR *dir;

	text_add(&folder, text_str(path), head);
	dir = opendir(head > 0 ? text_str(&folder) : ".");
	while (dir != NULL && n < MAX_NAMES && (entry = readdir(dir)) != NULL) {
		if (!fits(
			entry->d_name, text_str(path) + head, path->len - head))
			continue;
		n++;
		text_add(&found.names, word, kept);
		filename_quote(
		    entry->d_name, strlen(entry->d_name), &found.names);
		if (is_folder(&folder, entry->d_name))
			text_addc(&found.names, '/');
		text_addc(&found.names, 0);
	}
	if (dir != NULL)
		closedir(dir);
	text_free(&folder);
}

static bool
is_executable(int folder, const char *name)
{
	struct stat st;

	return faccessat(folder, name, X_OK, 0) == 0 &&
	    fstatat(folder, name, &st, 0) == 0 && S_ISREG(st.st_mode);
}

/* Lists the programs of a folder whose names begin so. */
static void
list_programs(const char *folder, const char *begin, unsigned *n)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (
	    dir != NULL && *n < MAX_NAMES && (entry = readdir(dir)) != NULL) {
		if (!fits(entry->d_name, begin, strlen(begin)) ||
		    !is_executable(dirfd(dir), entry->d_name))
			continue;
		++*n;
		filename_quote(
		    entry->d_name, strlen(entry->d_name), &found.names);
		text_addc(&found.names, 0);
	}
	if (dir != NULL)
		closedir(dir);
}

static void
list_path(const char *begin)
{
	const char *folders = getenv("PATH");
	struct text folder = {0};
	unsigned n = 0;

	for (const char *p = folders; p != NULL; p = *p == ':' ? p + 1 : NULL) {
		size_t len = strcspn(p, ":");

		text_clear(&folder);
		text_add(&folder, len > 0 ? p : ".", len > 0 ? len : 1);
		list_programs(text_str(&folder), begin, &n);
		p += len;
	}
	text_free(&folder);
}

static void
clear_found(void)
{
	text_free(&found.names);
	found.at = 0;
}

/* Returns the next name; NULL after the last. */
static const char *
next_found(void)
{
	const char *name;

	if (found.at >= found.names.len) {
		clear_found();
		return NULL;
	}
	name = found.names.data + found.at;
	found.at += strlen(name) + 1;
	return name;
}

const char *
filename_complete(const char *word, unsigned i)
{
	struct text path = {0};

	if (i == 0) {
		clear_found();
		filename_of(word, &path);
		list_folder(word, &path);
		text_free(&path);
	}
	return next_found();
}

const char *
program_complete(const char *word, unsigned i)
{
	struct text begin = {0};

	if (strchr(word, '/') != NULL || *word == '~')
		return filename_complete(word, i);
	if (i == 0) {
		clear_found();
		filename_of(word, &begin);
		list_path(text_str(&begin));
		text_free(&begin);
	}
	return next_found();
}

static const char *
complete_any(const char *line, const char *word, size_t argument, unsigned i)
{
	(void)line;
	(void)argument;
	return filename_complete(word, i);
}

const struct prompt_kind filename_prompt = {
    .prompt = "Write to: ",
    .complete = complete_any,
};
