/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Group sizes in SPIR-V made by glslangValidator and spirv-as, for each way to
 * give one. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layerstream/spirv.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define SHADER(layout)                                                         \
	"#version 450\n" layout "\n"                                           \
	"layout(std430, binding = 0) buffer B { uint v[]; };\n"                \
	"void main() { v[gl_GlobalInvocationID.x] = gl_WorkGroupSize.x; }\n"

/* Assembler text of a module: two entry points and what is between. */
#define HEAD                                                                   \
	"OpCapability Shader\n"                                                \
	"OpMemoryModel Logical GLSL450\n"
#define ENTRY(id, name) "OpEntryPoint GLCompute " id " \"" name "\"\n"
#define TYPES                                                                  \
	"%void = OpTypeVoid\n"                                                 \
	"%f = OpTypeFunction %void\n"                                          \
	"%uint = OpTypeInt 32 0\n"                                             \
	"%int = OpTypeInt 32 1\n"                                              \
	"%bool = OpTypeBool\n"                                                 \
	"%v3 = OpTypeVector %uint 3\n"
#define FUNCTION(name)                                                         \
	"%" name " = OpFunction %void None %f\n"                               \
	"%in_" name " = OpLabel\n"                                             \
	"OpReturn\n"                                                           \
	"OpFunctionEnd\n"

/* Returns the path of what a tool makes of the text; skips the test without the
 * tool. */
static const char *
made(const char *command, const char *name, const char *text)
{
	static char spv[256];
	char source[256], line[1024], tool[64];

	sscanf(command, "%63s", tool);
	snprintf(line, sizeof(line), "command -v %s >/dev/null", tool);
	if (system(line) != 0)
		skip_test("a SPIR-V tool is not installed");
	snprintf(source, sizeof(source), "%s", test_path(name));
	snprintf(spv, sizeof(spv), "%s", test_path("made.spv"));
	write_file(source, text);
	snprintf(line, sizeof(line), "%s %s -o %s >%s.log", command, source,
	    spv, source);
	assert_int_equal(system(line), 0);
	return spv;
}

static const char *
glsl(const char *flags, const char *text)
{
	char command[128];

	snprintf(command, sizeof(command), "glslangValidator -V %s", flags);
	return made(command, "shader.comp", text);
}

static const char *
assembled(const char *text)
{
	return made("spirv-as --target-env spv1.6", "shader.spvasm", text);
}

static void
expect_with(const char *path, const struct spirv_query *query, uint32_t x,
    uint32_t y, uint32_t z)
{
	uint32_t size[3] = {0};
	struct text err = {0};

	if (!spirv_file_group_size(path, query, size, &err))
		fail_msg("%s", text_str(&err));
	assert_int_equal(size[0], x);
	assert_int_equal(size[1], y);
	assert_int_equal(size[2], z);
	assert_int_equal(err.len, 0);
	text_free(&err);
}

static void
expect(const char *path, uint32_t x, uint32_t y, uint32_t z)
{
	struct spirv_query query = {0};

	expect_with(path, &query, x, y, z);
}

/* Asserts that the file is refused with exactly this text after its name. */
static void
refuse(const char *path, const struct spirv_query *query, const char *why)
{
	uint32_t size[3];
	struct text err = {0};
	size_t len = strlen(path);

	assert_false(spirv_file_group_size(path, query, size, &err));
	assert_memory_equal(text_str(&err), path, len);
	assert_string_equal(text_str(&err) + len, why);
	text_free(&err);
}

TEST(local_size)
{
	const char *layout = SHADER("layout(local_size_x = 8, "
				    "local_size_y = 4, local_size_z = 2) in;");

	expect(glsl("", layout), 8, 4, 2);
	/* SPIR-V 1.6 uses ids (LocalSizeId). */
	expect(glsl("--target-env vulkan1.3", layout), 8, 4, 2);
}

TEST(specialized)
{
	const char *shader = SHADER("layout(local_size_x_id = 3, "
				    "local_size_y = 4, local_size_z_id = 5) "
				    "in;");
	static const char *const flags[] = {"", "--target-env vulkan1.3"};
	struct spec_constant given[] = {{5, 7}, {3, 128}};
	struct spirv_query query = {.constants = given, .n_constants = 2};

	for (size_t i = 0; i < 2; i++) {
		const char *path = glsl(flags[i], shader);

		query.n_constants = 2;
		expect(path, 1, 4, 1);
		expect_with(path, &query, 128, 4, 7);
		query.n_constants = 1;
		expect_with(path, &query, 1, 4, 7);
	}
}

/* A value for a missing constant is ignored, as in Vulkan, with a note. */
static void
expect_note(const char *path, const struct spirv_query *query, uint32_t x,
    uint32_t y, const char *wanted)
{
	uint32_t size[3] = {0};
	struct text note = {0};
	size_t len = strlen(path);

	assert_true(spirv_file_group_size(path, query, size, &note));
	assert_int_equal(size[0], x);
	assert_int_equal(size[1], y);
	assert_int_equal(size[2], 1);
	assert_memory_equal(text_str(&note), path, len);
	assert_string_equal(text_str(&note) + len, wanted);
	text_free(&note);
}

