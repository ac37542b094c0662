# Sourced by checks of gem_wsim, in bash, with their arguments [GPUWL_RUN [FOLDER]] and
# $here, the top folder. Sets run and top, the programs; folder, the descriptors; wsim;
# and dir, a new folder, which is removed in the end. Ends the check where gem_wsim or the
# descriptors are not there.
# shellcheck shell=bash disable=SC2034,SC2154 # used and set by those that source it
run=$(realpath -s "${1:-$here/build/gpuwl-run}") || exit
top=$(dirname "$run")/gpuwl-top
folder=$(realpath "${2:-$here/../shared/wsim}")
wsim=/usr/libexec/igt-gpu-tools/benchmarks/gem_wsim
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT

if [ ! -x "$wsim" ] || [ ! -d "$folder" ]; then
    echo "skip: $wsim (intel-gpu-tools) or $folder is not there"
    echo "0 passed, 0 failed"
    exit 0
fi
