"""Two settings of a page, A and B: both in one figure, and how far their numbers lie apart.

A is a second address, ``pin=page:name=value&...`` in the link: a second ``Settings``, a second view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from figures import compare as figures
from figures.beside import beside
from figures.drawing import Drawing
from lessons.differences import Difference, differences, gaps
from lessons.markup import table_to_html, to_html
from lessons.page import in_words
from lessons.registry import PAGES
from lessons.view import Columns, Part, Prose, Table, View
from locales import N_, _
from parameters import parameters_of
from parameters.problems import Problem
from parameters.settings import Settings

LONGEST = 2000
"""Characters of a pinned setting in a link."""
NOTHING = "–"


def read_pin(text: str, page: str) -> Settings | Problem | None:
    """Read the A of a link; None where the link has none, or one of another page."""
    name, _colon, address = text.partition(":")
    if not text or (name != page and name in PAGES):
        return None
    if name != page or len(text) > LONGEST:
        return _problem(text)
    given = dict(parse_qsl(address, keep_blank_values=True))
    if unknown := [f"{each}={value}" for each, value in given.items() if each not in parameters_of(page)]:
        return _problem(unknown[0])
    settings, problems = Settings.read(page, given)
    return _problem(problems[0].got) if problems else settings


def write_pin(settings: Settings) -> str:
    """Write an A for a link; empty where a link has no room for it."""
    text = f"{settings.page}:{urlencode(settings.write())}"
    return text if len(text) <= LONGEST else ""


def _problem(got: str) -> Problem:
    return Problem(N_("The pinned setting A"), got, "", _("as a link of this page writes it"))


def comparable(a: View, b: View) -> bool:
    """Return whether the axes of both figures mean the same.

    Where they have no names, places tell what is what: then the same things must stand in the same places.
    """
    one, other = a.figure.plain_layout, b.figure.plain_layout
    if figures.meaning(one) != figures.meaning(other) or list(a.columns)[:1] != list(b.columns)[:1]:
        return False
    if figures.is_named(other):
        return True
    first = next(iter(b.columns))
    return list(a.columns[first]) == list(b.columns[first])


class Apart(NamedTuple):
    """A parameter that A and B set differently: its label, and both values in words."""

    label: str
    a: str
    b: str


def compare(a: Settings, view_a: View, b: Settings, view_b: View) -> Compared:
    """Compare two settings of a page, in the language that is spoken."""
    same = comparable(view_a, view_b)
    cells = figures.difference(view_a.figure, view_b.figure, _("B − A")) if same else None
    return Compared(
        figure=_together(view_a.figure, view_b.figure) if same else view_b.figure,
        difference=cells and cells[0],
        difference_alt=_cells_alt(cells[1]) if cells else "",
        apart=tuple(_apart(a, b)),
        largest=tuple(differences(view_a.columns, view_b.columns)) if same else None,
        gaps=tuple(gaps(view_a.columns, view_b.columns)) if same else (),
    )


def _together(a: Drawing, b: Drawing) -> Drawing:
    """Draw A beneath B, or beside it where colours say numbers."""
    have_cells = all(any(map(figures.has_cells, each.traces)) for each in (a, b))
    return beside(a, b) if have_cells else figures.joined(b, a)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What the page shows of B besides its view, while A is pinned; its words are in the language of the call that made it.

    Attributes:
        figure: The figure of B with A beneath it, or beside it where colours say numbers; B alone where the figures cannot be compared.
        difference: The cells of B minus those of A, where both are heat maps.
        difference_alt: Its message.
        apart: The parameters that differ.
        largest: The largest difference of each column; None where the figures cannot be compared.
        gaps: B − A, number by number, a table for each kind of place.
    """

    figure: Drawing
    difference: Drawing | None
    difference_alt: str
    apart: tuple[Apart, ...]
    largest: tuple[Difference, ...] | None
    gaps: tuple[Columns, ...]

    @cached_property
    def alt(self) -> str:
        """What the message of the figure says besides; empty where no numbers can be compared."""
        if not self.largest:
            return ""
        first = self.largest[0]
        return _("Compared with A, {name} differs by at most {largest}.").format(name=first.name, largest=f"{first.largest:.6g}")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What A and B are, as Markdown with strong words and code only."""
        if not self.apart:
            if self.difference is not None:
                return (_("**A** is this setting. Move a control: that is **B**, drawn beside A on the same scale of colours."),)
            return (
                _("**A** is this setting. Move a control: that is **B**, drawn over A, which stays in bright violet, dashed or hollow."),
            )
        a = "; ".join(f"{each.label} `{each.a}`" for each in self.apart)
        b = "; ".join(f"{each.label} `{each.b}`" for each in self.apart)
        return f"**A:** {a}", f"**B:** {b}"

    @cached_property
    def table(self) -> Prose | Table:
        """The largest differences, a row a column of numbers; a sentence where there are none."""
        if self.largest is None:
            return Prose(kind="caption", text=_("A shows other axes or other places than this figure, so only the settings are compared."))
        if not self.largest:
            return Prose(kind="caption", text=_("A and B have no place in common, so there is no difference to count."))
        columns: dict[str, list[str]] = {
            _("numbers"): [each.name for each in self.largest],
            _("largest |A − B|"): [f"{each.largest:.6g}" for each in self.largest],
            _("at"): [", ".join(f"{name} {value:,.10g}" for name, value in each.where) for each in self.largest],
            "A": [f"{each.first:.6g}" for each in self.largest],
            "B": [f"{each.second:.6g}" for each in self.largest],
        }
        return Table(columns=columns, alt=_("largest |A − B|"))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What stands under the figure."""
        return (*(Prose(text=line) for line in self.lines), self.table)

    @cached_property
    def html(self) -> str:
        """The same as HTML."""
        lines = "".join(f"<p>{to_html(line)}</p>" for line in self.lines)
        table = self.table
        return lines + (table_to_html(table.columns) if isinstance(table, Table) else f"<p>{to_html(table.text)}</p>")


def _cells_alt(largest: float) -> str:
    return _("The difference B − A, cell by cell; it is at most {largest} in size.").format(largest=f"{largest:.6g}")


def _apart(a: Settings, b: Settings) -> Iterator[Apart]:
    """Compare what the views depend on, in the order of the controls."""
    page = PAGES[b.page]
    named_a, named_b = ((page.choice, *page.controls(each)) for each in (a, b))
    for name in dict.fromkeys((*named_a, *named_b)):
        if name not in named_a or name not in named_b or a[name] != b[name]:
            words = (_cut(in_words(page, each, name)) if name in names else NOTHING for each, names in ((a, named_a), (b, named_b)))
            yield Apart(_(parameters_of(page.name)[name].label), *words)


def _cut(text: str) -> str:
    """Shorten a text, and leave out what would end a span of code."""
    clean = " ".join(text.replace("`", " ").split())
    return clean[:40] + "…" if len(clean) > 40 else clean or NOTHING
