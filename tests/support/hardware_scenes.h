/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenes of a program that uses a GPU through device/hardware: fences, maps,
 * priorities, infinite batches and so on. They print what happened, with times
 * in us since the first batch began.
 */
#ifndef TESTS_SUPPORT_HARDWARE_SCENES_H
#define TESTS_SUPPORT_HARDWARE_SCENES_H

/* Plays the scene of that name on the first GPU; returns the exit status. */
int hardware_scene(const char *name);
/* The same without CAP_SYS_NICE. */
int hardware_scene_as_user(const char *name);

#endif
