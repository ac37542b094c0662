/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that are work: draws, dispatches, blits (video: media.c). They change
 * no memory here; they are counted, and take time (doc/model/streamer.md
 * "Counts", "Costs").
 */
#include "device/streamer/cs.h"

#define PREDICATED   (1u << 8)
#define INDIRECT     (1u << 10)
#define TOPOLOGY     0x3f
#define RECTANGLES   15
#define FAST_CLEAR   (1u << 8)
#define RESOLVES     (3u << 6)
#define SAMPLERS(dw) ((dw) >> 27 & 7)
#define BINDINGS(dw) ((dw) >> 18 & 0xff)
#define HZ_CLEARS    (3u << 30) /* of 3DSTATE_WM_HZ_OP: stencil, depth */
#define VERTEX_COUNT 0x2434
#define INSTANCES    0x2438
#define DISPATCH_X   0x2500

/* Statistics, from the base of RCS. */
#define IA_VERTICES    0x310
#define IA_PRIMITIVES  0x318
#define VS_INVOCATIONS 0x320
#define CL_INVOCATIONS 0x338
#define CL_PRIMITIVES  0x340

/* Returns what n things of ps each take, and ns besides; at most NSEC_MAX. */
static nsec
work_cost(uint32_t ns, uint64_t n, uint32_t ps)
{
	uint64_t all;

	if (__builtin_mul_overflow(n, ps, &all))
		return NSEC_MAX;
	return nsec_total(ns, all / 1000);
}

static uint64_t
times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t
plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Spends ns, and ps for each of n. From generation 9 on a draw or walker can be
 * preempted all the while. */
static void
work(struct streamer_batch *b, uint32_t ns, uint64_t n, uint32_t ps)
{
	nsec from_ns = b->at_ns;

	cs_spend(b, work_cost(ns, n, ps));
	if (b->gpu->version >= 90 && b->arbitrates)
		cs_note_point(b, from_ns);
}

/* Returns true if the command is not executed: a predicate of its own. */
static bool
is_draw_off(const struct streamer_batch *b, const struct cs_command *c)
{
	return c->header & PREDICATED &&
	    !(b->context->own[CS_PREDICATE_RESULT / 4] & 1);
}

/* A rectangle list comes from a driver, not from a program. */
static void
count_rectangles(struct streamer_batch *b)
{
	if (b->context->ps_copies)
		b->counts.copies++;
	else
		b->counts.clears++;
}

/* Returns the primitives of an instance with that number of vertices; tessellated
 * ones count as triangles. */
static uint32_t
primitives(uint32_t topology, uint32_t vertices)
{
	switch (topology) {
	case 1: /* points */ return vertices;
	case 2: /* lines */ return vertices / 2;
	case 3: /* line strip */ return vertices > 1 ? vertices - 1 : 0;
	case 5: /* triangle strip */
	case 6: /* triangle fan */ return vertices > 2 ? vertices - 2 : 0;
	default: return vertices / 3;
	}
}

/* Adds to the registers that queries read. */
static void
add_statistics(struct streamer_batch *b, uint64_t vertices, uint64_t n)
{
	static const uint32_t of_vertices[] = {IA_VERTICES, VS_INVOCATIONS},
			      of_primitives[] = {
				  IA_PRIMITIVES, CL_INVOCATIONS, CL_PRIMITIVES};

	for (size_t i = 0; i < 2; i++)
		cs_set_own_qword(b->context, of_vertices[i],
		    cs_own_qword(b->context, of_vertices[i]) + vertices);
	for (size_t i = 0; i < 3; i++)
		cs_set_own_qword(b->context, of_primitives[i],
		    cs_own_qword(b->context, of_primitives[i]) + n);
}

