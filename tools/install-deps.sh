#!/bin/sh
# Installs the Debian packages that are missing for: build (the default), test,
# lint, fuzz, package, drivers (tools/check-drivers.sh). Each group includes
# build.
#
#   tools/install-deps.sh [GROUP...]
#
# Says nothing and does nothing when all is there.
set -eu

build='gcc g++ libc6-dev make pkg-config libncurses-dev libreadline-dev
       libdrm-dev libjansson-dev libinih-dev libprotobuf-c-dev
       protobuf-c-compiler libutf8proc-dev spirv-tools spirv-headers
       libtracecmd-dev libtracefs-dev libtraceevent-dev'
tests='libcmocka-dev libvterm-dev glslang-tools protobuf-compiler parallel
       trace-cmd locales'
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
    protobuf-c-compiler) command -v protoc-c ;;
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
    echo "$0: $1. Please install, by your system's names for them:" >&2
    echo "   $missing" >&2
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

# Whether the package lists are there at all and know what is wanted.
lists_have() {
    for name in $1; do
        apt-cache show "$name" >/dev/null 2>&1 || return 1
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
    become_root
    echo "Installing with apt-get${as_root:+ (by $as_root)}:$missing"
    lists_have "$missing" || apt_get update
    # Lists that are too old name files that are gone.
    install_all "$missing" || { apt_get update && install_all "$missing"; } ||
        by_hand "apt-get could not install all of it"
    for package in "$@"; do
        works "$package" ||
            by_hand "$(name_of "$package") is installed but does not work"
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
