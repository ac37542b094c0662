#!/bin/sh
# Installs the Debian packages that are missing for: build (the default), test,
# lint, fuzz, package, drivers (tools/check-drivers.sh). Each group includes
# build.
#
#   tools/install-deps.sh [GROUP...]
#
# Says nothing and does nothing when all is there. A package that this archive
# does not have is left out, with a line, if what needs it is skipped without it.
set -eu

build='gcc g++ libc6-dev make pkg-config libncurses-dev libreadline-dev
       libdrm-dev libjansson-dev libinih-dev libprotobuf-c-dev
       protobuf-c-compiler protobuf-compiler libutf8proc-dev spirv-tools
       spirv-headers libtracecmd-dev libtracefs-dev libtraceevent-dev'
tests='libcmocka-dev libvterm-dev glslang-tools parallel trace-cmd locales'
# Programs that run on the virtual i915: packaged for PCs only.
[ "$(uname -m)" != x86_64 ] || tests="$tests intel-gpu-tools"
# User-space drivers and what runs on them.
drivers=
[ "$(uname -m)" != x86_64 ] || drivers='libegl-dev libgl-dev libgl1-mesa-dri
       mesa-utils libvulkan-dev mesa-vulkan-drivers vulkan-tools
       glslang-tools ocl-icd-opencl-dev intel-opencl-icd intel-media-va-driver
       ffmpeg vainfo'
lint='clang clang-format clang-tidy shellcheck mandoc'
fuzz='clang clang-runtime'
package='debhelper lintian dpkg-dev'

packages_of() {
    case $1 in
    build) echo "$build" ;;
    test) echo "$build $tests" ;;
    lint) echo "$build $tests $lint" ;;
    fuzz) echo "$build $tests $fuzz" ;;
    package) echo "$build $package" ;;
    drivers) echo "$build $drivers" ;;
    *)
        echo "$0: no such group: $1" \
            "(build, test, lint, fuzz, package, drivers)" >&2
        exit 2
        ;;
    esac
}

# The libraries of -fsanitize=fuzzer have clang's version in their name.
name_of() {
    case $1 in
    clang-runtime)
        version=$(clang -dumpversion 2>/dev/null) || version=
        echo "libclang-rt-${version%%.*}-dev"
        ;;
    *) echo "$1" ;;
    esac
}

# Prints what is skipped without a package; fails if nothing works without it.
skipped_without() {
    case $1 in
    intel-gpu-tools) echo 'tests that run gem_wsim are skipped' ;;
    glslang-tools | parallel | trace-cmd | locales)
        echo 'tests that use it are skipped' ;;
    libegl-dev | libgl-dev | libgl1-mesa-dri | mesa-utils)
        echo 'OpenGL is skipped' ;;
    libvulkan-dev | mesa-vulkan-drivers | vulkan-tools)
        echo 'Vulkan is skipped' ;;
    ocl-icd-opencl-dev | intel-opencl-icd) echo 'OpenCL is skipped' ;;
    intel-media-va-driver | ffmpeg | vainfo) echo 'VA-API is skipped' ;;
    *) return 1 ;;
    esac
}

# Prints Fedora's name for a package of build or test; nothing for others.
fedora_name() {
    case $1 in
    gcc | make | protobuf-c-compiler | protobuf-compiler | parallel | trace-cmd)
        echo "$1" ;;
    g++) echo gcc-c++ ;;
    libc6-dev) echo glibc-devel ;;
    pkg-config) echo pkgconf-pkg-config ;;
    libncurses-dev | libreadline-dev | libjansson-dev | libinih-dev | \
        libprotobuf-c-dev | libutf8proc-dev)
        echo "${1#lib}el" ;;
    libdrm-dev | libtracecmd-dev | libtracefs-dev | libtraceevent-dev | \
        libcmocka-dev | libvterm-dev)
        echo "${1}el" ;;
    spirv-tools) echo 'spirv-tools spirv-tools-devel' ;;
    spirv-headers) echo spirv-headers-devel ;;
    glslang-tools) echo glslang ;;
    locales) echo glibc-locale-source ;;
    intel-gpu-tools) echo igt-gpu-tools ;;
    esac
}

