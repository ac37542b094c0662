/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file "a" in the current folder, which tests of saving write over. */
#ifndef TESTS_SUPPORT_SAVE_SCENE_H
#define TESTS_SUPPORT_SAVE_SCENE_H

#include "base/file.h"
#include "base/text.h"

/* The text that is saved: "ours" and a line end. */
extern const struct text save_scene_text;

/* Makes the file anew with these contents and returns its stamp. */
struct file_stamp save_scene_begin(const char *contents);
/* Fails if a save has left a temporary file. */
void expect_no_save_files(void);

#endif
