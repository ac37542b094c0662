/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of libudev: names and values. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "device/preload/udev.h"

void (*udev_real(const char *name))(void)
{
	void *address = dlsym(RTLD_NEXT, name);
	void (*function)(void);

	memcpy(&function, &address, sizeof function);
	return function;
}

bool
udev_is_ours(const void *object)
{
	uint64_t word;

	if (object == NULL)
		return false;
	memcpy(&word, object, sizeof word);
	return word == UDEV_OURS;
}

void
udev_list_add(
    struct udev_list_entry **list, const char *name, const char *value)
{
	struct udev_list_entry *e = calloc(1, sizeof *e);

	if (e == NULL)
		return;
	e->ours = UDEV_OURS;
	e->name = strdup(name);
	e->value = value != NULL ? strdup(value) : NULL;
	e->next = *list;
	*list = e;
}

const char *
udev_list_value(const struct udev_list_entry *list, const char *name)
{
	for (; list != NULL; list = list->next) {
		if (strcmp(list->name, name) == 0)
			return list->value;
	}
	return NULL;
}

void
udev_list_free(struct udev_list_entry *list)
{
	while (list != NULL) {
		struct udev_list_entry *next = list->next;

		free(list->name);
		free(list->value);
		free(list);
		list = next;
	}
}

/* Asks the real library for a text of a real entry. */
static const char *
real_entry_text(const char *function, struct udev_list_entry *e)
{
	const char *(*f)(struct udev_list_entry *) =
	    (const char *(*)(struct udev_list_entry *))udev_real(function);

	return f != NULL ? f(e) : NULL;
}

struct udev_list_entry *
udev_list_entry_get_next(struct udev_list_entry *e)
{
	struct udev_list_entry *(*f)(struct udev_list_entry *);

	if (e == NULL)
		return NULL;
	if (udev_is_ours(e))
		return e->next;
	f = (struct udev_list_entry * (*)(struct udev_list_entry *))
	    udev_real(__func__);
	return f != NULL ? f(e) : NULL;
}

const char *
udev_list_entry_get_name(struct udev_list_entry *e)
{
	return udev_is_ours(e) ? e->name : real_entry_text(__func__, e);
}

const char *
udev_list_entry_get_value(struct udev_list_entry *e)
{
	return udev_is_ours(e) ? e->value : real_entry_text(__func__, e);
}

struct udev_list_entry *
udev_list_entry_get_by_name(struct udev_list_entry *e, const char *name)
{
	struct udev_list_entry *(*f)(struct udev_list_entry *, const char *);

	if (!udev_is_ours(e)) {
		f = (struct udev_list_entry *
		    (*)(struct udev_list_entry *, const char *))
		    udev_real(__func__);
		return f != NULL ? f(e, name) : NULL;
	}
	while (e != NULL && strcmp(e->name, name) != 0)
		e = e->next;
	return e;
}
