#!/bin/sh
# Installs hookbox below PREFIX, which is ~/.local unless it is set, or removes it: ./install.sh [--uninstall]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-$HOME/.local}
files=$(cd "$here" && find bin lib share -type f)

# Where a file of the tarball is installed. Only hookbox starts the compiler.
place() {
    case $1 in
        bin/hookbox-compiler) echo "$prefix/lib/hookbox/hookbox-compiler" ;;
        *) echo "$prefix/$1" ;;
    esac
}

if [ "${1:-}" = --uninstall ]; then
    echo "$files" | while read -r file; do rm -f "$(place "$file")"; done
    rm -rf "$prefix/lib/hookbox" "$prefix/share/doc/hookbox"
    echo "removed hookbox from $prefix; if you have not run \`hookbox uninstall --all\` before, agents still look for it"
    exit
fi

# An earlier version's machine code would be of no use.
rm -f "$prefix"/lib/hookbox/*.code
echo "$files" | while read -r file; do
    place=$(place "$file")
    mkdir -p "$(dirname "$place")"
    # A running program is replaced, and never overwritten.
    cp "$here/$file" "$place.new"
    mv "$place.new" "$place"
done
echo "installed hookbox in $prefix/bin"
case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) echo "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
echo "next: hookbox init, then hookbox install claude"
