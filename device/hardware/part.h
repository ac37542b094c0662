/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts: Intel GPUs by PCI id, with the code names that filters take and the
 * version of their graphics, which the kernel does not say
 * (doc/model/libdrm.md "Parts").
 */
#ifndef DEVICE_HARDWARE_PART_H
#define DEVICE_HARDWARE_PART_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_part {
	uint16_t first, last; /* PCI ids */
	uint16_t graphics;    /* version x 100 */
	const char *codename;
};

/* Returns the part of an id; NULL: the table does not have it. */
const struct gpu_part *part_find(uint16_t pci_id);
/* Returns true if a part has that code name, in any letter case. */
bool part_is_codename(const char *name);

#endif
