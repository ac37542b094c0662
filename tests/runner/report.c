/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a line for each file, all that a failed test wrote, and the counts. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/runner.h"

/* Copies what a test wrote, with four spaces before each line. */
static void
print_output(const char *out, size_t len)
{
	while (len > 0) {
		const char *end = memchr(out, '\n', len);
		size_t n = end ? (size_t)(end - out) : len;

		printf("    %.*s\n", (int)n, out);
		n += end != NULL;
		out += n;
		len -= n;
	}
}

/* A skip needs a reason that the list in SKIPS has, where there is a list. */
static bool
skip_is_allowed(const char *reason)
{
	const char *path = getenv("SKIPS");
	FILE *list = path != NULL && *path != '\0' ? fopen(path, "r") : NULL;
	char line[512];
	bool found = list == NULL;

	while (!found && fgets(line, sizeof line, list) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		found = strcmp(line, reason) == 0;
	}
	if (list != NULL)
		fclose(list);
	return found;
}

/* Changes the status of a test whose skip is not allowed. */
static void
check_skip(struct job *job, const char *out, size_t len)
{
	static const char mark[] = "skipped: ";
	const char *at = len > 0 ? memmem(out, len, mark, strlen(mark)) : NULL;
	char reason[512] = "no reason given";

	if (at != NULL)
		sscanf(at + strlen(mark), "%511[^\n]", reason);
	if (skip_is_allowed(reason)) {
		if (getenv("V") != NULL)
			printf("skip %s: %s\n", job->name, reason);
		return;
	}
	printf("skipped, but not for a reason in %s: %s\n", getenv("SKIPS"),
	    reason);
	job->status = 1;
}

static void
count(struct job *job, struct counts *counts)
{
	struct stat st = {0};
	char *out = NULL;
	bool show;

	if (fstat(job->out, &st) == 0 && st.st_size > 0)
		out = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED,
		    job->out, 0);
	if (job->status == STATUS_SKIPPED)
		check_skip(job, out, (size_t)st.st_size);
	if (job->status == STATUS_SKIPPED)
		counts->skipped++;
	else if (job->status == 0)
		counts->passed++;
	else
		counts->failed++;
	show = job->status != 0 && job->status != STATUS_SKIPPED;
	if (show || getenv("V") != NULL)
		print_output(out, (size_t)st.st_size);
	if (show && job->status == STATUS_STOPPED)
		printf("    stopped after %.0f s\n", job->seconds);
	if (show)
		printf("FAIL %s (status %d)\n", job->name, job->status);
	if (st.st_size > 0)
		munmap(out, (size_t)st.st_size);
}

static bool
same_group(const struct job *a, const struct job *b)
{
	return a->group == b->group && !strncmp(a->name, b->name, a->group);
}

/* A line for a file all of whose tests have ended. */
static void
print_group(const struct jobs *jobs, const struct job *of)
{
	struct counts of_group = {0};
	double seconds = 0;

	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->list[i];

		if (!same_group(job, of))
			continue;
		if (!job->told)
			return;
		seconds += job->seconds;
		of_group.skipped += job->status == STATUS_SKIPPED;
		of_group.passed += job->status == 0;
		of_group.failed += job->status != 0 &&
		    job->status != STATUS_SKIPPED;
	}
	printf("%-4s %-34.*s %5zu passed", of_group.failed > 0 ? "FAIL" : "ok",
	    (int)of->group, of->name, of_group.passed);
	if (of_group.failed > 0)
		printf(", %zu failed", of_group.failed);
	if (of_group.skipped > 0)
		printf(", %zu skipped", of_group.skipped);
	printf("  %.3f s\n", seconds);
	fflush(stdout);
}

void
report_progress(const struct jobs *jobs, const struct counts *counts)
{
	if (!isatty(STDOUT_FILENO))
		return;
	printf("%zu of %zu tests\r",
	    counts->passed + counts->failed + counts->skipped, jobs->n);
	fflush(stdout);
}

void
report_job(struct jobs *jobs, struct job *job, struct counts *counts)
{
	count(job, counts);
	job->told = true;
	print_group(jobs, job);
}

static int
by_cpu(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	return (x->cpu < y->cpu) - (x->cpu > y->cpu);
}

void
report_slowest(struct jobs *jobs, size_t most)
{
	if (most == 0)
		return;
	qsort(jobs->list, jobs->n, sizeof *jobs->list, by_cpu);
	puts("\nCPU, s  wall, s");
	for (size_t i = 0; i < jobs->n && i < most; i++)
		printf("%6.2f %8.2f  %s\n", jobs->list[i].cpu,
		    jobs->list[i].seconds, jobs->list[i].name);
}

void
report_end(const struct jobs *jobs, const struct counts *counts)
{
	double cpu = 0;

	putchar('\n');
	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->list[i];

		cpu += job->cpu;
		if (job->status != 0 && job->status != STATUS_SKIPPED)
			printf("failed: %s\n", job->name);
	}
	printf("%.0f s of CPU time\n", cpu);
	if (counts->skipped > 0)
		printf("%zu skipped\n", counts->skipped);
	printf("%zu passed, %zu failed\n", counts->passed, counts->failed);
	fflush(stdout);
}
