/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fdinfo: what the driver says of an open file of a GPU, in /proc/PID/fdinfo/N
 * (Documentation/gpu/drm-usage-stats.rst; doc/model/libdrm.md "Busyness").
 */
#ifndef DEVICE_HARDWARE_FDINFO_H
#define DEVICE_HARDWARE_FDINFO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/nsec.h"
#include "parser/engine_name.h"

struct fdinfo {
	char driver[16], address[24]; /* of PCI; "": not said */
	uint64_t id; /* of the client: one for all files that share it */
	bool has_id;
	bool has_class[N_CLASSES];
	nsec busy_ns[N_CLASSES]; /* by class, since the file was opened */
};

/* Reads what proc (of PROC, or a copy) says of a descriptor of a process. False:
 * it cannot be read, or is no file of a GPU. */
bool fdinfo_read(struct fdinfo *info, const char *proc, pid_t pid, int fd);
/* The same of the text of such a file. */
bool fdinfo_parse(struct fdinfo *info, char *text);
/* Returns true if the file says how long engines were busy. */
bool fdinfo_has_engines(const struct fdinfo *info);

#define PROC "/proc"

#endif
