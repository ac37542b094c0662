/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for a program, and at the head of its file: a script's interpreter, or
 * the ELF headers, which say for which machine it is and who loads it. */
#include "device/serve/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

/* Benchmarks of Debian's intel-gpu-tools, gem_wsim among them. */
#define IGT_FOLDER "/usr/libexec/igt-gpu-tools/benchmarks/"
/* Interpreters of interpreters that Linux follows (binfmt_script). */
#define MAX_SCRIPTS  4
#define HEAD_BYTES   256 /* of a script that Linux reads */
#define MAX_SEGMENTS 256

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#elif defined(__riscv)
#define OUR_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define OUR_MACHINE EM_PPC64
#else
#define OUR_MACHINE EM_NONE
#endif

static int
refuse(struct text *err, const char *path, const char *why)
{
	text_addf(err, "can't run %s on the virtual device: %s", path, why);
	return PROGRAM_CANNOT_RUN;
}

/* True if the loader would ignore LD_PRELOAD: the program runs with more rights
 * than the user has. */
static bool
gains_rights(const char *path, const struct stat *st)
{
	if ((st->st_mode & S_ISUID) != 0 && st->st_uid != getuid())
		return true;
	if ((st->st_mode & S_ISGID) != 0 && st->st_gid != getgid())
		return true;
	return getuid() != 0 &&
	    getxattr(path, "security.capability", NULL, 0) > 0;
}

/* True if the program's segments name a dynamic loader. */
static bool
has_loader(int fd, const Elf64_Ehdr *elf)
{
	unsigned n = elf->e_phnum < MAX_SEGMENTS ? elf->e_phnum : MAX_SEGMENTS;

	if (elf->e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < n; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(elf->e_phoff + i * sizeof(segment));

		if (pread(fd, &segment, sizeof(segment), at) !=
		    (ssize_t)sizeof(segment))
			return false;
		if (segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

static int
check_elf(int fd, const char *path, const unsigned char *head, size_t len,
    struct text *err)
{
	Elf64_Ehdr elf;

	if (len > EI_CLASS && head[EI_CLASS] == ELFCLASS32)
		return refuse(err, path,
		    "it is a 32-bit program, and the preload library has 64 "
		    "bits");
	if (len < sizeof(elf))
		return refuse(err, path, "its ELF header is cut off");
	memcpy(&elf, head, sizeof(elf));
	if (OUR_MACHINE != EM_NONE && elf.e_machine != OUR_MACHINE)
		return refuse(err, path, "it is for another kind of processor");
	if (!has_loader(fd, &elf))
		return refuse(err, path,
		    "it is linked statically, so it loads no preload library");
	return 0;
}

static int check_file(const char *path, unsigned depth, struct text *err);

/* Checks the interpreter that the first line of a script names. */
static int
check_script(const char *path, const char *head, size_t len, unsigned depth,
    struct text *err)
{
	char name[HEAD_BYTES];
	size_t from = 2, n;
	int status;

	while (from < len && (head[from] == ' ' || head[from] == '\t'))
		from++;
	n = strcspn(head + from, " \t\n");
	if (n == 0 || from + n >= len)
		return refuse(err, path, "its first line names no interpreter");
	memcpy(name, head + from, n);
	name[n] = 0;
	if (depth == MAX_SCRIPTS)
		return refuse(err, path,
		    "its interpreter is a script of a "
		    "script of a script");
	status = check_file(name, depth + 1, err);
	if (status != 0)
		text_addf(err, ": it is the interpreter of %s", path);
	return status;
}

static int
check_head(int fd, const char *path, unsigned depth, struct text *err)
{
	char head[HEAD_BYTES + 1];
	ssize_t n = pread(fd, head, HEAD_BYTES, 0);

	if (n < 0)
		return refuse(err, path, strerror(errno));
	head[n] = 0;
	if (n >= 2 && head[0] == '#' && head[1] == '!')
		return check_script(path, head, (size_t)n, depth, err);
	if (n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		return check_elf(
		    fd, path, (const unsigned char *)head, (size_t)n, err);
	return refuse(err, path,
	    "it is neither an ELF program nor a script "
	    "that begins with #!");
}

/* Checks a file that may be executed. A file that can be run but not read is
 * left to the kernel. */
static int
check_file(const char *path, unsigned depth, struct text *err)
{
	struct stat st;
	int fd, status;

	if (stat(path, &st) < 0) {
		text_addf(err, "can't run %s: %s", path, strerror(errno));
		return errno == ENOENT ? PROGRAM_NOT_FOUND : PROGRAM_CANNOT_RUN;
	}
	if (!S_ISREG(st.st_mode) || access(path, X_OK) < 0) {
		text_addf(
		    err, "can't run %s: it is not an executable file", path);
		return PROGRAM_CANNOT_RUN;
	}
	if (gains_rights(path, &st))
		return refuse(err, path,
		    "it is set-user-ID, set-group-ID or has capabilities, so "
		    "it loads no preload library");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return 0;
	status = check_head(fd, path, depth, err);
	close(fd);
	return status;
}

static bool
is_executable_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(path, X_OK) == 0;
}

/* Returns the file of that name in a folder of $PATH; an executable one if any
 * is. NULL: none. The caller frees it. */
static char *
search_path(const char *name)
{
	const char *folders = getenv("PATH");
	char *found = NULL;
	struct text path = {0};

	if (folders == NULL)
		folders = "/usr/local/bin:/usr/bin:/bin";
	for (const char *p = folders;; p++) {
		size_t n = strcspn(p, ":");

		text_clear(&path);
		if (n > 0)
			text_addf(&path, "%.*s/", (int)n, p);
		text_adds(&path, name);
		if (is_executable_file(text_str(&path))) {
			free(found);
			found = mem_strdup(text_str(&path));
			break;
		}
		if (found == NULL && access(text_str(&path), F_OK) == 0)
			found = mem_strdup(text_str(&path));
		p += n;
		if (*p == 0)
			break;
	}
	text_free(&path);
	return found;
}

/* Appends where intel-gpu-tools has the program: beside $PATH. */
static void
add_other_place(const char *name, struct text *err)
{
	struct text path = {0};

	text_addf(&path, IGT_FOLDER "%s", name);
	if (*name != 0 && strchr(name, '/') == NULL &&
	    is_executable_file(text_str(&path)))
		text_addf(err, ", but there is %s", text_str(&path));
	text_free(&path);
}

int
program_find(const char *name, char **path, struct text *err)
{
	char *found = strchr(name, '/') != NULL ? mem_strdup(name)
						: search_path(name);
	int status;

	if (found == NULL || *name == 0) {
		free(found);
		text_addf(
		    err, "can't run '%s': no such program in $PATH", name);
		add_other_place(name, err);
		return PROGRAM_NOT_FOUND;
	}
	status = check_file(found, 0, err);
	if (status == 0)
		*path = found;
	else
		free(found);
	return status;
}
