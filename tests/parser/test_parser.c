/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language: each diagnostic with its place and words, valid steps and their
 * canonical text, and what gem_wsim does not take. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"

/* The first diagnostic of an inline text. */
struct wrong {
	const char *text;
	enum severity severity;
	uint32_t line, col, len;
	const char *message;
};

static const struct wrong wrongs[] =
    {
	{"1", DIAG_ERROR, 0, 1, 1,
	    "missing engine: expected ctx.engine.duration.dependencies.wait, e.g. 1.RCS.1000.0.0"},
	{"1.RCS.1000", DIAG_ERROR, 0, 10, 1,
	    "missing dependencies: expected ctx.engine.duration.dependencies.wait, e.g. 1.RCS.1000.0.0"},
	{"1.RCS.1000.0", DIAG_ERROR, 0, 12, 1,
	    "missing wait: expected ctx.engine.duration.dependencies.wait, e.g. 1.RCS.1000.0.0"},
	{"1.RCS.1000.0.0.", DIAG_ERROR, 0, 14, 1,
	    "unexpected dot at the end: expected ctx.engine.duration.dependencies.wait"},
	{"1.RCS.1000.0.0.7", DIAG_ERROR, 0, 15, 1,
	    "unexpected '7' at the end: expected ctx.engine.duration.dependencies.wait"},
	{"1.RCS.1000.0.2", DIAG_ERROR, 0, 13, 1,
	    "invalid wait '2': expected 1 to wait for the batch, or 0"},
	{"1.RCS.1000.0.01", DIAG_ERROR, 0, 13, 2,
	    "invalid wait '01': expected 1 to wait for the batch, or 0"},
	{"1.RCS.1000.0.", DIAG_ERROR, 0, 13, 1,
	    "invalid wait '': expected 1 to wait for the batch, or 0"},
	{".RCS.1000.0.0", DIAG_ERROR, 0, 0, 1,
	    "empty context: expected 0 to 2147483647, e.g. 1"},
	{"1x.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	    "invalid context '1x': expected 0 to 2147483647, e.g. 1"},
	{"+1.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	    "invalid context '+1': expected 0 to 2147483647, e.g. 1"},
	{"-1.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	    "invalid context '-1': expected 0 to 2147483647, e.g. 1"},
	{"2147483648.RCS.1000.0.0", DIAG_ERROR, 0, 0, 10,
	    "invalid context '2147483648': expected 0 to 2147483647, e.g. 1"},
	{"1 .RCS.1000.0.0", DIAG_ERROR, 0, 1, 1,
	    "blank inside a step: expected fields joined by dots, and each step on its own line"},
	{"1..1000.0.0", DIAG_ERROR, 0, 2, 1,
	    "empty engine: expected DEFAULT or one of RCS, BCS, VCS, VECS, CCS, e.g. RCS or VCS2"},
	{"1.VCS0.1000.0.0", DIAG_ERROR, 0, 2, 4,
	    "invalid engine 'VCS0': expected DEFAULT or one of RCS, BCS, VCS, VECS, CCS with an optional instance from 1 and gt, e.g. RCS, VCS2 or VCS1-0"},
	{"1.XYZ.1000.0.0", DIAG_ERROR, 0, 2, 3,
	    "invalid engine 'XYZ': expected DEFAULT or one of RCS, BCS, VCS, VECS, CCS with an optional instance from 1 and gt, e.g. RCS, VCS2 or VCS1-0"},
	{"1.VCS1234.1000.0.0", DIAG_ERROR, 0, 2, 7,
	    "invalid engine 'VCS1234': expected DEFAULT or one of RCS, BCS, VCS, VECS, CCS with an optional instance from 1 and gt, e.g. RCS, VCS2 or VCS1-0"},
	{"1.RCS.1x.0.0", DIAG_ERROR, 0, 6, 2,
	    "invalid duration '1x': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS..0.0", DIAG_ERROR, 0, 6, 1,
	    "empty duration: expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.0.0.0", DIAG_ERROR, 0, 6, 1,
	    "invalid duration '0': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.0-5.0.0", DIAG_ERROR, 0, 6, 1,
	    "invalid duration '0': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.1000000001.0.0", DIAG_ERROR, 0, 6, 10,
	    "invalid duration '1000000001': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.99999999999999999999.0.0", DIAG_ERROR, 0, 6, 20,
	    "invalid duration '99999999999999999999': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.1000-999.0.0", DIAG_ERROR, 0, 6, 8,
	    "invalid duration '1000-999': expected a range whose second number is above the first, e.g. 500-1000"},
	{"1.RCS.1000-1000.0.0", DIAG_ERROR, 0, 6, 9,
	    "invalid duration '1000-1000': expected a range whose second number is above the first, e.g. 500-1000"},
	{"1.RCS.1-2-3.0.0", DIAG_ERROR, 0, 6, 5,
	    "invalid duration '1-2-3': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.*x.0.0", DIAG_ERROR, 0, 6, 2,
	    "invalid duration '*x': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.5/.0.0", DIAG_ERROR, 0, 8, 1,
	    "empty duration: expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"},
	{"1.RCS.10/20.0.0", DIAG_ERROR, 0, 6, 5,
	    "durations by row without a parallel slot: expected one duration, or a G, e.g. G.1.VCS1/VCS2"},
	{"1.RCS.1000..0", DIAG_ERROR, 0, 11, 1,
	    "empty dependency: expected 0 for none, or -n, f-n, s-n, rS-o, wS-o joined by /, e.g. -1/f-2"},
	{"1.RCS.1000.-0.0", DIAG_ERROR, 0, 11, 2,
	    "invalid dependency '-0': expected the number of steps back, e.g. -1"},
	{"1.RCS.1000.-1.0", DIAG_ERROR, 0, 11, 2,
	    "invalid offset '-1': expected at most 0, the number of steps before it"},
	{"1.RCS.1000.1.0", DIAG_ERROR, 0, 11, 1,
	    "invalid dependency '1': expected steps back, did you mean '-1'"},
	{"1.RCS.1000.-1//-1.0", DIAG_ERROR, 0, 14, 1,
	    "empty dependency: expected 0 for none, or -n, f-n, s-n, rS-o, wS-o joined by /, e.g. -1/f-2"},
	{"1.RCS.1000.f.0", DIAG_ERROR, 0, 11, 1,
	    "invalid dependency 'f': expected the number of steps back, e.g. f-1"},
	{"1.RCS.1000.f1.0", DIAG_ERROR, 0, 11, 2,
	    "invalid dependency 'f1': expected the number of steps back, e.g. f-1"},
	{"1.RCS.1000.F-1.0", DIAG_ERROR, 0, 11, 3,
	    "unknown dependency 'F-1': did you mean 'f-1'"},
	{"1.RCS.1000.s-x.0", DIAG_ERROR, 0, 11, 3,
	    "invalid dependency 's-x': expected the number of steps back, e.g. s-1"},
	{"1.RCS.1000.x-1.0", DIAG_ERROR, 0, 11, 3,
	    "unknown dependency 'x-1': expected 0 for none, -n, f-n, s-n, rS-o or wS-o, e.g. -1"},
	{"1.RCS.1000.-2147483648.0", DIAG_ERROR, 0, 11, 11,
	    "invalid dependency '-2147483648': expected the number of steps back, e.g. -1"},
	{"1.RCS.1000.r1.0", DIAG_ERROR, 0, 11, 2,
	    "missing object in dependency 'r1': expected one, e.g. r1-0 for the first of the set"},
	{"1.RCS.1000.r1-.0", DIAG_ERROR, 0, 11, 3,
	    "invalid object in dependency 'r1-': expected a number from 0, e.g. r1-0 for the first object of set 1"},
	{"1.RCS.1000.rx-0.0", DIAG_ERROR, 0, 12, 1,
	    "invalid working set 'x' in dependency 'rx-0': expected the id of a w or W step, e.g. r1-0"},
	{"1.RCS.1000.r1-0.0", DIAG_ERROR, 0, 11, 4,
	    "undefined working set 1: expected a step that defines it, e.g. w.1.4k"},
	{"1.RCS.1000.r1-2-1.0", DIAG_ERROR, 0, 14, 3,
	    "invalid objects '2-1': expected a range whose second number is above the first, e.g. 0-3"},
	{"1.RCS.1000.w1-1000000.0", DIAG_ERROR, 0, 14, 7,
	    "invalid object '1000000': expected 0 to 999999, e.g. w1-0"},
	{"w.1.4k,1.RCS.1000.r1-1.0", DIAG_ERROR, 1, 11, 4,
	    "invalid object 1 of working set 1: expected 0 to 0, line 1 defines 1"},
	{"w.1.4k,W.1.8k", DIAG_ERROR, 1, 2, 1,
	    "repeated working set 1: expected an unused id, line 1 defines it (w and W share ids)"},
	{"d.10,1.RCS.1000.-1.0", DIAG_ERROR, 1, 11, 2,
	    "invalid target step 0 (d.10, line 1), not a batch: expected one whose output is read"},
	{"f,1.RCS.1000.-1/f-1.0", DIAG_ERROR, 1, 11, 2,
	    "invalid target step 0 (f, line 1), a fence: expected f-n to wait for it"},
	{"d.10,1.RCS.1000.f-1.0", DIAG_ERROR, 1, 11, 3,
	    "invalid target step 0 (d.10, line 1), not a batch or fence: expected one of these"},
	{"d", DIAG_ERROR, 0, 1, 1, "missing delay: expected d.us, e.g. d.1000"},
	{"d.", DIAG_ERROR, 0, 2, 1,
	    "empty delay: expected microseconds from 1 to 2147483647, e.g. 1000"},
	{"d.0", DIAG_ERROR, 0, 2, 1,
	    "invalid delay '0': expected microseconds from 1 to 2147483647, e.g. 1000"},
	{"d.x", DIAG_ERROR, 0, 2, 1,
	    "invalid delay 'x': expected microseconds from 1 to 2147483647, e.g. 1000"},
	{"d.100.1", DIAG_ERROR, 0, 6, 1,
	    "unexpected '1' at the end: expected d.us"},
	{"D.100", DIAG_ERROR, 0, 0, 1,
	    "unknown step 'D': did you mean 'd', e.g. d.us"},
	{"p.0", DIAG_ERROR, 0, 2, 1,
	    "invalid period '0': expected microseconds from 1 to 2147483647, e.g. 1000"},
	{"s.1", DIAG_ERROR, 0, 2, 1,
	    "invalid target '1': expected the number of steps back, e.g. s.-1"},
	{"s.-0", DIAG_ERROR, 0, 2, 2,
	    "invalid target '-0': expected the number of steps back, e.g. s.-1"},
	{"s.-1", DIAG_ERROR, 0, 2, 2,
	    "invalid offset '-1': expected at most 0, the number of steps before it"},
	{"s.x", DIAG_ERROR, 0, 2, 1,
	    "invalid target 'x': expected the number of steps back, e.g. s.-1"},
	{"d.10,s.-1", DIAG_ERROR, 1, 2, 2,
	    "invalid target step 0 (d.10, line 1), not a batch: expected one for s"},
	{"f,1.RCS.5.f-1.0,s.-2", DIAG_ERROR, 2, 2, 2,
	    "invalid target step 0 (f, line 1), not a batch: expected one for s"},
	{"1.RCS.5.0.0,a.-1", DIAG_ERROR, 1, 2, 2,
	    "invalid target step 0 (1.RCS.5.0.0, line 1), not a fence: expected an f step for a"},
	{"1.RCS.5.0.0,T.-1", DIAG_ERROR, 1, 2, 2,
	    "invalid target step 0 (1.RCS.5.0.0, line 1), not infinite: expected a batch of duration * for T"},
	{"d.5,T.-1", DIAG_ERROR, 1, 2, 2,
	    "invalid target step 0 (d.5, line 1), not a batch: expected one of duration * for T"},
	{"t.-1", DIAG_ERROR, 0, 2, 2,
	    "invalid throttle '-1': expected 0 (off) to 2147483647, e.g. 2"},
	{"t.5", DIAG_ERROR, 0, 2, 1,
	    "invalid throttle '5': expected 0 (off) to 1, the number of steps"},
	{"q", DIAG_ERROR, 0, 1, 1,
	    "missing queue depth: expected q.n, e.g. q.4"},
	{"q.x", DIAG_ERROR, 0, 2, 1,
	    "invalid queue depth 'x': expected 0 (off) to 2147483647, e.g. 4"},
	{"f.1", DIAG_ERROR, 0, 2, 1, "unexpected '1' at the end: expected f"},
	{"f", DIAG_WARNING, 0, 0, 1,
	    "unused fence: expected a batch that waits for it with f-n, or a step that signals it, e.g. a.-1"},
	{"1.RCS.*.0.0", DIAG_WARNING, 0, 6, 1,
	    "infinite batch without a T hangs: expected a step that ends it, e.g. T.-1"},
	{"P.1", DIAG_ERROR, 0, 3, 1,
	    "missing priority: expected P.ctx.prio, e.g. P.1.100"},
	{"P.0.1", DIAG_ERROR, 0, 2, 1,
	    "invalid context '0': expected 1 to 2147483647, e.g. 1"},
	{"P.1.x", DIAG_ERROR, 0, 4, 1,
	    "invalid priority 'x': expected -1023 to 1023, e.g. 10"},
	{"P.1.1024", DIAG_ERROR, 0, 4, 4,
	    "invalid priority '1024': expected -1023 to 1023, e.g. 10"},
	{"P.1.-1024", DIAG_ERROR, 0, 4, 5,
	    "invalid priority '-1024': expected -1023 to 1023, e.g. 10"},
	{"P.1.", DIAG_ERROR, 0, 4, 1,
	    "empty priority: expected -1023 to 1023, e.g. 10"},
	{"S.1.0", DIAG_ERROR, 0, 4, 1,
	    "invalid slice mask '0': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.-2", DIAG_ERROR, 0, 4, 2,
	    "invalid slice mask '-2': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.1x1", DIAG_ERROR, 0, 4, 3,
	    "invalid slice mask '1x1': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.0x", DIAG_ERROR, 0, 4, 2,
	    "invalid slice mask '0x': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.0xg", DIAG_ERROR, 0, 4, 3,
	    "invalid slice mask '0xg': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.0x0", DIAG_ERROR, 0, 4, 3,
	    "invalid slice mask '0x0': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.0x8000000000000000", DIAG_ERROR, 0, 4,
	    18, "invalid slice mask '0x8000000000000000': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"S.1.0xfffffffffffffffffffffff1", DIAG_ERROR, 0, 4,
	    26, "invalid slice mask '0xfffffffffffffffffffffff1': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
	{"X.1.1x", DIAG_ERROR, 0, 4, 2,
	    "invalid preemption period '1x': expected microseconds from 0 (none) to 1000000000, e.g. 100"},
	{"M.1", DIAG_ERROR, 0, 3, 1,
	    "missing engines: expected M.ctx.E|E, e.g. M.1.VCS1|VCS2"},
	{"M.1.", DIAG_ERROR, 0, 4, 1,
	    "empty engine in an engine map: expected names joined by |, e.g. VCS1|VCS2"},
	{"M.1.DEFAULT", DIAG_ERROR, 0, 4, 7,
	    "invalid engine 'DEFAULT' in an engine map: expected one of RCS, BCS, VCS, VECS, CCS, e.g. VCS1"},
	{"M.1.VCS1||VCS2", DIAG_ERROR, 0, 9, 1,
	    "empty engine in an engine map: expected names joined by |, e.g. VCS1|VCS2"},
	{"M.0.VCS", DIAG_ERROR, 0, 2, 1,
	    "invalid context '0': expected 1 to 2147483647, e.g. 1"},
	{"B.1", DIAG_ERROR, 0, 0, 1,
	    "load balancing without an engine map: expected one before it, e.g. M.1.VCS"},
	{"B.1.1", DIAG_ERROR, 0, 4, 1,
	    "unexpected '1' at the end: expected B.ctx"},
	{"B.1,M.1.VCS", DIAG_ERROR, 0, 0, 1,
	    "load balancing without an engine map: expected one before it, e.g. M.1.VCS"},
	{"M.1.VCS,b.1.VCS1.VCS2", DIAG_ERROR, 1, 0, 1,
	    "engine bonds without load balancing: expected B.1 before it"},
	{"b.1.VCS1.VCS2,M.1.VCS", DIAG_ERROR, 0, 0, 1,
	    "engine bonds without load balancing: expected M.1.VCS and B.1 before it"},
	{"G.1.VCS1/VCS2,B.1",
	    DIAG_ERROR, 1, 0, 1, "unexpected load balancing in context 1, which has a parallel slot (G, line 1): expected no such step, the slot chooses its engines"},
	{"b.1.VCS1.VCS2,1.DEFAULT.1.0.0,G.1.VCS1/VCS2", DIAG_ERROR, 0, 0, 1,
	    "unexpected engine bonds in context 1, which has a parallel slot (G, line 1): expected no such step, the slot chooses its engines"},
	{"b.1.VCS1", DIAG_ERROR, 0, 8, 1,
	    "missing master: expected b.ctx.E|E.master, e.g. b.2.VCS2.VCS1"},
	{"M.1.VCS,B.1,b.1.VCS1.", DIAG_ERROR, 2, 9, 1,
	    "empty engine: expected DEFAULT or one of RCS, BCS, VCS, VECS, CCS, e.g. RCS or VCS2"},
	{"M.1.VCS,B.1,b.1.DEFAULT.RCS", DIAG_ERROR, 2, 4, 7,
	    "invalid engine 'DEFAULT' in a bond: expected one of RCS, BCS, VCS, VECS, CCS, e.g. VCS1"},
	{"G.1.VCS1|VCS2/VCS1", DIAG_ERROR, 0, 14, 4,
	    "invalid row of a parallel slot: expected 2 engines as in row 1, got 1"},
	{"G.1.VCS1/VCS2,1.DEFAULT.1/2/3.0.0", DIAG_ERROR, 1, 10, 5,
	    "invalid number of durations 3: expected 1, or 2 for the rows of line 1"},
	{"w.1", DIAG_ERROR, 0, 3, 1,
	    "missing sizes: expected w.id.size/size, e.g. w.1.10n4k"},
	{"w.1.", DIAG_ERROR, 0, 4, 1,
	    "empty size: expected bytes joined by /, e.g. 4096/4k"},
	{"w.1.0", DIAG_ERROR, 0, 4, 1,
	    "invalid size '0': expected 1 byte or more, e.g. 4096"},
	{"w.1.k", DIAG_ERROR, 0, 4, 1,
	    "invalid size 'k': expected bytes, e.g. 4096, 4k or 2M, a range, e.g. 4k-1m, or a count and a size, e.g. 10n4k"},
	{"w.1.n4k", DIAG_ERROR, 0, 4, 3,
	    "invalid count '': expected 1 to 1000000 objects, e.g. 10n4k"},
	{"w.1.0n4k", DIAG_ERROR, 0, 4, 1,
	    "invalid count '0': expected 1 to 1000000 objects, e.g. 10n4k"},
	{"w.1.4kk", DIAG_ERROR, 0, 4, 3,
	    "invalid size '4kk': expected bytes, e.g. 4096, 4k or 2M, a range, e.g. 4k-1m, or a count and a size, e.g. 10n4k"},
	{"w.1.4k//8k", DIAG_ERROR, 0, 7, 1,
	    "empty size: expected bytes joined by /, e.g. 4096/4k"},
	{"w.1.8k-4k", DIAG_ERROR, 0, 4, 5,
	    "invalid size '8k-4k': expected a range whose second size is above the first, e.g. 4k-1m"},
	{"w.1.9999999999g", DIAG_ERROR, 0, 4,
	    11, "invalid size '9999999999g': expected at most 2^62 bytes"},
	{"w.1.1000001n1", DIAG_ERROR, 0, 4, 7,
	    "invalid count '1000001': expected 1 to 1000000 objects, e.g. 10n4k"},
	{"w.1.600000n1/600000n1", DIAG_ERROR, 0, 4,
	    17, "too many objects: 1200000, expected at most 1000000 in a working set"},
	{"w.1.1000000n9g/1000000000g", DIAG_ERROR, 0, 4,
	    22, "too many objects: 1000001, expected at most 1000000 in a working set"},
	{"w.x.4k", DIAG_ERROR, 0, 2, 1,
	    "invalid working set 'x': expected an id from 0 to 2147483647, e.g. 1"},
	{"z", DIAG_ERROR, 0, 0, 1,
	    "unknown step 'z': expected a batch, ctx.engine.duration.dependencies.wait, or a step that begins with one of d p s t q f a T P S X M B b G w W"},
	{"VCS.1", DIAG_ERROR, 0, 0, 3,
	    "unknown step 'VCS': expected a batch, ctx.engine.duration.dependencies.wait, or a step that begins with one of d p s t q f a T P S X M B b G w W"},
	{"1.RCS.1000.0.0;1.RCS.1000.0.0", DIAG_ERROR, 0, 17, 12,
	    "unexpected 'RCS.1000.0.0' at the end: expected ctx.engine.duration.dependencies.wait"},
	{"1.RCS.1000.0.0\001", DIAG_ERROR, 0, 14, 1,
	    "invalid byte 0x01: expected visible text"},
	{"# a\002b", DIAG_ERROR, 0, 3, 1,
	    "invalid byte 0x02: expected visible text"},
	{"\346\274\242.RCS.1.0.0", DIAG_ERROR, 0, 0, 3,
	    "invalid context '\346\274\242': expected 0 to 2147483647, e.g. 1"},
	{"b.1.VCS1.DEFAULT", DIAG_ERROR, 0, 9, 7,
	    "invalid master 'DEFAULT' of a bond: expected one engine, e.g. RCS or VCS1"},
};

TEST(wrongs)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		const struct wrong *w = &wrongs[i];
		struct document *doc = document_parse(
		    "w", w->text, strlen(w->text), SOURCE_INLINE);
		const struct diag_list *l = document_diagnostics(doc);

		if (l->n != 1)
			fail_msg("'%s': %zu diagnostics", w->text, l->n);
		assert_string_equal(l->list[0].message, w->message);
		assert_int_equal(l->list[0].severity, w->severity);
		assert_int_equal(l->list[0].line, w->line);
		assert_int_equal(l->list[0].col, w->col);
		assert_int_equal(l->list[0].len, w->len);
		assert_int_equal(
		    document_is_valid(doc), w->severity == DIAG_WARNING);
		document_free(doc);
	}
}

/* Texts without any diagnostic, and the canonical text of their steps. */
static const char *const rights[][2] = {
    {"", ""},
    {" , ,# only a comment", ""},
    {"0.RCS.1000.0.0", "0.RCS.1000.0.0"},
    {"2147483647.vcs2-1.1.0.1", "2147483647.VCS2-1.1.0.1"},
    {"1.default.1000000000.0.0", "1.DEFAULT.1000000000.0.0"},
    {"007.ccs-0.0500-01000.0.0", "7.CCS-0.500-1000.0.0"},
    {"1.RCS.5.0.0,1.RCS.5.0/-1/f-1/s-1.1", "1.RCS.5.-1/f-1/s-1.1"},
    {"1.RCS.*.0.0,T.-1", "T.-1"},
    {"f,1.RCS.5.f-1.0,a.-2", "a.-2"},
    {"1.RCS.5.0.0,s.-1", "s.-1"},
    {"t.0", "t.0"},
    {"t.1", "t.1"},
    {"q.7", "q.7"},
    {"d.1", "d.1"},
    {"p.16667", "p.16667"},
    {"d.2147483647", "d.2147483647"},
    {"p.2147483647", "p.2147483647"},
    {"P.1.-1023", "P.1.-1023"},
    {"P.1.1023", "P.1.1023"},
    {"S.1.-1", "S.1.-1"},
    {"S.2.9223372036854775807", "S.2.9223372036854775807"},
    {"S.2.0x7fffffffffffffff", "S.2.9223372036854775807"},
    {"S.2.0X0aF", "S.2.175"},
    {"X.1.0", "X.1.0"},
    {"M.1.vcs1|Vcs2-0", "M.1.VCS1|VCS2-0"},
    {"M.1.VCS,B.1", "B.1"},
    {"M.1.VCS,B.1,b.1.VCS1|VCS2.RCS", "b.1.VCS1|VCS2.RCS"},
    {"G.1.VCS1|VECS1/VCS2|VECS2", "G.1.VCS1|VECS1/VCS2|VECS2"},
    {"G.1.VCS1/VCS2,1.DEFAULT.7/3-5.0.0", "1.DEFAULT.7/3-5.0.0"},
    {"1.DEFAULT.7/3.0.0,G.1.VCS1/VCS2", "G.1.VCS1/VCS2"},
    {"w.0.4096/10n2M/1k-1g", "w.0.4k/10n2m/1k-1g"},
    {"W.7.1n1000", "W.7.1000"},
    {"w.1.3n4k,1.RCS.5.r1-0-2/w1-1.0", "1.RCS.5.r1-0-2/w1-1.0"},
    {"1.RCS.5.r1-0.0,w.1.4k", "w.1.4k"},
    {"\t1.RCS.5.0.0 \r\n", "1.RCS.5.0.0"},
};

TEST(rights)
{
	for (size_t i = 0; i < sizeof(rights) / sizeof(*rights); i++) {
		const char *text = rights[i][0];
		struct document *doc = document_parse(
		    "r", text, strlen(text), SOURCE_INLINE);
		size_t n = document_n_steps(doc);
		struct text printed = {0};

		if (document_diagnostics(doc)->n)
			fail_msg("'%s': %s", text,
			    document_diagnostics(doc)->list[0].message);
		if (n)
			step_print(&printed,
			    document_line_step(
				doc, document_line_of_step(doc, n - 1)));
		assert_string_equal(text_str(&printed), rights[i][1]);
		text_free(&printed);
		document_free(doc);
	}
}

/* All errors of a row are reported at once. */
TEST(all_errors_of_a_line)
{
	static const char text[] = "x1.VCS0.1x.-0/zz/r.7\nD.1\nt.9\n";
	static const uint32_t columns[] = {0, 3, 8, 11, 14, 17, 19, 0, 2};
	struct document *doc = document_parse(
	    "e", text, strlen(text), SOURCE_FILE);
	const struct diag_list *l = document_diagnostics(doc);

	assert_int_equal(l->n, 9);
	assert_int_equal(l->n_errors, 9);
	for (size_t i = 0; i < l->n; i++)
		assert_int_equal(l->list[i].col, columns[i]);
	document_free(doc);
}

static void
expect_explained(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "a.wsim", text, strlen(text), SOURCE_FILE);
	struct text t = {0};

	document_explain(doc, &document_diagnostics(doc)->list[0], &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	document_free(doc);
}

TEST(explain)
{
	struct text row = {0};

	expect_explained("# ok\n1.RCS.1x.0.0\n",
	    "a.wsim:2:7: error: invalid duration '1x': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *\n1.RCS.1x.0.0\n      ^~\n");
	expect_explained("d.1,\td.x",
	    "a.wsim:1:8: error: invalid delay 'x': expected microseconds "
	    "from 1 to 2147483647, e.g. 1000\n"
	    "d.1,    d.x\n"
	    "          ^\n");
	expect_explained("\xe6\xbc\xa2\xcc\x81.\x1b.1.0.0",
	    "a.wsim:1:7: error: invalid byte 0x1b: expected visible text\n"
	    "\xe6\xbc\xa2\xcc\x81.?.1.0.0\n"
	    "   ^\n");
	for (int i = 0; i < 100; i++)
		text_adds(&row, "d.1,");
	text_adds(&row, "d.0");
	for (int i = 0; i < 100; i++)
		text_adds(&row, ",d.1");
	expect_explained(row.data,
	    "a.wsim:1:403: error: invalid delay '0': expected microseconds "
	    "from 1 to 2147483647, e.g. 1000\n"
	    "...1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.0,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d....\n"
	    "                                                               ^\n");
	text_free(&row);
}

static void
expect_format(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "f", text, strlen(text), SOURCE_FILE);
	struct text t = {0};

	document_format(doc, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	document_free(doc);
}

TEST(format)
{
	expect_format("", "");
	expect_format("d.1", "d.1\n");
	expect_format("  # c, d  \r\n\n d.1,,p.02 , # e\n\nwrong 1",
	    "# c, d\n\nd.1\np.2\n# e\n\nwrong 1\n");
	expect_format(
	    "w.1.4096,1.rcs.5.0/r1-0.0\n", "w.1.4k\n1.RCS.5.r1-0.0\n");
}

static void
expect_portable(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "p", text, strlen(text), SOURCE_FILE);
	struct diag_list why = {0};
	struct text t = {0};

	assert_int_equal(document_is_portable(doc, &why), !*expected);
	for (size_t i = 0; i < why.n; i++) {
		const struct diag *d = &why.list[i];
		size_t row, column;

		assert_int_equal(d->severity, DIAG_NOTE);
		document_position(doc, d->line, d->col, &row, &column);
		text_addf(&t, "line %zu: %s\n", row, d->message);
	}
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	diag_list_free(&why);
	document_free(doc);
}

#define NO_WAITER "line 1: gem_wsim aborts on a fence that no batch waits for\n"
#define TOO_HIGH                                                               \
	"line 1: gem_wsim takes memory by the context's number: this one is "  \
	"above 65535\n"

TEST(portable)
{
	expect_portable("1.RCS.5.0.0\n#@ dispatch 1x1x1\np.5\n", "");
	expect_portable("\nG.1.VCS1/VCS2\n1.DEFAULT.1/2.0.0",
	    "line 2: parallel slots (G) are not in gem_wsim\n"
	    "line 3: durations by row are not in gem_wsim\n");
	expect_portable("1.RCS.5000000.0.0,2.RCS.1.f-1/s-1.0 \n",
	    "line 1: gem_wsim wraps durations above 4294967 us\n"
	    "line 1: gem_wsim takes no blanks after a step like this\n"
	    "line 1: gem_wsim takes one f or s dependency per batch\n");
	/* gem_wsim reads these, then asserts or crashes. */
	expect_portable("f\na.-1\n", NO_WAITER);
	expect_portable("f\nd.10\na.-2\n", NO_WAITER);
	expect_portable("f\na.-1\na.-2\n", NO_WAITER);
	expect_portable("f\n1.RCS.5.f-1.0\na.-2\n", "");
	expect_portable("f\n1.RCS.5.s-1.0\na.-2\n", "");
	expect_portable("65535.RCS.5.0.0\n", "");
	expect_portable("65536.RCS.5.0.0\n", TOO_HIGH);
	expect_portable("P.2147483647.1\n", TOO_HIGH);
	expect_portable("M.1.RCS|VCS1\n", "");
	expect_portable("M.1.VCS1|VCS2\nB.1\n", "");
	expect_portable("M.1.RCS|VCS1\nB.1\n1.DEFAULT.5.0.0\n",
	    "line 1: kernels refuse to balance over engines of two classes\n");
	expect_portable("1.RCS.5.0.0\n1.RCS.5.0/-1.0\n1.RCS.5.-1/0.0\n",
	    "line 2: gem_wsim takes 0 as a dependency only alone\n"
	    "line 3: gem_wsim takes 0 as a dependency only alone\n");
	expect_portable("1.RCS.5.0/0.0\n",
	    "line 1: gem_wsim takes 0 as a dependency only alone\n");
	expect_portable("d.5\n \n\n,\nd.5\n",
	    "line 2: gem_wsim takes no blanks in an empty line\n");
	/* gem_wsim ignores text after a number. */
	expect_portable("d.5 \nP.1.1\r\nM.1.VCS \nf\r\n1.RCS.5.f-1.0\r\n",
	    "line 3: gem_wsim takes no blanks after a step like this\n"
	    "line 4: gem_wsim takes no carriage return after a step like "
	    "this\n"
	    "line 5: gem_wsim takes no carriage return after a step like "
	    "this\n");
	expect_portable("w.65535.4k\n", "");
	expect_portable("w.65536.4k\n",
	    "line 1: gem_wsim takes memory by the working set's number: this "
	    "one is above 65535\n");
	expect_portable("S.1.4294967295\n",
	    "line 1: gem_wsim reads slice masks up to 2147483647\n");
	expect_portable("S.1.3\n1.RCS.5.0.0\n", "");
	expect_portable("1.RCS.5.0.0\n S.1.0x3\n",
	    "line 2: gem_wsim takes no blanks before a step\n"
	    "line 2: gem_wsim reads a hexadecimal slice mask as 0\n");
	expect_portable("M.1.VCS1|VCS1\nB.1\n",
	    "line 1: kernels refuse to balance over an engine named twice\n");
}

/* Files have a size limit, the text of -w has none. */
TEST(portable_size)
{
	size_t len = (1u << 20) - 4;
	char *text = mem_calloc(1, len + 6);

	memset(text, '#', len);
	memcpy(text + len, "\nd.5", 5);
	expect_portable(text, "line 1: gem_wsim reads files below 1 MiB\n");
	expect_portable(text + 1, "");
	free(text);
}
