/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of -D: how they are read, and which nodes they let through. */
#include "device/hardware/node_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "device/hardware/part.h"

#define FILTER_FORMS                                                           \
	"expected drm:/dev/dri/NODE, sys:PATH or pci:[vendor=intel|HEX]"       \
	"[,device=HEX|CODENAME][,card=N], e.g. drm:/dev/dri/renderD128"

static bool
refuse_filter(const char *text, struct text *err)
{
	text_adds(err, "invalid device '");
	text_add_visible(err, text, strlen(text));
	text_adds(err, "': " FILTER_FORMS);
	return false;
}

/* Reads all of a value as a number up to max. */
static bool
filter_number(const char *s, int base, long max, int32_t *value)
{
	char *end;
	long n = strtol(s, &end, base);

	if (s[strspn(s, "0123456789abcdefABCDEFx")] != '\0' || *end != '\0' ||
	    end == s || n < 0 || n > max)
		return false;
	*value = (int32_t)n;
	return true;
}

static bool
filter_device(struct node_filter *f, const char *value)
{
	if (f->device != FILTER_ANY || f->codename[0] != '\0')
		return false;
	if (filter_number(value, 16, 0xffff, &f->device))
		return true;
	if (!part_is_codename(value))
		return false;
	snprintf(f->codename, sizeof f->codename, "%s", value);
	return true;
}

static bool
filter_vendor(struct node_filter *f, const char *value)
{
	if (f->vendor != FILTER_ANY)
		return false;
	if (strcasecmp(value, "intel") != 0)
		return filter_number(value, 16, 0xffff, &f->vendor);
	f->vendor = INTEL_VENDOR;
	return true;
}

/* Reads KEY=VALUE, each key once. */
static bool
filter_field(struct node_filter *f, char *field)
{
	char *value = strchr(field, '=');

	if (value == NULL)
		return false;
	*value++ = '\0';
	if (strcmp(field, "device") == 0)
		return filter_device(f, value);
	if (strcmp(field, "card") == 0)
		return f->card == FILTER_ANY &&
		    filter_number(value, 10, 255, &f->card);
	return strcmp(field, "vendor") == 0 && filter_vendor(f, value);
}

/* Reads fields that commas separate; there may be none. */
static bool
filter_fields(struct node_filter *f, const char *text)
{
	char copy[128], *field = copy, *comma;

	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	if (*copy == '\0')
		return true;
	for (;; field = comma + 1) {
		comma = strchr(field, ',');
		if (comma != NULL)
			*comma = '\0';
		if (!filter_field(f, field))
			return false;
		if (comma == NULL)
			return true;
	}
}

bool
node_filter_read(struct node_filter *f, const char *text, struct text *err)
{
	*f = (struct node_filter){.kind = FILTER_ALL,
	    .vendor = FILTER_ANY,
	    .device = FILTER_ANY,
	    .card = FILTER_ANY};
	if (text == NULL)
		return true;
	if (strncmp(text, "pci:", 4) == 0) {
		f->kind = FILTER_PCI;
		return filter_fields(f, text + 4) || refuse_filter(text, err);
	}
	f->kind = strncmp(text, "drm:", 4) == 0 ? FILTER_DRM
	    : strncmp(text, "sys:", 4) == 0     ? FILTER_SYS
						: FILTER_ALL;
	f->path = text + 4;
	return (f->kind != FILTER_ALL && *f->path != '\0') ||
	    refuse_filter(text, err);
}

/* Returns true if both paths lead to the same file. */
static bool
leads_to(const char *a, const char *b)
{
	char *whole = *b != '\0' ? realpath(b, NULL) : NULL;
	bool same = whole != NULL && strcmp(a, whole) == 0;

	free(whole);
	return same;
}

/* Returns true if a folder of sysfs is that of the GPU's device, or of one of
 * its nodes, which are in /sys/class/drm too. */
static bool
is_sysfs_of(const char *folder, const struct node *node)
{
	const char *const nodes[] = {node->card, node->render};
	bool same = leads_to(folder, node->sysfs);

	for (size_t i = 0; !same && i < 2; i++) {
		const char *slash = strrchr(nodes[i], '/');
		char path[NODE_PATH + 16];

		if (slash == NULL)
			continue;
		snprintf(path, sizeof path, "/sys/class/drm%s", slash);
		same = leads_to(folder, path);
	}
	return same;
}

static bool
takes_path(const struct node_filter *f, const struct node *node)
{
	char *whole = realpath(f->path, NULL);
	bool takes = false;

	if (whole != NULL && f->kind == FILTER_SYS)
		takes = is_sysfs_of(whole, node);
	else if (whole != NULL)
		takes = leads_to(whole, node->card) ||
		    leads_to(whole, node->render);
	free(whole);
	return takes;
}

bool
node_filter_takes(const struct node_filter *f, const struct node *node)
{
	switch (f->kind) {
	case FILTER_ALL: return true;
	case FILTER_DRM:
	case FILTER_SYS: return takes_path(f, node);
	case FILTER_PCI: break;
	}
	return node->is_pci &&
	    (f->vendor == FILTER_ANY || f->vendor == node->vendor) &&
	    (f->device == FILTER_ANY || f->device == node->device) &&
	    (f->codename[0] == '\0' ||
		(node->part != NULL && node->vendor == INTEL_VENDOR &&
		    strcasecmp(f->codename, node->part->codename) == 0));
}
