/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of a run on a GPU that fail (tests/programs/faults.c): each kind of ioctl,
 * mmap and epoll_ctl, at its first and its last call, and from a middle one on,
 * with each error that kernels give under load. A call that was interrupted is made
 * again; else the run goes on, or says what failed and on which GPU. Nothing is
 * left on the device, which the test serves itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/served_gpu.h"

#define MOST_KINDS 64
#define MMAP       0
#define ALL        1000000 /* calls */
/* A batch that T ends must not hang while its program has no processor. */
#define HEARTBEAT (100 * NSEC_PER_MSEC)
/* Statuses of a run that was refused, and of one that failed. */
#define INVALID 1
#define REFUSED 2
#define FAILED  3
#define N(a)    (sizeof(a) / sizeof *(a))

/* All step kinds that make calls of their own. */
static const char descriptor[] =
    "w.1.4096,P.1.-5,M.3.VCS1|VCS2,B.3,X.4.0,1.RCS.200.w1-0.0,f,"
    "2.VCS1.100.f-1.0,a.-2,1.BCS.50.s-3.1,3.DEFAULT.100.f-3/s-5.0,d.100,"
    "4.RCS.*.0.0,d.300,T.-2,s.-3";

struct fault_kind {
	unsigned kind, calls;
};

struct faults {
	struct served_gpu gpu;
	struct fault_kind kinds[MOST_KINDS];
	size_t n_kinds;
	int output, status;
	char fault[64];
	bool ended;
};

/* Runs the descriptor with r->fault, or "", none. */
static void
run_with_fault(struct faults *r)
{
	static const char *const argv[] = {"gpuwl-top", "-b", "-D",
	    "pci:", "-r", "3", "--json=run.json", "--error-state=errors", "-w",
	    descriptor, NULL};
	struct launched program = {0};

	setenv("FAULT", r->fault, 1);
	assert_int_equal(ftruncate(r->output, 0), 0);
	served_start(&r->gpu, &program, argv, r->output);
	r->ended = served_until_end(&r->gpu, &program, &r->status);
}

static void
fail_fault(const struct faults *r, const char *wrong)
{
	fail_msg("FAULT='%s': %s; status %d, it said: %s", r->fault, wrong,
	    r->status, read_whole("output", NULL));
}

/* Returns NULL, or what is wrong with what a run said. */
static const char *
judge_said(const struct faults *r, int error, const char *said)
{
	bool names_gpu = strstr(said, "/dev/dri/") != NULL ||
	    strstr(said, "no GPU") != NULL;

	if (strstr(said, "Sanitizer") != NULL)
		return "a fault of the program";
	if (error == EINTR &&
	    (r->status != 0 || strstr(said, "elapsed") == NULL))
		return "an interrupted call is not made again";
	if (r->status == 0 && strstr(said, "elapsed") == NULL)
		return "no result";
	if (r->status != 0 && !names_gpu && strstr(said, "hang") == NULL)
		return "it does not say what is wrong with the GPU";
	return NULL;
}

static void
try_fault(struct faults *r, const struct fault_kind *k, unsigned index,
    int error, unsigned n)
{
	const char *wrong = NULL, *left;
	char *said;

	snprintf(
	    r->fault, sizeof r->fault, "%u %u %d %u", k->kind, index, error, n);
	run_with_fault(r);
	said = read_whole("output", NULL);
	if (!r->ended)
		wrong = "it does not end";
	else if (r->status != 0 && r->status != INVALID &&
	    r->status != REFUSED && r->status != FAILED)
		wrong = "another status was expected";
	else
		wrong = judge_said(r, error, said);
	left = served_left(&r->gpu);
	if (*left != '\0')
		wrong = left;
	if (wrong != NULL)
		fail_fault(r, wrong);
	free(said);
}

/* Finds the kinds of calls that a run makes, and how many. */
static void
count_calls(struct faults *r)
{
	FILE *f;

	unlink("calls");
	setenv("FAULT_LOG", "calls", 1);
	run_with_fault(r);
	unsetenv("FAULT_LOG");
	if (r->status != 0)
		fail_fault(r, "without a fault it fails");
	f = fopen("calls", "re");
	assert_non_null(f);
	while (r->n_kinds < MOST_KINDS &&
	    fscanf(f, "%u %u\n", &r->kinds[r->n_kinds].kind,
		&r->kinds[r->n_kinds].calls) == 2)
		r->n_kinds++;
	fclose(f);
	assert_true(r->n_kinds > 10);
}

static void
try_kind(struct faults *r, const struct fault_kind *k, int error)
{
	if (k->kind == MMAP && error == EINTR)
		return; /* it is not interrupted */
	try_fault(r, k, 0, error, 1);
	if (k->calls > 1)
		try_fault(r, k, k->calls - 1, error, 1);
	if (error != EINTR)
		try_fault(r, k, k->calls / 2, error, ALL);
}

static void
try_error(int error)
{
	struct faults r = {0};

	r.output = open("output", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	assert_true(r.output >= 0);
	served_open(&r.gpu, "tgl", HEARTBEAT);
	count_calls(&r);
	for (size_t i = 0; i < r.n_kinds; i++)
		try_kind(&r, &r.kinds[i], error);
	served_close(&r.gpu);
	close(r.output);
}

TEST(EINTR)
{
	try_error(EINTR);
}

TEST(EAGAIN)
{
	try_error(EAGAIN);
}

TEST(EIO)
{
	try_error(EIO);
}

TEST(ENOSPC)
{
	try_error(ENOSPC);
}

TEST(ENOMEM)
{
	try_error(ENOMEM);
}

static int
enter_faults(void **state)
{
	char *preload = test_preload("faults");

	(void)state;
	setenv("LD_PRELOAD", preload, 1);
	free(preload);
	enter_test_folder();
	use_own_devices();
	allow_sanitizers();
	return 0;
}

FIXTURES(enter_faults, NULL);
