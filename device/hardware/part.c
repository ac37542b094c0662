/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of parts. Ids of one family are next to each other, so that a row is
 * a range; a range may have ids that no part was given.
 */
#include "device/hardware/part.h"

#include <stddef.h>
#include <strings.h>

/* Linux 6.11, include/drm/i915_pciids.h and drivers/gpu/drm/i915/i915_pci.c;
 * code names as IGT has them. The first range that has an id counts. */
static const struct gpu_part parts[] = {
    {0x0152, 0x0152, 700, "ivybridge"},
    {0x0155, 0x0155, 700, "valleyview"},
    {0x0156, 0x0156, 700, "ivybridge"},
    {0x0157, 0x0157, 700, "valleyview"},
    {0x015a, 0x016a, 700, "ivybridge"},
    {0x0f30, 0x0f33, 700, "valleyview"},
    {0x0402, 0x042e, 750, "haswell"},
    {0x0a02, 0x0a2e, 750, "haswell"},
    {0x0c02, 0x0c2e, 750, "haswell"},
    {0x0d02, 0x0d2e, 750, "haswell"},
    {0x1602, 0x163e, 800, "broadwell"},
    {0x22b0, 0x22b3, 800, "cherryview"},
    {0x0a84, 0x0a84, 900, "broxton"},
    {0x1a84, 0x1a85, 900, "broxton"},
    {0x5a84, 0x5a85, 900, "broxton"},
    {0x1902, 0x193d, 900, "skylake"},
    {0x3184, 0x3185, 900, "geminilake"},
    {0x3e90, 0x3eab, 900, "coffeelake"},
    {0x87ca, 0x87ca, 900, "coffeelake"},
    {0x5902, 0x593b, 900, "kabylake"},
    {0x87c0, 0x87c0, 900, "kabylake"},
    {0x9b21, 0x9bf6, 900, "cometlake"},
    {0x8a50, 0x8a71, 1100, "icelake"},
    {0x4541, 0x4571, 1100, "elkhartlake"},
    {0x4e51, 0x4e71, 1100, "jasperlake"},
    {0x9a40, 0x9af8, 1200, "tigerlake"},
    {0x4c80, 0x4c9a, 1200, "rocketlake"},
    {0x4680, 0x4693, 1200, "alderlake_s"},
    {0xa780, 0xa78b, 1200, "raptorlake_s"},
    {0x4626, 0x462a, 1200, "alderlake_p"},
    {0x46a0, 0x46c3, 1200, "alderlake_p"},
    {0xa720, 0xa721, 1200, "raptorlake_p"},
    {0xa7a0, 0xa7ad, 1200, "raptorlake_p"},
    {0x46d0, 0x46d4, 1200, "alderlake_n"},
    {0x4905, 0x4909, 1210, "dg1"},
    {0x0201, 0x0210, 1250, "xehpsdv"},
    {0x4f80, 0x4f88, 1255, "dg2"},
    {0x5690, 0x56bf, 1255, "dg2"},
    {0x56c0, 0x56c2, 1255, "ats_m"},
    {0x0b69, 0x0bdb, 1260, "pontevecchio"},
    {0x7d41, 0x7d41, 1270, "arrowlake"},
    {0x7d51, 0x7d51, 1274, "arrowlake"},
    {0x7d67, 0x7d67, 1270, "arrowlake"},
    {0x7dd1, 0x7dd1, 1274, "arrowlake"},
    {0x7d40, 0x7dd5, 1270, "meteorlake"},
};

#define N_PARTS (sizeof parts / sizeof *parts)

const struct gpu_part *
part_find(uint16_t pci_id)
{
	for (size_t i = 0; i < N_PARTS; i++)
		if (pci_id >= parts[i].first && pci_id <= parts[i].last)
			return &parts[i];
	return NULL;
}

bool
part_is_codename(const char *name)
{
	for (size_t i = 0; i < N_PARTS; i++)
		if (strcasecmp(parts[i].codename, name) == 0)
			return true;
	return false;
}
