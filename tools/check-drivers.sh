#!/usr/bin/env bash
# Runs user-space drivers, as Debian has them, on the virtual i915: Mesa's iris,
# crocus and anv, Intel's media and OpenCL drivers, alone, together, and killed.
# Programs are those of tests/programs, vainfo and ffmpeg; their input is made
# here. Each must end well, say nothing of a hang or an unknown command, and its
# batches must have run on the engines that they are for. Captures of them must do
# the same on the model.
#
#   tools/check-drivers.sh [GPUWL_RUN]        default: build/gpuwl-run
#
# What is not installed is skipped, with a line. The last line is
# `N passed, N failed`. tools/install-deps.sh drivers installs all.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit
run=$(realpath -s "${1:-$here/build/gpuwl-run}") || exit
programs=$here/tests/programs
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit

passed=0 failed=0

skip() { # TEXT
    echo "skip $1"
}

has() { # COMMAND
    command -v "$1" >/dev/null 2>&1
}

# Builds tests/programs/NAME.c with the libraries. Fails, with a line, where a
# library is missing.
build() { # NAME LIBRARY...
    local name=$1
    shift
    if ! ${CC:-cc} -O1 -I"$dir" -I"$here" -o "$name" "$programs/$name.c" "$@" -lpthread \
        2>"$name.log"; then
        if grep -qE 'No such file|cannot find -l' "$name.log"; then
            skip "$name: its headers or libraries are not installed"
        else
            cat "$name.log"
            failed=$((failed + 1))
        fi
        return 1
    fi
}

report() { # NAME PROBLEM
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "ok   $1"
    else
        failed=$((failed + 1))
        echo "FAIL $1: $2"
        sed 's/^/     /' err.txt
    fi
}

# Prints a number of the commands in report.json.
count() { # KEY
    awk -v key="\"$1\":" '$1 == key {print $2 + 0}' report.json
}

# Prints how many batches ran on the engines of a class.
batches_on() { # CLASS
    awk -v class="\"$1\"," '
        $1 == "\"clients\":" {exit}
        $1 == "\"class\":" {wanted = $2 == class}
        $1 == "\"batches\":" && wanted {n += $2}
        END {print n + 0}' report.json
}

# Runs a program on a device of the profile. Sets problem, empty if all is well:
# it ends with 0, nothing hangs, no command is unknown, batches ran on CLASS.
try() { # PROFILE CLASS PROGRAM...
    local profile=$1 class=$2 status
    shift 2
    rm -f report.json
    timeout -k 5 60 "$run" --profile="$profile" --json=report.json \
        --requests=requests.tsv "$@" >out.txt 2>err.txt
    status=$?
    problem=
    if [ $status -eq 77 ]; then
        problem=skip
    elif [ $status -ne 0 ] || [ ! -s report.json ]; then
        problem="status $status"
    elif grep -qE '^hang:|^cancelled:|[1-9][0-9]* hangs?$' err.txt; then
        problem='a hang'
    elif [ "$(count unknown)" != 0 ]; then
        problem='an unknown command'
    elif [ "$class" != none ] && [ "$(batches_on "$class")" -eq 0 ]; then
        problem="no batches on $class"
    fi
}

check() { # NAME PROFILE CLASS PROGRAM...
    local name=$1
    shift
    try "$@"
    if [ "$problem" = skip ]; then
        skip "$name: $(head -n 1 err.txt)"
    else
        report "$name" "$problem"
    fi
}

# Likewise, and the batches must contain N things of a kind, or N|M.
check_count() { # NAME KIND N PROFILE CLASS PROGRAM...
    local name=$1 kind=$2 n=$3
    shift 3
    try "$@"
    [ -n "$problem" ] || [[ $(count "$kind") =~ ^($n)$ ]] ||
        problem="$(count "$kind") $kind, not $n"
    report "$name" "$problem"
}

shaders() {
    local stage
    for stage in comp vert frag; do
        glslangValidator -V --vn "vulkan_$stage" -o "vulkan_$stage.h" \
            "$programs/vulkan.$stage" >/dev/null || return
    done
}

