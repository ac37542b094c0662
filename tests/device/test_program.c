/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which programs can be started on the virtual device, and what is said of the
 * others. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "device/serve/program.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

/* Expects that status, and that the reason has that part. */
static void
expect(const char *name, int status, const char *reason)
{
	struct text err = {0};
	char *path = NULL;
	int got = program_find(name, &path, &err);

	if (got != status || strstr(text_str(&err), reason) == NULL)
		fail_msg("%s: %d, %s", name, got, text_str(&err));
	assert_true((path != NULL) == (status == 0));
	free(path);
	text_free(&err);
}

static void
write_bytes(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	close(fd);
}

/* Writes the head of an ELF program with one segment. */
static void
write_elf(
    const char *path, unsigned char class, uint16_t machine, uint32_t segment)
{
	struct {
		Elf64_Ehdr elf;
		Elf64_Phdr program;
	} file = {0};

	memcpy(file.elf.e_ident, ELFMAG, SELFMAG);
	file.elf.e_ident[EI_CLASS] = class;
	file.elf.e_machine = machine;
	file.elf.e_phoff = sizeof(file.elf);
	file.elf.e_phentsize = sizeof(file.program);
	file.elf.e_phnum = 1;
	file.program.p_type = segment;
	write_bytes(path, &file, sizeof(file));
}

static void
write_script(const char *path, const char *text)
{
	write_file(path, text);
	assert_int_equal(chmod(path, 0755), 0);
}

/* Returns the machine of the program that runs. */
static uint16_t
own_machine(void)
{
	Elf64_Ehdr elf = {0};
	int fd = open("/proc/self/exe", O_RDONLY);

	assert_int_equal(read(fd, &elf, sizeof(elf)), sizeof(elf));
	close(fd);
	return elf.e_machine;
}

TEST(found)
{
	struct text err = {0};
	char *path;

	enter_test_folder();
	assert_int_equal(program_find("sh", &path, &err), 0);
	assert_string_equal(path + strlen(path) - 3, "/sh");
	free(path);
	write_script("script", "#!/bin/sh\nexit 0\n");
	expect("./script", 0, "");
	write_script("spaced", "#! \t/bin/sh -e\n");
	expect("./spaced", 0, "");
	write_elf("dynamic", ELFCLASS64, own_machine(), PT_INTERP);
	expect("./dynamic", 0, "");
	text_free(&err);
}

TEST(missing)
{
	enter_test_folder();
	expect("no-such-program-here", PROGRAM_NOT_FOUND, "no such program");
	expect("", PROGRAM_NOT_FOUND, "no such program");
	expect("./none", PROGRAM_NOT_FOUND, "No such file");
	write_script("orphan", "#!/no/such/interpreter\n");
	expect("./orphan", PROGRAM_NOT_FOUND,
	    "can't run /no/such/interpreter: No such file or directory: it is "
	    "the interpreter of ./orphan");
	expect(".", PROGRAM_CANNOT_RUN, "not an executable file");
	expect("./", PROGRAM_CANNOT_RUN, "not an executable file");
	write_file("text", "hello\n");
	expect("./text", PROGRAM_CANNOT_RUN, "not an executable file");
}

TEST(refused)
{
	uint16_t own = own_machine();

	enter_test_folder();
	write_elf("static", ELFCLASS64, own, PT_LOAD);
	expect("./static", PROGRAM_CANNOT_RUN, "linked statically");
	write_elf("old", ELFCLASS32, EM_386, PT_INTERP);
	expect("./old", PROGRAM_CANNOT_RUN, "32-bit");
	write_elf("other", ELFCLASS64, own == EM_S390 ? EM_SPARC : EM_S390,
	    PT_INTERP);
	expect("./other", PROGRAM_CANNOT_RUN, "another kind of processor");
	write_bytes("cut", ELFMAG "\2\1\1", SELFMAG + 3);
	expect("./cut", PROGRAM_CANNOT_RUN, "cut off");
	write_bytes("empty", "", 0);
	expect("./empty", PROGRAM_CANNOT_RUN, "neither an ELF program");
	write_script("bare", "#!\n");
	expect("./bare", PROGRAM_CANNOT_RUN, "names no interpreter");
	write_script("behind", "#!./static\n");
	expect("./behind", PROGRAM_CANNOT_RUN, "./static");
	write_script("round", "#!./round\n");
	expect("./round", PROGRAM_CANNOT_RUN, "script of a script");
}

/* Rights that the user has already are not gained. */
TEST(set_user_id)
{
	enter_test_folder();
	write_script("own", "#!/bin/sh\n");
	assert_int_equal(chmod("own", 04755), 0);
	expect("./own", 0, "");
	if (chown("own", 65534, (gid_t)-1) < 0) {
		print_message("only root can give a file to another user\n");
		skip();
	}
	assert_int_equal(chmod("own", 04755), 0);
	expect("./own", PROGRAM_CANNOT_RUN, "set-user-ID");
}
