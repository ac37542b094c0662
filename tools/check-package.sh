#!/bin/sh
# Builds the Debian package of what is committed, in a folder of its own, and
# fails if lintian has an error or a warning about it. Needs debhelper and
# lintian (tools/install-deps.sh package).
#
#   tools/check-package.sh     DEB_BUILD_OPTIONS=nocheck leaves the tests out
set -eu

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/gpuwl-top"
git archive HEAD | tar -x -C "$dir/gpuwl-top"
cd "$dir/gpuwl-top"
dpkg-buildpackage --unsigned-source --unsigned-changes --build=full >../build.log 2>&1 || {
    tail -n 60 ../build.log
    exit 1
}
# It is not uploaded to Debian, and closes no bug there.
lintian --allow-root --fail-on error,warning \
    --suppress-tags initial-upload-closes-no-bugs ../*.changes
ls ..