# OpenGL. 10 frames of 20 draws and a clear; threads; two processes.
opengl() {
    local p
    build gl -lEGL -lGL || return
    # Mesa's driver of generation 7 clears once more since some version before 25.
    for p in "default TGL 10" "icl ICL 10" "kbl-gt2 KBL 10" "ivb-gt2 IVB 10|11"; do
        # shellcheck disable=SC2086 # three words
        set -- $p
        check_count "$1: OpenGL: draws" draws 200 "$1" RCS ./gl "$2" 10 20
        check_count "$1: OpenGL: clears" clears "$3" "$1" RCS ./gl "$2" 10 20
        check_count "$1: OpenGL: 4 threads" draws 400 "$1" RCS \
            ./gl "$2" 5 20 4
    done
    check_count 'default: OpenGL: 2 processes' draws 200 default RCS \
        sh -c './gl TGL 5 20 & ./gl TGL 5 20 && wait $!'
    check 'ideal: OpenGL' ideal RCS ./gl TGL 10 20
    check 'default: OpenGL beside a program that is killed' default RCS \
        sh -c './gl TGL 1000 200 & sleep 0.3; kill -9 $!; ./gl TGL 20 20'
    if has eglinfo; then
        # Its brief form (-B) has no names of drivers since mesa-utils 9.
        check 'default: eglinfo' default none sh -c 'eglinfo || :'
        grep -q 'EGL driver name: iris' out.txt ||
            report 'default: eglinfo finds iris' 'another driver'
    else
        skip 'eglinfo: not installed (mesa-utils)'
    fi
}

vulkan() {
    if ! has glslangValidator || ! shaders; then
        skip 'vulkan: no glslangValidator (glslang-tools)'
        return
    fi
    build vulkan -lvulkan || return
    check_count 'default: Vulkan: dispatches' dispatches 6 \
        default RCS ./vulkan TGL 3
    check_count 'icl: Vulkan: dispatches' dispatches 6 icl RCS ./vulkan ICL 3
    check_count 'kbl-gt2: Vulkan: draws' draws 15 kbl-gt2 RCS ./vulkan KBL 3
    check 'ivb-gt2: Vulkan' ivb-gt2 RCS ./vulkan IVB 3 no-events
    check 'ideal: Vulkan' ideal RCS ./vulkan TGL 3
    if has vulkaninfo; then
        check 'default: vulkaninfo' default none vulkaninfo --summary
    else
        skip 'vulkaninfo: not installed (vulkan-tools)'
    fi
}

opencl() {
    if [ ! -e /etc/OpenCL/vendors/intel.icd ]; then
        skip 'OpenCL: no driver (intel-opencl-icd)'
        return
    fi
    build opencl -lOpenCL || return
    check_count 'default: OpenCL: dispatches' dispatches 21 \
        default RCS ./opencl Intel 20
    check_count 'kbl-gt2: OpenCL: dispatches' dispatches 21 \
        kbl-gt2 RCS ./opencl Intel 20
    check 'ivb-gt2: OpenCL' ivb-gt2 RCS ./opencl Intel 20
    check 'default: OpenCL and OpenGL together' default RCS \
        sh -c './opencl Intel 20 & ./gl TGL 10 20 && wait $!'
}

# FFmpeg's arguments for a second of a test picture, 25 frames.
picture='-f lavfi -i testsrc=size=320x240:rate=25:duration=1'
quiet='-hide_banner -loglevel error -y'
node='-vaapi_device /dev/dri/renderD128'

# shellcheck disable=SC2086 # words
decode() { # PROFILE NAME FILE
    check_count "$1: $2 is decoded" frames 25 "$1" VCS \
        ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node \
        -i "$3" -f null -
}

# shellcheck disable=SC2086 # words
encode() { # PROFILE ENCODER OPTIONS
    check_count "$1: $2 encodes" frames 25 "$1" VCS \
        ffmpeg $quiet $node $picture -vf format=nv12,hwupload -c:v $2 $3 \
        -f rawvideo coded
    [ -s coded ] || report "$1: $2 writes" 'an empty file'
}

