#!/bin/sh
# Bring every locales/*.po up to date with the texts in the code.
set -eu

cd "$(dirname "$0")/.."
template=$(mktemp)
trap 'rm -f "$template"' EXIT

.venv/bin/pybabel -q extract -k _ -k N_ -k RopeConfigError -k tell:3 -k deny:2 -k wording --no-location --no-wrap -o "$template" app.py ui lessons pages rope_core
for catalogue in locales/*.po; do
    # Without dates, locations and obsolete entries a diff shows texts alone.
    .venv/bin/pybabel -q update -i "$template" -o "$catalogue" -l "$(basename "$catalogue" .po)" \
        --no-wrap --ignore-obsolete --ignore-pot-creation-date
done
