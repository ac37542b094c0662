/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that each mutant (tests/mutants/mutant.h) can still be made, and that
 * the tests that are to detect it exist. For tools/run-mutants.sh, which builds
 * and tries them: --list prints "NAME FILE TESTS WHAT EQUIVALENT", tabs between;
 * --apply NAME TREE puts one into a copy of the sources. All run in the folder that
 * has tests/.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/mutants/mutant.h"
#include "tests/runner/runner.h"
#include "tests/runner/test.h"

#define LISTS "tests/mutants/*.mutants"

/* The names of all lists, and what stands in them. */
struct lists {
	glob_t files;
	struct mutants mutants;
};

static bool
read_file(const char *path, struct text *out, struct text *err)
{
	struct file_stamp stamp;

	return file_read(path, out, &stamp, err);
}

static bool
load(struct lists *lists, struct text *err)
{
	*lists = (struct lists){0};
	if (glob(LISTS, 0, NULL, &lists->files) != 0) {
		text_adds(err, "no files " LISTS);
		return false;
	}
	for (size_t i = 0; i < lists->files.gl_pathc; i++) {
		const char *path = lists->files.gl_pathv[i];
		struct text t = {0};
		bool ok = read_file(path, &t, err) &&
		    mutants_parse(&lists->mutants, path, text_str(&t), err);

		text_free(&t);
		if (!ok)
			return false;
	}
	return true;
}

static void
unload(struct lists *lists)
{
	mutants_free(&lists->mutants);
	globfree(&lists->files);
}

static bool
apply_to(const char *tree, const struct mutant *m, struct text *out,
    struct text *err)
{
	struct text path = {0}, source = {0};
	bool ok;

	text_addf(&path, "%s/%s", tree, m->file);
	ok = read_file(text_str(&path), &source, err) &&
	    mutant_apply(m, text_str(&source), out, err);
	text_free(&path);
	text_free(&source);
	return ok;
}

TEST(each_can_be_made)
{
	struct text err = {0};
	struct lists lists;
	unsigned wrong = 0;

	if (!load(&lists, &err))
		fail_msg("%s", text_str(&err));
	assert_true(lists.mutants.n > 0);
	for (size_t i = 0; i < lists.mutants.n; i++) {
		struct text out = {0}, why = {0};

		if (!apply_to(".", &lists.mutants.all[i], &out, &why)) {
			print_error("%s\n", text_str(&why));
			wrong++;
		}
		text_free(&out);
		text_free(&why);
	}
	unload(&lists);
	assert_int_equal(wrong, 0);
}

TEST(names_are_unique)
{
	struct text err = {0};
	struct lists lists;

	assert_true(load(&lists, &err));
	for (size_t i = 0; i < lists.mutants.n; i++) {
		const char *name = lists.mutants.all[i].name;

		assert_int_equal(
		    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
		    strlen(name));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(
			    name, lists.mutants.all[k].name);
	}
	unload(&lists);
}

/* Adds the tests of both runners. */
static void
find_tests(struct jobs *jobs)
{
	const char *own = test_runner();
	struct text other = {0};

	text_addf(&other, "%.*s/preload", (int)(strrchr(own, '/') - own), own);
	runner_add_own(jobs);
	runner_add_runner(jobs, text_str(&other));
	text_free(&other);
}

static bool
has_test(const struct jobs *jobs, const char *name, size_t len)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (strlen(jobs->list[i].name) == len &&
		    memcmp(jobs->list[i].name, name, len) == 0)
			return true;
	return false;
}

/* Returns the number of tests that the mutant names and that do not exist. */
static unsigned
count_missing(const struct jobs *jobs, const struct mutant *m)
{
	unsigned n = 0;
	size_t len;

	for (const char *s = m->tests; s != NULL && *s != '\0';
	     s += len + strspn(s + len, " ")) {
		len = strcspn(s, " ");
		if (has_test(jobs, s, len))
			continue;
		print_error("%s:%u: mutant '%s': no test %.*s\n", m->list,
		    m->line, m->name, (int)len, s);
		n++;
	}
	return n;
}

TEST(their_tests_exist)
{
	struct text err = {0};
	struct jobs jobs = {0};
	struct lists lists;
	unsigned missing = 0;

	assert_true(load(&lists, &err));
	find_tests(&jobs);
	for (size_t i = 0; i < lists.mutants.n; i++)
		missing += count_missing(&jobs, &lists.mutants.all[i]);
	runner_free(&jobs);
	unload(&lists);
	assert_int_equal(missing, 0);
}

