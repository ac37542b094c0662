/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The private protocol between the preload library (device/preload) and the
 * virtual i915. It is self-contained: the library uses nothing of base/.
 *
 * Each thread of a program has a connection of its own, SOCK_SEQPACKET. A
 * message is a struct wire_request and `size` bytes behind it; the answer is a
 * struct wire_reply and `size` bytes behind it, with at most one descriptor. A
 * thread has one request at a time. The reply of a call that blocks comes when
 * it is done. The first request of a connection is WIRE_HELLO.
 *
 * Both ends are the same machine and the same version, so numbers are in the
 * byte order of the host.
 */
#ifndef DEVICE_WIRE_WIRE_H
#define DEVICE_WIRE_WIRE_H

#include <stdint.h>

#define WIRE_VERSION 5

/* Bytes behind a request or a reply, at most: an ioctl has 14 bits of size. */
#define WIRE_MAX_BYTES 16384

/* attr.type of perf events of the device, a number that the kernel does not
 * reach. */
#define WIRE_PERF_TYPE 4242u

/* Names of the environment: the socket, the folder of device/tree, and whether
 * time is virtual ("1"). */
#define WIRE_SOCKET_VARIABLE  "GPUWL_I915_SOCKET"
#define WIRE_ROOT_VARIABLE    "GPUWL_I915_ROOT"
#define WIRE_VIRTUAL_VARIABLE "GPUWL_I915_VIRTUAL"
/* Read by the device, not by the library: the process that joined (WIRE_JOIN)
 * and started the program, and perhaps ",privileged". */
#define WIRE_RUN_VARIABLE "GPUWL_I915_RUN"

/* No time. */
#define WIRE_NEVER UINT64_MAX
/* CLOCK_REALTIME when the device's time is 0, in virtual time: the first second
 * of 2025, UTC. */
#define WIRE_REALTIME_NS UINT64_C(1735689600000000000)

/* Ends of a wait (WIRE_WAIT), beside its deadline. */
enum wire_wait {
	WIRE_WAIT_TIME, /* none: a sleep */
	WIRE_WAIT_CPU,  /* none: the CPU takes time */
	WIRE_WAIT_KEY,  /* WIRE_WAKE of the key by a thread of the process */
	WIRE_WAIT_NEWS, /* anything that a poll(2) might see has happened; key 1:
			 * the news before were none to the thread */
	WIRE_WAIT_CHILD, /* the same, in a process that waits for a child */
	WIRE_WAIT_END,   /* the thread whose pthread_t is the key has ended */
	N_WIRE_WAITS
};

/* The path of WIRE_OPEN that opens the uevents of the card: lines KEY=VALUE, an
 * empty line at the end of each event. */
#define WIRE_UEVENTS "uevents"

/* Flag of EXECBUFFER2: a call that has waited for room in its ring ends with
 * -ERESTART, having done nothing, and is made again: the thread's CPU takes time
 * before it. */
#define WIRE_RESTARTS 0x80000000u

/* Token of the timer that sends SIGALRM to the process (setitimer(2)): it is there
 * always, also after exec(2). */
#define WIRE_ALARM 1

/* Kinds of requests; each says which fields it uses, others are 0. `token`
 * is of the mark of the descriptor that the call was made on (mark.h). */
