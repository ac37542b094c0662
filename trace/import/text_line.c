/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a line of a trace as text. The words before the event's name are found
 * from the cpu in brackets and the time behind it, as names of tasks may have
 * blanks, hyphens and brackets; the fields are KEY=VALUE in any order.
 */
#include "trace/import/text_line.h"

#include <string.h>

#define MOST_FLAGS 16 /* characters between a cpu and a time */

struct cursor {
	const char *p, *end;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

static void
skip_spaces(struct cursor *c)
{
	while (c->p < c->end && is_space(*c->p))
		c->p++;
}

static bool
take_number(struct cursor *c, uint64_t *n)
{
	const char *begin = c->p;

	*n = 0;
	while (c->p < c->end && is_digit(*c->p)) {
		if (__builtin_mul_overflow(*n, 10u, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*c->p - '0'), n))
			return false;
		c->p++;
	}
	return c->p > begin;
}

/* Takes "10.000002:" or "10.000002000:". */
static bool
take_line_time(struct cursor *c, nsec *time)
{
	nsec unit = NSEC_PER_SEC;
	uint64_t seconds, part = 0;

	if (!take_number(c, &seconds) || c->p == c->end ||
	    (*c->p != '.' && *c->p != ',') ||
	    seconds >= NSEC_MAX / NSEC_PER_SEC)
		return false;
	for (c->p++; c->p < c->end && is_digit(*c->p); c->p++) {
		unit /= 10;
		part += (uint64_t)(*c->p - '0') * unit;
	}
	if (c->p == c->end || *c->p != ':')
		return false;
	c->p++;
	*time = seconds * NSEC_PER_SEC + part;
	return true;
}

/* Takes the time behind a cpu: "[000] d..1.  10.000002:". */
static bool
take_cpu_and_time(struct cursor *c, nsec *time)
{
	struct cursor at;
	const char *flags;
	uint64_t cpu;

	if (c->p == c->end || *c->p++ != '[' || !take_number(c, &cpu) ||
	    c->p == c->end || *c->p++ != ']')
		return false;
	skip_spaces(c);
	at = *c;
	if (take_line_time(&at, time)) {
		*c = at;
		return true;
	}
	flags = c->p;
	while (c->p < c->end && !is_space(*c->p) && c->p - flags <= MOST_FLAGS)
		c->p++;
	skip_spaces(c);
	return take_line_time(c, time);
}

/* Takes the time of a line without a cpu in brackets: that of trace-cmd report
 * -l, whose word before it has cpu and flags. Sets *head_end to its beginning. */
static bool
take_bare_time(struct cursor *c, nsec *time, const char **head_end)
{
	const char *word = NULL;

	while (c->p < c->end) {
		struct cursor at;

		skip_spaces(c);
		at = *c;
		if (word != NULL && take_line_time(&at, time)) {
			*head_end = word;
			*c = at;
			return true;
		}
		word = c->p;
		while (c->p < c->end && !is_space(*c->p))
			c->p++;
	}
	return false;
}

static bool
find_time(struct cursor *c, nsec *time, const char **head_end)
{
	struct cursor at = *c;

	while (at.p < at.end) {
		const char *open = memchr(at.p, '[', (size_t)(at.end - at.p));
		struct cursor behind;

		if (open == NULL)
			break;
		behind = (struct cursor){open, c->end};
		if (take_cpu_and_time(&behind, time)) {
			*head_end = open;
			*c = behind;
			return true;
		}
		at.p = open + 1;
	}
	return take_bare_time(c, time, head_end);
}

static const char *
without_spaces(const char *begin, const char *end)
{
	while (end > begin && is_space(end[-1]))
		end--;
	return end;
}

/* Takes "(  383)" or "(-----)" off the end of a head. */
static const char *
take_tgid(const char *begin, const char *end, struct read_event *e)
{
	struct cursor c;
	const char *open;
	uint64_t n;

	end = without_spaces(begin, end);
	if (end == begin || end[-1] != ')')
		return end;
	open = memrchr(begin, '(', (size_t)(end - begin));
	if (open == NULL)
		return end;
	c = (struct cursor){open + 1, end - 1};
	skip_spaces(&c);
	if (take_number(&c, &n) && n <= INT32_MAX)
		e->tgid = (int64_t)n;
	return without_spaces(begin, open);
}

/* Reads "comm-PID", or "comm PID" and "comm PID/TID" of perf. */
static bool
take_task(const char *begin, const char *end, struct read_event *e)
{
	struct cursor c;
	const char *p;
	uint64_t pid;

	end = take_tgid(begin, end, e);
	for (p = end; p > begin && is_digit(p[-1]); p--)
		;
	c = (struct cursor){p, end};
	if (p == begin || !take_number(&c, &pid) || pid > INT32_MAX)
		return false;
	e->pid = (int64_t)pid;
	if (p[-1] == '/') {
		uint64_t tgid;

		for (end = --p; p > begin && is_digit(p[-1]); p--)
			;
		c = (struct cursor){p, end};
		if (p == begin || !take_number(&c, &tgid) || tgid > INT32_MAX)
			return false;
		e->tgid = (int64_t)tgid;
	}
	if (p[-1] == '-')
		p--;
	else if (!is_space(p[-1]))
		return false;
	p = without_spaces(begin, p);
	while (begin < p && is_space(*begin))
		begin++;
	e->comm = (struct slice){begin, (size_t)(p - begin)};
	return true;
}

