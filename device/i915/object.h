/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of the virtual i915 and the address spaces that they are in. An
 * object's memory is a memfd, made when it is first needed, or memory of a
 * program (userptr).
 */
#ifndef DEVICE_I915_OBJECT_H
#define DEVICE_I915_OBJECT_H

#include "device/i915/device.h"

/* Numbers of objects are the upper bits of an mmap offset. */
#define I915_OFFSET_SHIFT 36

#define I915_NO_ADDRESS UINT64_MAX

/* A fence in an object's reservation. */
struct i915_use {
	struct i915_fence *fence; /* a reference */
	uint32_t classes;         /* of engines that the request may be on */
	bool write;
};

/* The requests that read and write an object. */
struct i915_reservation {
	struct i915_use *uses;
	size_t n, cap;
};

struct i915_object {
	struct chain_node node; /* n: inode of its memory, once that exists */
	unsigned refs;
	unsigned handles;
	uint32_t number;
	uint64_t serial;          /* not used again, as the number is */
	uint32_t name;            /* of flink, 0: none */
	uint64_t size;            /* bytes, whole pages */
	int fd;                   /* its memory, -1: none yet */
	uint8_t *map;             /* NULL: not mapped here */
	bool copied;              /* once, by its descriptor */
	struct user_memory *user; /* of userptr: a reference, at address */
	struct i915_object *user_next, **user_at; /* in the device's list */
	uint64_t address;
	bool present; /* of userptr: its memory was there when looked at */
	bool unsynchronized; /* of userptr: it keeps memory that is unmapped */
	bool read_only;
	bool dont_need, purged; /* MADVISE */
	bool pages; /* the driver has its pages: bound, mapped or read */
	uint32_t tiling, stride, caching;
	struct i915_reservation reservation;
	struct i915_binding *bindings;
	struct i915_program *program;
	uint64_t visit; /* the last execbuf that has it, at place `index` */
	size_t index;
};

/* An object in an address space. */
struct i915_binding {
	struct chain_node node; /* p: space, n: number of the object */
	struct i915_space *space;
	struct i915_object *object;
	uint64_t address,
	    size; /* bytes: the object's, or what it is padded to */
	struct i915_binding *next; /* of the object */
};

struct i915_range {
	uint64_t first, end;
};

struct i915_space {
	struct i915 *dev;
	unsigned refs;
	unsigned in_flight; /* requests of it */
	/* Addresses that lost their object while requests were in flight: the
	 * newest ones, in a ring. NULL: never any. */
	struct i915_range *vacated;
	size_t n_vacated;
	/* n of cap, by address, none overlap; those from `gap` on are at the
	 * end of the array. */
	struct i915_binding **bindings;
	size_t n, cap, gap;
	uint64_t next; /* where the search for a free address begins */
	uint64_t file; /* id of the file that made it */
	struct i915_program *program;
};

/* object.c */
/* Makes an object of size bytes (whole pages, not 0) with a handle in the
 * caller's file. Returns 0 or -errno. */
int i915_object_new(struct i915 *dev, struct i915_call *call, uint64_t size,
    struct i915_object **object, uint32_t *handle);
struct i915_object *i915_object_get(struct i915_object *object);
void i915_object_put(struct i915 *dev, struct i915_object *object);
/* Returns the object of a handle, NULL: unknown. */
struct i915_object *i915_object_find(
    const struct i915_file *file, uint32_t handle);
/* Returns the handle that a file has for the object; makes one if none. */
uint32_t i915_object_handle(
    struct i915 *dev, struct i915_file *file, struct i915_object *object);
/* Makes a handle, also if the file has one for the object. */
uint32_t i915_object_handle_new(
    struct i915 *dev, struct i915_file *file, struct i915_object *object);
/* True if the file has a handle for the object. */
bool i915_object_held(struct i915 *dev, const struct i915_file *file,
    const struct i915_object *object);
/* Closes a handle. False: unknown. */
bool i915_object_close(
    struct i915 *dev, struct i915_file *file, uint32_t handle);

