/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other programs' clients of a GPU: the walk over /proc that finds them, and
 * what they did since the last look. */
#include "device/hardware/foreign.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/hardware/fdinfo.h"

#define DRM_MAJOR 226
#define MOST_PATH 128
/* A walk begins that long after the end of the last one. */
#define WALK_EVERY_NS (2 * NSEC_PER_SEC)
/* Programs that are named in a text. */
#define MOST_NAMED 4

void
foreign_init(
    struct foreign *f, const char *proc, const char *address, uint64_t own_id)
{
	*f = (struct foreign){.proc = proc, .own_id = own_id};
	snprintf(f->address, sizeof f->address, "%s", address);
}

void
foreign_free(struct foreign *f)
{
	if (f->walk != NULL)
		closedir(f->walk);
	free(f->list);
	*f = (struct foreign){0};
}

/* Sets the name of a process as ps has it. */
static void
read_process_name(const struct foreign *f, pid_t pid, char *name, size_t size)
{
	char path[MOST_PATH], text[64] = "";
	struct text visible = {0};
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "%s/%d/comm", f->proc, (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof text - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	text_add_visible(&visible, text, strcspn(text, "\n"));
	snprintf(name, size, "%s", visible.len > 0 ? text_str(&visible) : "?");
	text_free(&visible);
}

static struct foreign_client *
find_foreign(const struct foreign *f, uint64_t id)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->list[i].id == id)
			return &f->list[i];
	return NULL;
}

/* Returns true if a file is that of a client of another program on our GPU. */
static bool
is_foreign(const struct foreign *f, const struct fdinfo *info)
{
	return strcmp(info->driver, "i915") == 0 &&
	    strcmp(info->address, f->address) == 0 && info->id != f->own_id;
}

static void
add_foreign(struct foreign *f, const struct fdinfo *info, pid_t pid, int fd)
{
	struct foreign_client *c;

	f->list = mem_grow(f->list, f->n, &f->cap, sizeof *f->list);
	c = &f->list[f->n++];
	*c = (struct foreign_client){.id = info->id, .pid = pid, .fd = fd};
	read_process_name(f, pid, c->name, sizeof c->name);
	memcpy(c->busy_ns, info->busy_ns, sizeof c->busy_ns);
	memcpy(c->found_ns, info->busy_ns, sizeof c->found_ns);
	memcpy(c->has_class, info->has_class, sizeof c->has_class);
}

/* Returns the number that an entry of a folder of /proc is named by. */
static int
entry_number(const struct dirent *entry)
{
	return (int)strtol(entry->d_name, NULL, 10);
}

/* Adds the client of a descriptor, if it has one that is new. */
static void
look_at_file(struct foreign *f, pid_t pid, int fd)
{
	char path[MOST_PATH];
	struct fdinfo info;
	struct stat st;

	snprintf(path, sizeof path, "%s/%d/fd/%d", f->proc, (int)pid, fd);
	if (stat(path, &st) != 0 || !S_ISCHR(st.st_mode) ||
	    major(st.st_rdev) != DRM_MAJOR)
		return;
	if (fdinfo_read(&info, f->proc, pid, fd) && is_foreign(f, &info) &&
	    find_foreign(f, info.id) == NULL)
		add_foreign(f, &info, pid, fd);
}

/* Looks at all descriptors of a process. Returns their number. */
static size_t
look_at_process(struct foreign *f, pid_t pid)
{
	char path[MOST_PATH];
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/%d/fd", f->proc, (int)pid);
	dir = opendir(path);
	if (dir == NULL) {
		f->n_hidden_yet += errno == EACCES;
		return 1;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (isdigit((unsigned char)*entry->d_name))
			look_at_file(f, pid, entry_number(entry));
		n++;
	}
	closedir(dir);
	return n;
}

static void
end_walk(struct foreign *f, nsec now)
{
	closedir(f->walk);
	f->walk = NULL;
	f->walked_ns = now;
	f->complete = true;
	f->n_hidden = f->n_hidden_yet;
}

