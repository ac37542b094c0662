/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See state_folder.h. */
#include "base/state_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_absolute(const char *path)
{
	return path != NULL && path[0] == '/';
}

/* False: nothing says where. */
static bool
add_folder(enum state_place place, struct text *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (place == STATE_IN_TMP)
		text_addf(path, "/tmp/gpuwl-%lu", (unsigned long)geteuid());
	else if (is_absolute(state))
		text_addf(path, "%s/gpuwl", state);
	else if (is_absolute(home))
		text_addf(path, "%s/.local/state/gpuwl", home);
	else
		return false;
	text_addc(path, '/');
	return true;
}

/* Links of others are not followed. */
static bool
is_foreign_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode) &&
	    st.st_uid != geteuid() && st.st_uid != 0;
}

/* Walks down a path that ends with a slash, making what is missing if wanted;
 * false, with errno: it is not to be had. */
static bool
walk(char *path, bool make)
{
	bool ok = true;

	for (char *p = path; ok && (p = strchr(p + 1, '/')) != NULL;) {
		*p = 0;
		if (make)
			mkdir(path, 0700); /* most are there already */
		ok = !is_foreign_link(path);
		*p = '/';
		if (!ok)
			errno = EPERM;
	}
	return ok;
}

/* Nobody else writes there. */
static bool
is_private(const char *path, enum state_place place)
{
	mode_t others = place == STATE_IN_TMP ? 0077 : 0002;
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	if (S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	    (st.st_mode & others) == 0)
		return true;
	errno = S_ISDIR(st.st_mode) ? EPERM : ENOTDIR;
	return false;
}

bool
state_folder(enum state_place place, bool make, struct text *path)
{
	text_clear(path);
	return add_folder(place, path) && walk(path->data, make) &&
	    is_private(path->data, place);
}

/* The folder is missing: could it be made? */
static bool
can_be_made(char *path)
{
	struct stat st;

	for (;;) {
		char *slash = strrchr(path, '/');

		if (slash == NULL || slash == path)
			return access("/", W_OK) == 0;
		*slash = 0;
		if (stat(path, &st) == 0) {
			errno = ENOTDIR;
			return S_ISDIR(st.st_mode) &&
			    access(path, W_OK | X_OK) == 0;
		}
		if (errno != ENOENT)
			return false;
	}
}

/* errno of what is wrong with the user's folder; 0. Cuts the path. */
static int
trouble_with(char *path)
{
	if (!walk(path, false))
		return EPERM;
	if (is_private(path, STATE_OF_USER))
		return access(path, W_OK | X_OK) == 0 ? 0 : errno;
	if (errno != ENOENT)
		return errno;
	return can_be_made(path) ? 0 : errno;
}

bool
state_folder_problem(struct text *why)
{
	struct text path = {0}, name = {0};
	int number;

	if (!add_folder(STATE_OF_USER, &path)) {
		text_adds(why, "HOME is no absolute path");
		return true;
	}
	text_add_visible(&name, path.data, path.len - 1);
	number = trouble_with(path.data);
	if (number == EPERM)
		text_addf(why, "%s is not yours alone", text_str(&name));
	else if (number != 0)
		text_addf(why, "%s: %s", text_str(&name), strerror(number));
	text_free(&path);
	text_free(&name);
	return number != 0;
}

void
config_default_path(struct text *path)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	text_clear(path);
	if (is_absolute(base))
		text_adds(path, base);
	else if (is_absolute(home))
		text_addf(path, "%s/.config", home);
	else
		return;
	text_adds(path, "/gpuwl/config");
}
