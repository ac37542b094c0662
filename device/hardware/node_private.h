/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of nodes, as read (node_filter.c). */
#ifndef DEVICE_HARDWARE_NODE_PRIVATE_H
#define DEVICE_HARDWARE_NODE_PRIVATE_H

#include "device/hardware/node.h"

enum filter_kind { FILTER_ALL, FILTER_DRM, FILTER_SYS, FILTER_PCI };

#define FILTER_ANY   -1
#define INTEL_VENDOR 0x8086

struct node_filter {
	enum filter_kind kind;
	const char *path;  /* DRM, SYS; part of the filter's text */
	int32_t vendor;    /* PCI; FILTER_ANY */
	int32_t device;    /* FILTER_ANY */
	char codename[32]; /* "": none */
	int32_t card;      /* FILTER_ANY */
};

/* Reads a filter; NULL: FILTER_ALL. False: err says what was expected. */
bool node_filter_read(
    struct node_filter *f, const char *text, struct text *err);
/* Returns true if the filter lets that node through, whatever its card is. */
bool node_filter_takes(const struct node_filter *f, const struct node *node);

#endif
