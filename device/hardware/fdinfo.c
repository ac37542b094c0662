/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fdinfo of files of a GPU: lines of "key: value". */
#include "device/hardware/fdinfo.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES 8192
#define ENGINE_KEY "drm-engine-"

/* The names of classes (i915_drm_client.c, uabi_class_names). */
static const char *const fdinfo_classes[N_CLASSES] = {
    [CLASS_RCS] = "render",
    [CLASS_BCS] = "copy",
    [CLASS_VCS] = "video",
    [CLASS_VECS] = "video-enhance",
    [CLASS_CCS] = "compute",
};

/* Sets the time of a class: "drm-engine-render: 9288864723 ns". Capacities, and
 * classes that are unknown, are none. */
static void
read_class(struct fdinfo *info, const char *name, const char *value)
{
	for (int i = 0; i < N_CLASSES; i++) {
		if (strcmp(name, fdinfo_classes[i]) != 0)
			continue;
		info->has_class[i] = true;
		info->busy_ns[i] = strtoull(value, NULL, 10);
	}
}

static void
read_fdinfo_line(struct fdinfo *info, const char *key, const char *value)
{
	if (strcmp(key, "drm-driver") == 0) {
		snprintf(info->driver, sizeof info->driver, "%s", value);
	} else if (strcmp(key, "drm-pdev") == 0) {
		snprintf(info->address, sizeof info->address, "%s", value);
	} else if (strcmp(key, "drm-client-id") == 0) {
		info->id = strtoull(value, NULL, 10);
		info->has_id = true;
	} else if (strncmp(key, ENGINE_KEY, sizeof ENGINE_KEY - 1) == 0) {
		read_class(info, key + sizeof ENGINE_KEY - 1, value);
	}
}

bool
fdinfo_parse(struct fdinfo *info, char *text)
{
	char *rest = text, *line, *value;

	*info = (struct fdinfo){0};
	while ((line = strsep(&rest, "\n")) != NULL) {
		value = strchr(line, ':');
		if (value == NULL)
			continue;
		*value++ = '\0';
		while (isspace((unsigned char)*value))
			value++;
		read_fdinfo_line(info, line, value);
	}
	return *info->driver != '\0' && info->has_id;
}

bool
fdinfo_read(struct fdinfo *info, const char *proc, pid_t pid, int fd)
{
	char path[64 + 64], text[MOST_BYTES];
	ssize_t n;
	int file;

	snprintf(path, sizeof path, "%.64s/%d/fdinfo/%d", proc, (int)pid, fd);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	n = read(file, text, sizeof text - 1);
	close(file);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return fdinfo_parse(info, text);
}

bool
fdinfo_has_engines(const struct fdinfo *info)
{
	for (int i = 0; i < N_CLASSES; i++)
		if (info->has_class[i])
			return true;
	return false;
}
