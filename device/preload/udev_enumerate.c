/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Enumerations of libudev. They are the real library's objects; for one that
 * looks for DRM or PCI devices the tree's are listed instead of the machine's,
 * as its paths are.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/preload/real.h"
#include "device/preload/udev.h"

/* An enumeration. */
struct search {
	const struct udev_enumerate *of;
	bool drm, pci;                      /* subsystems to list */
	struct udev_list_entry *properties; /* patterns; one has to match */
	struct udev_list_entry *result;
	struct search *next;
};

static struct search *searches;
static pthread_mutex_t searches_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns what is known of e; makes it if `new`. Called with the lock. */
static struct search *
search_of(const struct udev_enumerate *e, bool new)
{
	struct search *s = searches;

	while (s != NULL && s->of != e)
		s = s->next;
	if (s == NULL && new && (s = calloc(1, sizeof *s)) != NULL) {
		s->of = e;
		s->next = searches;
		searches = s;
	}
	return s;
}

static int
real_match(const char *function, struct udev_enumerate *e, const char *text)
{
	int (*f)(struct udev_enumerate *, const char *) =
	    (int (*)(struct udev_enumerate *, const char *))udev_real(function);

	return f != NULL ? f(e, text) : 0;
}

int
udev_enumerate_add_match_subsystem(
    struct udev_enumerate *e, const char *subsystem)
{
	struct search *s;

	if (real_place()->root_len > 0 && subsystem != NULL) {
		pthread_mutex_lock(&searches_lock);
		s = search_of(e, true);
		if (s != NULL && strcmp(subsystem, "drm") == 0)
			s->drm = true;
		if (s != NULL && strcmp(subsystem, "pci") == 0)
			s->pci = true;
		pthread_mutex_unlock(&searches_lock);
	}
	return real_match(__func__, e, subsystem);
}

int
udev_enumerate_add_match_property(
    struct udev_enumerate *e, const char *name, const char *value)
{
	int (*f)(struct udev_enumerate *, const char *, const char *);
	struct search *s;

	if (real_place()->root_len > 0 && name != NULL) {
		pthread_mutex_lock(&searches_lock);
		s = search_of(e, true);
		if (s != NULL)
			udev_list_add(&s->properties, name, value);
		pthread_mutex_unlock(&searches_lock);
	}
	f = (int (*)(struct udev_enumerate *, const char *,
	    const char *))udev_real(__func__);
	return f != NULL ? f(e, name, value) : 0;
}

static bool
udev_matches(const struct search *s, struct udev_device *d)
{
	const struct udev_list_entry *p = s->properties;

	if (p == NULL)
		return true;
	for (; p != NULL; p = p->next) {
		const char *value = udev_device_get_property_value(d, p->name);

		if (value != NULL &&
		    (p->value == NULL || fnmatch(p->value, value, 0) == 0))
			return true;
	}
	return false;
}

/* Adds the devices of a folder of links. */
static void
udev_list_folder(struct search *s, const char *folder)
{
	char path[PATH_MAX];
	struct udev_device *d;
	const struct dirent *e;
	DIR *dir = opendir(folder);

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.' ||
		    snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >=
			PATH_MAX)
			continue;
		d = udev_device_new_from_syspath(NULL, path);
		if (d != NULL && udev_matches(s, d))
			udev_list_add(
			    &s->result, udev_device_get_syspath(d), NULL);
		udev_device_unref(d);
	}
	if (dir != NULL)
		closedir(dir);
}

static int
compare_entries(const void *a, const void *b)
{
	return -strcmp((*(struct udev_list_entry *const *)a)->name,
	    (*(struct udev_list_entry *const *)b)->name);
}

/* Sorts by name, as libudev's lists are. */
static struct udev_list_entry *
sorted(struct udev_list_entry *list)
{
	struct udev_list_entry *all[16];
	size_t n = 0;

	for (; list != NULL && n < sizeof all / sizeof *all; list = list->next)
		all[n++] = list;
	if (n > 0)
		qsort(all, n, sizeof *all, compare_entries);
	for (size_t i = 0; i < n; i++) {
		all[i]->next = list;
		list = all[i];
	}
	return list;
}

/* True if e lists devices of the tree; it does so then. */
static bool
scan_tree(const struct udev_enumerate *e)
{
	struct search *s;
	bool ours;

	pthread_mutex_lock(&searches_lock);
	s = search_of(e, false);
	ours = s != NULL && (s->drm || s->pci);
	if (ours) {
		udev_list_free(s->result);
		s->result = NULL;
		if (s->drm)
			udev_list_folder(s, "/sys/class/drm");
		if (s->pci)
			udev_list_folder(s, "/sys/bus/pci/devices");
		s->result = sorted(s->result);
	}
	pthread_mutex_unlock(&searches_lock);
	return ours;
}

int
udev_enumerate_scan_devices(struct udev_enumerate *e)
{
	int (*f)(struct udev_enumerate *);

	if (scan_tree(e))
		return 0;
	f = (int (*)(struct udev_enumerate *))udev_real(__func__);
	return f != NULL ? f(e) : 0;
}

struct udev_list_entry *
udev_enumerate_get_list_entry(struct udev_enumerate *e)
{
	struct udev_list_entry *(*f)(struct udev_enumerate *);
	const struct search *s;

	pthread_mutex_lock(&searches_lock);
	s = search_of(e, false);
	pthread_mutex_unlock(&searches_lock);
	if (s != NULL && (s->drm || s->pci))
		return s->result;
	f = (struct udev_list_entry * (*)(struct udev_enumerate *))
	    udev_real(__func__);
	return f != NULL ? f(e) : NULL;
}

/* Frees all of e with its first reference: programs have one. */
struct udev_enumerate *
udev_enumerate_unref(struct udev_enumerate *e)
{
	struct udev_enumerate *(*f)(struct udev_enumerate *);
	struct search *s, **at;

	pthread_mutex_lock(&searches_lock);
	for (at = &searches; (s = *at) != NULL; at = &s->next) {
		if (s->of != e)
			continue;
		*at = s->next;
		udev_list_free(s->properties);
		udev_list_free(s->result);
		free(s);
		break;
	}
	pthread_mutex_unlock(&searches_lock);
	f = (struct udev_enumerate * (*)(struct udev_enumerate *))
	    udev_real(__func__);
	return f != NULL ? f(e) : NULL;
}
