/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Video engines: which frames a batch decodes or codes, and what is read of a
 * coded one, its size. Nothing is decoded or coded, so a picture is as it was;
 * the size is ours (doc/model/streamer.md "Counts", "Coded frames").
 */
#include <string.h>

#include "device/streamer/cs.h"

/* Registers of MFX, from the engine's base. */
#define MFX_BYTES     0x8a0
#define MFX_NO_HEADER 0x8a4
#define MFX_SLICES    0x954
/* Registers of HCP, absolute up to generation 10. */
#define HCP_BYTES_OLD 0x1e9a0
#define HCP_BYTES     0x28a0
#define HCP_NO_HEADER 8 /* behind it */

#define MFX_CODES(dw1) ((dw1) >> 4 & 1)
#define HCP_CODES(dw1) ((dw1)&1) /* and AVP_CODES */

/* Bits of the last dword of a header that is inserted; 0: none of them. */
#define LAST_BITS(dw1) ((dw1) >> 8 & 0x3f)

static uint32_t
hcp_bytes(const struct streamer_batch *b)
{
	return b->gpu->version < 110 ? HCP_BYTES_OLD : b->base + HCP_BYTES;
}

static void
add_to(struct streamer_batch *b, uint32_t reg, uint32_t n)
{
	cs_set(b, reg, CS_ABSOLUTE, cs_get(b, reg, CS_ABSOLUTE) + n);
}

/* Adds to the size of the frame; coded: bytes that are not a header. */
static void
add_coded(struct streamer_batch *b, uint32_t header, uint32_t coded)
{
	if (b->context->codes == CS_CODES_MFX) {
		add_to(b, b->base + MFX_BYTES, header + coded);
		add_to(b, b->base + MFX_NO_HEADER, coded);
	} else if (b->context->codes == CS_CODES_HCP) {
		add_to(b, hcp_bytes(b), header + coded);
		add_to(b, hcp_bytes(b) + HCP_NO_HEADER, coded);
	}
}

/* MFX_, HCP_ and AVP_PIPE_MODE_SELECT: a picture is decoded, or coded. */
static enum cs_step
select_pipe(
    struct streamer_batch *b, const struct cs_command *c, enum cs_codes codes)
{
	uint32_t dw1 = c->n > 1 ? cs_operand(c, 1) : 0;

	if (codes == CS_CODES_MFX ? !MFX_CODES(dw1) : !HCP_CODES(dw1))
		codes = CS_DECODES;
	b->context->codes = codes;
	b->context->surface = 0;
	if (codes == CS_CODES_MFX) {
		cs_set(b, b->base + MFX_BYTES, CS_ABSOLUTE, 0);
		cs_set(b, b->base + MFX_NO_HEADER, CS_ABSOLUTE, 0);
		cs_set(b, b->base + MFX_SLICES, CS_ABSOLUTE, 0);
	} else if (codes == CS_CODES_HCP) {
		cs_set(b, hcp_bytes(b), CS_ABSOLUTE, 0);
		cs_set(b, hcp_bytes(b) + HCP_NO_HEADER, CS_ABSOLUTE, 0);
	}
	return CS_NEXT;
}

/* A header that the driver wrote goes into the stream. */
static enum cs_step
insert_header(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t bits;

	if (c->n < 3)
		return CS_NEXT;
	bits = (c->n - 3) * 32 + LAST_BITS(cs_operand(c, 1));
	add_coded(b, (bits + 7) / 8, 0);
	return CS_NEXT;
}

/* Returns the smallest blocks of a picture: what its state, c, says. */
static uint32_t
blocks_of(const struct cs_command *c)
{
	uint32_t dw1 = c->n > 1 ? cs_operand(c, 1) : 0;

	switch (render_key(c->header)) {
	case 0x7100: return dw1 & 0xffff;
	case 0x7390: return ((dw1 & 0x7ff) + 1) * ((dw1 >> 16 & 0x7ff) + 1);
	default: return 1;
	}
}

/* Returns the macroblocks of a picture of so many pixels. */
static uint32_t
macroblocks(uint32_t width, uint32_t height)
{
	return (width + 15) / 16 * ((height + 15) / 16);
}

/* MFX_ and VEBOX_SURFACE_STATE: the size of the pictures behind it. */
static enum cs_step
note_surface(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t dw2;

	if (c->n < 3)
		return CS_NEXT;
	dw2 = cs_operand(c, 2);
	b->context->surface = macroblocks(
	    (dw2 >> 4 & 0x3fff) + 1, (dw2 >> 18) + 1);
	return CS_NEXT;
}

/* Notes the size and depth of a picture: its state has them, or else its surface
 * has the size. */
static void
note_size(struct streamer_context *context, const struct cs_command *c)
{
	uint32_t dw1 = c->n > 1 ? cs_operand(c, 1) : 0;
	uint32_t low = (dw1 & 0xffff) + 1, high = (dw1 >> 16) + 1;
	unsigned shift = c->n > 2 ? 3 + (cs_operand(c, 2) & 3) : 3;

	context->deep = false;
	context->macroblocks = context->surface;
	if (dw1 == 0)
		return;
	switch (render_key(c->header)) {
	case 0x7100: context->macroblocks = dw1 & 0xffff; break;
	case 0x7390:
		context->macroblocks = macroblocks(((dw1 & 0x7ff) + 1) << shift,
		    ((dw1 >> 16 & 0x7ff) + 1) << shift);
		context->deep = c->n > 5 && (cs_operand(c, 5) >> 27 & 7) > 0;
		break;
	case 0x73b0:
		context->macroblocks = macroblocks(low, high);
		context->deep = c->n > 3 && (cs_operand(c, 3) >> 24 & 0xf) > 0;
		break;
	case 0x71b0:
		context->macroblocks = macroblocks(low, high);
		context->deep = c->n > 2 && (cs_operand(c, 2) >> 3 & 3) > 0;
		break;
	default: break;
	}
}

