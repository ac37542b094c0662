/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --error-state=DIR: for each hang of a run DIR/error-N.txt and DIR/error-N.json,
 * N as hangs are counted, from 1. Files of a run before are replaced, and so is
 * a link in their place: what it leads to stays. The folder is made at the first
 * hang.
 */
#ifndef RUN_HANG_DUMP_HANG_DUMP_H
#define RUN_HANG_DUMP_HANG_DUMP_H

struct hang_dump;
struct plan;
struct run;
struct text;

/* NULL, and err says why: the folder can't be written to, or not be made. dir
 * is kept by reference. */
struct hang_dump *hang_dump_new(const char *dir, struct text *err);
/* Watches run, until error_files_leave; both stay where they are. */
void hang_dump_watch(
    struct hang_dump *files, const struct run *run, const struct plan *plan);
void hang_dump_leave(struct hang_dump *files);
/* NULL, or what the first file that could not be written has against it
 * ("DIR/error-1.txt: No space left on device"). Until free. */
const char *hang_dump_problem(const struct hang_dump *files);
/* It watches nothing. NULL is fine. */
void hang_dump_free(struct hang_dump *files);

#endif
