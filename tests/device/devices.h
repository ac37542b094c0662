/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices for tests of device/tree and device/preload. */
#ifndef TESTS_DEVICE_DEVICES_H
#define TESTS_DEVICE_DEVICES_H

#include "device/tree/tree.h"

static const struct tree_engine tgl_engines[] = {
    {"rcs0", TREE_RENDER, 0, 0x2000, 0, 1, 7500},
    {"bcs0", TREE_COPY, 0, 0x22000, 0, 1, 640},
    {"vcs0", TREE_VIDEO, 0, 0x1c0000, 3, 1, 640},
    {"vcs1", TREE_VIDEO, 1, 0x1d0000, 1, 1, 640},
    {"vecs0", TREE_VIDEO_ENHANCE, 0, 0x1c8000, 2, 1, 640},
};

static const struct tree_engine kbl_engines[] = {
    {"rcs0", TREE_RENDER, 0, 0x2000, 0, 1, 640},
    {"bcs0", TREE_COPY, 0, 0x22000, 0, 1, 640},
    {"vcs0", TREE_VIDEO, 0, 0x12000, 3, 1, 640},
    {"vecs0", TREE_VIDEO_ENHANCE, 0, 0x1a000, 0, 1, 640},
};

static const struct tree_engine ivb_engines[] = {
    {"rcs0", TREE_RENDER, 0, 0x2000, 0, -1, -1},
    {"bcs0", TREE_COPY, 0, 0x22000, 0, -1, -1},
    {"vcs0", TREE_VIDEO, 0, 0x12000, 0, -1, -1},
};

/* Tiger Lake, Kaby Lake, Ivy Bridge. */
static const struct tree_device test_devices[] = {
    {0x9a49, 1, tgl_engines, 5, 100, 400, 1300, 1300, 2500, 100, 8000, false,
	20000, false},
    {0x5916, 2, kbl_engines, 4, 300, 300, 1100, 1100, 2500, 100, 8000, false, 0,
	true},
    {0x0166, 9, ivb_engines, 3, 350, 650, 1150, 1150, 2500, 100, 8000, false, 0,
	false},
};

#endif