# Prints how long a frame of a file takes on its engine, in ns.
# shellcheck disable=SC2086 # words
frame_ns() { # PROFILE FILE
    "$run" -q --virtual-time --profile="$1" --requests=sizes.tsv ffmpeg $quiet -hwaccel vaapi \
        -hwaccel_output_format vaapi $node -i "$2" -f null - >err.txt 2>&1
    awk -F'\t' '/[0-9] frame/ {sum += $10; n++} END {print n ? int(sum / n) : 0}' sizes.tsv
}

# A frame costs its macroblocks: 920 of 640 x 360, 8160 of 1920 x 1080. What the
# other commands of its batch cost is at most 5 %.
# shellcheck disable=SC2086 # words
sizes() { # PROFILE NAME CODER...
    local profile=$1 name=$2 small large problem=
    shift 2
    for size in 640x360 1920x1080; do
        ffmpeg $quiet -f lavfi -i testsrc=size=$size:rate=5:duration=1 -pix_fmt yuv420p \
            -c:v "$@" $size.mkv || return
    done
    small=$(frame_ns "$profile" 640x360.mkv)
    large=$(frame_ns "$profile" 1920x1080.mkv)
    awk -v s="$small" -v l="$large" 'BEGIN {exit !(s > 0 && l / s > 8.4 && l / s < 8.9)}' ||
        problem="$small ns and $large ns, expected 8.4 to 8.9 times as long"
    report "$profile: sizes of $name" "$problem"
}

# shellcheck disable=SC2086 # words
media() {
    if ! has ffmpeg || [ ! -e "${LIBVA_DRIVERS_PATH:-/usr/lib/x86_64-linux-gnu/dri}/iHD_drv_video.so" ]; then
        skip 'media: no ffmpeg or no driver (ffmpeg, intel-media-va-driver)'
        return
    fi
    ffmpeg $quiet $picture -pix_fmt yuv420p -c:v libx264 h264.mp4 &&
        ffmpeg $quiet $picture -pix_fmt yuv420p -c:v libx265 -x265-params \
            log-level=none hevc.mp4 &&
        ffmpeg $quiet $picture -pix_fmt yuv420p -c:v mpeg2video mpeg2.mpg &&
        ffmpeg $quiet $picture -pix_fmt yuv420p -c:v libvpx-vp9 -deadline \
            realtime -cpu-used 8 vp9.webm || return
    decode default H.264 h264.mp4
    decode default HEVC hevc.mp4
    decode default MPEG-2 mpeg2.mpg
    decode default VP9 vp9.webm
    decode kbl-gt2 H.264 h264.mp4
    decode kbl-gt2 HEVC hevc.mp4
    encode default h264_vaapi '-low_power 1'
    encode default hevc_vaapi '-low_power 1'
    encode default mjpeg_vaapi ''
    encode kbl-gt2 h264_vaapi '-low_power 1'
    sizes adl-n H.264 libx264
    sizes adl-n HEVC libx265 -x265-params log-level=none
    sizes adl-n VP9 libvpx-vp9 -deadline realtime -cpu-used 8
    sizes kbl-gt2 H.264 libx264
    sizes kbl-gt2 MPEG-2 mpeg2video
    # At level 0, the default, newer FFmpegs pass the frames on as they are.
    check_count 'default: filters' filters 25 default VECS \
        ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node \
        -i h264.mp4 -vf denoise_vaapi=denoise=32 -f null -
    check 'default: decoding, scaling and encoding' default VCS \
        ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node \
        -i h264.mp4 -vf scale_vaapi=160:120 -c:v h264_vaapi -low_power 1 \
        -f rawvideo coded
    check 'default: two decoders' default VCS sh -c "
        d='ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node'
        \$d -i h264.mp4 -f null - & \$d -i hevc.mp4 -f null - && wait \$!"
    if has vainfo; then
        check 'default: vainfo' default none vainfo --display drm
        check 'kbl-gt2: vainfo' kbl-gt2 none vainfo --display drm
    else
        skip 'vainfo: not installed'
    fi
}