TEST(wrong_spec_id)
{
	struct spec_constant given[] = {{0, 8}, {4, 2}};
	struct spirv_query query = {.constants = given, .n_constants = 2};

	expect_note(glsl("--target-env vulkan1.3",
			SHADER("layout(local_size_x_id = 3, "
			       "local_size_y_id = 4) in;")),
	    &query, 1, 2,
	    ": no specialization constant has SpecId 0, which is ignored: "
	    "there are 3, 4");
	query.n_constants = 1;
	expect_note(glsl("", SHADER("layout(local_size_x = 3) in;")), &query, 3,
	    1,
	    ": no specialization constant has SpecId 0, which is ignored: "
	    "there are none");
}

/* The built-in takes precedence over the mode; its parts can be computed, and
 * of several kinds. */
TEST(built_in)
{
	const char *path = assembled(HEAD ENTRY("%main",
	    "main") "OpExecutionMode %main LocalSize 9 9 9\n"
		    "OpDecorate %n SpecId 1\n"
		    "OpDecorate %wide SpecId 2\n"
		    "OpDecorate %size BuiltIn WorkgroupSize\n" TYPES
		    "%four = OpConstant %uint 4\n"
		    "%n = OpSpecConstant %uint 6\n"
		    "%wide = OpSpecConstantFalse %bool\n"
		    "%x = OpSpecConstantOp %uint IMul %n %four\n"
		    "%y = OpSpecConstantOp %uint Select %wide %x %four\n"
		    "%one = OpConstant %uint 1\n"
		    "%size = OpSpecConstantComposite %v3 %x %y %one\n" FUNCTION(
			"main"));
	struct spec_constant given[] = {{1, 10}, {2, 1}};
	struct spirv_query query = {.constants = given, .n_constants = 2};

	expect(path, 24, 4, 1);
	expect_with(path, &query, 40, 40, 1);
}

/* Results of each operation that a constant can be made with. */
TEST(operations)
{
	static const struct {
		const char *op;
		uint32_t value;
	} rows[] = {
	    {"%uint IAdd %a %b", 20},
	    {"%uint ISub %a %b", 14},
	    {"%uint UDiv %a %b", 5},
	    {"%uint UMod %a %b", 2},
	    {"%int SDiv %less %minus", 5},
	    {"%int SRem %a %minus", 2},
	    {"%int SMod %less %b", 1},
	    {"%int SNegate %minus", 3},
	    {"%uint Not %huge", 15},
	    {"%uint BitwiseAnd %a %b", 1},
	    {"%uint BitwiseOr %a %b", 19},
	    {"%uint BitwiseXor %a %b", 18},
	    {"%uint ShiftLeftLogical %a %b", 136},
	    {"%uint ShiftRightLogical %huge %b", 0x1ffffffe},
	    {"%int ShiftRightArithmetic %a %b", 2},
	    {"%uint UConvert %a", 17},
	    {"%uint Select %yes %a %b", 17},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[2048];

		snprintf(text, sizeof(text),
		    HEAD ENTRY("%%main",
			"main") "OpExecutionModeId %%main LocalSizeId %%r %%b %%b\n"
				"%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n"
				"%%uint = OpTypeInt 32 0\n%%int = OpTypeInt 32 1\n"
				"%%bool = OpTypeBool\n"
				"%%a = OpConstant %%uint 17\n%%b = OpConstant %%uint 3\n"
				"%%minus = OpConstant %%int -3\n"
				"%%less = OpConstant %%int -17\n"
				"%%huge = OpConstant %%uint 0xfffffff0\n"
				"%%yes = OpSpecConstantOp %%bool UGreaterThan %%a %%b\n"
				"%%r = OpSpecConstantOp %s\n"
				"%%main = OpFunction %%void None %%f\n%%l = OpLabel\n"
				"OpReturn\nOpFunctionEnd\n",
		    rows[i].op);
		expect(assembled(text), rows[i].value, 3, 3);
	}
}

TEST(not_understood)
{
	struct spirv_query query = {0};
	const char *why =
	    ": y of the group size is computed in an unsupported way"
	    ": give local=XxYxZ instead";

	refuse(
	    assembled(HEAD ENTRY("%main",
		"main") "OpExecutionModeId %main LocalSizeId %a %b %a\n" TYPES
			"%a = OpConstant %uint 8\n"
			"%zero = OpConstant %uint 0\n"
			"%b = OpSpecConstantOp %uint UDiv %a %zero\n" FUNCTION(
			    "main")),
	    &query, why);
	/* In a circle. */
	refuse(
	    assembled(HEAD ENTRY("%main",
		"main") "OpExecutionModeId %main LocalSizeId %a %b %a\n" TYPES
			"%a = OpConstant %uint 8\n"
			"%b = OpSpecConstantOp %uint IAdd %c %a\n"
			"%c = OpSpecConstantOp %uint IAdd %b %a\n" FUNCTION(
			    "main")),
	    &query, why);
}