#define TWO                                                                    \
	"# faults\n"                                                           \
	"mutant a: what it is: this\n"                                         \
	"in x.c\n"                                                             \
	"- if (a &&\n"                                                         \
	"- b)\n"                                                               \
	"+ if (a)\n"                                                           \
	"\n"                                                                   \
	"mutant b: nothing\n"                                                  \
	"in x.c\n"                                                             \
	"- b();\n"                                                             \
	"+\n"                                                                  \
	"equivalent: nobody looks\n"                                           \
	"tests: r/f/a r/f/b\n"

TEST(old_text_is_found_however_it_is_broken)
{
	static const char source[] = "if (a\n\t&& b) {\n\tb( );\n}\n";
	struct text out = {0}, err = {0};
	struct mutants m = {0};

	assert_true(mutants_parse(&m, "list", TWO, &err));
	assert_int_equal(m.n, 2);
	assert_string_equal(m.all[0].what, "what it is: this");
	assert_null(m.all[0].equivalent);
	assert_string_equal(m.all[1].equivalent, "nobody looks");
	assert_null(m.all[0].tests);
	assert_string_equal(m.all[1].tests, "r/f/a r/f/b");
	assert_true(mutant_apply(&m.all[0], source, &out, &err));
	assert_string_equal(text_str(&out), " if (a) {\n\tb( );\n}\n");
	text_free(&out);
	assert_true(mutant_apply(&m.all[1], source, &out, &err));
	assert_string_equal(text_str(&out), "if (a\n\t&& b) {\n\t\n}\n");
	text_free(&out);
	mutants_free(&m);
}

static void
expect_not_made(const char *source, const char *what)
{
	struct text out = {0}, err = {0};
	struct mutants m = {0};

	assert_true(mutants_parse(&m, "list", TWO, &err));
	assert_false(mutant_apply(&m.all[1], source, &out, &err));
	assert_non_null(strstr(text_str(&err), what));
	assert_non_null(strstr(text_str(&err), "list:8: mutant 'b'"));
	text_free(&err);
	mutants_free(&m);
}

TEST(old_text_is_there_once)
{
	expect_not_made("c();\n", "is 0 times in x.c");
	expect_not_made("b();\nb();\n", "is 2 times in x.c");
}

static void
expect_no_list(const char *text, const char *what)
{
	struct mutants m = {0};
	struct text err = {0};

	assert_false(mutants_parse(&m, "list", text, &err));
	if (strstr(text_str(&err), what) == NULL)
		fail_msg("no '%s' in '%s'", what, text_str(&err));
	text_free(&err);
	mutants_free(&m);
}

TEST(lists_say_what_is_missing)
{
	expect_no_list("in x.c\n", "list:1: expected 'mutant NAME: WHAT'");
	expect_no_list("mutant a\n", "list:1: expected 'mutant NAME: WHAT'");
	expect_no_list("mutant a: b\nin x.c\n+ b\n", "list:1: a mutant needs");
	expect_no_list("mutant a: b\n- a\n+ b\nmutant", "list:4: expected");
	expect_no_list("mutant a: b\n- a\n+ b\nmutant c: d\n", "list:1: a mut");
}

static void
list(const struct mutants *mutants)
{
	for (size_t i = 0; i < mutants->n; i++) {
		const struct mutant *m = &mutants->all[i];

		printf("%s\t%s\t%s\t%s\t%s\n", m->name, m->file,
		    m->tests != NULL ? m->tests : "behaviours", m->what,
		    m->equivalent != NULL ? m->equivalent : "");
	}
}

static bool
write_into(const char *tree, const char *file, const struct text *t)
{
	struct text path = {0};
	FILE *f;
	bool ok;

	text_addf(&path, "%s/%s", tree, file);
	f = fopen(text_str(&path), "w");
	ok = f != NULL && fwrite(text_str(t), 1, t->len, f) == t->len;
	if (f != NULL)
		ok = fclose(f) == 0 && ok;
	text_free(&path);
	return ok;
}

static bool
apply(const struct mutants *mutants, const char *name, const char *tree)
{
	struct text out = {0}, err = {0};
	const struct mutant *m = NULL;
	bool ok = false;

	for (size_t i = 0; i < mutants->n; i++) {
		if (strcmp(mutants->all[i].name, name) == 0)
			m = &mutants->all[i];
	}
	if (m == NULL)
		text_addf(&err, "no mutant '%s'", name);
	else
		ok = apply_to(tree, m, &out, &err) &&
		    write_into(tree, m->file, &out);
	if (!ok)
		fprintf(stderr, "%s\n", text_str(&err));
	text_free(&out);
	text_free(&err);
	return ok;
}

ROLE(mutants)
{
	struct text err = {0};
	struct lists lists;
	bool ok = true;

	if (!load(&lists, &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		return 1;
	}
	if (argc == 4 && strcmp(argv[1], "--apply") == 0)
		ok = apply(&lists.mutants, argv[2], argv[3]);
	else
		list(&lists.mutants);
	unload(&lists);
	return !ok;
}
