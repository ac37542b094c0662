/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of commands (doc/model/streamer.md "Headers"). */
#include <stddef.h>
#include <stdint.h>

#include "device/streamer/decode.h"
#include "tests/runner/test.h"

TEST(mi_commands_below_0x10_are_one_dword)
{
	assert_int_equal(command_length(120, 0), 1);
	assert_int_equal(command_length(120, 0x05000000), 1);
	/* Bits that look like a length are not. */
	assert_int_equal(command_length(120, 0x028000ff), 1);
	assert_int_equal(command_length(120, 0x07800010), 1);
}

TEST(other_mi_commands_say_their_length)
{
	assert_int_equal(command_length(120, 0x11000001), 3);
	assert_int_equal(command_length(120, 0x12000002), 4);
	assert_int_equal(command_length(120, 0x18800101), 3);
	assert_int_equal(command_length(70, 0x18800100), 2);
	assert_int_equal(command_length(120, 0x0d000003), 5);
}

TEST(flush_dw_uses_bit_7_for_something_else)
{
	assert_int_equal(command_length(120, 0x13000003), 5);
	assert_int_equal(command_length(120, 0x13004083), 5);
	assert_int_equal(command_length(120, 0x130040c2), 4);
}

TEST(store_data_imm_differs_by_generation)
{
	assert_int_equal(command_length(70, 0x10000002), 4);
	assert_int_equal(command_length(70, 0x100000c2), 4);
	assert_int_equal(command_length(80, 0x10200003), 5);
	assert_int_equal(command_length(90, 0x10000102), 0x104);
}

TEST(blits_have_eight_bits)
{
	assert_int_equal(command_length(120, 0x50400004), 6);
	assert_int_equal(command_length(120, 0x54f00008), 10);
}

TEST(render_commands_by_their_sub_type)
{
	static const struct {
		uint32_t header;
		unsigned dwords;
	} rows[] = {{0x61010014, 22}, {0x61040001, 3}, {0x69041310, 1},
	    {0x680b0000, 1}, {0x68000102, 1}, {0x70000007, 9}, {0x7105050d, 15},
	    {0x7208052d, 47}, {0x71000013, 21}, {0x73a00001, 3},
	    {0x7b000005, 7}, {0x7a000004, 6}, {0x780b0003, 1}, {0x786d1f00, 2}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(
		    command_length(120, rows[i].header), rows[i].dwords);
}

TEST(other_types_are_invalid)
{
	assert_int_equal(command_length(120, 0xdeadbeef), 0);
	assert_int_equal(command_length(120, 0x20000000), 0);
	assert_int_equal(command_length(120, 0x80000000), 0);
	assert_int_equal(command_length(120, 0xffffffff), 0);
}
