/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to device/service: the parts of a service. */
#ifndef DEVICE_SERVICE_SERVICE_PRIVATE_H
#define DEVICE_SERVICE_SERVICE_PRIVATE_H

#include <sys/resource.h>

#include "base/text.h"
#include "device/service/runs.h"
#include "device/service/service.h"

struct server;
struct turn_order;

struct service {
	struct service_settings settings;
	struct sim *sim;
	struct server *server;
	struct virtual_device *device;
	struct turn_order *turns; /* the server's; NULL: time is real */
	nsec alone_end;           /* wall clock: the device stops for others */
	uint32_t n_moves;         /* of the device, to look at that clock */
	struct runs runs;
	struct text root;   /* folder of the device's files; "": none */
	uint32_t unknown;   /* header of a command that was reported */
	unsigned n_unknown; /* reports */
	int timer_slack;    /* ns, before the device served; 0: not known */
	struct rlimit descriptors; /* before the device served; 0: not known */
};

/* in_turns.c */
void service_begin_turns(struct service *s);

#endif
