/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCI device and its nodes, as programs look for them: libdrm and Mesa's
 * loaders by /sys/dev/char, IGT by /sys/class/drm, libpciaccess by /sys/bus/pci
 * (doc/model/i915_files.md "Finding the device").
 */
#include <stdio.h>
#include <sys/sysmacros.h>

#include "device/tree/tree_private.h"
#include "device/wire/live.h"

#define DRM_MAJOR  226u
#define MISC_MAJOR 10u
#define SYNC_MINOR 125u

/* Regions of an integrated GPU as its configuration space and `resource` have
 * them: registers and aperture in memory, some ports. */
#define REGISTERS_AT    0x90000000u
#define REGISTERS_BYTES 0x01000000u
#define APERTURE_AT     0x80000000u
#define APERTURE_BYTES  0x10000000u
#define PORTS_AT        0x2000u
#define PORTS_BYTES     0x40u

/* Class of a VGA controller. */
#define PCI_CLASS 0x030000u

static void
put_node(struct tree_writer *w, const char *name, unsigned minor_number,
    const char *by_path)
{
	char number[32];

	snprintf(number, sizeof number, "%u:%u", DRM_MAJOR, minor_number);
	tree_folder(w, "dev/dri");
	tree_sparse(
	    w, name, WIRE_NODE | 0660, makedev(DRM_MAJOR, minor_number));
	tree_folder(w, "dev/dri/by-path");
	tree_link(w, by_path, "../%s", name);
	tree_folder(w, "sys/dev/char");
	tree_link(w, number, "../../devices/pci0000:00/%s/drm/%s",
	    TREE_PCI_ADDRESS, name);
	tree_folder(w, "sys/class/drm");
	tree_link(w, name, "../../devices/pci0000:00/%s/drm/%s",
	    TREE_PCI_ADDRESS, name);

	tree_folder(w, "%s/drm/%s", TREE_PCI_FOLDER, name);
	tree_file(w, "dev", "%s\n", number);
	tree_open_file(w, "uevent",
	    "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n",
	    DRM_MAJOR, minor_number, name);
	tree_link(w, "device", "../../../%s", TREE_PCI_ADDRESS);
	tree_link(w, "subsystem", "../../../../../class/drm");
}

/* The files of frequencies, whose names begin with gt_ or rps_. */
static void
put_frequencies(struct tree_writer *w, const char *begin, unsigned mode_of_now)
{
	const struct tree_device *d = w->device;
	const struct {
		const char *name;
		unsigned mode; /* 0: it does not change */
		unsigned mhz;
	} files[] = {
	    {"cur", mode_of_now, d->now_mhz},
	    {"act", mode_of_now, d->now_mhz},
	    {"min", 0644, d->min_mhz},
	    {"max", 0644, d->max_mhz},
	    {"boost", 0644, d->max_mhz},
	    {"RP0", 0, d->max_mhz},
	    {"RP1", 0, d->efficient_mhz},
	    {"RPn", 0, d->min_mhz},
	};
	char name[32];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(
		    name, sizeof(name), "%s_%s_freq_mhz", begin, files[i].name);
		if (files[i].mode != 0)
			tree_live(w, name, files[i].mode, "%u\n", files[i].mhz);
		else
			tree_file(w, name, "%u\n", files[i].mhz);
	}
}

static void
put_rc6(struct tree_writer *w)
{
	tree_file(w, "rc6_enable", "1\n");
	tree_live(w, "rc6_residency_ms", 0444, "0\n");
}

/* The files of the only GT (gt/intel_gt_sysfs_pm.c, since Linux 5.18). */
static void
put_gt0(struct tree_writer *w)
{
	tree_folder(w, TREE_PCI_FOLDER "/drm/card0/gt/gt0");
	tree_file(w, "id", "0\n");
	put_frequencies(w, "rps", 0444);
	tree_live(w, "punit_req_freq_mhz", 0444, "%u\n", w->device->now_mhz);
	put_rc6(w);
}

void
tree_put_nodes(struct tree_writer *w)
{
	put_node(w, "card0", TREE_CARD_MINOR, "pci-" TREE_PCI_ADDRESS "-card");
	tree_live(w, "error", 0600, "%s", NO_ERROR_STATE);
	put_frequencies(w, "gt", 0644);
	tree_folder(w, TREE_PCI_FOLDER "/drm/card0/power");
	put_rc6(w);
	if (w->device->has_gt0)
		put_gt0(w);
	put_node(w, "renderD128", TREE_RENDER_MINOR,
	    "pci-" TREE_PCI_ADDRESS "-render");
	tree_folder(w, "sys/class/drm");
	tree_file(w, "version", "drm 1.1.0 20060810\n");
	tree_folder(w, "dev");
	tree_sparse(
	    w, "sw_sync", WIRE_NODE | 0600, makedev(MISC_MAJOR, SYNC_MINOR));
}

