/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that is preloaded before that of the virtual i915, and takes away
 * what the environment variable LACKS lists, with commas between:
 *
 *   param=N=ERRNO    GETPARAM of N fails
 *   value=N=VALUE    ... or has that value
 *   query=N=0        QUERY of N is unknown
 *   driver=0=NAME    the driver has that name
 *   context=N=ERRNO  a context parameter N can't be set
 *   slots=N=ERRNO    extension N of an engine map is refused
 *   ioctl=N=ERRNO    the ioctl of i915 of that number fails
 *   late=N=US/K      ... each K-th time it returns that much later
 *   slept=N=US/MS    ... it begins that much later where the last one was MS ago
 *   open=PATH=ERRNO  the file can't be opened
 *   call=N=ERRNO     the system call of that number fails, made by syscall()
 *   fdinfo=0=ERRNO   no fdinfo can be opened
 *
 * ERRNO and N are numbers.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <i915_drm.h>

typedef int ioctl_fn(int fd, unsigned long request, ...);
typedef int open_fn(const char *path, int flags, ...);
typedef long syscall_fn(long number, ...);

/* Finds "kind=key=" in the list. Returns what follows; NULL: not listed. */
static const char *
lack_of(const char *kind, const char *key)
{
	const char *list = getenv("LACKS");
	char word[300];
	size_t n;

	snprintf(word, sizeof word, "%s=%s=", kind, key);
	n = strlen(word);
	while (list != NULL) {
		if (strncmp(list, word, n) == 0)
			return list + n;
		list = strchr(list, ',');
		list = list != NULL ? list + 1 : NULL;
	}
	return NULL;
}

/* As lack_of(), of a number. */
static const char *
lack_of_number(const char *kind, unsigned long long key)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", key);
	return lack_of(kind, text);
}

static bool
refuse_with(const char *number)
{
	if (number != NULL)
		errno = atoi(number);
	return number != NULL;
}

/* Returns true if it has answered a GETPARAM, with *rc. */
static bool
answer_param(struct drm_i915_getparam *arg, int *rc)
{
	unsigned long long param = (unsigned)arg->param;
	const char *value = lack_of_number("value", param);

	*rc = -1;
	if (value == NULL)
		return refuse_with(lack_of_number("param", param));
	*arg->value = atoi(value);
	*rc = 0;
	return true;
}

static void
forget_query(const struct drm_i915_query *query)
{
	struct drm_i915_query_item *items = (void *)(uintptr_t)query->items_ptr;

	for (uint32_t i = 0; i < query->num_items; i++)
		if (lack_of_number("query", items[i].query_id) != NULL)
			items[i].length = -EINVAL;
}

static void
rename_driver(const struct drm_version *version)
{
	const char *name = lack_of("driver", "0");

	if (name != NULL && version->name != NULL)
		snprintf(version->name, version->name_len + 1, "%.*s",
		    (int)strcspn(name, ","), name);
}

/* Returns true if a context parameter is refused. */
static bool
refuse_setparam(const struct drm_i915_gem_context_param *arg)
{
	const struct i915_context_param_engines *map =
	    (void *)(uintptr_t)arg->value;
	const struct i915_user_extension *ext;

	/* All may lower their priority. */
	if ((arg->param != I915_CONTEXT_PARAM_PRIORITY ||
		(int64_t)arg->value > 0) &&
	    refuse_with(lack_of_number("context", arg->param)))
		return true;
	if (arg->param != I915_CONTEXT_PARAM_ENGINES || arg->size < sizeof *map)
		return false;
	for (ext = (void *)(uintptr_t)map->extensions; ext != NULL;
	     ext = (void *)(uintptr_t)ext->next_extension)
		if (refuse_with(lack_of_number("slots", ext->name)))
			return true;
	return false;
}

static bool
refuse_creation(const struct drm_i915_gem_context_create_ext *arg)
{
	const struct drm_i915_gem_context_create_ext_setparam *set =
	    (void *)(uintptr_t)arg->extensions;

	for (; set != NULL; set = (void *)(uintptr_t)set->base.next_extension)
		if (refuse_setparam(&set->param))
			return true;
	return false;
}

/* Returns true if a call fails. */
static bool
refuse_call(unsigned long request, const void *arg)
{
	if (request == DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM)
		return refuse_setparam(arg);
	if (request == DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT)
		return refuse_creation(arg);
	return _IOC_TYPE(request) == DRM_IOCTL_BASE &&
	    _IOC_NR(request) >= DRM_COMMAND_BASE &&
	    refuse_with(
		lack_of_number("ioctl", _IOC_NR(request) - DRM_COMMAND_BASE));
}

static void
return_late(unsigned long request)
{
	static unsigned calls[256];
	unsigned nr = _IOC_NR(request), us = 0, each = 1;
	const char *late;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE || nr < DRM_COMMAND_BASE)
		return;
	late = lack_of_number("late", nr - DRM_COMMAND_BASE);
	if (late != NULL && sscanf(late, "%u/%u", &us, &each) == 2 &&
	    ++calls[nr] % each == 0)
		usleep(us);
}

static uint64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void
begin_late(unsigned long request)
{
	static uint64_t last[256];
	unsigned nr = _IOC_NR(request), us = 0, ms = 0;
	const char *slept;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE || nr < DRM_COMMAND_BASE)
		return;
	slept = lack_of_number("slept", nr - DRM_COMMAND_BASE);
	if (slept == NULL || sscanf(slept, "%u/%u", &us, &ms) != 2)
		return;
	if (now_us() - last[nr] > ms * UINT64_C(1000))
		usleep(us);
	last[nr] = now_us();
}

int
ioctl(int fd, unsigned long request, ...)
{
	ioctl_fn *next = (ioctl_fn *)dlsym(RTLD_NEXT, "ioctl");
	va_list ap;
	void *arg;
	int rc;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == DRM_IOCTL_I915_GETPARAM && answer_param(arg, &rc))
		return rc;
	if (refuse_call(request, arg))
		return -1;
	begin_late(request);
	rc = next(fd, request, arg);
	if (request == DRM_IOCTL_I915_QUERY && rc == 0)
		forget_query(arg);
	if (request == DRM_IOCTL_VERSION && rc == 0)
		rename_driver(arg);
	return_late(request);
	return rc;
}

static int
open_or_refuse(const char *name, const char *path, int flags, mode_t mode)
{
	open_fn *next = (open_fn *)dlsym(RTLD_NEXT, name);

	if (refuse_with(lack_of("open", path)) ||
	    (strstr(path, "/fdinfo/") != NULL &&
		refuse_with(lack_of("fdinfo", "0"))))
		return -1;
	return next(path, flags, mode);
}

#define DEFINE_OPEN(name)                                                      \
	int name(const char *path, int flags, ...)                             \
	{                                                                      \
		mode_t mode = 0;                                               \
		va_list ap;                                                    \
                                                                               \
		va_start(ap, flags);                                           \
		if (flags & O_CREAT)                                           \
			mode = va_arg(ap, mode_t);                             \
		va_end(ap);                                                    \
		return open_or_refuse(#name, path, flags, mode);               \
	}

DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/* unistd.h has it for _DEFAULT_SOURCE alone. */
long syscall(long number, ...);

/* Passes on as many arguments as any call has. */
long
syscall(long number, ...)
{
	syscall_fn *next = (syscall_fn *)dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (refuse_with(lack_of_number("call", (unsigned long long)number)))
		return -1;
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
