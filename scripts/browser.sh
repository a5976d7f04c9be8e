#!/bin/sh
# Print the Chromium that the browser tests drive, and install one where there is none.
# Prints nothing where Playwright keeps its own, which it finds by itself.
set -eu

find_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return
    done
    return 1
}

find_browser && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    # The fonts are for the Chinese pages.
    { apt-get update && apt-get install -y chromium fonts-noto-cjk; } >&2 && find_browser && exit
fi
"$(dirname "$0")/../.venv/bin/playwright" install chromium >&2