static void
put_word(unsigned char *at, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (unsigned char)(word >> 8 * i);
}

/* Header of the configuration space (PCI Local Bus 3.0, 6.1), little endian. */
static void
put_config(struct tree_writer *w)
{
	unsigned char config[256] = {0};

	put_word(config, 0x8086u | (uint32_t)w->device->pci_id << 16);
	put_word(config + 4, 0x00100407u); /* memory, ports, bus master */
	put_word(config + 8, PCI_CLASS << 8 | w->device->revision);
	put_word(config + 0x10, REGISTERS_AT | 4u); /* 64 bits */
	put_word(config + 0x18, APERTURE_AT | 0xcu);
	put_word(config + 0x20, PORTS_AT | 1u);
	tree_bytes(w, "config", config, sizeof config);
}

static void
add_region(struct text *t, uint64_t at, uint64_t bytes, unsigned flags)
{
	text_addf(t, "0x%016llx 0x%016llx 0x%016x\n", (unsigned long long)at,
	    (unsigned long long)(bytes > 0 ? at + bytes - 1 : 0), flags);
}

static void
put_regions(struct tree_writer *w)
{
	struct text t = {0};

	add_region(&t, REGISTERS_AT, REGISTERS_BYTES, 0x140204);
	add_region(&t, 0, 0, 0);
	add_region(&t, APERTURE_AT, APERTURE_BYTES, 0x14220c);
	add_region(&t, 0, 0, 0);
	add_region(&t, PORTS_AT, PORTS_BYTES, 0x40101);
	for (unsigned i = 5; i < 13; i++)
		add_region(&t, 0, 0, 0);
	tree_file(w, "resource", "%s", text_str(&t));
	tree_sparse(w, "resource0", WIRE_LIVE | 0600, REGISTERS_BYTES);
	text_free(&t);
}

/* The identity of the device; its subsystem ids are 0, as it is virtual. */
static void
put_identity(struct tree_writer *w)
{
	unsigned id = w->device->pci_id;

	tree_file(w, "vendor", "0x8086\n");
	tree_file(w, "device", "0x%04x\n", id);
	tree_file(w, "subsystem_vendor", "0x0000\n");
	tree_file(w, "subsystem_device", "0x0000\n");
	tree_file(w, "revision", "0x%02x\n", w->device->revision);
	tree_file(w, "class", "0x%06x\n", PCI_CLASS);
	tree_file(w, "modalias",
	    "pci:v00008086d%08Xsv00000000sd00000000bc03sc00i00\n", id);
	tree_open_file(w, "uevent",
	    "DRIVER=i915\nPCI_CLASS=%X\nPCI_ID=8086:%04X\n"
	    "PCI_SUBSYS_ID=0000:0000\nPCI_SLOT_NAME=%s\n"
	    "MODALIAS=pci:v00008086d%08Xsv00000000sd00000000bc03sc00i00\n",
	    PCI_CLASS, id, TREE_PCI_ADDRESS, id);
}

void
tree_put_pci(struct tree_writer *w)
{
	tree_folder(w, "%s", TREE_PCI_FOLDER);
	put_identity(w);
	put_config(w);
	put_regions(w);
	tree_file(w, "irq", "16\n");
	tree_open_file(w, "enable", "1\n");
	tree_file(w, "boot_vga", "1\n");
	tree_open_file(w, "numa_node", "-1\n");
	tree_link(w, "subsystem", "../../../bus/pci");
	tree_link(w, "driver", "../../../bus/pci/drivers/i915");
	tree_folder(w, "%s/power", TREE_PCI_FOLDER);
	tree_open_file(w, "control", "on\n");
	tree_file(w, "runtime_status", "active\n");

	tree_folder(w, "sys/bus/pci/devices");
	tree_link(w, TREE_PCI_ADDRESS, "../../../devices/pci0000:00/%s",
	    TREE_PCI_ADDRESS);
	tree_folder(w, "sys/bus/pci/drivers/i915");
	tree_link(w, TREE_PCI_ADDRESS, "../../../../devices/pci0000:00/%s",
	    TREE_PCI_ADDRESS);
	tree_link(w, "module", "../../../../module/i915");
}