enum wire_kind {
	/* Argument: struct wire_hello. Reply: result 0 and a struct
	 * wire_welcome, or -errno and the text of the refusal. A request of
	 * another version is refused with such a text too. */
	WIRE_HELLO,
	/* Opens a file. Argument: its path below the root, without links, e.g.
	 * "dev/dri/card0", "dev/sw_sync", "sys/devices/.../error". No argument:
	 * the file of token is opened anew, as /proc/self/fd/N. flags: as of
	 * open(2). Reply: WIRE_FD_RETURN. */
	WIRE_OPEN,
	/* number: the request as given, 32 bits (look at _IOC_NR, and at
	 * _IOC_SIZE for the bytes that may be copied back); pointer: the
	 * program's address of the argument, or the argument itself where a
	 * request has no size; aux: the descriptor; flags, of EXECBUFFER2:
	 * O_NONBLOCK if it is set, WIRE_RESTARTS. Argument: _IOC_SIZE bytes if the
	 * request has _IOC_WRITE. Token 0: an object's memory (a dma-buf),
	 * found by aux; the device answers WIRE_NOT_MINE for others. */
	WIRE_IOCTL,
	/* number: offset; pointer: length in bytes; flags: protection. Reply:
	 * WIRE_FD_MAP; the library maps as the program asked, from map_offset
	 * on, if map_size bytes are enough. */
	WIRE_MMAP,
	/* number: bytes that the caller has room for, at most WIRE_MAX_BYTES.
	 * Reply: result bytes read, and those bytes. For perf events and control
	 * files. */
	WIRE_READ,
	/* Argument: the bytes. Reply: result bytes taken. For control files. */
	WIRE_WRITE,
	/* Argument: struct perf_event_attr, of attr.size bytes, or of 64 where
	 * that is 0; number: cpu, pointer: pid, both sign-extended; token: of
	 * the group's leader; aux: its descriptor, -1: none; flags. Reply:
	 * WIRE_FD_RETURN. */
	WIRE_PERF_OPEN,
	/* number: process, aux: its descriptor. Reply: WIRE_FD_RETURN, memory
	 * that has the text, or WIRE_NOT_MINE. */
	WIRE_FDINFO,
	/* number: inode of a socket; token: of a descriptor that was closed just
	 * before, whose hangup is dealt with first, 0: none. Reply: minor of the
	 * DRM file that it is, or WIRE_NOT_MINE. */
	WIRE_STAT,
	/* A signal came while the thread waits for a reply. Has no reply of its
	 * own: the one waited for comes soon, with -EINTR or with the result of
	 * a call that was done already. Ignored where nothing is waited for. */
	WIRE_CANCEL,
	/* The process is about to unmap memory that is an object (userptr).
	 * number: its address; pointer: bytes. The reply, of result 0, comes
	 * when the GPU has left the object. */
	WIRE_UNMAP,
	/* The process is about to call EXECBUFFER2. pointer: its argument;
	 * number: place of the first object of interest. Reply: the first object from there on that is memory of the process
	 * (userptr), map_size bytes from address map_offset on; result: its
	 * place + 1, or 0: none. */
	WIRE_MEMORY,
	/* The process may have another user or other capabilities than it had.
	 * Reply: result 0. */
	WIRE_RIGHTS,
	/* The first request of a connection that is not a program's: the process
	 * starts programs on the device. Reply: the path of the folder of the
	 * device's files, or -errno and the text of the refusal. */
	WIRE_JOIN,
	/* After WIRE_JOIN. Reply: lines about the programs that the process
	 * started; number: bytes of them to be left out. */
	WIRE_SUMMARY,

	/* The rest is of virtual time (doc/model/virtual.md "Virtual time");
	 * else -ENOSYS. */