TEST(zero)
{
	struct spec_constant given = {3, 0};
	struct spirv_query query = {.constants = &given, .n_constants = 1};

	refuse(glsl("", SHADER("layout(local_size_x_id = 3) in;")), &query,
	    ": invalid group size 0x1x1: each is at least 1");
}

static const char *
two_entries(void)
{
	return assembled(HEAD ENTRY("%blur", "blur") ENTRY("%sum",
	    "sum") "OpExecutionMode %blur LocalSize 16 16 1\n"
		   "OpExecutionMode %sum LocalSize 256 1 1\n" TYPES FUNCTION(
		       "blur") FUNCTION("sum"));
}

TEST(entries)
{
	struct spirv_query query = {.entry = "sum"};
	const char *path = two_entries();

	expect_with(path, &query, 256, 1, 1);
	query.entry = "blur";
	expect_with(path, &query, 16, 16, 1);
	query.entry = "sun";
	refuse(path, &query,
	    ": no entry point 'sun' for compute: expected 'blur', 'sum'");
	query.entry = NULL;
	refuse(path, &query,
	    ": several compute entry points: add one to the file's name, "
	    "FILE:ENTRY, of 'blur', 'sum'");
}

/* Other stages are left out; names are made visible for a terminal. */
TEST(no_entry)
{
	struct spirv_query query = {.entry = "x\033[2J"};

	refuse(made("glslangValidator -V", "shader.vert",
		   "#version 450\nvoid main() { gl_Position = vec4(0); }\n"),
	    &query, ": no compute entry point");
	refuse(glsl("", SHADER("layout(local_size_x = 8) in;")), &query,
	    ": no entry point 'x?[2J' for compute: expected 'main'");
	query.entry = NULL;
	refuse(assembled(HEAD ENTRY("%main", "main") TYPES FUNCTION("main")),
	    &query,
	    ": entry point 'main' has no group size (LocalSize, LocalSizeId "
	    "or WorkgroupSize)");
}

TEST(many_entries)
{
	struct spirv_query query = {0};
	struct text source = {0};

	text_adds(&source, HEAD);
	for (int i = 0; i < 10; i++)
		text_addf(
		    &source, "OpEntryPoint GLCompute %%main \"e%d\"\n", i);
	text_adds(&source, TYPES FUNCTION("main"));
	refuse(assembled(text_str(&source)), &query,
	    ": several compute entry points: add one to the file's name, "
	    "FILE:ENTRY, of 'e0', 'e1', 'e2', 'e3', 'e4', "
	    "'e5', 'e6', 'e7' and 2 more");
	text_free(&source);
}

static void
refuse_bytes(const void *bytes, size_t len, const char *why)
{
	struct spirv_query query = {0};
	uint32_t size[3];
	struct text err = {0};

	assert_false(spirv_group_size(bytes, len, &query, size, &err));
	if (strstr(text_str(&err), why) == NULL)
		fail_msg("'%s', not '%s'", text_str(&err), why);
	text_free(&err);
}

/* A module cut off at each length, and in the other byte order. */
TEST(bytes)
{
	struct spirv_query query = {.entry = "sum"};
	uint32_t size[3];
	struct text err = {0};
	size_t len;
	char *module = read_whole(two_entries(), &len);
	char *odd = malloc(len + 1);

	refuse_bytes("", 0, "not SPIR-V");
	refuse_bytes("#version 450\n", 13, "glslangValidator");
	for (size_t i = 4; i < 20; i++)
		refuse_bytes(module, i, i % 4 ? "cut off" : "not valid SPIR-V");
	refuse_bytes(module, len - 2, "cut off: ");
	refuse_bytes(module, 84, "not valid SPIR-V at word ");

	for (size_t i = 0; i < len; i++)
		odd[1 + (i ^ 3)] = module[i];
	if (!spirv_group_size(odd + 1, len, &query, size, &err))
		fail_msg("%s", text_str(&err));
	assert_int_equal(size[0], 256);
	free(odd);
	free(module);
}

TEST(files)
{
	struct spirv_query query = {0};
	uint32_t size[3];
	struct text err = {0};
	const char *large = test_path("large.spv");

	assert_false(
	    spirv_file_group_size(test_path("absent.spv"), &query, size, &err));
	assert_non_null(strstr(text_str(&err), "absent.spv: No such file"));
	text_free(&err);
	write_file(large, "");
	assert_int_equal(truncate(large, SPIRV_MAX_BYTES + 4), 0);
	refuse(large, &query, ": too large: expected at most 16 MiB");
	assert_int_equal(truncate(large, SPIRV_MAX_BYTES), 0);
	refuse(large, &query,
	    ": not SPIR-V: the magic number is missing; "
	    "`glslangValidator -V` makes SPIR-V of GLSL");
}