static enum cs_step
draw_primitive(struct streamer_batch *b, const struct cs_command *c)
{
	const struct streamer_costs *costs = &b->gpu->costs;
	uint64_t vertices, instances;
	uint32_t topology;

	if (c->n < 7)
		return cs_error(b, c, "a 3DPRIMITIVE without its operands");
	if (is_draw_off(b, c))
		return CS_NEXT;
	if (!cs_may_note(b))
		return CS_LATER;
	topology = cs_operand(c, 1) & TOPOLOGY;
	if (c->header & INDIRECT) {
		vertices = cs_get(b, VERTEX_COUNT, CS_ABSOLUTE);
		instances = cs_get(b, INSTANCES, CS_ABSOLUTE);
	} else {
		vertices = cs_operand(c, 2);
		instances = cs_operand(c, 4);
	}
	if (vertices * instances == 0)
		return CS_NEXT;
	if (topology == RECTANGLES) {
		count_rectangles(b);
	} else {
		b->counts.draws++;
		add_statistics(b, vertices * instances,
		    primitives(topology, (uint32_t)vertices) * instances);
	}
	vertices *= instances;
	b->counts.vertices = plus(b->counts.vertices, vertices);
	work(b, costs->draw_ns, vertices, costs->vertex_ps);
	return CS_NEXT;
}

/*
 * 3DSTATE_PS: a shader of a driver's rectangle copies if it resolves, or reads
 * a texture: it has a sampler, or a binding beside its target. Generation 7 says
 * so in other dwords.
 */
static enum cs_step
pixel_shader(struct streamer_batch *b, const struct cs_command *c)
{
	bool old = b->gpu->version < 80;
	uint32_t bindings, flags;

	if (c->n < (old ? 5 : 7))
		return cs_error(b, c, "a 3DSTATE_PS without its operands");
	bindings = cs_operand(c, old ? 2 : 3);
	flags = cs_operand(c, old ? 4 : 6);
	b->context->ps_copies = !(flags & FAST_CLEAR) &&
	    (flags & RESOLVES || SAMPLERS(bindings) > 0 ||
		BINDINGS(bindings) > 1);
	return CS_NEXT;
}

static enum cs_step
depth_operation(struct streamer_batch *b, const struct cs_command *c)
{
	if (c->n > 1 && cs_operand(c, 1) & HZ_CLEARS)
		b->counts.clears++;
	return CS_NEXT;
}

static enum cs_step
dispatch(struct streamer_batch *b, const struct cs_command *c,
    const unsigned dimension[3])
{
	const struct streamer_costs *costs = &b->gpu->costs;
	uint64_t groups = 1;

	if (c->n <= dimension[2])
		return cs_error(b, c, "a walker without its operands");
	if (is_draw_off(b, c))
		return CS_NEXT;
	if (!cs_may_note(b))
		return CS_LATER;
	for (unsigned i = 0; i < 3; i++)
		groups = times(groups,
		    c->header & INDIRECT
			? cs_get(b, DISPATCH_X + 4 * i, CS_ABSOLUTE)
			: cs_operand(c, dimension[i]));
	b->counts.dispatches++;
	b->counts.groups = plus(b->counts.groups, groups);
	work(b, costs->dispatch_ns, groups, costs->group_ps);
	return CS_NEXT;
}

static enum cs_step
gpgpu_walker(struct streamer_batch *b, const struct cs_command *c)
{
	static const unsigned old[3] = {4, 6, 8}, now[3] = {7, 10, 12};

	return dispatch(b, c, b->gpu->version < 80 ? old : now);
}

static enum cs_step
compute_walker(struct streamer_batch *b, const struct cs_command *c)
{
	static const unsigned dimension[3] = {7, 8, 9};
	enum cs_step step;

	if (b->walks)
		return cs_walker_ends(b, c);
	if (is_draw_off(b, c))
		return CS_NEXT;
	if (!cs_walker_begins(b, c))
		return CS_LATER;
	step = dispatch(b, c, dimension);
	return step == CS_NEXT ? cs_walker_ends(b, c) : step;
}

