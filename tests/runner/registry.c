/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests, fixtures and roles, as constructors register them. */
#include <string.h>

#include "tests/runner/runner.h"

struct test *first_test;
static struct test **last_test = &first_test;
static struct test_fixtures *all_fixtures;
static struct test_role *all_roles;
static struct test_source *all_sources;

void
runner_add(struct test *test)
{
	*last_test = test;
	last_test = &test->next;
}

void
runner_add_fixtures(struct test_fixtures *fixtures)
{
	fixtures->next = all_fixtures;
	all_fixtures = fixtures;
}

void
runner_add_role(struct test_role *role)
{
	role->next = all_roles;
	all_roles = role;
}

void
runner_add_source(struct test_source *source)
{
	source->next = all_sources;
	all_sources = source;
}

void
test_run_sources(void)
{
	for (struct test_source *s = all_sources; s != NULL; s = s->next)
		s->add();
}

const struct test_fixtures *
test_fixtures_of(const struct test *test)
{
	static const struct test_fixtures none;

	for (struct test_fixtures *f = all_fixtures; f != NULL; f = f->next)
		if (strcmp(f->file, test->file) == 0)
			return f;
	return &none;
}

const struct test_role *
test_role_named(const char *name)
{
	struct test_role *r = all_roles;

	while (r != NULL && strcmp(r->name, name) != 0)
		r = r->next;
	return r;
}
