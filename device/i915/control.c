/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of sysfs and debugfs that the device answers itself: knobs of engines,
 * frequencies, the error state, and what resets and empties. A file that is
 * opened for reading is memory with its text; others are control files, whose
 * reads and writes are calls, or which act while they are open. Rules: doc/model/i915_files.md "Live files".
 */
#include "device/i915/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/wire/live.h"

static const char *const folders[] = {
    [CONTROL_CARD] = "/drm/card0/",
    [CONTROL_DEBUGFS] = "sys/kernel/debug/dri/0/",
    [CONTROL_MODULE] = "sys/module/i915/parameters/",
};

/* An open control file. */
struct control_file {
	struct i915_marked marked;
	struct i915_control control;
	uint64_t position; /* of reads */
};

static const struct i915_control_ops *const all_ops[] = {
    &i915_error_ops,
    &i915_wedged_ops,
    &i915_drop_caches_ops,
    &i915_frequency_ops,
    &i915_rc6_ops,
    &i915_engine_ops,
    &i915_hangcheck_ops,
    &i915_resets_ops,
    &i915_timeout_ops,
    &i915_objects_ops,
    &i915_forcewake_ops,
};

/* Returns the name of the file below its folder, which *place is then. NULL: it
 * is in none. The card's is somewhere in the path. */
static const char *
control_name(const char *path, enum i915_control_place *place)
{
	for (unsigned i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *at = strstr(path, folders[i]);

		*place = (enum i915_control_place)i;
		if (at && (at == path || i == CONTROL_CARD))
			return at + strlen(folders[i]);
	}
	return NULL;
}

static bool
control_find(struct i915 *dev, const char *path, struct i915_control *control)
{
	enum i915_control_place place;
	const char *name = control_name(path, &place);

	if (!name)
		return false;
	for (size_t i = 0; i < sizeof(all_ops) / sizeof(all_ops[0]); i++) {
		*control = (struct i915_control){.ops = all_ops[i]};
		if (all_ops[i]->find(dev, name, place, control))
			return true;
	}
	return false;
}

int
i915_text_file(const char *name, const struct text *t)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		return -EMFILE;
	if (write(fd, t->data, t->len) != (ssize_t)t->len ||
	    lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -ENOMEM;
	}
	return fd;
}

static void
control_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct control_file *file = container_of(
	    m, struct control_file, marked);

	i915_waiters_end(dev, m);
	i915_unmark(dev, m);
	if (file->control.ops->hold)
		file->control.ops->hold(dev, -1);
	free(file);
}

/* Opens a file that is written to, or acts while it is open. */
static int
control_file(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control)
{
	struct control_file *file = mem_calloc(1, sizeof(*file));
	int fd;

	file->marked.hangup = control_hangup;
	file->control = *control;
	fd = i915_mark(dev, call, &file->marked, MARK_CONTROL, 0);
	if (fd < 0)
		free(file);
	else if (control->ops->hold)
		control->ops->hold(dev, 1);
	return fd;
}

/* Opens a file that is read; its memory has its path as its name. */
static int
control_text(
    struct i915 *dev, const struct i915_control *control, const char *path)
{
	struct text t = {0}, name = {0};
	int fd;

	text_addf(&name, WIRE_TEXT "%s", path);
	control->ops->read(dev, control, &t);
	fd = i915_text_file(text_str(&name), &t);
	text_free(&name);
	text_free(&t);
	return fd;
}

static int
control_give(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *path)
{
	bool writes = (call->rq.flags & O_ACCMODE) != O_RDONLY;
	bool holds = control->ops->hold;
	int fd;

	if (writes && !control->ops->write && !holds)
		return -EACCES;
	fd = writes || holds ? control_file(dev, call, control)
			     : control_text(dev, control, path);
	if (fd < 0)
		return fd;
	i915_return_fd(call, fd, call->rq.flags & O_CLOEXEC);
	return 0;
}

int
i915_control_open(struct i915 *dev, struct i915_call *call, const char *path)
{
	struct i915_control control;

	if (!control_find(dev, path, &control))
		return WIRE_NOT_MINE;
	return control_give(dev, call, &control, path);
}

static struct control_file *
control_of(const struct i915_call *call)
{
	return container_of(call->marked, struct control_file, marked);
}

int
i915_control_reopen(struct i915 *dev, struct i915_call *call)
{
	return control_give(dev, call, &control_of(call)->control, "");
}

int
i915_control_read(struct i915 *dev, struct i915_call *call)
{
	struct control_file *file = control_of(call);
	struct text *t = &call->bytes, all = {0};
	size_t n = 0;

	if (!file->control.ops->read)
		return -EINVAL;
	file->control.ops->read(dev, &file->control, &all);
	if (file->position < all.len)
		n = all.len - (size_t)file->position;
	if (n > call->rq.number)
		n = (size_t)call->rq.number;
	if (n > WIRE_MAX_BYTES)
		n = WIRE_MAX_BYTES;
	if (n > 0)
		text_add(t, all.data + file->position, n);
	file->position += n;
	text_free(&all);
	return (int)n;
}

/* Serves a write, which may have waited. */
static int
control_write(struct i915 *dev, struct i915_call *call)
{
	const struct i915_control *control = &control_of(call)->control;
	int rc = -EINVAL;

	if (control->ops->write)
		rc = control->ops->write(
		    dev, call, control, (const char *)call->arg);
	return rc == 0 ? (int)call->rq.size : rc;
}

/* Keeps the text of a write, in one line; what is longer than any value is cut
 * off. */
static void
control_keep_text(struct i915_call *call, const char *bytes, size_t size)
{
	size_t n = size < sizeof(call->arg) ? size : sizeof(call->arg) - 1;

	if (n > 0)
		memcpy(call->arg, bytes, n);
	while (n > 0 && call->arg[n - 1] == '\n')
		n--;
	call->arg[n] = '\0';
}

int
i915_control_write(struct i915 *dev, struct i915_call *call, const void *bytes)
{
	if (!call->marked || call->marked->kind != MARK_CONTROL)
		return WIRE_NOT_MINE;
	control_keep_text(call, bytes, call->rq.size);
	call->serve = control_write;
	return control_write(dev, call);
}

void
i915_written(struct i915 *dev, uint64_t token, const void *bytes, size_t size)
{
	struct i915_call call = {
	    .marked = i915_marked_find(dev, token), .interrupted = true};

	if (!call.marked || call.marked->kind != MARK_CONTROL)
		return;
	control_keep_text(&call, bytes, size);
	control_write(dev, &call);
	i915_call_clear(dev, &call);
	i915_drain(dev);
}

int
i915_control_number(const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	if (*text == '+')
		text++;
	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (*end != '\0')
		return -EINVAL;
	if (errno)
		return -ERANGE;
	return *value > most ? -EINVAL : 0;
}
