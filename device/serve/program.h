/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that are to be started on the virtual device: where they are, and
 * whether the preload library can be loaded into them. A dynamic loader ignores
 * LD_PRELOAD for set-user-ID programs (ld.so(8)), a static program has none,
 * and a 32-bit one cannot load a 64-bit library. Such a program would run on
 * the real machine instead of the device, so it is refused before it starts.
 */
#ifndef DEVICE_SERVE_PROGRAM_H
#define DEVICE_SERVE_PROGRAM_H

struct text;

/* Exit statuses of env(1) and nice(1), which users of wrappers know. */
#define PROGRAM_CANNOT_RUN 126
#define PROGRAM_NOT_FOUND  127

/*
 * Finds the program as execvp(3) does: in the folders of $PATH unless name has
 * a slash. Follows the interpreter of a script ("#!"), but not what env(1) or a
 * shell starts. Returns 0 and sets *path, which the caller frees; else one of
 * the statuses above, with the reason in err.
 */
int program_find(const char *name, char **path, struct text *err);

#endif
