/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices of libudev that are in the tree: made of its folders, links and
 * uevent files, as libudev makes the kernel's. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/preload/paths.h"
#include "device/preload/real.h"
#include "device/preload/udev.h"
#include "device/wire/live.h"

#define DRM_MAJOR 226u

struct udev_device {
	uint64_t ours; /* UDEV_OURS */
	unsigned references;
	struct udev *udev;
	struct udev_device *parent; /* NULL: not asked for, or there is none */
	char *path;                 /* /sys/devices/... */
	struct udev_list_entry *properties, *attributes;
};

/* Reads `/path/name` as a string without the newline at its end; false: there is
 * no such file, or it is live. */
static bool
read_attribute(const char *path, const char *name, char *buf, size_t size)
{
	char file[PATH_MAX], turned[PATH_MAX];
	struct stat st;
	size_t n;
	FILE *f;

	if (snprintf(file, sizeof file, "%s/%s", path, name) >= PATH_MAX ||
	    real()->stat(path_turned(file, turned), &st) != 0 ||
	    !S_ISREG(st.st_mode) || wire_is_live(st.st_mode))
		return false;
	f = fopen(file, "re");
	if (f == NULL)
		return false;
	n = fread(buf, 1, size - 1, f);
	fclose(f);
	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = 0;
	return true;
}

/* Writes the last part of what the link `/path/name` leads to. */
static bool
read_link_name(const char *path, const char *name, char *buf, size_t size)
{
	char file[PATH_MAX], text[PATH_MAX];
	const char *last;
	ssize_t n;

	if (snprintf(file, sizeof file, "%s/%s", path, name) >= PATH_MAX)
		return false;
	n = readlink(file, text, sizeof text - 1);
	if (n <= 0)
		return false;
	text[n] = 0;
	last = strrchr(text, '/');
	snprintf(buf, size, "%s", last != NULL ? last + 1 : text);
	return true;
}

static void
add_property(struct udev_device *d, const char *name, const char *value)
{
	char node[PATH_MAX];

	if (strcmp(name, "DEVNAME") == 0) {
		snprintf(node, sizeof node, "/dev/%s", value);
		value = node;
	}
	udev_list_add(&d->properties, name, value);
}

/* Adds the lines KEY=VALUE of text, which it changes. */
static void
add_lines(struct udev_device *d, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		char *value = strchr(line, '=');

		if (value == NULL)
			continue;
		*value = 0;
		add_property(d, line, value + 1);
	}
}

static void
read_properties(struct udev_device *d)
{
	char text[4096];

	add_property(d, "DEVPATH", d->path + strlen("/sys"));
	if (read_link_name(d->path, "subsystem", text, sizeof text))
		add_property(d, "SUBSYSTEM", text);
	if (read_attribute(d->path, "uevent", text, sizeof text))
		add_lines(d, text);
}

/* Makes the device of the folder path; NULL: it is none of the tree. */
static struct udev_device *
new_device(struct udev *udev, const char *path)
{
	char whole[PATH_MAX], uevent[PATH_MAX], turned[PATH_MAX];
	struct udev_device *d;

	if (path_turned(path, turned) == path || realpath(path, whole) == NULL)
		return NULL;
	if (snprintf(uevent, sizeof uevent, "%s/uevent", whole) >= PATH_MAX ||
	    access(uevent, F_OK) != 0)
		return NULL;
	d = calloc(1, sizeof *d);
	if (d == NULL)
		return NULL;
	d->ours = UDEV_OURS;
	d->references = 1;
	d->udev = udev;
	d->path = strdup(whole);
	read_properties(d);
	return d;
}

struct udev_device *
udev_device_of_event(struct udev *udev, char *text)
{
	struct udev_device *d = new_device(udev, "/sys/class/drm/card0");

	if (d != NULL)
		add_lines(d, text);
	return d;
}

struct udev_device *
udev_device_new_from_syspath(struct udev *udev, const char *path)
{
	char turned[PATH_MAX];
	struct udev_device *(*f)(struct udev *, const char *);

	if (path_turned(path, turned) != path)
		return new_device(udev, path);
	f = (struct udev_device * (*)(struct udev *, const char *))
	    udev_real(__func__);
	return f != NULL ? f(udev, path) : NULL;
}