static bool
begin_look(struct foreign *f, nsec now)
{
	if (f->complete && now - f->walked_ns < WALK_EVERY_NS)
		return false;
	f->n_hidden_yet = 0;
	f->walk = opendir(f->proc);
	return f->walk != NULL;
}

void
foreign_find(struct foreign *f, nsec now, size_t descriptors)
{
	struct dirent *entry;
	size_t seen = 0;

	if (f->walk == NULL && !begin_look(f, now))
		return;
	while (seen < descriptors) {
		entry = readdir(f->walk);
		if (entry == NULL) {
			end_walk(f, now);
			return;
		}
		if (isdigit((unsigned char)*entry->d_name) &&
		    entry_number(entry) != (int)getpid())
			seen += look_at_process(f, entry_number(entry));
	}
}

void
foreign_find_all(struct foreign *f, nsec now)
{
	if (f->walk != NULL)
		end_walk(f, now);
	f->complete = false;
	foreign_find(f, now, SIZE_MAX);
}

/* Returns false if the file is not that of the client any more. */
static bool
read_foreign(struct foreign *f, struct foreign_client *c)
{
	struct fdinfo info;

	if (!fdinfo_read(&info, f->proc, c->pid, c->fd) ||
	    !is_foreign(f, &info) || info.id != c->id)
		return false;
	for (int i = 0; i < N_CLASSES; i++) {
		nsec was = c->busy_ns[i], is = info.busy_ns[i];

		c->used_ns[i] = is > was ? is - was : 0;
		c->looks[i] = c->looks[i] << 1 | (is > was);
		c->busy_ns[i] = nsec_later(was, is);
	}
	return true;
}

void
foreign_read(struct foreign *f, nsec now, nsec time)
{
	size_t kept = 0;

	f->times[f->n_looks++ % FOREIGN_LOOKS] = time;

	f->since_ns = f->at_ns;
	f->at_ns = now;
	for (size_t i = 0; i < f->n; i++)
		if (read_foreign(f, &f->list[i]))
			f->list[kept++] = f->list[i];
	f->n = kept;
}

/* Returns the looks, by bits as a client has them, that cover part of [from, to)
 * of the run. */
static uint64_t
looks_at(const struct foreign *f, nsec from, nsec to)
{
	uint64_t bits = 0;

	for (uint64_t k = 0; k + 1 < FOREIGN_LOOKS && k + 1 < f->n_looks; k++) {
		nsec end = f->times[(f->n_looks - 1 - k) % FOREIGN_LOOKS];
		nsec begin = f->times[(f->n_looks - 2 - k) % FOREIGN_LOOKS];

		/* The time since the last look is taken to be like that. */
		if (end <= from && k > 0)
			break;
		if (begin < to)
			bits |= UINT64_C(1) << k;
	}
	return bits;
}

void
foreign_add_name(const struct foreign_client *c, struct text *out)
{
	text_addf(out, "%s (pid %d)", c->name, (int)c->pid);
}

void
foreign_add_users(const struct foreign *f, unsigned class, nsec from, nsec to,
    struct text *out)
{
	uint64_t looks = looks_at(f, from, to);
	unsigned n = 0;

	for (size_t i = 0; i < f->n; i++) {
		if ((f->list[i].looks[class] & looks) == 0 || n++ >= MOST_NAMED)
			continue;
		text_adds(out, n > 1 ? ", " : "");
		foreign_add_name(&f->list[i], out);
	}
	if (n > MOST_NAMED)
		text_addf(out, ", %u more", n - MOST_NAMED);
}

float
foreign_share(
    const struct foreign *f, const struct foreign_client *c, unsigned class)
{
	nsec time = f->at_ns - f->since_ns;

	return f->n_looks > 1 && time > 0
	    ? (float)c->used_ns[class] / (float)time
	    : 0;
}
