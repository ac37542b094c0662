/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a page of --report is well-formed, stricter than HTML asks: all
 * elements are closed in their order, all attributes quoted, each & begins a known
 * entity, only elements that pages use, and nothing that loads or runs anything. */
#ifndef TESTS_SUPPORT_PAGE_CHECK_H
#define TESTS_SUPPORT_PAGE_CHECK_H

/* Fails the test with the place of the first fault. */
void page_check(const char *page);

#endif
