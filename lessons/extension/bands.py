"""Bands of wavelengths: which speeds a method keeps, blends and divides, and what the other ramp would do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compute.extension import bands
from figures.drawing import Drawing
from figures.extension import bands as figures
from figures.extension.look import Line, Series, Upright
from lessons.extension.settings import ExtensionSettings
from lessons.extension.wording import speed_formula, speeds_lines, stretch_sentence, trained_mark
from lessons.methods import SHEETS
from lessons.notebook import computed
from lessons.view import View
from lessons.wording import counted, pairs, tokens
from locales import _
from rope_core import RopeConfig, YarnScaling

CODE = """
result = torch.stack((2 * torch.pi / plain, {share}))  # wavelength as trained, and the share that stays
"""


def bands_view(s: ExtensionSettings) -> View:
    """Show what is left of every speed against its wavelength in training."""
    other, edges = _other_ramp(s.chosen), _edges(s)
    numbers = computed(bands, s.chosen, s.length, other)
    columns = numbers["columns"]
    waves, share, against = columns["wavelength"], columns["share"], columns.get("share_of_the_other_ramp")
    return View(
        figure=_figure(s, waves, share, against, edges),
        alt=_(
            "Pairs that keep their whole speed with {method}: {whole} of {pairs}. Shortest wavelength {short}, longest {long} tokens."
        ).format(method=s.used.spoken, pairs=s.head.pairs, short=counted(waves[0]), long=counted(waves[-1]), whole=int((share == 1).sum())),
        sentences=(
            stretch_sentence(s) + " " + s.used.sentence(s),
            _edge_sentence(s, edges) if edges else _no_bands(s, int((share > 0).sum())),
            _turn_sentence(s, waves) if against is None else _ramps(s, share, against),
        ),
        formula=(speed_formula(s),),
        code=speeds_lines(s) + CODE.format(share="kept" if edges else "theta / plain"),
        **numbers,
        verified_by="tests/lessons/test_extension_numbers.py::test_bands",
    )


def _figure(s: ExtensionSettings, waves: Line, share: Line, against: Line | None, edges: tuple[float, float] | None) -> Drawing:
    names = {"index": _("ramp by index (engines)"), "rotation": _("ramp by turns (paper)")}
    ramp = s.chosen.scaling.ramp if isinstance(s.chosen.scaling, YarnScaling) else ""
    chosen = Series(name=f"{s.used.name}: {names[ramp]}" if ramp else s.used.name, look=s.used.look, values=share)
    other = None
    if against is not None:
        look = SHEETS["parts" if s.used.code == "yarn" and ramp == "index" else "yarn"].look
        other = Series(name=names["rotation" if ramp == "index" else "index"], look=look, values=against)
    lines = [trained_mark(s)]
    if s.length > s.trained:
        lines.append(Upright(x=float(s.length), name=f"T = {s.length:,}", dash="dash"))
    return figures.bands(waves, chosen, other, edges=edges, stretch=s.stretch, lines=lines, say=_)


def _other_ramp(config: RopeConfig) -> RopeConfig | None:
    """Return the head with the same bands and the ramp that was not chosen."""
    scaling = config.scaling
    if not isinstance(scaling, YarnScaling):
        return None
    return replace(config, scaling=replace(scaling, ramp="rotation" if scaling.ramp == "index" else "index"))


def _edges(s: ExtensionSettings) -> tuple[float, float] | None:
    """Return the wavelengths between which speeds are blended: L over so many turns."""
    if not s.used.bounds:
        return None
    few, many = (getattr(s.options, name) for name in s.used.bounds)
    return s.trained / many, s.trained / few


def _edge_sentence(s: ExtensionSettings, edges: tuple[float, float]) -> str:
    short, long = (tokens(edge) for edge in edges)
    scaling = s.chosen.scaling
    if isinstance(scaling, YarnScaling) and scaling.ramp == "index":
        zone = _("The coloured zone lies between L over the two bounds, wavelengths of {short} and {long}.").format(short=short, long=long)
        return f"{zone} {_index_ends(s, scaling)}"
    if edges[0] == edges[1]:
        return _("Wavelengths up to {short}, L over the bound, are kept; longer ones are divided.").format(short=short)
    return _(
        "Wavelengths up to {short} are kept, those from {long} on are divided: L over the two bounds, with the coloured zone between."
    ).format(short=short, long=long)


def _index_ends(s: ExtensionSettings, scaling: YarnScaling) -> str:
    """Say where the ramp by index runs; at settings of no real model its ends cross, as engines clamp them."""
    (low, high), last = scaling.ramp_ends(s.head), s.head.pairs - 1
    if high < 0:
        sentence = _("Even pair 0 makes fewer than beta_slow turns; the ends of the ramp by index then cross, and every pair is kept.")
    elif high < low:
        sentence = _("The ends of the ramp by index lie beyond all pairs and cross, so that every pair is divided.")
    elif low >= last:
        sentence = _("The ramp by index would begin at {low}, where the last pair is {last}: every pair is kept.")
    elif high > last:
        sentence = _(
            "The ramp by index begins at pair {low} and would end at {high}, where the last pair is {last}: none is divided whole."
        )
    else:
        sentence = _("The ramp by index runs from pair {low} to pair {high}.")
    return sentence.format(low=f"`{low:.6g}`", high=f"`{high:.6g}`", last=f"`{last}`")


def _no_bands(s: ExtensionSettings, moving: int) -> str:
    if s.used.code == "proportional":
        return _("Proportional rotation has no bands: of {pairs} it keeps the fastest, here {count}, whatever the trained length.").format(
            pairs=pairs(s.head.pairs), count=f"`{moving}`"
        )
    if s.used.code == "none":
        return _("Without a method there are no bands: every speed stays.")
    return _("There are no bands with {method}: what is left of a speed does not depend on two bounds for its wavelength.").format(
        method=s.used.spoken
    )


def _turn_sentence(s: ExtensionSettings, waves: np.ndarray) -> str:
    longer = int((waves > s.trained).sum())
    return _("Pairs with a wavelength longer than the trained length of {trained}: {longer} of {pairs}.").format(
        longer=f"`{longer}`", pairs=f"`{len(waves)}`", trained=tokens(s.trained)
    )


def _ramps(s: ExtensionSettings, share: np.ndarray, against: np.ndarray) -> str:
    scaling = s.chosen.scaling
    assert isinstance(scaling, YarnScaling)
    index, turns = (share, against) if scaling.ramp == "index" else (against, share)
    widest = int(np.abs(index - turns).argmax())
    if index[widest] == turns[widest]:
        return _("The ramp by index, which engines run, and the ramp by turns, which the paper writes, agree on every pair here.")
    return _(
        "Engines run the ramp by index; the paper writes the ramp by turns. They differ most at pair {pair}, of which {index} is kept by "
        "index and {turns} by turns. The index keeps more of {more} and less of {less}."
    ).format(
        pair=widest,
        index=f"`{index[widest]:.4f}`",
        turns=f"`{turns[widest]:.4f}`",
        more=pairs(int((index > turns).sum())),
        less=f"`{int((index < turns).sum())}`",
    )