	/* The thread waits. flags: enum wire_wait; number: its key; pointer:
	 * deadline, the device's time in ns, or WIRE_NEVER. Reply: 0, or
	 * -ETIMEDOUT at the deadline, -EINTR after a WIRE_CANCEL. */
	WIRE_WAIT,
	/* Ends waits for the key `number`, aux of them at most, those of the
	 * first threads first. Reply: how many. */
	WIRE_WAKE,
	/* A thread, or a process, is about to be made. Reply: its number. */
	WIRE_EXPECT,
	/* aux: a number that was expected; number: the process that it is;
	 * pointer: the pthread_t that it is; both 0: it could not be made. */
	WIRE_EXPECTED,
	/* A signal is about to be sent, or was. Reply: once all other threads
	 * are in their waits, after the handlers that interrupted those. */
	WIRE_SIGNALS,
	/* The thread ends, and closes its connection. No reply. */
	WIRE_LEAVE,
	/* Makes a timer. Reply: WIRE_FD_RETURN, readable once it has expired
	 * (MARK_TIMER). */
	WIRE_TIMER_NEW,
	/* Makes a timer of the process, without a descriptor. aux: the signal that
	 * it sends when it expires, 0: none; number: that signal's value; pointer:
	 * thread that gets it, 0: the process does. Reply: its token. */
	WIRE_TIMER_SIGNAL,
	/* token: of a timer without a descriptor. It is no more, and whoever
	 * reads it gets -EBADF. */
	WIRE_TIMER_END,
	/* token: of a timer; WIRE_ALARM: of that one. Argument: struct wire_timer to set it, or none.
	 * Reply: struct wire_timer, as it was. */
	WIRE_TIMER,
	/* token: of a timer; flags: O_NONBLOCK. Reply: the result is 8, and the
	 * bytes are how often it has expired, 64 bits; -EAGAIN: not yet. */
	WIRE_TIMER_READ,
	N_WIRE_KINDS
};

struct wire_request {
	uint16_t version; /* WIRE_VERSION */
	uint16_t kind;    /* enum wire_kind */
	uint32_t size;    /* bytes that follow */
	uint64_t token;   /* 0: none */
	uint64_t number;
	uint64_t pointer;
	uint32_t flags;
	uint32_t aux;
};

/* The library calls the real function. */
#define WIRE_NOT_MINE INT32_MIN

/* Uses of the descriptor of a reply. */
enum wire_fd {
	WIRE_FD_NONE,
	WIRE_FD_RETURN, /* the call returns it */
	WIRE_FD_STORE,  /* its number is s32 at fd_offset of the argument */
	WIRE_FD_MAP,    /* map_size bytes from map_offset are mapped shared,
	                 * with prot; the address is u64 at fd_offset of the
	                 * argument of an ioctl; the descriptor is closed */
};

/* With a descriptor that an ioctl stores or maps, `size` covers the field at fd_offset. */
struct wire_reply {
	int32_t result;  /* >= 0, -errno, WIRE_NOT_MINE */
	uint32_t size;   /* bytes that follow, copied back to the argument, also
	                  * with an error */
	uint8_t fd_use;  /* enum wire_fd */
	uint8_t cloexec; /* 1: the program's descriptor closes on exec */
	uint16_t fd_offset;
	uint32_t prot; /* PROT_READ, PROT_WRITE */
	uint64_t map_offset;
	uint64_t map_size; /* bytes */
	uint64_t now_ns;   /* the device's time, in virtual time; else 0 */
};

/* The device reads the word at `address` of process pid: it must be `value`.
 * If it cannot, it refuses with EPERM and a text that names the reason. */
struct wire_hello {
	uint32_t pid, tid;
	uint64_t address, value;
	char name[16];   /* of the program, as in /proc/self/comm */
	uint64_t thread; /* pthread_self() */
	uint32_t number; /* as WIRE_EXPECT had it; 0: none */
	uint32_t first;  /* 1: of a program that begins */
};

struct wire_welcome {
	uint64_t cookie; /* of the device's marks */
	uint32_t pid;    /* of the device */
	uint32_t pad;
	/* Costs in virtual time: EXECBUFFER2; that a thread which has waited for
	 * news (WIRE_WAIT_NEWS, WIRE_WAIT_CHILD) wakes up. */
	uint64_t submit_ns, wakeup_ns;
};

/* Times of a timer in ns, as of struct itimerspec. */
struct wire_timer {
	uint64_t at_ns; /* of the device; 0: not set */
	uint64_t interval_ns;
};

_Static_assert(sizeof(struct wire_request) == 40, "no padding");
_Static_assert(sizeof(struct wire_reply) == 40, "no padding");
_Static_assert(sizeof(struct wire_hello) == 56, "no padding");
_Static_assert(sizeof(struct wire_welcome) == 32, "no padding");
_Static_assert(sizeof(struct wire_timer) == 16, "no padding");

#endif
