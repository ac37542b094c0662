/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder that the runner made for this test, and removes with all that is in it
 * after the test. Whatever can't be done fails the test. */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

#include <stddef.h>

const char *test_folder(void);
/* A path in it. The text is good until 8 more calls. */
const char *test_path(const char *name);
/* From now on it is the current one. */
void enter_test_folder(void);
/* Fixtures: the same; and state files of the console are in it, too. */
int in_test_folder(void **state);
int in_state_folder(void **state);
/* Makes virtual devices those of the test's folder, whichever a console of this user
 * serves elsewhere. */
void use_own_devices(void);
/* "XDG_STATE_HOME=" and a path in it, for the environment of a console. */
char *test_state_home(void);

void write_file(const char *path, const char *contents);
/* All of a file, with a 0 behind it; to be freed. len may be NULL. */
char *read_whole(const char *path, size_t *len);
char *read_open_file(int fd, size_t *len);
void expect_file(const char *path, const char *contents);

#endif
