/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands cost. No manual has figures, and most of a draw's time is in
 * pixels that are not drawn here: these are ours, so that programs take times
 * of the right order (doc/model/streamer.md "Costs").
 */
#include "device/streamer/cs.h"

/* By version, ascending: a version has the costs of the last row that is not
 * above it. */
static const struct {
	unsigned version;
	struct streamer_costs costs;
} typical[] = {
    {70,
	{.command_ns = 20,
	    .flush_ns = 1000,
	    .draw_ns = 15000,
	    .vertex_ps = 4000,
	    .dispatch_ns = 10000,
	    .group_ps = 1000000,
	    .blit_ns = 4000,
	    .byte_ps = 150,
	    .frame_ns = 4000000}},
    {80,
	{.command_ns = 15,
	    .flush_ns = 700,
	    .draw_ns = 8000,
	    .vertex_ps = 2500,
	    .dispatch_ns = 6000,
	    .group_ps = 500000,
	    .blit_ns = 3000,
	    .byte_ps = 80,
	    .frame_ns = 2500000}},
    {120,
	{.command_ns = 10,
	    .flush_ns = 500,
	    .draw_ns = 4000,
	    .vertex_ps = 1000,
	    .dispatch_ns = 4000,
	    .group_ps = 200000,
	    .blit_ns = 2000,
	    .byte_ps = 40,
	    .frame_ns = 1500000}},
};

const struct streamer_costs *
streamer_costs_typical(unsigned version)
{
	size_t i = sizeof(typical) / sizeof(*typical) - 1;

	while (i > 0 && typical[i].version > version)
		i--;
	return &typical[i].costs;
}

nsec
cs_cost(uint32_t ns, uint64_t n, uint32_t ps)
{
	uint64_t all;

	if (__builtin_mul_overflow(n, ps, &all))
		return NSEC_MAX;
	return nsec_total(ns, all / 1000);
}
