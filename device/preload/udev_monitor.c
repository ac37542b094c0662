/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Monitors of libudev. They are the real library's objects, so that other
 * devices are heard of; one that may hear of DRM devices also gets the uevents
 * of the virtual device. Its descriptor is an epoll that has both.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/preload/real.h"
#include "device/preload/udev.h"
#include "device/wire/wire.h"

/* A monitor of a program. */
struct udev_listener {
	const struct udev_monitor *of;
	struct udev *udev;
	bool filtered, drm; /* has filters; one is of DRM */
	int both, events;   /* epoll; uevents of the device; -1: none */
	struct udev_listener *next;
};

static struct udev_listener *listeners;
static pthread_mutex_t listeners_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns what is known of m, NULL: nothing. It lives as long as the monitor. */
static struct udev_listener *
listener_of(const struct udev_monitor *m)
{
	struct udev_listener *l;

	pthread_mutex_lock(&listeners_lock);
	l = listeners;
	while (l != NULL && l->of != m)
		l = l->next;
	pthread_mutex_unlock(&listeners_lock);
	return l;
}

static int
real_monitor_call(const char *function, struct udev_monitor *m)
{
	int (*f)(struct udev_monitor *) =
	    (int (*)(struct udev_monitor *))udev_real(function);

	return f != NULL ? f(m) : -ENOSYS;
}

struct udev_monitor *
udev_monitor_new_from_netlink(struct udev *udev, const char *name)
{
	struct udev_monitor *(*f)(struct udev *, const char *) =
	    (struct udev_monitor * (*)(struct udev *, const char *))
		udev_real(__func__);
	struct udev_monitor *m = f != NULL ? f(udev, name) : NULL;
	struct udev_listener *l;

	if (m == NULL || real_place()->root_len == 0 ||
	    (l = calloc(1, sizeof *l)) == NULL)
		return m;
	l->of = m;
	l->udev = udev;
	l->both = l->events = -1;
	pthread_mutex_lock(&listeners_lock);
	l->next = listeners;
	listeners = l;
	pthread_mutex_unlock(&listeners_lock);
	return m;
}

static void
forget_udev_listener(struct udev_listener *l)
{
	struct udev_listener **at = &listeners;

	pthread_mutex_lock(&listeners_lock);
	while (*at != l)
		at = &(*at)->next;
	*at = l->next;
	pthread_mutex_unlock(&listeners_lock);
	if (l->both >= 0)
		real_close(l->both);
	if (l->events >= 0)
		real_close(l->events);
	free(l);
}

struct udev_monitor *
udev_monitor_unref(struct udev_monitor *m)
{
	struct udev_monitor *(*f)(struct udev_monitor *) =
	    (struct udev_monitor * (*)(struct udev_monitor *))
		udev_real(__func__);
	struct udev_listener *l = listener_of(m);

	/* References are not counted here: programs have one. */
	if (l != NULL)
		forget_udev_listener(l);
	return f != NULL ? f(m) : NULL;
}

int
udev_monitor_filter_add_match_subsystem_devtype(
    struct udev_monitor *m, const char *subsystem, const char *devtype)
{
	int (*f)(struct udev_monitor *, const char *,
	    const char *) = (int (*)(struct udev_monitor *, const char *,
	    const char *))udev_real(__func__);
	struct udev_listener *l = listener_of(m);

	if (l != NULL) {
		l->filtered = true;
		l->drm |= strcmp(subsystem, "drm") == 0;
	}
	return f != NULL ? f(m, subsystem, devtype) : -ENOSYS;
}

static void
watch_both(struct udev_listener *l, int fd)
{
	struct epoll_event e = {.events = EPOLLIN};

	l->both = epoll_create1(EPOLL_CLOEXEC);
	if (l->both < 0)
		return;
	epoll_ctl(l->both, EPOLL_CTL_ADD, l->events, &e);
	if (fd >= 0)
		epoll_ctl(l->both, EPOLL_CTL_ADD, fd, &e);
}

int
udev_monitor_enable_receiving(struct udev_monitor *m)
{
	int (*get_fd)(struct udev_monitor *) =
	    (int (*)(struct udev_monitor *))udev_real("udev_monitor_get_fd");
	struct udev_listener *l = listener_of(m);
	int result = real_monitor_call(__func__, m);

	if (l == NULL || l->events >= 0 || (l->filtered && !l->drm))
		return result;
	l->events = udev_open_uevents();
	if (l->events < 0)
		return result;
	watch_both(l, get_fd != NULL ? get_fd(m) : -1);
	return 0;
}

int
udev_monitor_get_fd(struct udev_monitor *m)
{
	const struct udev_listener *l = listener_of(m);

	return l != NULL && l->both >= 0 ? l->both
					 : real_monitor_call(__func__, m);
}

/* Takes the first event of the device off its stream into text; false: there is
 * none that is whole. */
static bool
take_event(const struct udev_listener *l, char *text, size_t size)
{
	ssize_t n = recv(l->events, text, size - 1, MSG_PEEK | MSG_DONTWAIT);
	const char *end;

	if (n <= 0)
		return false;
	text[n] = 0;
	end = strstr(text, "\n\n");
	if (end == NULL)
		return false;
	n = end + 2 - text;
	if (recv(l->events, text, (size_t)n, MSG_DONTWAIT) != n)
		return false;
	text[n - 2] = 0;
	return true;
}

struct udev_device *
udev_monitor_receive_device(struct udev_monitor *m)
{
	struct udev_device *(*f)(struct udev_monitor *) = (struct udev_device *
	    (*)(struct udev_monitor *)) udev_real(__func__);
	const struct udev_listener *l = listener_of(m);
	char text[1024];

	if (l != NULL && l->events >= 0 && take_event(l, text, sizeof text))
		return udev_device_of_event(l->udev, text);
	return f != NULL ? f(m) : NULL;
}