struct udev_device *
udev_device_new_from_devnum(struct udev *udev, char type, dev_t number)
{
	char path[64], turned[PATH_MAX];
	struct udev_device *(*f)(struct udev *, char, dev_t);

	snprintf(path, sizeof path, "/sys/dev/char/%u:%u", major(number),
	    minor(number));
	if (type == 'c' && path_turned(path, turned) != path)
		return new_device(udev, path);
	f = (struct udev_device * (*)(struct udev *, char, dev_t))
	    udev_real(__func__);
	return f != NULL ? f(udev, type, number) : NULL;
}

struct udev_device *
udev_device_new_from_subsystem_sysname(
    struct udev *udev, const char *subsystem, const char *sysname)
{
	char path[PATH_MAX], turned[PATH_MAX];
	struct udev_device *(*f)(struct udev *, const char *, const char *);

	snprintf(path, sizeof path, "/sys/%s/%s%s",
	    strcmp(subsystem, "pci") == 0 ? "bus/pci/devices" : "class",
	    strcmp(subsystem, "drm") == 0 ? "drm/" : "", sysname);
	if (path_turned(path, turned) != path)
		return new_device(udev, path);
	f = (struct udev_device *
	    (*)(struct udev *, const char *, const char *)) udev_real(__func__);
	return f != NULL ? f(udev, subsystem, sysname) : NULL;
}

/* Calls the real function that takes a device and returns a pointer. */
static void *
real_device_call(const char *function, struct udev_device *d)
{
	void *(*f)(struct udev_device *) =
	    (void *(*)(struct udev_device *))udev_real(function);

	return f != NULL ? f(d) : NULL;
}

struct udev_device *
udev_device_ref(struct udev_device *d)
{
	if (!udev_is_ours(d))
		return real_device_call(__func__, d);
	d->references++;
	return d;
}

struct udev_device *
udev_device_unref(struct udev_device *d)
{
	if (!udev_is_ours(d))
		return d != NULL ? real_device_call(__func__, d) : NULL;
	if (--d->references > 0)
		return NULL;
	udev_device_unref(d->parent);
	udev_list_free(d->properties);
	udev_list_free(d->attributes);
	free(d->path);
	free(d);
	return NULL;
}

struct udev *
udev_device_get_udev(struct udev_device *d)
{
	return udev_is_ours(d) ? d->udev : real_device_call(__func__, d);
}

/* The next folder above that is a device of the tree. It lives as long as its
 * child. */
struct udev_device *
udev_device_get_parent(struct udev_device *d)
{
	char path[PATH_MAX], *slash;

	if (!udev_is_ours(d))
		return real_device_call(__func__, d);
	snprintf(path, sizeof path, "%s", d->path);
	while (d->parent == NULL && (slash = strrchr(path, '/')) != NULL &&
	    slash != path) {
		*slash = 0;
		d->parent = new_device(d->udev, path);
	}
	return d->parent;
}

static bool
is_what(struct udev_device *d, const char *name, const char *wanted)
{
	const char *value = udev_list_value(d->properties, name);

	return wanted == NULL || (value != NULL && strcmp(value, wanted) == 0);
}

struct udev_device *
udev_device_get_parent_with_subsystem_devtype(
    struct udev_device *d, const char *subsystem, const char *devtype)
{
	struct udev_device *(*f)(
	    struct udev_device *, const char *, const char *);

	if (!udev_is_ours(d)) {
		f = (struct udev_device *
		    (*)(struct udev_device *, const char *, const char *))
		    udev_real(__func__);
		return f != NULL ? f(d, subsystem, devtype) : NULL;
	}
	do
		d = udev_device_get_parent(d);
	while (d != NULL &&
	    (!is_what(d, "SUBSYSTEM", subsystem) ||
		!is_what(d, "DEVTYPE", devtype)));
	return d;
}

