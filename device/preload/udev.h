/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libudev's functions for the devices of the tree. The real libudev walks /sys
 * from its root by descriptors and wants udevd's database, so no path of its own
 * leads to the tree. Objects of the real library go to the real functions; ours
 * begin with a word that says so. These functions use the heap, as libudev does.
 *
 * libudev.h is not needed to build: the declarations are the library's ABI.
 */
#ifndef DEVICE_PRELOAD_UDEV_H
#define DEVICE_PRELOAD_UDEV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct udev;
struct udev_device;
struct udev_enumerate;
struct udev_monitor;

#define UDEV_OURS 0x67707577c0ffee42u

/* An entry of a list of ours. */
struct udev_list_entry {
	uint64_t ours; /* UDEV_OURS */
	struct udev_list_entry *next;
	char *name, *value; /* value may be NULL */
};

/* Returns the next function called name in line, NULL: there is none. The
 * caller knows its type. */
void (*udev_real(const char *name))(void);
/* True if object, of whatever kind, is ours. */
bool udev_is_ours(const void *object);

/* Puts a copy of name and value in front of *list. */
void udev_list_add(
    struct udev_list_entry **list, const char *name, const char *value);
/* Returns the value of name, NULL: not there. */
const char *udev_list_value(
    const struct udev_list_entry *list, const char *name);
void udev_list_free(struct udev_list_entry *list);

struct udev_device *udev_device_new_from_syspath(
    struct udev *udev, const char *path);
struct udev_device *udev_device_new_from_devnum(
    struct udev *udev, char type, dev_t number);
struct udev_device *udev_device_new_from_subsystem_sysname(
    struct udev *udev, const char *subsystem, const char *sysname);
struct udev_device *udev_device_ref(struct udev_device *d);
struct udev_device *udev_device_unref(struct udev_device *d);
struct udev *udev_device_get_udev(struct udev_device *d);
struct udev_device *udev_device_get_parent(struct udev_device *d);
struct udev_device *udev_device_get_parent_with_subsystem_devtype(
    struct udev_device *d, const char *subsystem, const char *devtype);
const char *udev_device_get_syspath(struct udev_device *d);
const char *udev_device_get_devpath(struct udev_device *d);
const char *udev_device_get_sysname(struct udev_device *d);
const char *udev_device_get_devnode(struct udev_device *d);
const char *udev_device_get_subsystem(struct udev_device *d);
const char *udev_device_get_devtype(struct udev_device *d);
const char *udev_device_get_driver(struct udev_device *d);
dev_t udev_device_get_devnum(struct udev_device *d);
int udev_device_get_is_initialized(struct udev_device *d);
const char *udev_device_get_property_value(
    struct udev_device *d, const char *name);
const char *udev_device_get_sysattr_value(
    struct udev_device *d, const char *name);
struct udev_list_entry *udev_device_get_properties_list_entry(
    struct udev_device *d);
struct udev_list_entry *udev_device_get_sysattr_list_entry(
    struct udev_device *d);

struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *e);
const char *udev_list_entry_get_name(struct udev_list_entry *e);
const char *udev_list_entry_get_value(struct udev_list_entry *e);
struct udev_list_entry *udev_list_entry_get_by_name(
    struct udev_list_entry *e, const char *name);

int udev_enumerate_add_match_subsystem(
    struct udev_enumerate *e, const char *subsystem);
int udev_enumerate_add_match_property(
    struct udev_enumerate *e, const char *name, const char *value);
int udev_enumerate_scan_devices(struct udev_enumerate *e);
struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *e);
struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *e);

/* Returns the descriptor of the device's uevents; -1: there are none. */
int udev_open_uevents(void);
/* Makes the device of an event, lines KEY=VALUE; NULL: there is none. The caller
 * gives it back with udev_device_unref(). Changes text. */
struct udev_device *udev_device_of_event(struct udev *udev, char *text);
const char *udev_device_get_action(struct udev_device *d);

struct udev_monitor *udev_monitor_new_from_netlink(
    struct udev *udev, const char *name);
struct udev_monitor *udev_monitor_unref(struct udev_monitor *m);
int udev_monitor_filter_add_match_subsystem_devtype(
    struct udev_monitor *m, const char *subsystem, const char *devtype);
int udev_monitor_enable_receiving(struct udev_monitor *m);
int udev_monitor_get_fd(struct udev_monitor *m);
struct udev_device *udev_monitor_receive_device(struct udev_monitor *m);

#endif
