/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of the kernel: doc/model/traces.md "Events". */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "trace/kernel/events.h"

static struct kernel_record
a_record(enum kernel_event_kind kind)
{
	struct kernel_record r = {.event = kind, .pid = 2000};

	kernel_set_number(&r, KFIELD_CLASS, 2);
	kernel_set_number(&r, KFIELD_INSTANCE, 1);
	kernel_set_number(&r, KFIELD_CONTEXT, 110);
	kernel_set_number(&r, KFIELD_SEQNO, 7);
	kernel_set_number(&r, KFIELD_FLAGS, 0x1c);
	kernel_set_number(&r, KFIELD_PRIORITY, (uint64_t)-1023);
	kernel_set_number(&r, KFIELD_COMPLETED, 1);
	kernel_set_number(&r, KFIELD_ENTITY, UINT64_C(0xffff88810006e000));
	kernel_set_number(&r, KFIELD_FENCE, UINT64_C(0xffff888100000040));
	kernel_set_number(&r, KFIELD_DEP_FENCE, UINT64_C(0xffff888100000080));
	kernel_set_number(&r, KFIELD_ID, 9);
	kernel_set_number(&r, KFIELD_JOB_COUNT, 2);
	kernel_set_number(&r, KFIELD_HW_JOB_COUNT, 3);
	kernel_set_number(&r, KFIELD_CLIENT, 10);
	kernel_set_number(&r, KFIELD_DEP_CONTEXT, 112);
	kernel_set_number(&r, KFIELD_DEP_SEQNO, 5);
	kernel_set_text(&r, KFIELD_RING, "vcs1");
	kernel_set_text(&r, KFIELD_DEVICE, "0000:00:02.0");
	kernel_set_text(&r, KFIELD_DRIVER, "i915");
	kernel_set_text(&r, KFIELD_TIMELINE, "signaled");
	return r;
}

TEST(print)
{
	static const struct {
		enum kernel_event_kind kind;
		const char *text;
	} rows[] = {
	    {KERNEL_REQUEST_QUEUE,
		"dev=0, engine=2:1, ctx=110, seqno=7, flags=0x1c"},
	    {KERNEL_REQUEST_ADD, "dev=0, engine=2:1, ctx=110, seqno=7, tail=0"},
	    {KERNEL_REQUEST_IN,
		"dev=0, engine=2:1, ctx=110, seqno=7, prio=-1023, port=0"},
	    {KERNEL_REQUEST_OUT,
		"dev=0, engine=2:1, ctx=110, seqno=7, completed?=1"},
	    {KERNEL_FENCE_SIGNALED,
		"driver=i915 timeline=signaled context=110 seqno=7"},
	    {KERNEL_SCHED_JOB,
		"entity=0xffff88810006e000, id=9, fence=0xffff888100000040, "
		"ring=vcs1, job count:2, hw job count:3"},
	    {KERNEL_PROCESS_JOB, "fence=0xffff888100000040 signaled"},
	    {KERNEL_JOB_WAIT_DEP,
		"job ring=vcs1, id=9, depends fence=0xffff888100000080, "
		"context=112, seq=5"},
	    {KERNEL_JOB_RUN,
		"dev=0000:00:02.0, fence=110:7, ring=vcs1, job count:2, "
		"hw job count:3, client_id:10"},
	    {KERNEL_JOB_DONE, "fence=110:7 signaled"},
	    {KERNEL_JOB_ADD_DEP, "fence=110:7 depends on fence=112:5"},
	    {KERNEL_JOB_UNSCHEDULABLE,
		"fence=110:7 depends on unsignalled fence=112:5"},
	};
	struct text out = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kernel_record r = a_record(rows[i].kind);

		text_clear(&out);
		kernel_print(&out, &r);
		assert_string_equal(text_str(&out), rows[i].text);
	}
	text_free(&out);
}

TEST(describe)
{
	struct text out = {0};

	kernel_describe(&out, KERNEL_REQUEST_IN, 1010);
	assert_string_equal(text_str(&out),
	    "name: i915_request_in\nID: 1010\nformat:\n"
	    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
	    "\tsigned:0;\n"
	    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;"
	    "\tsigned:0;\n"
	    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
	    "\tsigned:0;\n"
	    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	    "\tfield:u32 dev;\toffset:8;\tsize:4;\tsigned:0;\n"
	    "\tfield:u64 ctx;\toffset:16;\tsize:8;\tsigned:0;\n"
	    "\tfield:u16 class;\toffset:24;\tsize:2;\tsigned:0;\n"
	    "\tfield:u16 instance;\toffset:26;\tsize:2;\tsigned:0;\n"
	    "\tfield:u32 seqno;\toffset:28;\tsize:4;\tsigned:0;\n"
	    "\tfield:u32 port;\toffset:32;\tsize:4;\tsigned:0;\n"
	    "\tfield:s32 prio;\toffset:36;\tsize:4;\tsigned:1;\n\n"
	    "print fmt: \"dev=%u, engine=%u:%u, ctx=%llu, seqno=%u, prio=%d, "
	    "port=%u\", REC->dev, REC->class, REC->instance, REC->ctx, "
	    "REC->seqno, REC->prio, REC->port\n");
	text_free(&out);
}

TEST(encode)
{
	struct kernel_record r = a_record(KERNEL_FENCE_SIGNALED);
	struct text out = {0};
	static const unsigned char bytes[] = "\xf2\x03\0\0\xd0\x07\0\0"
					     "\x18\0\x05\0\x1d\0\x09\0"
					     "\x6e\0\0\0\x07\0\0\0"
					     "i915\0signaled\0\0";

	kernel_encode(&out, &r, 1010);
	assert_int_equal(out.len, 40);
	assert_memory_equal(out.data, bytes, 40);
	text_free(&out);
}

TEST(find)
{
	for (unsigned i = 0; i < N_KERNEL_EVENTS; i++)
		assert_int_equal(kernel_event_find(kernel_events[i].name,
				     strlen(kernel_events[i].name)),
		    i);
	assert_int_equal(
	    kernel_event_find("sched_switch", 12), N_KERNEL_EVENTS);
}