# Prints the batches of an iteration of each descriptor of a command line; of those that
# stand for several of the program's, the batches of one of these.
batches_of() { # OPTIONS
    local file
    for file in $(echo "$1" | grep -o "\-w '[^']*'" | sed "s/^-w '\(.*\)'$/\1/"); do
        awk '
            / iterations* of [0-9]+ batch/ && n == 0 {
                sub(/.* iterations* of /, "")
                n = $1 + 0
            }
            /^# each is [0-9]+ of the program/ && shares == 0 {shares = $4}
            END {printf "%d ", n / (shares ? shares : 1)}' "$file"
    done
}

# A program in virtual time, and what is captured of it on the model with the same
# profile and scheduler: busyness of each engine within 2 points, rate within 2 %, median
# frame within 5 %, unless its batches are too short for whole microseconds.
capture() { # NAME PROFILE PROGRAM...
    local name=$1 profile=$2 said batches figures
    shift 2
    rm -f capture*.wsim
    timeout -k 5 120 "$run" --own --virtual-time --profile="$profile" -q \
        --capture=capture.wsim --requests=requests.tsv "$@" >out.txt 2>err.txt
    said=$(sed -n 's/^# gpuwl-top -b //p' capture.wsim 2>>err.txt | head -n 1)
    batches=$(batches_of "$said")
    if [ -z "$said" ]; then
        report "$name" 'nothing is captured'
        return
    fi
    grep -q 'between two whole ones' capture.wsim && batches=0
    eval "timeout -k 5 60 '${run%-run}-top' -b -q --requests=model.tsv $said" \
        >/dev/null 2>>err.txt
    figures=$(awk -v batches="${batches:-0}" \
        -f "$here/tools/compare-requests.awk" requests.tsv model.tsv)
    report "$name" "$(echo "$figures" | awk '
        NF != 3 || $1 > 2 || $2 > 2 || $3 > 5 {
            print "busyness, rate, frame differ by", $0}')"
}

# shellcheck disable=SC2086 # words
captures() {
    local igt=/usr/libexec/igt-gpu-tools/benchmarks p
    for p in "default TGL" "kbl-gt2 KBL" "ivb-gt2 IVB"; do
        [ -x gl ] && capture "capture: OpenGL, ${p% *}" ${p% *} ./gl ${p#* } 300 20
    done
    [ -x gl ] && capture 'capture: OpenGL, 4 threads' default ./gl TGL 300 20 4
    [ -x vulkan ] && capture 'capture: Vulkan' default ./vulkan TGL 100
    [ -x opencl ] && [ -e /etc/OpenCL/vendors/intel.icd ] &&
        capture 'capture: OpenCL' default ./opencl Intel 300
    [ -e hevc.mp4 ] && capture 'capture: decoding' kbl-gt2 ffmpeg $quiet -threads 1 \
        -stream_loop 11 -hwaccel vaapi -hwaccel_output_format vaapi $node \
        -i hevc.mp4 -f null -
    [ -e h264.mp4 ] && capture 'capture: encoding' default ffmpeg $quiet -threads 1 \
        $node -f lavfi -i testsrc=size=320x240:rate=25:duration=8 \
        -vf format=nv12,hwupload -c:v mjpeg_vaapi -f rawvideo coded
    [ -e h264.mp4 ] && ffmpeg $quiet -f lavfi -i testsrc=size=320x240:rate=25:duration=12 \
        -pix_fmt yuv420p -c:v libx264 long.mp4 &&
        capture 'capture: decoding, scaling and encoding' default \
            ffmpeg $quiet -threads 1 -hwaccel vaapi -hwaccel_output_format vaapi $node \
            -i long.mp4 -vf scale_vaapi=160:120 -c:v h264_vaapi -low_power 1 \
            -f rawvideo coded &&
        capture 'capture: decoding, scaling and encoding in threads' default \
            ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node \
            -i long.mp4 -vf scale_vaapi=160:120 -c:v h264_vaapi -low_power 1 \
            -f rawvideo coded &&
        capture 'capture: filters in threads' default \
            ffmpeg $quiet -hwaccel vaapi -hwaccel_output_format vaapi $node \
            -i long.mp4 -vf denoise_vaapi=denoise=32 -f null -
    [ -x "$igt/intel_upload_blit_large" ] &&
        capture 'capture: blits' tgl "$igt/intel_upload_blit_large"
}

opengl
vulkan
opencl
media
captures
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
