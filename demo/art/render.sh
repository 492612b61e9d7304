#!/usr/bin/env bash
# Draws one or more roles: ./render.sh <roles-dir> <role-id> ...
# avatar.svg -> avatar.png, cover.svg -> assets/cover.png, shot-<name>.html -> assets/screenshots/<name>.png
# Needs chromium, ImageMagick's convert, pngquant, optipng and the Noto fonts (core and CJK).
set -euo pipefail; shopt -s nullglob
art=$(cd "$(dirname "$0")" && pwd)
roles=$(cd "$1" && pwd); shift
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
draw() { # source out width height: a taller window, then cropped, since the window's frame takes some height
  mkdir -p "$(dirname "$2")"
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$tmp/profile" --hide-scrollbars \
    --force-device-scale-factor=1 --allow-file-access-from-files --window-size="$3,$(($4 + 160))" \
    --screenshot="$tmp/raw.png" "file://$1" >/dev/null 2>&1
  convert "$tmp/raw.png" -crop "$3x$4+0+0" +repage -alpha off -strip "$tmp/cut.png"
  pngquant --force --speed 1 --quality 80-98 --strip --output "$2" "$tmp/cut.png" || cp "$tmp/cut.png" "$2"
  optipng -quiet -o2 -strip all "$2"
  echo "$(identify -format '%wx%h' "$2") $(stat -c %s "$2") ${2#"$roles"/}"
}
for id; do
  [ "${ONLY:-avatar}" = avatar ] && draw "$art/$id/avatar.svg" "$roles/$id/avatar.png" 512 512
  [ "${ONLY:-cover}" = cover ] && draw "$art/$id/cover.svg" "$roles/$id/assets/cover.png" 1280 720
  for f in "$art/$id"/shot-*.html; do
    n=$(basename "$f" .html); n=${n#shot-}
    [ "${ONLY:-$n}" = "$n" ] && draw "$f" "$roles/$id/assets/screenshots/$n.png" 1280 720
  done
done
exit 0
