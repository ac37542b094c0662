/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folders for state and configuration: their paths, making them, and the
 * checks that only this user can write there. */
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

/* Appends the path. False: no variable names one, or there is none. */
static bool
add_folder(enum state_place place, struct text *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (place == RUNTIME_OF_USER) {
		if (!is_absolute(runtime))
			return false;
		text_addf(path, "%s/gpuwl", runtime);
	} else if (place == RUNTIME_IN_MEMORY) {
		/* It is never made: it would be on the disk, for root alone. */
		if (access("/dev/shm", W_OK | X_OK) != 0)
			return false;
		text_addf(path, "/dev/shm/gpuwl-%lu", (unsigned long)geteuid());
	} else if (place == STATE_IN_TMP)
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

/* True for another user's link, root's excepted: it is not followed. */
static bool
is_foreign_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode) &&
	    st.st_uid != geteuid() && st.st_uid != 0;
}

/* Checks each folder of a path that ends with a slash; make: makes those that
 * are missing. False, with errno: a foreign link. */
static bool
walk_folders(char *path, bool make)
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

/* True if only this user can write there. False, with errno. */
static bool
is_private(const char *path, enum state_place place)
{
	mode_t others = place == STATE_OF_USER ? 0002 : 0077;
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
	return add_folder(place, path) && walk_folders(path->data, make) &&
	    is_private(path->data, place);
}

/* True if a missing folder could be made. Cuts the path. False, with errno. */
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

/* Returns the errno of why the user's folder cannot be used; 0: it can. Cuts the
 * path. */
static int
folder_error(char *path)
{
	if (!walk_folders(path, false))
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
		text_adds(why, "HOME is not an absolute path");
		return true;
	}
	text_add_visible(&name, path.data, path.len - 1);
	number = folder_error(path.data);
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
