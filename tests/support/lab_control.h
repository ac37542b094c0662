/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls of the clients of a run while it goes on (engine/client/control.h), by a
 * test that knows their effects. */
#ifndef TESTS_SUPPORT_LAB_CONTROL_H
#define TESTS_SUPPORT_LAB_CONTROL_H

#include "engine/client/control.h"
#include "tests/support/lab.h"

/* Fails the test if it is refused. */
void lab_control(struct lab *lab, struct control control);
/* It must be, and with these words. */
void lab_refuse(struct lab *lab, struct control control, const char *why);

/* A client gets another program, at its next iteration. */
void lab_swap(struct lab *lab, uint32_t client, const char *text);
/* Its contexts are closed: its process dies (engine/client/client_run.h). persistent:
 * what it has in flight runs to its end. */
void lab_kill(struct lab *lab, uint32_t client, bool persistent);

#endif
