#!/usr/bin/env bash
# Who may include and call whom (doc/hacking.md, "The rooms"): no #include, and,
# where the objects are built (HOUSE_BUILD is their folder), no call runs
# against the arrows.
set -u

# `sh` may be a shell without arrays.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"

# What each room may use beside itself.
declare -A may=(
    [base]=""
    [parser]="base"
    [parser/document]="base parser"
    [engine]="base parser parser/document"
    [layerstream]="base parser parser/document"
    [device/wire]=""
    [device/preload]="device/wire"
    [device/hardware]="base parser parser/document engine"
    [device]="base parser parser/document engine layerstream device/wire"
    [trace]="base parser parser/document engine layerstream"
    [run]="base parser parser/document engine layerstream trace device/wire device/hardware device"
    [run/live]="base parser parser/document engine layerstream trace device/wire device/hardware device run"
    [decide]="base parser parser/document engine layerstream trace device run"
    [report]="base parser parser/document engine layerstream trace device/wire device/hardware device run run/live decide"
    [tui]="base parser parser/document engine layerstream trace device/wire device/hardware device run run/live decide report"
    [cli]="base parser parser/document engine layerstream trace device/wire device/hardware device run run/live decide report tui"
)
rooms="base parser engine layerstream device trace run decide report tui cli"

# Sets the variable $1 to the room of the file or header $2. It is called for each
# symbol: a subshell each would take minutes.
room_of() {
    case $2 in
    parser/document/*) printf -v "$1" parser/document ;;
    device/wire/* | device/preload/* | device/hardware/*)
        printf -v "$1" %s "${2%/*}"
        ;;
    run/live/*) printf -v "$1" run/live ;;
    *) printf -v "$1" %s "${2%%/*}" ;;
    esac
}

checked=0 failed=0

# Checks that room $1 may use room $2; $3 says who uses what.
check() {
    if [ "$1" = "$2" ]; then
        return
    fi
    case " ${may[$1]} " in
    *" $2 "*) checked=$((checked + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "failed: $3: $1 may not use $2"
        ;;
    esac
}

includes() {
    for room in $rooms; do
        [ -d "$room" ] || continue
        find "$room" -name '*.[ch]' -print0 | sort -z |
            xargs -0 grep -oH '^#include "[^"]*"'
    done
}

while IFS=: read -r file line; do
    header=${line#*\"}
    header=${header%\"}
    room_of user "$file"
    room_of used "$header"
    check "$user" "$used" "$file includes $header"
done < <(includes)

# Prints "room object symbol" for each symbol that objects define ($1 is
# --defined-only) or use (--undefined-only). The preload library is a program of
# its own: its open() is not called by any room.
symbols() {
    local home=
    for room in $rooms; do
        [ -d "$HOUSE_BUILD/$room" ] || continue
        find "$HOUSE_BUILD/$room" -path '*/device/preload' -prune -o \
            -name '*.o' -print0 | sort -z |
            xargs -0 nm --print-file-name "$1" --extern-only
    done | while IFS=': ' read -r object rest; do
        object=${object#"$HOUSE_BUILD"/}
        # Not one whose source has gone.
        if [ ! -f "${object%.o}.c" ]; then
            continue
        fi
        room_of home "$object"
        echo "$home $object ${rest##* }"
    done
}

if [ -n "${HOUSE_BUILD:-}" ]; then
    while read -r user used object symbol; do
        check "$user" "$used" "$object uses $symbol"
    done < <(awk 'NR == FNR { home[$3] = $1; next }
                  $3 in home { print $1, home[$3], $2, $3 }' \
        <(symbols --defined-only) <(symbols --undefined-only))
fi

echo "$checked includes and calls between rooms follow the arrows"
[ "$failed" -gt 0 ] || echo "[  PASSED  ] 1 test(s)."
[ "$failed" -eq 0 ] || echo "[  FAILED  ] $failed test(s)."
[ "$failed" -eq 0 ]
