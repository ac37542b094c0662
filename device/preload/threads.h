/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads in virtual time: each has its number before it exists. */
#ifndef DEVICE_PRELOAD_THREADS_H
#define DEVICE_PRELOAD_THREADS_H

#include <pthread.h>

/* The function of a thread: run, or run_int where run is NULL. */
struct thread_start {
	void *(*run)(void *);
	int (*run_int)(void *);
	void *arg;
};

/* As pthread_create(3). */
int thread_create_in_turn(pthread_t *thread, const pthread_attr_t *attr,
    const struct thread_start *start);

#endif