/* Returns the cost of a macroblock of the codec; 0: none is known. */
static uint32_t
macroblock_ns(const struct streamer_costs *costs, const char *codec, bool coded)
{
	if (strcmp(codec, "HEVC") == 0)
		return coded ? costs->hevc_encode_ns : costs->hevc_decode_ns;
	if (strcmp(codec, "VP9") == 0)
		return coded ? costs->vp9_encode_ns : costs->vp9_decode_ns;
	if (strcmp(codec, "AV1") == 0)
		return coded ? costs->av1_encode_ns : costs->av1_decode_ns;
	return coded ? costs->encode_ns : costs->decode_ns;
}

static void
spend_frame(struct streamer_batch *b, uint32_t n, uint32_t each_ns, bool deep)
{
	const struct streamer_costs *costs = &b->gpu->costs;
	uint64_t ns = (uint64_t)n * each_ns;

	if (ns == 0)
		ns = costs->frame_ns;
	else if (deep)
		ns = ns * costs->ten_bit_percent / 100;
	cs_spend(b, ns);
}

/* A picture's state begins a frame, which is counted at its first slice. */
static enum cs_step
begin_frame(
    struct streamer_batch *b, const struct cs_command *c, const char *codec)
{
	b->context->codec = codec;
	b->context->blocks = blocks_of(c);
	note_size(b->context, c);
	return CS_NEXT;
}

static enum cs_step
slice(struct streamer_batch *b)
{
	struct streamer_context *context = b->context;
	bool coded = context->codes != CS_DECODES;

	if (context->codec != NULL) {
		b->counts.frames++;
		b->counts.coded += coded;
		b->counts.codec = context->codec;
		add_coded(b, 0, context->blocks);
		spend_frame(b, context->macroblocks,
		    macroblock_ns(&b->gpu->costs, context->codec, coded),
		    context->deep);
	}
	context->codec = NULL;
	if (context->codes == CS_CODES_MFX)
		add_to(b, b->base + MFX_SLICES, 1);
	return CS_NEXT;
}

/* MFC_JPEG_SCAN_OBJECT: its blocks are those of the frame. */
static enum cs_step
scan(struct streamer_batch *b, const struct cs_command *c)
{
	b->context->blocks = c->n > 1 ? cs_operand(c, 1) & 0xffffff : 1;
	return slice(b);
}

/* Commands of MFX, VDENC, HCP, AVP: keys that mean others on other engines. */
enum cs_step
cs_video(struct streamer_batch *b, const struct cs_command *c)
{
	switch (render_key(c->header)) {
	case 0x7000: return select_pipe(b, c, CS_CODES_MFX);
	case 0x7380: return select_pipe(b, c, CS_CODES_HCP);
	case 0x7180: return select_pipe(b, c, CS_CODES_AVP);
	case 0x7001: return note_surface(b, c);
	case 0x7048: /* MFX_PAK_INSERT_OBJECT */
	case 0x73a2: /* HCP_PAK_INSERT_OBJECT */ return insert_header(b, c);
	case 0x7100: return begin_frame(b, c, "AVC");
	case 0x7200:
	case 0x7220: /* MFD_VC1_SHORT_PIC_STATE */
	case 0x7221: /* MFD_VC1_LONG_PIC_STATE */
		return begin_frame(b, c, "VC-1");
	case 0x7300: return begin_frame(b, c, "MPEG-2");
	case 0x7400: return begin_frame(b, c, "VP8");
	case 0x7700: return begin_frame(b, c, "JPEG");
	case 0x7390: return begin_frame(b, c, "HEVC");
	case 0x73b0: return begin_frame(b, c, "VP9");
	case 0x71b0: return begin_frame(b, c, "AV1");
	case 0x7749: return scan(b, c);
	case 0x7087: /* VDENC_WALKER_STATE */
	case 0x7128: /* BSD_OBJECT of each codec */
	case 0x7228:
	case 0x7328:
	case 0x7428:
	case 0x7728:
	case 0x73a0:
	case 0x71a0: /* AVP_TILE_CODING */
	case 0x7129: /* MFC_AVC_PAK_OBJECT */
	case 0x73a1: /* HCP_PAK_OBJECT */ return slice(b);
	default: return CS_NEXT;
	}
}

enum cs_step
cs_enhance(struct streamer_batch *b, const struct cs_command *c)
{
	switch (render_key(c->header)) {
	case 0x7400: /* VEBOX_SURFACE_STATE; 1: the output */
		if (c->n > 1 && (cs_operand(c, 1) & 1) == 0)
			return note_surface(b, c);
		return CS_NEXT;
	case 0x7403: /* VEB_DI_IECP */
		b->counts.filters++;
		spend_frame(
		    b, b->context->surface, b->gpu->costs.filter_ns, false);
		return CS_NEXT;
	default: return CS_NEXT;
	}
}
