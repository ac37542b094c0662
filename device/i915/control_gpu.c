/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control files of the whole GPU: the state of the last hang, resets that a
 * user asks for, caches that are emptied, whether hangs are looked for, and what keeps
 * the GPU awake.
 * Rules: doc/model/i915_files.md "Live files", "debugfs", "Module parameters".
 */
#include <errno.h>
#include <string.h>

#include "base/nsec.h"
#include "base/util.h"
#include "device/i915/control.h"
#include "device/i915/object.h"
#include "device/i915/request.h"

/* The error state. */

static bool
error_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_CARD
	    ? strcmp(name, "error") == 0
	    : place == CONTROL_DEBUGFS && strcmp(name, "i915_error_state") == 0;
}

static void
error_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	size_t before = out->len;

	(void)control;
	if (dev->gpu->ops->error_state)
		dev->gpu->ops->error_state(dev->gpu, out);
	if (out->len == before)
		text_adds(out, "No error state collected\n");
}

static int
error_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	(void)call, (void)control, (void)text;
	if (dev->gpu->ops->error_clear)
		dev->gpu->ops->error_clear(dev->gpu);
	return 0;
}

const struct i915_control_ops i915_error_ops = {
    error_find, error_read, error_write, NULL};

/* Resets. */

static bool
wedged_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_DEBUGFS && strcmp(name, "i915_wedged") == 0;
}

static void
wedged_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)control;
	text_addf(out, "%d\n", dev->gpu->ops->wedged(dev->gpu));
}

/* doc/model/i915_files.md "Module parameters": without resets the device is lost. */
void
i915_hang_handle(struct i915 *dev)
{
	if (dev->gpu->ops->lose)
		dev->gpu->ops->lose(dev->gpu, dev->resets == 0);
}

/* A mask of engines; those that have a request are reset. */
static int
wedged_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	uint64_t mask;
	/* simple_attr_write() takes negative numbers. */
	bool negative = *text == '-';
	int rc = i915_control_number(text + negative, UINT64_MAX, &mask);

	(void)call, (void)control;
	if (rc)
		return rc;
	i915_hang_handle(dev);
	if (dev->resets > 0 && dev->gpu->ops->reset)
		dev->gpu->ops->reset(dev->gpu, negative ? -mask : mask);
	return 0;
}

const struct i915_control_ops i915_wedged_ops = {
    wedged_find, wedged_read, wedged_write, NULL};

/* Objects. */

static bool
objects_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_DEBUGFS &&
	    strcmp(name, "i915_gem_objects") == 0;
}

static void
objects_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	unsigned n = 0, purgeable = 0;
	unsigned long long bytes = 0;

	(void)control;
	for (size_t i = 0; i < dev->offsets.n; i++) {
		const struct i915_object *o = dev->offsets.items[i];

		if (!o)
			continue;
		n++;
		purgeable += o->dont_need;
		bytes += o->size;
	}
	text_addf(out, "%u shrinkable [%u free] objects, %llu bytes\n", n,
	    purgeable, bytes);
}

const struct i915_control_ops i915_objects_ops = {
    objects_find, objects_read, NULL, NULL};

/* Caches. */

#define DROP_UNBOUND      0x01u
#define DROP_BOUND        0x02u
#define DROP_ACTIVE       0x08u
#define DROP_SHRINK_ALL   0x20u
#define DROP_IDLE         0x40u
#define DROP_RESET_ACTIVE 0x80u
#define DROP_ALL          0x3ffu
/* I915_IDLE_ENGINES_TIMEOUT. */
#define RESET_AFTER_NS (200 * NSEC_PER_MSEC)

static bool
drop_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_DEBUGFS &&
	    strcmp(name, "i915_gem_drop_caches") == 0;
}

static void
drop_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)dev, (void)control;
	text_addf(out, "0x%08x\n", DROP_ALL);
}

/* Waits for a request in flight. Returns 0: there is none. */
static int
wait_until_idle(struct i915 *dev, struct i915_call *call)
{
	for (size_t i = 0; i < dev->requests.cap; i++) {
		struct chain_node *node = dev->requests.heads[i];

		if (node)
			return i915_wait(dev, call,
			    &container_of(node, struct i915_request, node)
				 ->fence);
	}
	return 0;
}

/* Waits as mask asks. Engines that do not get idle in time are reset, if it
 * asks for that; the wait goes on then. */