const char *
udev_device_get_syspath(struct udev_device *d)
{
	return udev_is_ours(d) ? d->path : real_device_call(__func__, d);
}

const char *
udev_device_get_sysname(struct udev_device *d)
{
	return udev_is_ours(d) ? strrchr(d->path, '/') + 1
			       : real_device_call(__func__, d);
}

static const char *
property_of(const char *function, struct udev_device *d, const char *name)
{
	return udev_is_ours(d) ? udev_list_value(d->properties, name)
			       : real_device_call(function, d);
}

const char *
udev_device_get_devpath(struct udev_device *d)
{
	return property_of(__func__, d, "DEVPATH");
}

const char *
udev_device_get_devnode(struct udev_device *d)
{
	return property_of(__func__, d, "DEVNAME");
}

const char *
udev_device_get_subsystem(struct udev_device *d)
{
	return property_of(__func__, d, "SUBSYSTEM");
}

const char *
udev_device_get_devtype(struct udev_device *d)
{
	return property_of(__func__, d, "DEVTYPE");
}

const char *
udev_device_get_action(struct udev_device *d)
{
	return property_of(__func__, d, "ACTION");
}

const char *
udev_device_get_driver(struct udev_device *d)
{
	return property_of(__func__, d, "DRIVER");
}

dev_t
udev_device_get_devnum(struct udev_device *d)
{
	dev_t (*f)(struct udev_device *);
	const char *minor_text;

	if (!udev_is_ours(d)) {
		f = (dev_t(*)(struct udev_device *))udev_real(__func__);
		return f != NULL ? f(d) : 0;
	}
	minor_text = udev_list_value(d->properties, "MINOR");
	return minor_text != NULL
	    ? makedev(DRM_MAJOR, (unsigned)strtoul(minor_text, NULL, 10))
	    : 0;
}

int
udev_device_get_is_initialized(struct udev_device *d)
{
	int (*f)(struct udev_device *);

	if (udev_is_ours(d))
		return 1;
	f = (int (*)(struct udev_device *))udev_real(__func__);
	return f != NULL ? f(d) : 0;
}

const char *
udev_device_get_property_value(struct udev_device *d, const char *name)
{
	const char *(*f)(struct udev_device *, const char *);

	if (udev_is_ours(d))
		return udev_list_value(d->properties, name);
	f = (const char *(*)(struct udev_device *, const char *))udev_real(
	    __func__);
	return f != NULL ? f(d, name) : NULL;
}

/* Values are kept as long as the device, beside the names. */
const char *
udev_device_get_sysattr_value(struct udev_device *d, const char *name)
{
	const char *(*f)(struct udev_device *, const char *);
	struct udev_list_entry *all;
	char text[4096];

	if (!udev_is_ours(d)) {
		f = (const char *(*)(struct udev_device *,
		    const char *))udev_real(__func__);
		return f != NULL ? f(d, name) : NULL;
	}
	all = udev_device_get_sysattr_list_entry(d);
	all = all != NULL ? udev_list_entry_get_by_name(all, name) : NULL;
	if (all == NULL ||
	    (!read_attribute(d->path, name, text, sizeof text) &&
		!read_link_name(d->path, name, text, sizeof text)))
		return NULL;
	if (all->value == NULL || strcmp(all->value, text) != 0) {
		free(all->value);
		all->value = strdup(text);
	}
	return all->value;
}

struct udev_list_entry *
udev_device_get_properties_list_entry(struct udev_device *d)
{
	return udev_is_ours(d) ? d->properties : real_device_call(__func__, d);
}

struct udev_list_entry *
udev_device_get_sysattr_list_entry(struct udev_device *d)
{
	const struct dirent *e;
	DIR *dir;

	if (!udev_is_ours(d))
		return real_device_call(__func__, d);
	if (d->attributes != NULL || (dir = opendir(d->path)) == NULL)
		return d->attributes;
	while ((e = readdir(dir)) != NULL) {
		if (e->d_type == DT_REG || e->d_type == DT_LNK)
			udev_list_add(&d->attributes, e->d_name, NULL);
	}
	closedir(dir);
	return d->attributes;
}
