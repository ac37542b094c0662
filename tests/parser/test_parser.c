/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language: what is wrong with what, where and in which words; what is
 * right; how steps are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/document.h"

/* The first diagnostic of an inline text. */
struct wrong {
	const char *text;
	enum severity severity;
	uint32_t line, col, len;
	const char *message;
};

static const struct wrong wrongs[] = {
    {"1", DIAG_ERROR, 0, 1, 1,
	"missing engine: write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000", DIAG_ERROR, 0, 10, 1,
	"missing dependencies: write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000.0", DIAG_ERROR, 0, 12, 1,
	"missing wait: write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000.0.0.", DIAG_ERROR, 0, 14, 1,
	"empty field at the end: remove the dot, write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000.0.0.7", DIAG_ERROR, 0, 15, 1,
	"'7' is too much: write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000.0.2", DIAG_ERROR, 0, 13, 1,
	"wait '2' is neither 0 nor 1: use 1 to wait for the batch, 0 not to"},
    {"1.RCS.1000.0.01", DIAG_ERROR, 0, 13, 2,
	"wait '01' is neither 0 nor 1: use 1 to wait for the batch, 0 not to"},
    {"1.RCS.1000.0.", DIAG_ERROR, 0, 13, 1,
	"empty wait: use 1 to wait for the batch, 0 not to"},
    {".RCS.1000.0.0", DIAG_ERROR, 0, 0, 1,
	"empty context: use a number from 0 to 2147483647"},
    {"1x.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	"context '1x' is no number: use 0 to 2147483647"},
    {"+1.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	"context '+1' is no number: use 0 to 2147483647"},
    {"-1.RCS.1000.0.0", DIAG_ERROR, 0, 0, 2,
	"context '-1' is no number: use 0 to 2147483647"},
    {"2147483648.RCS.1000.0.0", DIAG_ERROR, 0, 0, 10,
	"context 2147483648 is too big: use 0 to 2147483647"},
    {"1 .RCS.1000.0.0", DIAG_ERROR, 0, 1, 1,
	"blank inside a step: write its fields without blanks, steps on lines of their own"},
    {"1..1000.0.0", DIAG_ERROR, 0, 2, 1,
	"empty engine: use DEFAULT, RCS, BCS, VCS, VECS, CCS, with a number from 1 like VCS2"},
    {"1.VCS0.1000.0.0", DIAG_ERROR, 0, 2, 4,
	"'VCS0' is no engine: use DEFAULT, RCS, BCS, VCS, VECS, CCS, with a number from 1 like VCS2 and a gt like VCS1-0"},
    {"1.XYZ.1000.0.0", DIAG_ERROR, 0, 2, 3,
	"'XYZ' is no engine: use DEFAULT, RCS, BCS, VCS, VECS, CCS, with a number from 1 like VCS2 and a gt like VCS1-0"},
    {"1.VCS1234.1000.0.0", DIAG_ERROR, 0, 2, 7,
	"'VCS1234' is no engine: use DEFAULT, RCS, BCS, VCS, VECS, CCS, with a number from 1 like VCS2 and a gt like VCS1-0"},
    {"1.RCS.1x.0.0", DIAG_ERROR, 0, 6, 2,
	"duration '1x' is no number: use microseconds like 1000, a range like 500-1000, or *"},
    {"1.RCS..0.0", DIAG_ERROR, 0, 6, 1,
	"empty duration: use microseconds like 1000, a range like 500-1000, or *"},
    {"1.RCS.0.0.0", DIAG_ERROR, 0, 6, 1,
	"duration 0 is no time: use 1 microsecond or more"},
    {"1.RCS.0-5.0.0", DIAG_ERROR, 0, 6, 1,
	"duration 0 is no time: use 1 microsecond or more"},
    {"1.RCS.1000000001.0.0", DIAG_ERROR, 0, 6, 10,
	"duration 1000000001 is too long: at most 1000000000 us"},
    {"1.RCS.99999999999999999999.0.0", DIAG_ERROR, 0, 6, 20,
	"duration 99999999999999999999 is too long: at most 1000000000 us"},
    {"1.RCS.1000-999.0.0", DIAG_ERROR, 0, 6, 8,
	"duration '1000-999' is no range: the second must be above the first, like 500-1000"},
    {"1.RCS.1000-1000.0.0", DIAG_ERROR, 0, 6, 9,
	"duration '1000-1000' is no range: the second must be above the first, like 500-1000"},
    {"1.RCS.1-2-3.0.0", DIAG_ERROR, 0, 6, 5,
	"duration '1-2-3' is no number: use microseconds like 1000, a range like 500-1000, or *"},
    {"1.RCS.*x.0.0", DIAG_ERROR, 0, 6, 2,
	"duration '*x' is no number: use microseconds like 1000, a range like 500-1000, or *"},
    {"1.RCS.5/.0.0", DIAG_ERROR, 0, 8, 1,
	"empty duration: use microseconds like 1000, a range like 500-1000, or *"},
    {"1.RCS.10/20.0.0", DIAG_ERROR, 0, 6, 5,
	"durations by row need a parallel slot (G): add one like G.1.VCS1/VCS2, or give one duration"},
    {"1.RCS.1000..0", DIAG_ERROR, 0, 11, 1,
	"empty dependency: use 0 for none, or -n, f-n, s-n, rS-o, wS-o joined by /"},
    {"1.RCS.1000.-0.0", DIAG_ERROR, 0, 11, 2,
	"dependency '-0' is the step itself: name an earlier one with -1 or more"},
    {"1.RCS.1000.-1.0", DIAG_ERROR, 0, 11, 2,
	"offset -1 goes before the first step: 0 stand before this one"},
    {"1.RCS.1000.1.0", DIAG_ERROR, 0, 11, 1,
	"dependency '1' points forward: offsets count back, did you mean '-1'"},
    {"1.RCS.1000.-1//-1.0", DIAG_ERROR, 0, 14, 1,
	"empty dependency: use 0 for none, or -n, f-n, s-n, rS-o, wS-o joined by /"},
    {"1.RCS.1000.f.0", DIAG_ERROR, 0, 11, 1,
	"dependency 'f' has no offset: count steps back, like f-1"},
    {"1.RCS.1000.f1.0", DIAG_ERROR, 0, 11, 2,
	"dependency 'f1' has no offset: count steps back, like f-1"},
    {"1.RCS.1000.F-1.0", DIAG_ERROR, 0, 11, 3,
	"dependency 'F-1' is unknown: did you mean 'f-1'"},
    {"1.RCS.1000.s-x.0", DIAG_ERROR, 0, 11, 3,
	"dependency 's-x' is no offset: count steps back in digits, like s-1"},
    {"1.RCS.1000.x-1.0", DIAG_ERROR, 0, 11, 3,
	"dependency 'x-1' is unknown: use 0 for none, -n, f-n, s-n, rS-o or wS-o"},
    {"1.RCS.1000.-2147483648.0", DIAG_ERROR, 0, 11, 11,
	"dependency '-2147483648' reaches back too far: at most 2147483647 steps"},
    {"1.RCS.1000.r1.0", DIAG_ERROR, 0, 11, 2,
	"dependency 'r1' names no object: write r1-0 for the first of the set"},
    {"1.RCS.1000.r1-.0", DIAG_ERROR, 0, 11, 3,
	"dependency 'r1-' lacks an object: write r1-0 for the first object of set 1"},
    {"1.RCS.1000.rx-0.0", DIAG_ERROR, 0, 12, 1,
	"'x' in dependency 'rx-0' is no working set: use the id of a w or W step, like r1-0"},
    {"1.RCS.1000.r1-0.0", DIAG_ERROR, 0, 11, 4,
	"working set 1 is defined nowhere: add a step like w.1.4k"},
    {"1.RCS.1000.r1-2-1.0", DIAG_ERROR, 0, 14, 3,
	"objects '2-1' are no range: the second must be above the first"},
    {"1.RCS.1000.w1-1000000.0", DIAG_ERROR, 0, 14, 7,
	"object 1000000 is out of range: a working set has at most 1000000"},
    {"w.1.4k,1.RCS.1000.r1-1.0", DIAG_ERROR, 1, 11, 4,
	"object 1 is not in working set 1: line 1 gives it 1, numbered from 0"},
    {"w.1.4k,W.1.8k", DIAG_ERROR, 1, 2, 1,
	"working set 1 is defined in line 1 already: ids are one space for w and W"},
    {"d.10,1.RCS.1000.-1.0", DIAG_ERROR, 1, 11, 2,
	"step 0 (d.10, line 1) is no batch: name one whose output is read"},
    {"f,1.RCS.1000.-1/f-1.0", DIAG_ERROR, 1, 11, 2,
	"step 0 (f, line 1) is a fence: wait for it with f-n"},
    {"d.10,1.RCS.1000.f-1.0", DIAG_ERROR, 1, 11, 3,
	"step 0 (d.10, line 1) is neither batch nor fence: name one of those"},
    {"d", DIAG_ERROR, 0, 1, 1, "missing us: write d.us"},
    {"d.", DIAG_ERROR, 0, 2, 1, "empty delay: use microseconds like 1000"},
    {"d.0", DIAG_ERROR, 0, 2, 1,
	"delay 0 is no time: use 1 microsecond or more"},
    {"d.x", DIAG_ERROR, 0, 2, 1,
	"delay 'x' is no number: use microseconds like 1000"},
    {"d.100.1", DIAG_ERROR, 0, 6, 1, "'1' is too much: write d.us"},
    {"D.100", DIAG_ERROR, 0, 0, 1,
	"step 'D' is unknown: did you mean 'd', written d.us"},
    {"p.0", DIAG_ERROR, 0, 2, 1,
	"period 0 is no time: use 1 microsecond or more"},
    {"s.1", DIAG_ERROR, 0, 2, 1,
	"target '1' does not count back: write steps back with a minus, like s.-1"},
    {"s.-0", DIAG_ERROR, 0, 2, 2,
	"target '-0' is the step itself: name an earlier one with -1 or more"},
    {"s.-1", DIAG_ERROR, 0, 2, 2,
	"offset -1 goes before the first step: 0 stand before this one"},
    {"s.x", DIAG_ERROR, 0, 2, 1,
	"target 'x' does not count back: write steps back with a minus, like s.-1"},
    {"d.10,s.-1", DIAG_ERROR, 1, 2, 2,
	"step 0 (d.10, line 1) is no batch: s waits for a batch"},
    {"f,1.RCS.5.f-1.0,s.-2", DIAG_ERROR, 2, 2, 2,
	"step 0 (f, line 1) is no batch: s waits for a batch"},
    {"1.RCS.5.0.0,a.-1", DIAG_ERROR, 1, 2, 2,
	"step 0 (1.RCS.5.0.0, line 1) is no fence: a signals an f step"},
    {"1.RCS.5.0.0,T.-1", DIAG_ERROR, 1, 2, 2,
	"step 0 (1.RCS.5.0.0, line 1) ends by itself: T ends a batch of duration *"},
    {"d.5,T.-1", DIAG_ERROR, 1, 2, 2,
	"step 0 (d.5, line 1) is no batch: T ends a batch of duration *"},
    {"t.-1", DIAG_ERROR, 0, 2, 2,
	"throttle '-1' is no number: use digits, 0 turns it off"},
    {"t.5", DIAG_ERROR, 0, 2, 1,
	"throttle 5 is more than there are steps: use at most 1, or 0 to turn it off"},
    {"q", DIAG_ERROR, 0, 1, 1, "missing n: write q.n"},
    {"q.x", DIAG_ERROR, 0, 2, 1,
	"queue depth 'x' is no number: use digits, 0 turns it off"},
    {"f.1", DIAG_ERROR, 0, 2, 1, "'1' is too much: write f"},
    {"f", DIAG_WARNING, 0, 0, 1,
	"no step names this fence: wait for it with f-n, or signal it with a.-n"},
    {"1.RCS.*.0.0", DIAG_WARNING, 0, 6, 1,
	"no T names this infinite batch, so it hangs: end it with a step like T.-1"},
    {"P.1", DIAG_ERROR, 0, 3, 1, "missing prio: write P.ctx.prio"},
    {"P.0.1", DIAG_ERROR, 0, 2, 1,
	"context 0 can't be set up: use 1 to 2147483647"},
    {"P.1.x", DIAG_ERROR, 0, 4, 1,
	"priority 'x' is no number: use -1023 to 1023"},
    {"P.1.1024", DIAG_ERROR, 0, 4, 4,
	"priority 1024 is out of range: use -1023 to 1023"},
    {"P.1.-1024", DIAG_ERROR, 0, 4, 5,
	"priority -1024 is out of range: use -1023 to 1023"},
    {"P.1.", DIAG_ERROR, 0, 4, 1, "empty priority: use -1023 to 1023"},
    {"S.1.0", DIAG_ERROR, 0, 4, 1,
	"slice mask 0 leaves no slice: use a number from 1, or -1 for all slices"},
    {"S.1.-2", DIAG_ERROR, 0, 4, 2,
	"slice mask '-2' is no mask: use a number from 1 like 3 or 0x3, or -1 for all slices"},
    {"S.1.1x1", DIAG_ERROR, 0, 4, 3,
	"slice mask '1x1' is no mask: use a number from 1 like 3 or 0x3, or -1 for all slices"},
    {"S.1.0x", DIAG_ERROR, 0, 4, 2,
	"slice mask '0x' is no mask: use a number from 1 like 3 or 0x3, or -1 for all slices"},
    {"S.1.0xg", DIAG_ERROR, 0, 4, 3,
	"slice mask '0xg' is no mask: use a number from 1 like 3 or 0x3, or -1 for all slices"},
    {"S.1.0x0", DIAG_ERROR, 0, 4, 3,
	"slice mask 0 leaves no slice: use a number from 1, or -1 for all slices"},
    {"S.1.0x8000000000000000", DIAG_ERROR, 0, 4, 18,
	"slice mask 0x8000000000000000 is too big: at most 63 bits"},
    {"S.1.0xfffffffffffffffffffffff1", DIAG_ERROR, 0, 4, 26,
	"slice mask 0xfffffffffffffffffffffff1 is too big: at most 63 bits"},
    {"X.1.1x", DIAG_ERROR, 0, 4, 2,
	"preemption time '1x' is no number: use microseconds like 1000"},
    {"M.1", DIAG_ERROR, 0, 3, 1, "missing E|E: write M.ctx.E|E"},
    {"M.1.", DIAG_ERROR, 0, 4, 1,
	"empty engine in an engine map: join names by |, like VCS1|VCS2"},
    {"M.1.DEFAULT", DIAG_ERROR, 0, 4, 7,
	"DEFAULT is no engine of an engine map: name one of RCS, BCS, VCS, VECS, CCS"},
    {"M.1.VCS1||VCS2", DIAG_ERROR, 0, 9, 1,
	"empty engine in an engine map: join names by |, like VCS1|VCS2"},
    {"M.0.VCS", DIAG_ERROR, 0, 2, 1,
	"context 0 can't be set up: use 1 to 2147483647"},
    {"B.1", DIAG_ERROR, 0, 0, 1,
	"load balancing needs an engine map: put a step like M.1.VCS before it"},
    {"B.1.1", DIAG_ERROR, 0, 4, 1, "'1' is too much: write B.ctx"},
    {"B.1,M.1.VCS", DIAG_ERROR, 0, 0, 1,
	"load balancing needs an engine map: put a step like M.1.VCS before it"},
    {"M.1.VCS,b.1.VCS1.VCS2", DIAG_ERROR, 1, 0, 1,
	"engine bonds need load balancing: put B.1 before it"},
    {"b.1.VCS1.VCS2,M.1.VCS", DIAG_ERROR, 0, 0, 1,
	"engine bonds need load balancing: put steps like M.1.VCS and B.1 before it"},
    {"G.1.VCS1/VCS2,B.1", DIAG_ERROR, 1, 0, 1,
	"load balancing is for engine maps (M), and context 1 has a parallel slot (G, line 1), which chooses among its siblings by itself: leave this step out"},
    {"b.1.VCS1.VCS2,1.DEFAULT.1.0.0,G.1.VCS1/VCS2", DIAG_ERROR, 0, 0, 1,
	"engine bonds are for engine maps (M), and context 1 has a parallel slot (G, line 1), which chooses among its siblings by itself: leave this step out"},
    {"b.1.VCS1", DIAG_ERROR, 0, 8, 1, "missing master: write b.ctx.E|E.master"},
    {"M.1.VCS,B.1,b.1.VCS1.", DIAG_ERROR, 2, 9, 1,
	"empty engine: use DEFAULT, RCS, BCS, VCS, VECS, CCS, with a number from 1 like VCS2"},
    {"M.1.VCS,B.1,b.1.DEFAULT.RCS", DIAG_ERROR, 2, 4, 7,
	"DEFAULT is no engine of a bond: name one of RCS, BCS, VCS, VECS, CCS"},
    {"G.1.VCS1|VCS2/VCS1", DIAG_ERROR, 0, 14, 4,
	"every row needs the same number of siblings: row 1 has 2, this one 1"},
    {"G.1.VCS1/VCS2,1.DEFAULT.1/2/3.0.0", DIAG_ERROR, 1, 10, 5,
	"3 durations for 2 rows: give one for all, or one for each row of line 1"},
    {"w.1", DIAG_ERROR, 0, 3, 1, "missing size/size: write w.id.size/size"},
    {"w.1.", DIAG_ERROR, 0, 4, 1,
	"empty size: write bytes like 4096 or 4k, joined by /"},
    {"w.1.0", DIAG_ERROR, 0, 4, 1,
	"size '0' is empty: an object has one byte or more"},
    {"w.1.k", DIAG_ERROR, 0, 4, 1,
	"size 'k' is no number of bytes: write 4096, 4k, 2M, 1g, 10n4k for ten, or a range 4k-1m"},
    {"w.1.n4k", DIAG_ERROR, 0, 4, 3,
	"count '' is no number: write 10n4k for ten objects of 4k"},
    {"w.1.0n4k", DIAG_ERROR, 0, 4, 1,
	"count 0 makes no object: leave the size out, or count from 1"},
    {"w.1.4kk", DIAG_ERROR, 0, 4, 3,
	"size '4kk' is no number of bytes: write 4096, 4k, 2M, 1g, 10n4k for ten, or a range 4k-1m"},
    {"w.1.4k//8k", DIAG_ERROR, 0, 7, 1,
	"empty size: write bytes like 4096 or 4k, joined by /"},
    {"w.1.8k-4k", DIAG_ERROR, 0, 4, 5,
	"size '8k-4k' is no range: the second must be above the first"},
    {"w.1.9999999999g", DIAG_ERROR, 0, 4, 11,
	"size '9999999999g' is too big: at most 2^62 bytes"},
    {"w.1.1000001n1", DIAG_ERROR, 0, 4, 7,
	"count 1000001 is too big: a working set has at most 1000000 objects"},
    {"w.1.600000n1/600000n1", DIAG_ERROR, 0, 4, 17,
	"1200000 objects are too many: a working set has at most 1000000"},
    {"w.1.1000000n9g/1000000000g", DIAG_ERROR, 0, 4, 22,
	"1000001 objects are too many: a working set has at most 1000000"},
    {"w.x.4k", DIAG_ERROR, 0, 2, 1,
	"working set 'x' is no number: use an id from 0 to 2147483647"},
    {"z", DIAG_ERROR, 0, 0, 1,
	"step 'z' is unknown: a batch is written ctx.engine.duration.dependencies.wait, other steps begin with one of d p s t q f a T P S X M B b G w W"},
    {"VCS.1", DIAG_ERROR, 0, 0, 3,
	"step 'VCS' is unknown: a batch is written ctx.engine.duration.dependencies.wait, other steps begin with one of d p s t q f a T P S X M B b G w W"},
    {"1.RCS.1000.0.0;1.RCS.1000.0.0", DIAG_ERROR, 0, 17, 12,
	"'RCS.1000.0.0' is too much: write ctx.engine.duration.dependencies.wait"},
    {"1.RCS.1000.0.0\001", DIAG_ERROR, 0, 14, 1,
	"byte 0x01 is no text: remove it"},
    {"# a\002b", DIAG_ERROR, 0, 3, 1, "byte 0x02 is no text: remove it"},
    {"\346\274\242.RCS.1.0.0", DIAG_ERROR, 0, 0, 3,
	"context '\346\274\242' is no number: use 0 to 2147483647"},
    {"b.1.VCS1.DEFAULT", DIAG_ERROR, 0, 9, 7,
	"DEFAULT is no master of a bond: name one engine, like RCS or VCS1"},
};

static void
test_wrongs(void **state)
{
	(void)state;
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

static void
test_rights(void **state)
{
	(void)state;
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

/* A row has all its errors at once. */
static void
test_all_errors_of_a_line(void **state)
{
	static const char text[] = "x1.VCS0.1x.-0/zz/r.7\nD.1\nt.9\n";
	static const uint32_t columns[] = {0, 3, 8, 11, 14, 17, 19, 0, 2};
	struct document *doc = document_parse(
	    "e", text, strlen(text), SOURCE_FILE);
	const struct diag_list *l = document_diagnostics(doc);

	(void)state;
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

static void
test_explain(void **state)
{
	struct text row = {0};

	(void)state;
	expect_explained("# ok\n1.RCS.1x.0.0\n",
	    "a.wsim:2:7: error: duration '1x' is no number: use microseconds "
	    "like 1000, a range like 500-1000, or *\n"
	    "1.RCS.1x.0.0\n"
	    "      ^~\n");
	expect_explained("d.1,\td.x",
	    "a.wsim:1:8: error: delay 'x' is no number: use microseconds "
	    "like 1000\n"
	    "d.1,    d.x\n"
	    "          ^\n");
	expect_explained("\xe6\xbc\xa2\xcc\x81.\x1b.1.0.0",
	    "a.wsim:1:7: error: byte 0x1b is no text: remove it\n"
	    "\xe6\xbc\xa2\xcc\x81.?.1.0.0\n"
	    "   ^\n");
	for (int i = 0; i < 100; i++)
		text_adds(&row, "d.1,");
	text_adds(&row, "d.0");
	for (int i = 0; i < 100; i++)
		text_adds(&row, ",d.1");
	expect_explained(row.data,
	    "a.wsim:1:403: error: delay 0 is no time: use 1 microsecond or "
	    "more\n"
	    "...1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.0,"
	    "d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d....\n"
	    "                                                               "
	    "^\n");
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

static void
test_format(void **state)
{
	(void)state;
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

static void
test_portable(void **state)
{
	(void)state;
	expect_portable("1.RCS.5.0.0\n#@ dispatch 1x1x1\np.5\n", "");
	expect_portable("\nG.1.VCS1/VCS2\n1.DEFAULT.1/2.0.0",
	    "line 2: parallel slots (G) are not in gem_wsim\n"
	    "line 3: durations by row are not in gem_wsim\n");
	expect_portable("1.RCS.5000000.0.0,2.RCS.1.f-1/s-1.0 \n",
	    "line 1: gem_wsim wraps durations above 4294967 us\n"
	    "line 1: gem_wsim takes no blanks after a step like this\n"
	    "line 1: gem_wsim takes one f or s dependency per batch\n");
	/* All of these the real one takes, and then asserts or crashes. */
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
	/* A number is followed by anything there. */
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

/* The limit of a file; the text of -w has none. */
static void
test_portable_size(void **state)
{
	size_t len = (1u << 20) - 4;
	char *text = mem_calloc(1, len + 6);

	(void)state;
	memset(text, '#', len);
	memcpy(text + len, "\nd.5", 5);
	expect_portable(text, "line 1: gem_wsim reads files below 1 MiB\n");
	expect_portable(text + 1, "");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_wrongs),
	    cmocka_unit_test(test_rights),
	    cmocka_unit_test(test_all_errors_of_a_line),
	    cmocka_unit_test(test_explain),
	    cmocka_unit_test(test_format),
	    cmocka_unit_test(test_portable),
	    cmocka_unit_test(test_portable_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