static int
drop_wait(struct i915 *dev, struct i915_call *call, uint64_t mask)
{
	bool resets = mask & DROP_RESET_ACTIVE;
	int rc;

	if (!(mask & (DROP_ACTIVE | DROP_IDLE)) && !resets)
		return 0;
	i915_deadline(
	    call, resets ? nsec_total(dev->now, RESET_AFTER_NS) : I915_NEVER);
	rc = wait_until_idle(dev, call);
	if (rc != -ETIME)
		return rc;
	if (dev->gpu->ops->reset)
		dev->gpu->ops->reset(dev->gpu, UINT64_MAX);
	/* Requests behind one that hung may hang too. */
	call->deadline_ns = nsec_total(dev->now, RESET_AFTER_NS);
	return I915_WAITS;
}

static int
drop_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	uint64_t mask;
	int rc = i915_control_number(text, UINT64_MAX, &mask);

	(void)control;
	if (rc == 0)
		rc = drop_wait(dev, call, mask);
	if (rc == 0 && mask & (DROP_UNBOUND | DROP_BOUND | DROP_SHRINK_ALL))
		i915_drop_caches(dev);
	return rc;
}

const struct i915_control_ops i915_drop_caches_ops = {
    drop_find, drop_read, drop_write, NULL};

/* Detection of hangs. */

static bool
hangcheck_find(struct i915 *dev, const char *name,
    enum i915_control_place place, struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_MODULE && strcmp(name, "enable_hangcheck") == 0;
}

static void
hangcheck_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)control;
	text_adds(out, dev->no_hangcheck ? "N\n" : "Y\n");
}

/* Takes what kstrtobool() takes: a letter, or on and off. */
static int
hangcheck_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	bool word = *text == 'o' || *text == 'O';
	const char *yes = word ? "nN" : "yYtT1", *no = word ? "fF" : "nNfF0";
	char c = text[word];

	(void)call, (void)control;
	if (c == '\0' || (!strchr(yes, c) && !strchr(no, c)))
		return -EINVAL;
	dev->no_hangcheck = strchr(no, c) != NULL;
	if (dev->gpu->ops->hangcheck)
		dev->gpu->ops->hangcheck(dev->gpu, !dev->no_hangcheck);
	return 0;
}

const struct i915_control_ops i915_hangcheck_ops = {
    hangcheck_find, hangcheck_read, hangcheck_write, NULL};

/* Whether there are resets. */

static bool
resets_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_MODULE && strcmp(name, "reset") == 0;
}

static void
resets_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)control;
	text_addf(out, "%llu\n", (unsigned long long)dev->resets);
}

static int
resets_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	int rc = i915_control_number(text, UINT32_MAX, &dev->resets);

	(void)call, (void)control;
	if (rc == 0 && dev->gpu->ops->reset_all)
		dev->gpu->ops->reset_all(dev->gpu, dev->resets < 2);
	return rc;
}

const struct i915_control_ops i915_resets_ops = {
    resets_find, resets_read, resets_write, NULL};

/* How long requests may take. */

static bool
timeout_find(struct i915 *dev, const char *name, enum i915_control_place place,
    struct i915_control *control)
{
	(void)control;
	return place == CONTROL_MODULE && dev->config->request_timeout_ms > 0 &&
	    strcmp(name, "request_timeout_ms") == 0;
}

static void
timeout_read(
    struct i915 *dev, const struct i915_control *control, struct text *out)
{
	(void)control;
	text_addf(out, "%llu\n", (unsigned long long)dev->request_timeout_ms);
}

static int
timeout_write(struct i915 *dev, struct i915_call *call,
    const struct i915_control *control, const char *text)
{
	int rc = i915_control_number(
	    text, UINT32_MAX, &dev->request_timeout_ms);

	(void)call, (void)control;
	if (rc == 0 && dev->gpu->ops->request_timeout)
		dev->gpu->ops->request_timeout(
		    dev->gpu, dev->request_timeout_ms);
	return rc;
}

const struct i915_control_ops i915_timeout_ops = {
    timeout_find, timeout_read, timeout_write, NULL};

/* Forcewake: users keep the GPU awake, as long as they have the file open. */

static bool
forcewake_find(struct i915 *dev, const char *name,
    enum i915_control_place place, struct i915_control *control)
{
	(void)dev, (void)control;
	return place == CONTROL_DEBUGFS &&
	    (strcmp(name, "i915_forcewake_user") == 0 ||
		strcmp(name, "gt0/forcewake_user") == 0);
}

static void
forcewake_hold(struct i915 *dev, int more)
{
	i915_frequency_count(dev);
	dev->frequency.n_awake += (unsigned)more;
}

const struct i915_control_ops i915_forcewake_ops = {
    forcewake_find, NULL, NULL, forcewake_hold};
