/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tests run, in which order. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/runner.h"

/* Takes over the name. */
static struct job *
new_job(struct jobs *jobs, char *name, size_t group)
{
	if (jobs->n == jobs->cap) {
		jobs->cap = jobs->cap ? jobs->cap * 2 : 1024;
		jobs->list = realloc(
		    jobs->list, jobs->cap * sizeof *jobs->list);
		if (jobs->list == NULL)
			abort();
	}
	jobs->list[jobs->n] = (struct job){.name = name, .group = group};
	return &jobs->list[jobs->n++];
}

/* "tests/engine/test_hangs.c" and "x" are "engine/hangs/x". */
static char *
name_of(const struct test *test, size_t *group)
{
	const char *path = test->file, *file = strrchr(test->file, '/');
	char *name;

	if (strncmp(path, "tests/", 6) == 0)
		path += 6;
	file = file != NULL ? file + 1 : path;
	if (strncmp(file, "test_", 5) == 0)
		file += 5;
	if (asprintf(&name, "%.*s%.*s/%s",
		(int)(strrchr(test->file, '/') + 1 - path), path,
		(int)strcspn(file, "."), file, test->name) < 0)
		abort();
	*group = strlen(name) - strlen(test->name) - 1;
	return name;
}

void
runner_add_own(struct jobs *jobs)
{
	for (struct test *test = first_test; test != NULL; test = test->next) {
		size_t group;
		char *name = name_of(test, &group);

		new_job(jobs, name, group)->test = test;
	}
}

void
runner_add_script(struct jobs *jobs, const char *path)
{
	const char *dot = strrchr(path, '.');
	struct job *job = new_job(
	    jobs, strndup(path, dot ? (size_t)(dot - path) : strlen(path)), 0);

	job->group = strlen(job->name);
	job->program = path;
	job->is_script = true;
}

void
runner_add_runner(struct jobs *jobs, const char *path)
{
	char line[512], command[4096];
	FILE *list;

	snprintf(command, sizeof command, "'%s' -l", path);
	list = popen(command, "r");
	while (list != NULL && fgets(line, sizeof line, list) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		new_job(jobs, strdup(line), strrchr(line, '/') - line)
		    ->program = path;
	}
	if (list == NULL || pclose(list) != 0) {
		fprintf(stderr, "%s does not list its tests\n", path);
		exit(1);
	}
}

static bool
matches(const char *name, char *const *patterns)
{
	if (*patterns == NULL)
		return true;
	for (; *patterns != NULL; patterns++)
		if (strstr(name, *patterns) || !fnmatch(*patterns, name, 0))
			return true;
	return false;
}

void
runner_select(struct jobs *jobs, char *const *patterns)
{
	size_t kept = 0;

	for (size_t i = 0; i < jobs->n; i++) {
		if (matches(jobs->list[i].name, patterns))
			jobs->list[kept++] = jobs->list[i];
		else
			free(jobs->list[i].name);
	}
	jobs->n = kept;
}

void
runner_leave_out(struct jobs *jobs, const char *pattern)
{
	char *const patterns[] = {(char *)(uintptr_t)pattern, NULL};
	size_t kept = 0;

	for (size_t i = 0; i < jobs->n; i++) {
		if (matches(jobs->list[i].name, patterns))
			free(jobs->list[i].name);
		else
			jobs->list[kept++] = jobs->list[i];
	}
	jobs->n = kept;
}

static int
by_name(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Longest first, so that no core is idle while the last test runs. */
static int
by_time(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	if (x->expected != y->expected)
		return x->expected < y->expected ? 1 : -1;
	return by_name(a, b);
}

void
runner_read_times(struct jobs *jobs, const char *path)
{
	FILE *f = fopen(path, "r");
	char name[512];
	double seconds;

	qsort(jobs->list, jobs->n, sizeof *jobs->list, by_name);
	while (f != NULL && fscanf(f, "%lf %511[^\n]", &seconds, name) == 2) {
		struct job *job = bsearch(&(struct job){.name = name},
		    jobs->list, jobs->n, sizeof *jobs->list, by_name);

		if (job != NULL)
			job->expected = seconds;
	}
	if (f != NULL)
		fclose(f);
	qsort(jobs->list, jobs->n, sizeof *jobs->list, by_time);
}

/* Half a second and more: the order of the rest does not matter. */
void
runner_write_times(const struct jobs *jobs, const char *path)
{
	FILE *f = fopen(path, "w");

	for (size_t i = 0; f != NULL && i < jobs->n; i++)
		if (jobs->list[i].seconds >= 0.5)
			fprintf(f, "%.1f %s\n", jobs->list[i].seconds,
			    jobs->list[i].name);
	if (f != NULL)
		fclose(f);
}

void
runner_free(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		free(jobs->list[i].name);
	free(jobs->list);
}