/* Takes the object's memory for ever. No request uses it, and it is not a userptr. */
void i915_object_purge(struct i915 *dev, struct i915_object *object);

/* object_map.c */
/* Makes the memory. Returns 0, -ENOMEM, or -EFAULT where the program does not
 * need it (MADVISE). Not for userptr. */
int i915_object_commit(struct i915 *dev, struct i915_object *object);
/* True if the program does not need the object (MADVISE), and the driver has no
 * pages of it, or took them. */
bool i915_object_unneeded(const struct i915_object *object);
/* Takes the object's pages. Returns 0, or -EFAULT if it is not needed. */
int i915_object_pin(struct i915_object *object);
/* Returns the object's memory in the device's process, NULL: none. */
uint8_t *i915_object_map(struct i915 *dev, struct i915_object *object);
/* Copy from or to an object; the range must be in it. Return 0, -EFAULT or
 * -ENOMEM. */
int i915_object_read(struct i915 *dev, struct i915_object *object,
    uint64_t offset, void *to, size_t size);
int i915_object_write(struct i915 *dev, struct i915_object *object,
    uint64_t offset, const void *from, size_t size);

/* userptr.c */
/* Looks whether a userptr object's memory is there. Returns 0 or -EFAULT. */
int i915_userptr_look(struct i915_object *object);

/* implicit.c */
/* Adds the fence of a request that reads or writes; ordered: it waits for all
 * that it must wait for, so that those need not be kept. */
void i915_reservation_add(struct i915 *dev, struct i915_reservation *r,
    struct i915_fence *f, uint32_t classes, bool write, bool ordered);
/* Adds what a reader waits for (the writers), or a writer (all). */
void i915_reservation_waits(
    const struct i915_reservation *r, bool write, struct i915_fences *fences);
/* Waits in a call until a reader, or a writer, may use the object. Returns 0,
 * I915_WAITS, -EINTR or -ETIME. */
int i915_reservation_wait(struct i915 *dev, struct i915_call *call,
    const struct i915_reservation *r, bool write);
/* True if a request has not ended. */
bool i915_reservation_busy(const struct i915_reservation *r);
void i915_reservation_free(struct i915 *dev, struct i915_reservation *r);

/* address_space.c */
struct i915_space *i915_space_new(
    struct i915 *dev, const struct i915_file *file);
struct i915_space *i915_space_get(struct i915_space *space);
void i915_space_put(struct i915 *dev, struct i915_space *space);
/* A request of the space is submitted, and ends. */
void i915_space_begin(struct i915_space *space);
void i915_space_end(struct i915_space *space);
/* Returns where the object is in the space, or NULL. */
struct i915_binding *i915_binding_find(
    const struct i915_space *space, const struct i915_object *object);
/* Returns a binding that has an address in [first, end), or NULL. */
struct i915_binding *i915_space_overlap(
    const struct i915_space *space, uint64_t first, uint64_t end);
/* Returns a binding below end whose object was not visited, to make room: the
 * next one behind the last place that was found, rather one that no request
 * uses. NULL: none. */
struct i915_binding *i915_space_victim(
    const struct i915_space *space, uint64_t end, uint64_t visit);
/* Puts the object at a free address; size: at least the object's. */
struct i915_binding *i915_space_bind(struct i915_space *space,
    struct i915_object *object, uint64_t address, uint64_t size);
void i915_space_unbind(struct i915 *dev, struct i915_binding *binding);
/* Takes an object that no request uses away from the file's address spaces. */
void i915_space_forget(
    struct i915 *dev, const struct i915_file *file, struct i915_object *object);
/* Lets the next search for a free address begin at the lowest. */
void i915_space_rewind(struct i915_space *space);
/* Returns a free address for size bytes, below 4 GiB if it can be had;
 * I915_NO_ADDRESS: the space is full. */
uint64_t i915_space_place(
    struct i915_space *space, uint64_t size, uint64_t alignment);

/* query.c, getparam.c, wait.c ... serve ioctls; see ioctls.c. */

#endif
