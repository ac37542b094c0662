/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads profiles from INI text, built in or from a file, with errors that name
 * the line, and prints them.
 */
#include "engine/profile.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/near.h"
#include "base/text.h"
#include "engine/gpu/engine.h"

static void
add_value(struct text *out, const struct knob *k, uint64_t value)
{
	if (k->type == KNOB_VERSION)
		text_addf(out, "%llu.%llu\n", (unsigned long long)value >> 8,
		    (unsigned long long)value & 255);
	else if (k->type == KNOB_HEX)
		text_addf(out, "0x%04llx\n", (unsigned long long)value);
	else
		text_addf(out, "%llu\n", (unsigned long long)value);
}

void
profile_print(const struct profile *p, struct text *out)
{
	const char *section = "";
	char name[PROFILE_MAX_KEY];

	for (size_t n = 0; n < n_profile_knobs; n++) {
		const struct knob *k = &profile_knobs[n];

		if (strcmp(section, k->section) != 0)
			text_addf(out, "[%s]\n", k->section);
		section = k->section;
		for (unsigned i = 0; i < knob_values(k); i++) {
			uint64_t value = knob_get(p, k, i);

			if (value == KNOB_UNSET)
				continue;
			knob_name(k, i, name);
			text_addf(out, "%s = ", name);
			add_value(out, k, value);
		}
	}
}

void
profile_init(struct profile *p)
{
	memset(p, 0, sizeof *p);
	strcpy(p->name, "ideal");
	strcpy(p->scheduler, "fifo");
	for (size_t n = 0; n < n_profile_knobs; n++) {
		const struct knob *k = &profile_knobs[n];

		for (unsigned i = 0; i < knob_values(k); i++)
			knob_set(p, k, i, k->ideal);
	}
}

struct profile_reader {
	struct profile *profile;
	struct text *err; /* the first error, without its place */
};

/* Keeps the first error. Returns what inih takes for an error. */
static int __attribute__((format(printf, 2, 3)))
profile_error(struct profile_reader *r, const char *fmt, ...)
{
	struct text raw = {0};
	va_list ap;

	if (r->err->len > 0)
		return 0;
	va_start(ap, fmt);
	text_addv(&raw, fmt, ap);
	va_end(ap);
	text_add_visible(r->err, text_str(&raw), raw.len);
	text_free(&raw);
	return 0;
}

static int
set_text(struct profile_reader *r, char *to, size_t size, const char *key,
    const char *value)
{
	struct text visible = {0};
	bool fits;

	text_add_visible(&visible, value, strlen(value));
	fits = visible.len > 0 && visible.len < size;
	if (fits)
		memcpy(to, visible.data, visible.len + 1);
	else
		profile_error(r, "invalid %s '%s': expected 1 to %zu bytes",
		    key, value, size - 1);
	text_free(&visible);
	return fits;
}

static int
set_number(struct profile_reader *r, const struct knob *k, unsigned i,
    const char *key, const char *value)
{
	bool hex = k->type == KNOB_HEX;
	char *end;

	errno = 0;
	unsigned long long n = strtoull(value, &end, hex ? 16 : 10);

	if (*value < '0' || *value > '9' || *end != '\0' || errno != 0)
		return profile_error(r, "invalid '%s' = '%s': expected %s", key,
		    value,
		    hex ? "a hexadecimal number, e.g. 0x9a49"
			: "a whole number");
	if ((n < k->min || n > k->max) && hex)
		return profile_error(r,
		    "invalid '%s' = %s: expected 0x%04llx to 0x%04llx", key,
		    value, (unsigned long long)k->min,
		    (unsigned long long)k->max);
	if (n < k->min || n > k->max)
		return profile_error(r,
		    "invalid '%s' = %llu: expected %llu to %llu", key, n,
		    (unsigned long long)k->min, (unsigned long long)k->max);
	knob_set(r->profile, k, i, n);
	return 1;
}

/* Parses MAJOR.MINOR. False: s is something else. */
static bool
parse_version(const char *s, unsigned *version)
{
	char *dot, *end;
	unsigned long major, minor;

	if (!isdigit((unsigned char)*s))
		return false;
	major = strtoul(s, &dot, 10);
	if (*dot != '.' || !isdigit((unsigned char)dot[1]))
		return false;
	minor = strtoul(dot + 1, &end, 10);
	if (*end != '\0' || major > 255 || minor > 255)
		return false;
	*version = (unsigned)PROFILE_KERNEL(major, minor);
	return true;
}

static int
set_version(struct profile_reader *r, const struct knob *k, const char *key,
    const char *value)
{
	unsigned version;

	if (!parse_version(value, &version))
		return profile_error(r,
		    "invalid '%s' = '%s': expected a version, e.g. 6.11", key,
		    value);
	knob_set(r->profile, k, 0, version);
	return 1;
}

