#!/bin/sh
# Prints a C file with the contents of the files named, for embedded.h.
set -eu
echo '#include "base/embedded.h"'
n=0
for file in "$@"; do
    printf 'static const unsigned char data_%d[] = {\n' "$n"
    od -An -v -tx1 "$file" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
    echo '0};'
    n=$((n + 1))
done
echo 'const struct embedded_file embedded_files[] = {'
n=0
for file in "$@"; do
    printf '{"%s", (const char *)data_%d, sizeof(data_%d) - 1},\n' \
        "$file" "$n" "$n"
    n=$((n + 1))
done
echo '};'
printf 'const size_t n_embedded_files = %d;\n' "$n"
