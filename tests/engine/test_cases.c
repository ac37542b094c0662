/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of cases beside this one are tests (tests/README.md "Cases"). */
#include "tests/runner/test.h"
#include "tests/support/cases.h"

TEST_SOURCE(engine_cases)
{
	cases_add("tests/engine/*.cases");
}
