#!/usr/bin/env bash
# helix.sh FOLDER: Helix from Debian 13's archive, on an older Debian, with its own C library beside it.
# The archive is the one this machine already uses; only the release is another.
set -euo pipefail
folder=$1
release=trixie
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{lists/partial,cache/archives/partial,parts,unpacked,deb} "$folder"
touch "$scratch/status"
archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' |
    awk -v here="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$2 == here && $3 == "Debian" { print $1; exit }')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $release main" >"$scratch/sources.list"
apt() {
    command apt-get -qq -o Dir::Etc::SourceList="$scratch/sources.list" -o Dir::Etc::SourceParts="$scratch/parts" \
        -o Dir::State::Lists="$scratch/lists" -o Dir::State::status="$scratch/status" -o Dir::Cache="$scratch/cache" \
        -o APT::Sandbox::User=root "$@"
}
apt update
(cd "$scratch/deb" && apt download hx libc6 libgcc-s1 libstdc++6)
for package in "$scratch"/deb/*.deb; do dpkg-deb -x "$package" "$scratch/unpacked"; done
cp -a "$scratch/unpacked/." "$folder/"
loader=$(find "$folder" -name 'ld-linux-*.so.*' | head -n 1)
program=$(find "$folder/usr" -type f \( -name hx -o -name helix \) -perm -u+x | head -n 1)
libraries=$(dirname "$(find "$folder" -name 'libc.so.6' | head -n 1)")
runtime=$(find "$folder/usr" -type d -name runtime | head -n 1)
cat >"$folder/hx" <<EOF
#!/bin/sh
export HELIX_RUNTIME='$runtime'
exec '$loader' --library-path '$libraries:$folder/usr/lib/$(uname -m)-linux-gnu' '$program' "\$@"
EOF
chmod +x "$folder/hx"
"$folder/hx" --version
