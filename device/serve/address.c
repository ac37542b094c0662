/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets in the user's runtime folder, and the locks that tell live devices
 * from dead ones. */
#include "device/serve/address.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "device/tree/tree.h"

#define SOCKET_END ".socket"
#define LOCK_END   ".lock"
#define ROOT_END   ".root" /* device/service */
#define MAX_NAME   32
#define BACKLOG    64

/* Sets path to the folder. */
static bool
socket_folder(bool make, struct text *path, struct text *err)
{
	if (state_folder(RUNTIME_OF_USER, make, path) ||
	    state_folder(STATE_IN_TMP, make, path))
		return true;
	text_addf(err,
	    "can't use %s for sockets: %s (neither can $XDG_RUNTIME_DIR be "
	    "used)",
	    text_str(path), strerror(errno));
	return false;
}

static bool
is_device_name(const char *name)
{
	size_t n = strspn(name,
	    "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

	return n > 0 && n <= MAX_NAME && name[n] == 0 && name[0] != '.';
}

static bool
address_check_name(const char *name, struct text *err)
{
	if (is_device_name(name))
		return true;
	text_adds(err, "invalid device name '");
	text_add_visible(err, name, strlen(name));
	text_addf(err,
	    "': expected 1 to %d letters, digits, '-', '_' or '.', e.g. 0",
	    MAX_NAME);
	return false;
}

/* True for the device that a gpuwl-run has for itself; end follows its name. */
static bool
is_of_one_run(const char *name, const char *end)
{
	static const char head[] = "run-";
	size_t n;

	if (strncmp(name, head, strlen(head)) != 0)
		return false;
	n = strspn(name + strlen(head), "0123456789");
	return n > 0 && strcmp(name + strlen(head) + n, end) == 0;
}

bool
address_check_served(const char *name, struct text *err)
{
	if (!address_check_name(name, err))
		return false;
	if (!is_of_one_run(name, ""))
		return true;
	text_addf(err,
	    "invalid device name '%s': run- and a number is the name of a "
	    "gpuwl-run's own device; expected another one, e.g. 0",
	    name);
	return false;
}

/* Fills an address. False: the path is too long for one. */
static bool
fill_sockaddr(struct sockaddr_un *name, const char *path, struct text *err)
{
	size_t len = strlen(path);

	if (len >= sizeof(name->sun_path)) {
		text_addf(err,
		    "the path of the socket %s has %zu bytes: at most %zu are "
		    "possible (XDG_RUNTIME_DIR names its folder)",
		    path, len, sizeof(name->sun_path) - 1);
		return false;
	}
	*name = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(name->sun_path, path, len + 1);
	return true;
}

static struct flock
whole_file(short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

/* Proposes the least number that no device has as its name. */
static void
say_name_is_taken(const char *name, struct text *err)
{
	struct text lines = {0}, line = {0};
	unsigned n = 0;

	text_addc(&lines, '\n');
	address_list(&lines);
	do {
		text_clear(&line);
		text_addf(&line, "\n%u\n", n++);
	} while (strstr(text_str(&lines), text_str(&line)) != NULL);
	text_addf(err,
	    "a device named '%s' is served already: choose another name, e.g. "
	    "--serve=%u",
	    name, n - 1);
	text_free(&lines);
	text_free(&line);
}

/* Locks the file of a name. False: another device has it, or it can't be
 * written. */
static bool
take_lock(struct listener *l, const char *name, struct text *err)
{
	struct flock lock = whole_file(F_WRLCK);
	struct stat opened, named;

	l->lock = open(
	    l->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (l->lock >= 0 && fcntl(l->lock, F_OFD_SETLK, &lock) == 0) {
		/* A device that ended meanwhile has removed its file. */
		if (fstat(l->lock, &opened) == 0 &&
		    stat(l->lock_path, &named) == 0 &&
		    opened.st_ino == named.st_ino)
			return true;
		close(l->lock);
		return take_lock(l, name, err);
	}
	if (l->lock >= 0 && (errno == EAGAIN || errno == EACCES))
		say_name_is_taken(name, err);
	else
		text_addf(
		    err, "can't lock %s: %s", l->lock_path, strerror(errno));
	return false;
}

/* Binds the socket, which is of mode 0600 from its first moment on. */
static bool
listen_at(struct listener *l, struct text *err)
{
	struct sockaddr_un address;
	mode_t mask;
	bool ok;

	if (!fill_sockaddr(&address, l->path, err))
		return false;
	l->socket = socket(
	    AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	unlink(l->path);
	mask = umask(0177);
	ok = l->socket >= 0 &&
	    bind(l->socket, (struct sockaddr *)&address, sizeof(address)) == 0;
	umask(mask);
	ok = ok && listen(l->socket, BACKLOG) == 0;
	if (!ok)
		text_addf(
		    err, "can't listen at %s: %s", l->path, strerror(errno));
	return ok;
}

static char *
path_in(const struct text *folder, const char *name, const char *end)
{
	struct text path = {0};

	text_addf(&path, "%s%s%s", text_str(folder), name, end);
	return path.data;
}

static bool
ends_with(const struct dirent *entry, const char *wanted)
{
	const char *end = strrchr(entry->d_name, '.');

	return end != NULL && strcmp(end, wanted) == 0;
}

static int
is_lock(const struct dirent *entry)
{
	return ends_with(entry, LOCK_END);
}

static int
is_root(const struct dirent *entry)
{
	return ends_with(entry, ROOT_END);
}

/* Appends the folder that has the roots of devices in folder. */
static void
add_root_folder(const char *folder, struct text *out)
{
	struct text in_tmp = {0}, in_memory = {0};

	(void)state_folder(STATE_IN_TMP, false, &in_tmp);
	if (strcmp(folder, text_str(&in_tmp)) == 0 &&
	    state_folder(RUNTIME_IN_MEMORY, true, &in_memory))
		folder = text_str(&in_memory);
	text_adds(out, folder);
	text_free(&in_tmp);
	text_free(&in_memory);
}

void
address_root(const char *folder, const char *name, struct text *root)
{
	add_root_folder(folder, root);
	text_addf(root, "%s%s", name, ROOT_END);
}

/* Removes what a device left that was killed, or that could not remove its files:
 * its lock is free. */
static void
sweep_device(const char *folder, const char *name)
{
	struct text path = {0}, ignored = {0};
	struct listener dead = {.socket = -1, .lock = -1};

	text_addf(&path, "%s%s%s", folder, name, LOCK_END);
	dead.lock_path = mem_strdup(text_str(&path));
	if (take_lock(&dead, name, &ignored)) {
		text_clear(&path);
		address_root(folder, name, &path);
		tree_remove(text_str(&path), &ignored);
		text_clear(&path);
		text_addf(&path, "%s%s%s", folder, name, SOCKET_END);
		dead.path = mem_strdup(text_str(&path));
	} else if (dead.lock >= 0) {
		close(dead.lock);
		dead.lock = -1;
	}
	listener_close(&dead);
	text_free(&path);
	text_free(&ignored);
}

/* Removes what the dead devices of a folder left that have such an entry in
 * where. */
static void
sweep_entries(const char *folder, const char *where,
    int (*is_one)(const struct dirent *entry))
{
	struct dirent **entries = NULL;
	int n = scandir(where, &entries, is_one, alphasort);

	for (int i = 0; i < n; i++) {
		*strrchr(entries[i]->d_name, '.') = '\0';
		sweep_device(folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

/* Removes what all dead devices left in the folder. */
static void
sweep_folder(const char *folder)
{
	struct text roots = {0};

	sweep_entries(folder, folder, is_lock);
	add_root_folder(folder, &roots);
	sweep_entries(folder, text_str(&roots), is_root);
	text_free(&roots);
}

bool
listener_open(struct listener *l, const char *name, struct text *err)
{
	struct text folder = {0};
	bool ok;

	*l = (struct listener){.socket = -1, .lock = -1};
	ok = address_check_name(name, err) && socket_folder(true, &folder, err);
	if (ok) {
		l->path = path_in(&folder, name, SOCKET_END);
		l->lock_path = path_in(&folder, name, LOCK_END);
		sweep_folder(text_str(&folder));
	}
	text_free(&folder);
	if (ok && take_lock(l, name, err)) {
		if (listen_at(l, err))
			return true;
	} else if (l->lock >= 0) {
		/* The lock is another device's, and so is the socket. */
		close(l->lock);
		l->lock = -1;
	}
	listener_close(l);
	return false;
}

void
listener_close(struct listener *l)
{
	if (l->lock >= 0) {
		unlink(l->path);
		unlink(l->lock_path);
		close(l->lock);
	}
	if (l->socket >= 0)
		close(l->socket);
	free(l->path);
	free(l->lock_path);
	*l = (struct listener){.socket = -1, .lock = -1};
}

bool
address_of(const char *name, struct text *path, struct text *err)
{
	text_clear(path);
	if (strchr(name, '/') != NULL) {
		text_adds(path, name);
		return true;
	}
	if (!address_check_name(name, err) || !socket_folder(false, path, err))
		return false;
	text_addf(path, "%s" SOCKET_END, name);
	return true;
}

/* True if a device holds that lock. */
static bool
is_alive(int folder, const char *lock_name)
{
	struct flock lock = whole_file(F_WRLCK);
	int fd = openat(folder, lock_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	bool alive;

	if (fd < 0)
		return false;
	alive = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	close(fd);
	return alive;
}

unsigned
address_list(struct text *names)
{
	struct text folder = {0}, ignored = {0};
	struct dirent **entries = NULL;
	unsigned alive = 0;
	int fd = -1, n = -1;

	if (socket_folder(false, &folder, &ignored))
		fd = open(text_str(&folder), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		n = scandir(text_str(&folder), &entries, is_lock, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (!is_of_one_run(name, LOCK_END) && is_alive(fd, name)) {
			text_addf(names, "%.*s\n",
			    (int)(strlen(name) - strlen(LOCK_END)), name);
			alive++;
		}
		free(entries[i]);
	}
	if (fd >= 0)
		close(fd);
	free(entries);
	text_free(&folder);
	text_free(&ignored);
	return alive;
}