/* Reads a task before a cpu; or, as perf script -F may leave the cpu out, before a time:
 * then its pid was taken for the word between both. */
static bool
take_head(const char *line, const char *head_end, const char *end,
    struct read_event *e)
{
	const char *behind = head_end;

	while (behind < end && !is_space(*behind))
		behind++;
	return take_task(line, head_end, e) || take_task(line, behind, e);
}

/* Skips what some options print between a time and an event: "(+12)" of trace-cmd report
 * --ts-diff, and the period of perf script, a number. */
static void
skip_between(struct cursor *c)
{
	struct cursor at;
	uint64_t period;

	skip_spaces(c);
	at = *c;
	if (at.end - at.p > 2 && at.p[0] == '(' && at.p[1] == '+') {
		while (at.p < at.end && !is_space(*at.p) && *at.p != ')')
			at.p++;
		if (at.p < at.end && *at.p == ')') {
			c->p = at.p + 1;
			return;
		}
	}
	at = *c;
	if (take_number(&at, &period) && at.p < at.end && is_space(*at.p))
		*c = at;
}

/* Takes "i915_request_add:" or "i915:i915_request_add:". */
static bool
take_event_name(struct cursor *c, struct read_event *e)
{
	const char *begin, *end, *colon;

	skip_between(c);
	skip_spaces(c);
	begin = c->p;
	while (c->p < c->end && !is_space(*c->p))
		c->p++;
	end = c->p;
	if (end == begin || end[-1] != ':')
		return false;
	end--;
	colon = memrchr(begin, ':', (size_t)(end - begin));
	if (colon != NULL)
		begin = colon + 1;
	e->name = (struct slice){begin, (size_t)(end - begin)};
	return end > begin;
}

/* True for a line such as "x-1 [000] d..1. 696192018816: event:", whose clock counts cycles
 * or events. */
static bool
has_cycles(struct cursor c)
{
	struct read_event e;
	uint64_t n;

	while (c.p < c.end) {
		const char *open = memchr(c.p, '[', (size_t)(c.end - c.p));
		struct cursor at = {open, c.end};

		if (open == NULL)
			return false;
		c.p = ++at.p;
		if (!take_number(&at, &n) || at.p == at.end || *at.p++ != ']')
			continue;
		skip_spaces(&at);
		for (unsigned i = 0; i < 2; i++) {
			struct cursor time = at;
			const char *flags = at.p;

			if (take_number(&time, &n) && time.p < time.end &&
			    *time.p++ == ':')
				return take_event_name(&time, &e);
			while (at.p < at.end && !is_space(*at.p) &&
			    at.p - flags <= MOST_FLAGS)
				at.p++;
			skip_spaces(&at);
		}
	}
	return false;
}

/* Reads a number, with a sign or as 0x1f; a pointer may have no 0x. */
static bool
read_line_number(struct slice v, bool is_pointer, uint64_t *n)
{
	bool hex = is_pointer, minus = false;
	uint64_t base;
	size_t i = 0;

	if (v.len > 1 && v.s[0] == '-') {
		minus = true;
		i = 1;
	}
	if (v.len > i + 2 && v.s[i] == '0' && v.s[i + 1] == 'x') {
		hex = true;
		i += 2;
	}
	base = hex ? 16 : 10;
	for (*n = 0; i < v.len; i++) {
		char c = v.s[i];
		uint64_t digit = is_digit(c)      ? (uint64_t)(c - '0')
		    : hex && c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
						  : base;

		if (digit >= base || __builtin_mul_overflow(*n, base, n) ||
		    __builtin_add_overflow(*n, digit, n))
			return false;
	}
	*n = minus ? -*n : *n;
	return v.len > 0;
}

/* Splits "A:B" into two numbers. */
static bool
read_number_pair(struct slice v, uint64_t *a, uint64_t *b)
{
	const char *colon = memchr(v.s, ':', v.len);
	size_t len;

	if (colon == NULL)
		return false;
	len = (size_t)(colon - v.s);
	return read_line_number((struct slice){v.s, len}, false, a) &&
	    read_line_number(
		(struct slice){colon + 1, v.len - len - 1}, false, b);
}

/* Takes the numbers of "(context:44, seqno:17313)". */
static bool
read_worded_fence(struct slice v, uint64_t *context, uint64_t *seqno)
{
	static const char first[] = "(context:", second[] = "seqno:";
	struct cursor c = {v.s, v.s + v.len};

	if (v.len < sizeof(first) || memcmp(v.s, first, sizeof(first) - 1) != 0)
		return false;
	c.p += sizeof(first) - 1;
	if (!take_number(&c, context) || c.p == c.end || *c.p++ != ',')
		return false;
	skip_spaces(&c);
	if ((size_t)(c.end - c.p) < sizeof(second) ||
	    memcmp(c.p, second, sizeof(second) - 1) != 0)
		return false;
	c.p += sizeof(second) - 1;
	return take_number(&c, seqno);
}