static int
on_ini_line(void *user, const char *section, const char *key, const char *value)
{
	struct profile_reader *r = user;
	struct profile *p = r->profile;
	const struct knob *k;
	unsigned i;

	if (strcmp(section, "profile") == 0 && strcmp(key, "name") == 0)
		return set_text(r, p->name, sizeof p->name, key, value);
	if (strcmp(section, "profile") == 0 && strcmp(key, "description") == 0)
		return set_text(
		    r, p->description, sizeof p->description, key, value);
	if (strcmp(section, "profile") == 0 && strcmp(key, "scheduler") == 0)
		return set_text(
		    r, p->scheduler, sizeof p->scheduler, key, value);
	if (strcmp(section, "profile") == 0 && strcmp(key, "parts") == 0)
		return 1; /* find_part() reads it */
	k = knob_find(section, key, &i);
	if (k == NULL)
		return profile_error(
		    r, "unknown key '%s' in section [%s]", key, section);
	if (k->type == KNOB_VERSION)
		return set_version(r, k, key, value);
	return set_number(r, k, i, key, value);
}

static bool
fits_the_device(const struct profile *p, const char *name, struct text *err)
{
	unsigned n = 0;

	for (unsigned cls = 0; cls < N_CLASSES; cls++)
		n += p->n_engines[cls];
	if (n == 0)
		text_addf(err,
		    "%s: no engines: expected at least one, e.g. RCS = 1",
		    name);
	else if (n > DEVICE_MAX_ENGINES)
		text_addf(err, "%s: %u engines: expected at most %u", name, n,
		    DEVICE_MAX_ENGINES);
	return n > 0 && n <= DEVICE_MAX_ENGINES;
}

bool
profile_parse(
    struct profile *p, const char *name, const char *ini, struct text *err)
{
	struct text what = {0};
	struct profile_reader reader = {p, &what};
	int line = ini_parse_string(ini, on_ini_line, &reader);

	if (line == 0) {
		text_free(&what);
		return fits_the_device(p, name, err);
	}
	text_add_visible(err, name, strlen(name));
	text_addf(err, ":%d: error: %s", line > 0 ? line : 1,
	    what.len > 0 ? text_str(&what)
			 : "expected a [section] or key = value");
	text_free(&what);
	return false;
}

#define BUILTIN_PREFIX "workloads/profiles/"
#define BUILTIN_SUFFIX ".ini"

/* Returns true if file is the built-in profile of that name. */
static bool
is_builtin(const struct embedded_file *file, const char *name)
{
	const char *path = file->path;
	size_t len = strlen(name);

	if (strncmp(path, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) != 0)
		return false;
	path += strlen(BUILTIN_PREFIX);
	return strncmp(path, name, len) == 0 &&
	    strcmp(path + len, BUILTIN_SUFFIX) == 0;
}

const char *
profile_builtin(unsigned index)
{
	for (size_t i = 0; i < n_embedded_files; i++) {
		const char *path = embedded_files[i].path;

		if (strncmp(path, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) != 0)
			continue;
		if (index-- == 0)
			return path + strlen(BUILTIN_PREFIX);
	}
	return NULL;
}

static void
list_builtin(struct text *out)
{
	const char *file;

	for (unsigned i = 0; (file = profile_builtin(i)) != NULL; i++)
		text_addf(out, "%s%.*s", i > 0 ? ", " : "",
		    (int)(strlen(file) - strlen(BUILTIN_SUFFIX)), file);
}

/* Adds the letters and digits of s up to the end of its line, in small
 * letters. */
static void
add_plain_letters(struct text *out, const char *s)
{
	for (; *s != '\0' && *s != '\n'; s++)
		if (isalnum((unsigned char)*s))
			text_addc(out, (char)tolower((unsigned char)*s));
}

/* True if the first line of a profile, its GPUs in words, has the word:
 * "tigerlake", "kabylake" as "Kaby and Coffee Lake". */
static bool
is_called(const char *ini, const char *word)
{
	struct text line = {0}, letters = {0};
	bool is;

	add_plain_letters(&line, ini);
	add_plain_letters(&letters, word);
	if (letters.len > 7 &&
	    strcmp(letters.data + letters.len - 4, "lake") == 0)
		letters.data[letters.len - 4] = '\0';
	is = letters.len > 2 && strstr(text_str(&line), letters.data) != NULL;
	text_free(&line);
	text_free(&letters);
	return is;
}

/* Adds the built-in profiles that a name can have been meant for: by the words
 * of their first line, else by a beginning or a mistyped letter. */
