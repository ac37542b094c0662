/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An OpenCL program for tools/check-drivers.sh: kernels and copies that wait for
 * each other and for the CPU. It checks what a GPU writes into memory: events
 * and their profile. Its results are not checked.
 *
 *   opencl DEVICE KERNELS
 *
 * Exits with 0; 77 if there is no GPU that the driver knows; or 1 after a line
 * on standard error. DEVICE must be in the device's name.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "opencl"
#include "tests/programs/check.h"

#define ITEMS       (1 << 14)
#define MAX_KERNELS 1000
/* The driver pairs the clocks of the CPU and the GPU anew for each command, by
 * two reads, between which the program may lose its CPU. */
#define PAIRING_NS 100000000

#define OK(call)                                                               \
	do {                                                                   \
		cl_int result_ = (call);                                       \
		CHECK(result_ == CL_SUCCESS, "error %d", result_);             \
	} while (0)

struct app {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem numbers, copy;
};

static cl_device_id
choose_device(const char *wanted)
{
	cl_platform_id platform;
	cl_device_id device;
	char name[256] = "";

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) !=
		CL_SUCCESS) {
		fprintf(stderr, "opencl: the driver does not know the GPU\n");
		exit(77);
	}
	OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
	CHECK(strstr(name, wanted), "the device is %s, not %s", name, wanted);
	return device;
}

static cl_kernel
build_kernel(struct app *a)
{
	const char *text = "kernel void add(global int *n)"
			   "{ n[get_global_id(0)] += 1; }";
	cl_int error;
	cl_program program = clCreateProgramWithSource(
	    a->context, 1, &text, NULL, &error);
	cl_kernel kernel;

	OK(error);
	OK(clBuildProgram(program, 1, &a->device, "", NULL, NULL));
	kernel = clCreateKernel(program, "add", &error);
	OK(error);
	return kernel;
}

static void
open_app(struct app *a, const char *device)
{
	static const cl_queue_properties profiled[] = {
	    CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
	cl_int error;

	a->device = choose_device(device);
	a->context = clCreateContext(NULL, 1, &a->device, NULL, NULL, &error);
	OK(error);
	a->queue = clCreateCommandQueueWithProperties(
	    a->context, a->device, profiled, &error);
	OK(error);
	a->kernel = build_kernel(a);
	a->numbers = clCreateBuffer(
	    a->context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &error);
	OK(error);
	a->copy = clCreateBuffer(
	    a->context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &error);
	OK(error);
	OK(clSetKernelArg(a->kernel, 0, sizeof a->numbers, &a->numbers));
}

static cl_ulong
profile_of(cl_event event, cl_profiling_info what)
{
	cl_ulong ns = 0;

	OK(clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL));
	return ns;
}

static void
check_event(cl_event event, int i, cl_ulong *last)
{
	cl_ulong queued = profile_of(event, CL_PROFILING_COMMAND_QUEUED),
		 submitted = profile_of(event, CL_PROFILING_COMMAND_SUBMIT),
		 start = profile_of(event, CL_PROFILING_COMMAND_START),
		 end = profile_of(event, CL_PROFILING_COMMAND_END);
	cl_int status = 1;

	OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof status, &status, NULL));
	CHECK(status == CL_COMPLETE, "command %d has status %d", i, status);
	CHECK(queued <= submitted && start <= end,
	    "command %d: queued %ld, submitted %ld, start %ld, end %ld", i,
	    (long)queued, (long)submitted, (long)start, (long)end);
	CHECK(*last <= start + PAIRING_NS,
	    "command %d starts at %ld, before %ld", i, (long)start,
	    (long)*last);
	*last = end;
}

int
main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 5;
	static cl_event events[MAX_KERNELS + 1];
	struct app a = {0};
	size_t items = ITEMS;
	cl_int error, status = 0;
	cl_ulong last = 0;
	cl_event gate;

	CHECK(n > 0 && n <= MAX_KERNELS, "usage: opencl DEVICE KERNELS");
	open_app(&a, argc > 1 ? argv[1] : "Intel");
	gate = clCreateUserEvent(a.context, &error);
	OK(error);
	for (int i = 0; i < n; i++)
		OK(clEnqueueNDRangeKernel(a.queue, a.kernel, 1, NULL, &items,
		    NULL, 1, i == 0 ? &gate : &events[i - 1], &events[i]));
	OK(clEnqueueCopyBuffer(a.queue, a.numbers, a.copy, 0, 0, ITEMS * 4, 1,
	    &events[n - 1], &events[n]));
	OK(clFlush(a.queue));
	OK(clGetEventInfo(events[n], CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof status, &status, NULL));
	CHECK(status > CL_COMPLETE, "the commands do not wait for the CPU");
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clWaitForEvents(1, &events[n]));
	OK(clFinish(a.queue));
	for (int i = 0; i <= n; i++)
		check_event(events[i], i, &last);
	return 0;
}
