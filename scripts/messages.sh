#!/bin/sh
# Bring every locales/*.po up to date with the texts in the code.
set -eu

cd "$(dirname "$0")/.."
template=$(mktemp)
trap 'rm -f "$template"' EXIT

# Sorted, so that two changes of the code meet in a catalogue only where they say the same.
PYTHONPATH=. .venv/bin/pybabel -q extract -F scripts/messages.ini \
    -k _ -k N_ -k say -k RopeConfigError -k wording -k note:2 -k warn:2 -k reject:2 -k assume:2 --sort-output --no-location --no-wrap \
    -o "$template" app.py ui lessons parameters exports server figures pages rope_core
for catalogue in locales/*.po; do
    # Without guesses, dates, locations and obsolete entries a diff shows texts alone.
    .venv/bin/pybabel -q update -i "$template" -o "$catalogue" -l "$(basename "$catalogue" .po)" \
        --no-wrap --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
    grep -vE '^"(Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By):' "$catalogue" > "$template.po"
    sed -e '$ { /^$/ d' -e '}' "$template.po" > "$catalogue"  # nor an empty line at the end
    rm "$template.po"
done
