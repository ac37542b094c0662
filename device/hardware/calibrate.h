/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calibration: measures what a GPU takes for the steps that a profile has costs
 * for, and makes a profile of it (doc/model/libdrm.md "Calibration").
 */
#ifndef DEVICE_HARDWARE_CALIBRATE_H
#define DEVICE_HARDWARE_CALIBRATE_H

#include <stdbool.h>

struct hardware;
struct profile;
struct text;

struct calibration;

/* Prepares to measure a GPU that is open; freed with calibration_free(). base:
 * the profile whose knobs count where nothing is measured. */
struct calibration *calibration_new(
    struct hardware *hw, const struct profile *base);
void calibration_free(struct calibration *c);

/*
 * Makes the next measurement. Appends to line what it found, and to warning what
 * makes its figures doubtful. Returns false after the last one, or if the GPU
 * does not run its batches: err says why then. Blocks for some tenths of a second.
 */
bool calibration_step(struct calibration *c, struct text *line,
    struct text *warning, struct text *err);

/* Appends the profile, with the source of each knob in a comment. */
void calibration_print(const struct calibration *c, struct text *out);

#endif