/* "context:seqno"; the second one of an event is that waited for. */
static void
take_fence(struct read_event *e, struct slice v)
{
	bool again = event_has(e, KFIELD_CONTEXT);
	uint64_t a, b;

	if (read_worded_fence(v, &a, &b) || read_number_pair(v, &a, &b)) {
		event_set(e, again ? KFIELD_DEP_CONTEXT : KFIELD_CONTEXT, a);
		event_set(e, again ? KFIELD_DEP_SEQNO : KFIELD_SEQNO, b);
	} else if (read_line_number(v, true, &a)) {
		event_set(e, KFIELD_FENCE, a);
	}
}

static void
take_line_field(struct read_event *e, struct slice key, struct slice v)
{
	const struct read_field *f = read_field_find(
	    N_KERNEL_EVENTS, key.s, key.len);
	uint64_t a, b;

	if (f == NULL)
		return;
	if (f->text >= 0)
		e->texts[f->text] = v;
	if (f->number == READ_FENCE) {
		take_fence(e, v);
	} else if (f->number == READ_ENGINE_PAIR) {
		if (read_number_pair(v, &a, &b)) {
			event_set(e, KFIELD_CLASS, a);
			event_set(e, KFIELD_INSTANCE, b);
		}
	} else if (f->number >= 0 &&
	    read_line_number(v, f->number == KFIELD_ENTITY, &a)) {
		event_set(e, (unsigned)f->number, a);
	}
}

/* xe prints class and instances of a queue as "3:0x2", without a key. */
static void
take_bare_word(struct read_event *e, struct slice word)
{
	uint64_t class, mask;

	if ((e->kind != READ_XE_QUEUE && e->kind != READ_XE_CREATE) ||
	    !read_number_pair(word, &class, &mask))
		return;
	event_set(e, KFIELD_CLASS, class);
	event_set(e, READ_MASK, mask);
}

/* Moves on to the end of a value in brackets that has a blank: "fence=(context:44,
 * seqno:17313)". */
static void
skip_worded_fence(struct cursor *c, const char *begin)
{
	static const char key[] = "fence=(context:";
	const char *close;

	if ((size_t)(c->p - begin) < sizeof(key) ||
	    memcmp(begin, key, sizeof(key) - 1) != 0)
		return;
	close = memchr(begin, ')', (size_t)(c->end - begin));
	if (close == NULL || close < c->p)
		return;
	c->p = close + 1;
	if (c->p < c->end && *c->p == ',')
		c->p++;
}

static void
take_line_fields(struct cursor *c, struct read_event *e)
{
	while (skip_spaces(c), c->p < c->end) {
		const char *begin = c->p, *end, *equals;

		while (c->p < c->end && !is_space(*c->p))
			c->p++;
		skip_worded_fence(c, begin);
		end = c->p;
		if (end > begin && end[-1] == ',')
			end--;
		equals = memchr(begin, '=', (size_t)(end - begin));
		if (equals == NULL) {
			take_bare_word(
			    e, (struct slice){begin, (size_t)(end - begin)});
			continue;
		}
		take_line_field(e,
		    (struct slice){begin, (size_t)(equals - begin)},
		    (struct slice){equals + 1, (size_t)(end - equals - 1)});
	}
}

/* Reads "CPU:3 [LOST 42 EVENTS]" and "CPU:3 [42 EVENTS DROPPED]". */
static bool
read_lost(const char *line, size_t len, uint64_t *n_lost)
{
	const char *end = line + len, *open;
	struct cursor c;

	if (len < 5 || memcmp(line, "CPU:", 4) != 0)
		return false;
	open = memchr(line, '[', len);
	if (open == NULL ||
	    memmem(open, (size_t)(end - open), "EVENTS", 6) == NULL)
		return false;
	c = (struct cursor){open + 1, end};
	while (c.p < c.end && !is_digit(*c.p))
		c.p++;
	if (!take_number(&c, n_lost))
		*n_lost = 1;
	return true;
}

enum text_line_kind
text_line_read(
    const char *line, size_t len, struct read_event *e, uint64_t *n_lost)
{
	struct cursor c = {line, line + len};
	const char *head_end = line;

	*e = (struct read_event){0};
	if (len > 0 && line[len - 1] == '\r')
		c.end--;
	if (len == 0 || *line == '#')
		return TEXT_LINE_OTHER;
	if (!find_time(&c, &e->time, &head_end) ||
	    !take_head(line, head_end, c.end, e) || !take_event_name(&c, e))
		return read_lost(line, len, n_lost) ? TEXT_LINE_LOST
		    : has_cycles((struct cursor){line, c.end})
		    ? TEXT_LINE_CYCLES
		    : TEXT_LINE_OTHER;
	e->kind = read_event_find(e->name.s, e->name.len);
	if (e->kind == N_KERNEL_EVENTS)
		return TEXT_LINE_EVENT;
	take_line_fields(&c, e);
	return read_event_settle(e) ? TEXT_LINE_EVENT : TEXT_LINE_BROKEN;
}
