/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the folder of device/tree marks the files that the device must open
 * itself (WIRE_OPEN), for the preload library. All others are ordinary; so are
 * live ones, but nodes, that the device leaves to the program (WIRE_NOT_MINE).
 */
#ifndef DEVICE_WIRE_LIVE_H
#define DEVICE_WIRE_LIVE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Mode bits of a regular file that no other file of a tree has. A node is a
 * live file that programs see as a character device; the size of the file in
 * the tree is its device number, as makedev(3) makes it. */
#define WIRE_LIVE S_ISVTX
#define WIRE_NODE (S_ISVTX | S_ISUID)

/* Prefix of the name of a memfd with the text of a live file; the file's path
 * follows, by which it is opened anew. */
#define WIRE_TEXT "gpuwl:"

static inline bool
wire_is_live(mode_t mode)
{
	return S_ISREG(mode) && (mode & WIRE_LIVE) != 0;
}

static inline bool
wire_is_node(mode_t mode)
{
	return S_ISREG(mode) && (mode & WIRE_NODE) == WIRE_NODE;
}

#endif