/* MEDIA_OBJECT and its walker: one thread group, as far as is known here. */
static enum cs_step
media_object(struct streamer_batch *b)
{
	b->counts.dispatches++;
	b->counts.groups++;
	work(b, b->gpu->costs.dispatch_ns, 1, b->gpu->costs.group_ps);
	return CS_NEXT;
}

enum cs_step
cs_render(struct streamer_batch *b, const struct cs_command *c)
{
	unsigned key = render_key(c->header);

	if (b->class == STREAMER_VIDEO)
		return cs_video(b, c);
	if (b->class == STREAMER_ENHANCE)
		return cs_enhance(b, c);
	switch (key) {
	case 0x7a00: return cs_pipe_control(b, c);
	case 0x7b00: return draw_primitive(b, c);
	case 0x7820: return pixel_shader(b, c);
	case 0x7852: return depth_operation(b, c);
	case 0x7105: return gpgpu_walker(b, c);
	case 0x7208: return compute_walker(b, c);
	case 0x7100: /* MEDIA_OBJECT */
	case 0x7103: /* MEDIA_OBJECT_WALKER */ return media_object(b);
	default: return CS_NEXT;
	}
}

/* Returns the area between two corners, each y << 16 | x, in pixels. */
static uint64_t
area(uint32_t first, uint32_t end)
{
	uint32_t width = (end & 0xffff) - (first & 0xffff),
		 height = (end >> 16) - (first >> 16);

	if (width > 0xffff || height > 0xffff)
		return 0;
	return (uint64_t)width * height;
}

/* Returns the bytes of a blit of a rectangle: corners in dwords 2 and 3. */
static uint64_t
rectangle_bytes(const struct cs_command *c, unsigned op)
{
	static const uint8_t classic[] = {1, 2, 2, 4},
			     fast[] = {1, 2, 2, 4, 8, 16, 4, 4},
			     block[] = {1, 2, 4, 8, 12, 16, 4, 4};
	uint32_t dw1 = cs_operand(c, 1);
	uint64_t pixels = area(cs_operand(c, 2), cs_operand(c, 3));

	if (op == 0x41 || op == 0x44)
		return pixels * block[c->header >> 19 & 7];
	if (op == 0x42)
		return pixels * fast[dw1 >> 24 & 7];
	return pixels * classic[dw1 >> 24 & 3];
}

/* Returns the bytes of MEM_COPY and MEM_SET: width and height less one. */
static uint64_t
linear_bytes(const struct cs_command *c)
{
	return ((uint64_t)cs_operand(c, 1) + 1) *
	    (((uint64_t)cs_operand(c, 2) & 0x3ffff) + 1);
}

static bool
is_rectangle(unsigned op)
{
	return op == 0x41 || op == 0x42 || op == 0x44 || op == 0x50 ||
	    op == 0x53;
}

static bool
is_linear(unsigned op)
{
	return op == 0x5a || op == 0x5b;
}

uint64_t
cs_blit_bytes(const struct cs_command *c)
{
	unsigned op = blt_opcode(c->header);

	if (c->n < 4)
		return 0;
	return is_rectangle(op) ? rectangle_bytes(c, op)
	    : is_linear(op)     ? linear_bytes(c)
				: 0;
}

nsec
cs_blit_ns(const struct streamer_costs *costs, uint64_t bytes)
{
	return work_cost(costs->blit_ns, bytes, costs->byte_ps);
}

/* XY_* and MEM_*; others are state (XY_SETUP_BLT) or not known. */
enum cs_step
cs_blit(struct streamer_batch *b, const struct cs_command *c)
{
	unsigned op = blt_opcode(c->header);
	uint64_t bytes = cs_blit_bytes(c);

	if (!is_linear(op) && !is_rectangle(op))
		return cs_unknown(b, c);
	if (c->n < 4)
		return cs_error(b, c, "a blit without its operands");
	b->counts.blits++;
	b->counts.blit_bytes = plus(b->counts.blit_bytes, bytes);
	cs_spend(b, cs_blit_ns(&b->gpu->costs, bytes));
	return CS_NEXT;
}