# What a package is for, so that one that was installed by other means, or
# under another name, is not asked for again.
works() {
    case $1 in
    gcc | g++ | make | clang | clang-format | clang-tidy | shellcheck | mandoc)
        command -v "$1" ;;
    pkg-config) command -v pkg-config ;;
    debhelper) command -v dh ;;
    lintian) command -v lintian ;;
    dpkg-dev) command -v dpkg-buildpackage ;;
    clang-runtime) ls "$(clang -print-runtime-dir)"/libclang_rt.fuzzer* ;;
    libc6-dev) has_header stdio.h ;;
    libncurses-dev) has_module ncursesw ;;
    libreadline-dev) has_module readline ;;
    libdrm-dev) has_module libdrm ;;
    libjansson-dev) has_module jansson ;;
    libinih-dev) has_module inih ;;
    libprotobuf-c-dev) has_module libprotobuf-c ;;
    protobuf-c-compiler) command -v protoc-gen-c || command -v protoc-c ;;
    libutf8proc-dev) has_module libutf8proc ;;
    libtracecmd-dev) has_module libtracecmd ;;
    libtracefs-dev) has_module libtracefs ;;
    libtraceevent-dev) has_module libtraceevent ;;
    spirv-tools) has_module SPIRV-Tools && command -v spirv-as ;;
    spirv-headers) has_header spirv/unified1/spirv.h ;;
    glslang-tools) command -v glslangValidator ;;
    protobuf-compiler) command -v protoc ;;
    parallel) command -v parallel ;;
    trace-cmd) command -v trace-cmd ;;
    locales) ls /usr/share/i18n/locales/de_DE ;;
    intel-gpu-tools) command -v intel_gpu_top ;;
    libcmocka-dev) has_module cmocka ;;
    libvterm-dev) has_module vterm ;;
    libegl-dev) has_header EGL/egl.h ;;
    libgl-dev) has_header GL/glext.h ;;
    libgl1-mesa-dri) has_driver dri/iris_dri.so ;;
    mesa-utils) command -v eglinfo ;;
    libvulkan-dev) has_header vulkan/vulkan.h ;;
    mesa-vulkan-drivers) has_driver libvulkan_intel.so ;;
    vulkan-tools) command -v vulkaninfo ;;
    ocl-icd-opencl-dev) has_header CL/cl.h ;;
    intel-opencl-icd) ls /etc/OpenCL/vendors/intel.icd ;;
    intel-media-va-driver) has_driver dri/iHD_drv_video.so ;;
    ffmpeg | vainfo) command -v "$1" ;;
    esac >/dev/null 2>&1
}

has_module() {
    pkg-config --exists "$1"
}

has_header() {
    command -v cpp && echo "#include <$1>" | cpp
}

has_driver() {
    ls /usr/lib/x86_64-linux-gnu/"$1"
}

by_hand() {
    fedora=
    for name in $missing; do
        name=$(fedora_name "$name")
        fedora=$fedora${name:+ $name}
    done
    echo "$0: $1. Please install, by their names in Debian and Ubuntu:" >&2
    echo "   $missing" >&2
    [ -z "$fedora" ] || printf 'or in Fedora:\n   %s\n' "$fedora" >&2
    exit 1
}

become_root() {
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1; then
        # Without a terminal there is no way to type a password.
        as_root=sudo
        [ -t 0 ] || as_root='sudo -n'
        $as_root true ||
            by_hand "sudo does not let $(id -un) install packages"
    else
        by_hand "installing needs root, and there is no sudo"
    fi
}

apt_get() {
    # shellcheck disable=SC2086 # as_root may be empty, or two words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null
}

archive_has() {
    apt-cache show "$1" >/dev/null 2>&1
}

# Whether there are package lists, and they know all that cannot be left out.
lists_serve() {
    ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || return 1
    for name in $missing; do
        archive_has "$name" || skipped_without "$name" >/dev/null || return 1
    done
}

# Takes from $missing what can be left out and is not in the archive.
leave_out() {
    wanted_now=$missing missing=
    for name in $wanted_now; do
        if archive_has "$name" || ! without=$(skipped_without "$name"); then
            missing="$missing $name"
        else
            echo "not in this archive, left out: $name ($without)"
        fi
    done
}

install_all() {
    # shellcheck disable=SC2086 # a list of packages
    apt_get install -y --no-install-recommends $1
}

# Installs those of the packages named that do not work yet.
ensure() {
    missing=
    for package in "$@"; do
        works "$package" || missing="$missing $(name_of "$package")"
    done
    [ -n "$missing" ] || return 0

    command -v apt-get >/dev/null 2>&1 || by_hand "there is no apt-get here"
    if ! lists_serve; then
        become_root
        apt_get update
    fi
    leave_out
    [ -n "$missing" ] || return 0
    become_root
    echo "Installing with apt-get${as_root:+ (by $as_root)}:$missing"
    # Lists that are too old name files that are gone.
    install_all "$missing" || { apt_get update && install_all "$missing"; } ||
        by_hand "apt-get could not install all of it"
    for package in "$@"; do
        name=$(name_of "$package")
        case "$missing " in
        *" $name "*)
            works "$package" || by_hand "$name is installed but does not work" ;;
        esac
    done
}

[ $# -gt 0 ] || set -- build
wanted=
for group in "$@"; do
    wanted="$wanted $(packages_of "$group")" || exit
done
case $wanted in
*clang*)
    # Before anything that is named after its version.
    ensure clang
    ;;
esac
# shellcheck disable=SC2086 # a list of packages
ensure $wanted
