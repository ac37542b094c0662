/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer-connect: what a run sends, read by a decoder that shares nothing with
 * the encoder. */
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/arm_join.h"
#include "tests/support/fake_host.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"
#include "trace/host.h"
#include "trace/outputs.h"

static uint64_t
varint(const uint8_t **at, const uint8_t *end)
{
	uint64_t n = 0;

	for (unsigned shift = 0; *at < end; shift += 7) {
		uint8_t byte = *(*at)++;

		assert_true(shift < 64);
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
	fail();
	return 0;
}

/* Prints fields by their numbers. Messages are all fields of a record, and the
 * attachments of a pass. */
static void
put_fields(struct text *t, const uint8_t *at, size_t len, unsigned record)
{
	const uint8_t *end = at + len;
	const char *blank = "";

	while (at < end) {
		unsigned key = (unsigned)varint(&at, end);
		unsigned field = key >> 3;
		uint64_t n = varint(&at, end);

		text_addf(t, "%s%u", blank, field);
		blank = " ";
		if ((key & 7) == 0) {
			text_addf(t, "=%lld", (long long)n);
			continue;
		}
		assert_int_equal(key & 7, 2);
		assert_true(n <= (size_t)(end - at));
		if (record == 0 || (record == 5 && field == 7)) {
			text_addc(t, '{');
			put_fields(t, at, n, record == 0 ? field : 99);
			text_addc(t, '}');
		} else {
			text_addf(t, "=\"%.*s\"", (int)n, (const char *)at);
		}
		at += n;
	}
}

/* True for a submission to no queue. */
static bool
is_padding(const struct fake_message *m)
{
	struct text t = {0};
	bool yes;

	put_fields(&t, m->payload, m->len, 0);
	yes = strncmp(text_str(&t), "4{", 2) == 0 &&
	    strstr(text_str(&t), " 3=") == NULL;
	text_free(&t);
	return yes;
}

/* Prints a record a line; of the padding at the end the first one. */
static void
put_records(struct text *t, struct fake_host *h)
{
	size_t len;
	uint8_t *bytes = fake_host_read(h, &len);
	const uint8_t *at = bytes;
	struct fake_message m;
	size_t n_padding = 0;

	while (fake_host_next(&at, &len, &m)) {
		if (m.type == 2)
			continue;
		assert_int_equal(m.type, 0);
		assert_int_equal(m.endpoint, 2);
		assert_int_equal(m.id, 0);
		if (is_padding(&m) && n_padding++ > 0)
			continue;
		put_fields(t, m.payload, m.len, 0);
		text_addc(t, '\n');
	}
	/* The server writes more for it than Python's buffers hold. */
	assert_true(n_padding * 58 >= 128 << 10);
	free(bytes);
}

/* Invalid UTF-8 becomes U+FFFD, as the server refuses it. All bytes of a label
 * arrive. */
TEST(texts)
{
	struct host_records r = {.endpoint = 2};
	struct arm_frame frame = {.device = 1};
	struct arm_workload w = {.execution = 5,
	    .info = {.type = WORKLOAD_DISPATCH, .size = {1, 1, 1}}};
	struct text long_label = {0}, told = {0};
	const uint8_t *at;
	struct fake_message m;
	size_t len;

	text_adds(&long_label, "[\"");
	for (unsigned i = 0; i < 3000; i++)
		text_addc(&long_label, (char)('a' + i % 26));
	text_adds(&long_label, "\",\"x\\u0000y\"]");
	w.labels = text_str(&long_label);
	w.labels_len = long_label.len;
	host_records_device(&r, 1, 0,
	    "a\xff"
	    "b\"c");
	arm_frame_submit(&frame, 1, 0);
	arm_frame_workload(&frame, &w);
	host_records_frame(&r, &frame);
	at = (const uint8_t *)r.bytes.data;
	len = r.bytes.len;
	while (fake_host_next(&at, &len, &m)) {
		put_fields(&told, m.payload, m.len, 0);
		text_addc(&told, '\n');
	}
	assert_memory_equal(text_str(&told),
	    "2{1=1 3=1 6=\"a\xef\xbf\xbd"
	    "b\"c\"}\n4{2=1 3=1}\n"
	    "7{1=5 2=1 3=1 4=1 5=\"abcdefghijklmnopqrstuvwxyzabc",
	    80);
	assert_non_null(strstr(text_str(&told), "fghij\" 5=\"x?y\"}\n"));
	assert_in_range(told.len, 3000, 3200);
	host_records_free(&r);
	arm_frame_free(&frame);
	text_free(&long_label);
	text_free(&told);
}

/* Each type with all of its fields. Draws of all parts and indirect sizes are
 * known when the frame goes out; unknown numbers of a pass are left out. A
 * frame that is cut off comes at the end. */
TEST(records)
{
	static const char descriptor[] =
	    "#@ label push \"A \\\"b\\\" \xc3\xa9\"\n#@ label push \"C\"\n"
	    "#@ renderpass 1920x1080 draws=42 subpasses=2 attach=S:load:discard,"
	    "C1:load:store,C0:clear:discard,C0:resolve\n"
	    "#@ label pop\n"
	    "#@ dispatch 4x5x6 indirect\n"
	    "1.RCS.10.0.1\n"
	    "#@ label pop\n#@ renderpass 8x9 draws=3 suspend\n1.RCS.10.0.0\n"
	    "#@ renderpass resume draws=4\n1.RCS.10.0.1\n"
	    "#@ tracerays 7x8x9\n#@ copybuffer 300\n#@ fillbuffer whole\n"
	    "#@ copyimage 12\n#@ clearimage 13\n2.CCS.10.0.1\n"
	    "3.VCS.10.0.1\n4.RCS.10.0.1\n";
	const struct fake_plan good = {0};
	const char *source = test_path("records.wsim");
	struct fake_host h;
	struct text records = {0};
	struct outcome r;

	write_file(source, descriptor);
	fake_host_start(&h, &good);
	RUN(&r, "-b", "-q", "--profile=ideal", "--duration=0.000065", "-w",
	    source, "--layer-connect", h.address);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	put_records(&records, &h);
	assert_string_equal(text_str(&records),
	    "1{}\n"
	    "2{1=1 3=1 6=\"ideal\"}\n"
	    "4{2=1 3=1}\n"
	    "5{1=1 2=1920 3=1080 4=42 5=2 6=\"A \"b\" \xc3\xa9\" 6=\"C\" "
	    "7{1=1 3=1 4=1} 7{1=1 2=1} 7{1=1 3=1 5=1} 7{1=3 4=1}}\n"
	    "7{1=2 2=4 3=5 4=6 5=\"A \"b\" \xc3\xa9\"}\n"
	    "4{1=10000 2=1 3=1}\n"
	    "5{1=3 2=8 3=9 4=7 5=1}\n"
	    "4{1=10000 2=1 3=1}\n"
	    "4{1=30000 2=1 3=2}\n"
	    "8{1=4 2=7 3=8 4=9}\n"
	    "10{1=5 2=300 3=2}\n"
	    "10{1=6 2=-2 3=1}\n"
	    "9{1=7 2=12 3=2}\n"
	    "9{1=8 2=13 3=1}\n"
	    "4{1=40000 2=1 3=3}\n"
	    "4{1=50000 2=1 3=4}\n"
	    "5{1=9 5=1 6=\"size unknown\"}\n"
	    "3{1=1 2=1 3=60000}\n"
	    "4{1=60000 2=1 3=1}\n"
	    "5{1=10 2=1920 3=1080 4=42 5=2 6=\"A \"b\" \xc3\xa9\" 6=\"C\" "
	    "7{1=1 3=1 4=1} 7{1=1 2=1} 7{1=1 3=1 5=1} 7{1=3 4=1}}\n"
	    "7{1=11 2=-1 3=-1 4=-1 5=\"A \"b\" \xc3\xa9\"}\n"
	    "3{1=2 2=1 3=65000}\n"
	    "4{1=65000 2=1}\n"
	    "3{1=3 2=1 3=65000}\n");
	text_free(&records);
}

/* Frames without room are dropped whole; one empty frame replaces those in a
 * row, and later frames keep their numbers. */
TEST(dropped)
{
	const struct fake_plan good = {0};
	struct fake_host h;
	struct host_client *c;
	struct output *o;
	struct lab lab;
	struct layer *layer;
	struct text err = {0}, records = {0};

	fake_host_start(&h, &good);
	c = fake_host_connect(&h, 150, &err);
	assert_non_null(c);
	o = host_output_new(c, "there", NULL);
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.VCS.10.0.1", 1, (struct client_options){.repeat = 9});
	layer = layer_begin(lab.sim, NULL);
	o->ops->watch(o, &(struct output_launch){lab.sim, layer, 0, NULL});
	/* Two fit, nothing is sent. */
	lab_run(&lab, 55000);
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	lab_run(&lab, 90000);
	o->ops->leave(o);
	assert_false(o->ops->finish(o, INT_MAX, NULL, &err));
	assert_int_equal(o->ops->close(o), 0);
	put_records(&records, &h);
	assert_string_equal(text_str(&records),
	    "1{}\n"
	    "2{1=1 3=1 6=\"ideal\"}\n"
	    "4{2=1 3=1}\n"
	    "3{1=1 2=1 3=10000}\n"
	    "4{1=10000 2=1 3=1}\n"
	    "3{1=2 2=1 3=20000}\n"
	    "3{1=5 2=1 3=50000}\n"
	    "4{1=50000 2=1 3=1}\n"
	    "3{1=6 2=1 3=60000}\n"
	    "4{1=60000 2=1 3=1}\n"
	    "3{1=7 2=1 3=70000}\n"
	    "4{1=70000 2=1}\n"
	    "3{1=8 2=1 3=70000}\n");
	assert_string_equal(text_str(&err),
	    "--layer-connect there: the server is slower than the run: 5 of 9 "
	    "frames were not sent");
	layer_end(layer);
	lab_free(&lab);
	text_free(&records);
	text_free(&err);
}

/* Runs nine frames with a queue in which two fit. */
static bool
run_waiting(struct fake_host *h, const volatile sig_atomic_t *stop,
    int limit_ms, struct text *err)
{
	struct host_client *c = fake_host_connect(h, 150, err);
	struct output *o = host_output_new(c, "there", stop);
	struct layer *layer;
	struct lab lab;
	bool ok;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.VCS.10.0.1", 1, (struct client_options){.repeat = 9});
	layer = layer_begin(lab.sim, NULL);
	o->ops->watch(o, &(struct output_launch){lab.sim, layer, 0, NULL});
	lab_run(&lab, 90000);
	o->ops->leave(o);
	ok = o->ops->finish(o, limit_ms, NULL, err);
	assert_int_equal(o->ops->close(o), 0);
	layer_end(layer);
	lab_free(&lab);
	return ok;
}

/* A run that waits loses nothing, and goes on at a signal. */
TEST(waits)
{
	const struct fake_plan good = {0}, deaf = {.deaf = true};
	volatile sig_atomic_t stop = 0;
	struct fake_host h;
	struct text err = {0}, records = {0};

	fake_host_start(&h, &good);
	assert_true(run_waiting(&h, &stop, INT_MAX, &err));
	assert_string_equal(text_str(&err), "");
	put_records(&records, &h);
	for (unsigned i = 1; i <= 9; i++) {
		char frame[64];

		snprintf(
		    frame, sizeof(frame), "\n3{1=%u 2=1 3=%u0000}\n", i, i);
		assert_non_null(strstr(text_str(&records), frame));
	}
	stop = SIGINT;
	fake_host_start(&h, &deaf);
	assert_false(run_waiting(&h, &stop, 20, &err));
	assert_string_equal(text_str(&err),
	    "--layer-connect there: the server is slow, and the wait is over: "
	    "of 9 frames 0 are known to have arrived");
	fake_host_kill(&h);
	text_free(&records);
	text_free(&err);
}

/* A number of a message, 0 if it has none. */
static uint64_t
number_of(const uint8_t *at, size_t len, unsigned wanted)
{
	const uint8_t *end = at + len;

	while (at < end) {
		unsigned key = (unsigned)varint(&at, end);
		uint64_t n = varint(&at, end);

		if (key >> 3 == wanted)
			return n;
		at += (key & 7) == 2 ? n : 0;
	}
	return 0;
}

/* Reads workloads as the server does, until one that is none: each is in the
 * submission before it, which is in the frame of its device. */
static size_t
expect_records(struct fake_host *h, const struct arm_record *records, size_t n)
{
	size_t len, found = 0;
	uint8_t *bytes = fake_host_read(h, &len);
	const uint8_t *at = bytes;
	uint64_t frames[10] = {0}, device = 0, submit_ns = 0;
	struct fake_message m;

	while (fake_host_next(&at, &len, &m)) {
		const uint8_t *p = m.payload, *end = p + m.len;
		unsigned record = m.type == 2 ? 0
					      : (unsigned)varint(&p, end) / 8;
		size_t size = record > 1 ? varint(&p, end) : 0;
		uint64_t tag = number_of(p, size, 1);

		if (record == 3) {
			device = number_of(p, size, 2);
			assert_in_range(device, 1, 9);
			frames[device] = tag;
		} else if (record == 4) {
			submit_ns = tag;
			device = number_of(p, size, 2);
		} else if (record > 4) {
			assert_in_range(tag, 1, n - 1);
			assert_int_equal(records[tag].device, device);
			assert_int_equal(records[tag].frame, frames[device]);
			assert_int_equal(records[tag].submit_ns, submit_ns);
			found++;
		}
	}
	free(bytes);
	return found;
}

/* The server gets each workload of the metadata file, with the same tag, in the
 * same frame and submission. */
TEST(as_file)
{
	const struct fake_plan good = {0};
	struct arm_record *records;
	struct fake_host h;
	struct outcome r;
	size_t n, wanted = 0;

	fake_host_start(&h, &good);
	RUN(&r, "-b", "-q", "-c", "3", "--duration", "0.2", "-w",
	    "workloads/layer.wsim", "--arm-metadata", test_path("a"),
	    "--layer-connect", h.address);
	assert_string_equal(r.err, "");
	outcome_free(&r);
	records = arm_records(test_path("a"), &n);
	for (size_t i = 0; i < n; i++)
		wanted += records[i].device != 0;
	assert_true(wanted > 100);
	assert_int_equal(expect_records(&h, records, n), wanted);
	free(records);
}

/* The console sends too: over a restart, after which clients are other devices,
 * and frames that are cut off at its end. */
TEST(console)
{
	const struct fake_plan good = {0};
	const char *script = test_path("restart.script");
	struct fake_host h;
	struct text records = {0};
	struct outcome r;

	write_file(script, "advance 25ms\nR\nadvance 15ms\nq\n");
	fake_host_start(&h, &good);
	RUN(&r, "--script", script, "--profile=ideal", "-w", "1.VCS.10000.0.1",
	    "--layer-connect", h.address);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	put_records(&records, &h);
	assert_string_equal(text_str(&records),
	    "1{}\n"
	    "2{1=1 3=1 6=\"ideal\"}\n"
	    "4{2=1 3=1}\n"
	    "3{1=1 2=1 3=10000000}\n"
	    "4{1=10000000 2=1 3=1}\n"
	    "3{1=2 2=1 3=20000000}\n"
	    "4{1=20000000 2=1 3=1}\n"
	    "3{1=3 2=1 3=25000000}\n"
	    "2{1=2 3=1 6=\"ideal\"}\n"
	    "3{1=1000000000 2=2}\n"
	    "4{1=25000000 2=2 3=2}\n"
	    "3{1=1000000001 2=2 3=35000000}\n"
	    "4{1=35000000 2=2 3=2}\n"
	    "3{1=1000000002 2=2 3=40000000}\n"
	    "4{1=25000000 2=1}\n"
	    "3{1=4 2=1 3=25000000}\n");
	text_free(&records);
}
