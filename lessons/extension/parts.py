"""What stands under the sentences of the page: the way to other pages, all methods side by side, and code from the web."""

from __future__ import annotations

from lessons.extension.opening import method_values
from lessons.extension.settings import ExtensionSettings, option_names, read_extension
from lessons.extension.snippets import snippets
from lessons.methods import SHEETS
from lessons.methods.sheet import Sheet
from lessons.view import Code, Fold, Line, Offer, Part, Prose
from locales import _
from parameters.extension import EXTENSION
from parameters.methods import LONGEST, describe, to_text
from parameters.settings import Settings
from parameters.types import Value

AS_OPENED: dict[str, Value] = {name: spec.default for name, spec in EXTENSION.items() if name not in ("ext_view", "method", "target")}
PLAIN: dict[str, Value] = AS_OPENED | {"rotary": 1, "layout": "half", "scaling": ""}
"""Whatever stood there before: a row of the table sets all but the view. The lists are then those of Phi-3.5-mini."""


def page_parts(settings: Settings, s: ExtensionSettings) -> tuple[Part, ...]:
    """Return what all views have under their sentences."""
    return (
        *_taking(settings, s),
        _use(settings),
        Fold(
            key="methods",
            title=_("The methods side by side, each with a model to open"),
            parts=lambda: tuple(_row(settings, sheet) for sheet in SHEETS.values()),
        ),
        Fold(key="snippets", title=_("Two pieces of code from the web, and what they get wrong"), parts=lambda: _from_the_web(s)),
    )


def _changes(settings: Settings, values: dict[str, Value]) -> bool:
    return any(settings[name] != value for name, value in values.items())


def _use(settings: Settings) -> Offer:
    """Offer to set the shared method to that of the page, with all its options, also those that this view does not show."""
    s = read_extension(settings, option_names(settings))
    text = "" if s.problem else to_text(s.chosen.scaling)
    return Offer(
        key="use",
        label=_("Use this method on Frequencies and Distance decay"),
        icon=":material/share:",
        help=_("Sets the scaling that the pages share."),
        values={"scaling": text},
        enabled=s.problem is None and len(text) <= LONGEST and _changes(settings, {"scaling": text}),
    )


def _taking(settings: Settings, s: ExtensionSettings) -> tuple[Part, ...]:
    """Say which method the pages share, and offer to take it; nothing where there is none, or the page has it already."""
    scaling = settings.scaling()
    if scaling is None:
        return ()
    values = method_values(s.head, scaling)
    sentence = _("The shared setting is {method}; this page has a method of its own.").format(method=f"**{describe(scaling)}**")
    if values is None:
        return (Prose(text=sentence + " " + _("The page cannot be set to that one.")),)
    if not _changes(settings, values):
        return ()
    help_text = _("Sets the method, its numbers and the target length of this page to those of the shared setting.")
    return (Line(parts=(Prose(text=sentence), Offer(key="take", label=_("Use it here"), help=help_text, values=values))),)


def _row(settings: Settings, sheet: Sheet) -> Line:
    """Return what a method changes, whom it serves, and a button that sets this page to one of its models."""
    row, values = sheet.row, {"method": sheet.code} | PLAIN | dict(sheet.row.values)
    return Line(
        parts=(
            Prose(text=f"**{sheet.name}** – " + _("; ").join((_(row.speeds), _(row.attention_factor)))),
            Prose(text=_("Fine-tuning: {tuning}. {when}").format(tuning=_(row.tuning), when=_(row.when))),
            Prose(text=_("Models: {models}").format(models=_(row.models))),
            Offer(
                key=f"row.{sheet.code}",
                label=row.example,
                help=_("Sets this page to the method and the numbers of this model."),
                values=values,
                enabled=_changes(settings, values),
            ),
        ),
        weights=(5, 5, 5, 3),
    )


def _from_the_web(s: ExtensionSettings) -> tuple[Part, ...]:
    parts: list[Part] = []
    for snippet in snippets(s):
        blocks = [Code(text=snippet.wrong.strip(), caption=_("As it goes round, in short"))]
        if snippet.right:
            blocks.append(Code(text=snippet.right.strip(), caption=_("As it should be, at your setting")))
        parts += [Prose(text=f"**{snippet.title}**"), Prose(text=snippet.faults), Line(parts=tuple(blocks), weights=(1,) * len(blocks))]
    return tuple(parts)