static void
find_offers(struct near *called, struct near *like)
{
	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];
		const char *name = file->path + strlen(BUILTIN_PREFIX);
		struct text own = {0};

		if (strncmp(file->path, BUILTIN_PREFIX,
			strlen(BUILTIN_PREFIX)) != 0)
			continue;
		text_add(&own, name, strlen(name) - strlen(BUILTIN_SUFFIX));
		if (is_called(file->data, called->word))
			near_add(called, own.data, own.len);
		else if (near_is(like->word, own.data) ||
		    strncmp(own.data, like->word, strlen(like->word)) == 0)
			near_add(like, own.data, own.len);
		text_free(&own);
	}
}

/* Appends the names that may have been meant, else all. */
static void
add_expected(const char *name, struct text *err)
{
	struct near called = {.word = name}, like = {.word = name};

	if (*name != '\0')
		find_offers(&called, &like);
	if (called.n + like.n > 0) {
		text_adds(err, "did you mean ");
		near_print(called.n > 0 ? &called : &like, err);
		text_adds(err, "? --help lists all");
	} else {
		text_adds(err, "a file, or one of ");
		list_builtin(err);
	}
	near_free(&called);
	near_free(&like);
}

/* Removes a word that names of parts may have or not. */
static void
drop_word(struct text *t, const char *word)
{
	char *at = t->len > 0 ? strstr(t->data, word) : NULL;
	size_t len = strlen(word);

	if (at == NULL || t->len == len)
		return;
	memmove(at, at + len, t->len - (size_t)(at - t->data) - len + 1);
	t->len -= len;
}

/* Adds the letters and digits of a part's name: a380 of "Intel Arc A380 Graphics". */
static void
add_part(struct text *out, const char *name, size_t len)
{
	static const char *const words[] = {"intel", "arc", "graphics"};
	struct text one = {0};

	text_add(&one, name, len);
	add_plain_letters(out, text_str(&one));
	text_free(&one);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		drop_word(out, words[i]);
}

/* True if a profile names the part in its line "parts = A, B". */
static bool
has_part(const char *ini, const char *part)
{
	static const char key[] = "\nparts = ";
	const char *at = strstr(ini, key);
	bool has = false;

	if (at == NULL || *part == '\0')
		return false;
	at += sizeof(key) - 1;
	while (!has && *at != '\n' && *at != '\0') {
		size_t len = strcspn(at, ",\n");
		struct text name = {0};

		add_part(&name, at, len);
		has = strcmp(text_str(&name), part) == 0;
		text_free(&name);
		at += len + (at[len] == ',');
	}
	return has;
}

/* Returns the built-in profile of a part: N100, A380, UHD 770. NULL: none has that name, or
 * several have: these are added to several. */
static const struct embedded_file *
find_part(const char *name, struct near *several)
{
	const struct embedded_file *found = NULL;
	struct text part = {0};

	add_part(&part, name, strlen(name));
	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];
		const char *own = file->path + strlen(BUILTIN_PREFIX);

		if (strncmp(file->path, BUILTIN_PREFIX,
			strlen(BUILTIN_PREFIX)) != 0 ||
		    !has_part(file->data, text_str(&part)))
			continue;
		near_add(several, own, strlen(own) - strlen(BUILTIN_SUFFIX));
		found = file;
	}
	text_free(&part);
	return several->n == 1 ? found : NULL;
}

static bool
load_part(struct profile *p, const char *name, struct text *err)
{
	struct near several = {.word = name};
	const struct embedded_file *file = find_part(name, &several);
	bool ok = file != NULL && profile_parse(p, file->path, file->data, err);

	if (file == NULL) {
		text_adds(err, "no profile '");
		text_add_visible(err, name, strlen(name));
		text_adds(err, "': ");
	}
	if (file == NULL && several.n > 1) {
		text_adds(err, "several profiles have this part: expected ");
		near_print(&several, err);
	} else if (file == NULL) {
		add_expected(name, err);
	}
	near_free(&several);
	return ok;
}

static bool
load_file(struct profile *p, const char *path, struct text *err)
{
	struct text ini = {0}, name = {0};
	struct file_stamp stamp;
	const char *base = strrchr(path, '/');

	base = base != NULL ? base + 1 : path;
	text_add_visible(&name, base, strcspn(base, "."));
	if (name.len > 0 && name.len < sizeof p->name)
		memcpy(p->name, name.data, name.len + 1);
	text_free(&name);

	bool ok = file_read(path, &ini, &stamp, err) &&
	    profile_parse(p, path, text_str(&ini), err);

	text_free(&ini);
	return ok;
}

bool
profile_load(struct profile *p, const char *name, struct text *err)
{
	profile_init(p);
	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];

		if (is_builtin(file, name))
			return profile_parse(p, file->path, file->data, err);
	}
	if (strchr(name, '/') != NULL || strchr(name, '.') != NULL)
		return load_file(p, name, err);
	return load_part(p, name, err);
}
