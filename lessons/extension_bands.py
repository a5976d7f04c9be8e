"""Bands of wavelengths: which speeds a method keeps, blends and divides, and what the other ramp would do."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from figures import extension
from figures.extension_look import Upright
from lessons import core_engineer
from lessons.core_engineer import core
from lessons.extension import PROOF
from lessons.extension_formula import BANDS_CODE, speed_formula, speeds_lines
from lessons.extension_setting import BANDED, Setting, method_name, spoken
from lessons.extension_words import banded_sentence, method_sentence, pairs, ratios, stretch_sentence, tokens
from rope_core import RopeConfig, YarnScaling
from ui import compute_extension as compute
from ui.formulas import counted
from ui.i18n import _
from ui.view import View


def bands_view(setting: Setting) -> View:
    """Show what is left of every speed against its wavelength in training."""
    banded = setting.used in BANDED
    share = compute.kept(setting.chosen) if banded else ratios(setting)
    assert share is not None
    waves = 2 * math.pi / compute.speeds(setting.head, setting.trained)
    other, edges = _other_ramp(setting), _edges(setting)
    shown = share > 0 if setting.used == "proportional" else share > -1
    return View(
        figure=extension.bands(
            waves,
            share,
            None if other is None else compute.kept(other),
            method=setting.used,
            other_method="parts" if setting.used == "yarn" and setting.knobs.ramp == "index" else "yarn",
            edges=edges,
            lines=_lines(setting),
            words=_words(setting),
        ),
        alt=_(
            "Pairs that keep their whole speed with {method}: {whole} of {pairs}. Shortest wavelength {short}, longest {long} tokens."
        ).format(
            method=spoken(setting.used),
            pairs=setting.head.pairs,
            short=counted(waves[0]),
            long=counted(waves[-1]),
            whole=int((share == 1).sum()),
        ),
        sentences=(
            stretch_sentence(setting) + " " + (banded_sentence(setting) if banded else method_sentence(setting)),
            _edge_sentence(setting, edges) if edges else _no_bands(setting, int(shown.sum())),
            _ramps(setting, share, other) if other is not None else _turn_sentence(setting, waves),
        ),
        formula=(speed_formula(setting),),
        code=speeds_lines(setting) + BANDS_CODE.format(share="kept" if banded else "theta / plain"),
        drawn={"pair": np.arange(setting.head.pairs), "wavelength": waves, "share": share}
        | ({} if other is None else {"share_of_the_other_ramp": compute.kept(other)}),
        core=_core(setting, other, banded=banded),
        proof=f"{PROOF}::test_bands",
    )


def _core(setting: Setting, other: RopeConfig | None, *, banded: bool) -> str:
    lines = core_engineer.BANDS + core_engineer.KEPT[banded]
    if other is None:
        return core(setting, lines)
    assert isinstance(other.scaling, YarnScaling)
    return core(setting, lines + core_engineer.OTHER_RAMP, ramp=other.scaling.ramp)


def _other_ramp(setting: Setting) -> RopeConfig | None:
    """Give the head with the same bands and the ramp that was not chosen."""
    scaling = setting.chosen.scaling
    if not isinstance(scaling, YarnScaling):
        return None
    return replace(setting.chosen, scaling=replace(scaling, ramp="rotation" if scaling.ramp == "index" else "index"))


def _edges(setting: Setting) -> tuple[float, float] | None:
    """Give the wavelengths between which speeds are blended: L turns into so many turns."""
    knobs = setting.knobs
    if setting.used not in BANDED:
        return None
    few, many = (knobs.low_freq_factor, knobs.high_freq_factor) if setting.used == "llama3" else (knobs.beta_slow, knobs.beta_fast)
    return setting.trained / many, setting.trained / few


def _lines(setting: Setting) -> list[Upright]:
    lines = [Upright(x=float(setting.trained), name=f"L = {tokens(setting.trained, '')}")]
    if setting.length > setting.trained:
        lines.append(Upright(x=float(setting.length), name=f"T = {setting.length:,}", dash="dash"))
    return lines


def _edge_sentence(setting: Setting, edges: tuple[float, float]) -> str:
    return _(
        "Wavelengths up to {short} are kept, because such a pair turns often in training; those from {long} on are divided, "
        "because it hardly turns. The coloured zone between is L over the two bounds."
    ).format(short=tokens(edges[0]), long=tokens(edges[1])) + (
        " " + _index_ends(setting) if isinstance(setting.chosen.scaling, YarnScaling) and setting.chosen.scaling.ramp == "index" else ""
    )


def _index_ends(setting: Setting) -> str:
    scaling = setting.chosen.scaling
    assert isinstance(scaling, YarnScaling)
    low, high = scaling.ramp_ends(setting.head)
    if high > (last := setting.head.pairs - 1):
        told = _("The ramp by index would run from {low} to {high}, where the last pair is {last}.")
    else:
        told = _("The ramp by index runs from pair {low} to pair {high}.")
    return told.format(low=f"`{low:.6g}`", high=f"`{high:.6g}`", last=f"`{last}`")


def _no_bands(setting: Setting, moving: int) -> str:
    if setting.used == "proportional":
        return _("Proportional rotation has no bands: of {pairs} it keeps the fastest, here {count}, whatever the trained length.").format(
            pairs=pairs(setting.head.pairs), count=f"`{moving}`"
        )
    if setting.used == "none":
        return _("Without a method there are no bands: every speed stays.")
    return _("There are no bands with {method}: what is left of a speed does not depend on two bounds for its wavelength.").format(
        method=spoken(setting.used)
    )


def _turn_sentence(setting: Setting, waves: np.ndarray) -> str:
    longer = int((waves > setting.trained).sum())
    return _("Pairs with a wavelength longer than the trained length of {trained}: {longer} of {pairs}.").format(
        longer=f"`{longer}`", pairs=f"`{len(waves)}`", trained=tokens(setting.trained)
    )


def _ramps(setting: Setting, share: np.ndarray, other: RopeConfig) -> str:
    scaling, against = setting.chosen.scaling, compute.kept(other)
    assert isinstance(scaling, YarnScaling)
    assert against is not None
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


def _words(setting: Setting) -> extension.BandWords:
    by = {"index": _("ramp by index (engines)"), "rotation": _("ramp by turns (paper)")}
    scaling = setting.chosen.scaling
    ramp = scaling.ramp if isinstance(scaling, YarnScaling) else ""
    name = method_name(setting.used)
    return extension.BandWords(
        wavelength=_("wavelength λ<sub>i</sub> in training (tokens, log axis)"),
        share=_("share that is kept") if setting.used in BANDED else "θ′<sub>i</sub> / θ<sub>i</sub>",
        chosen=f"{name}: {by[ramp]}" if ramp else name,
        other=by["rotation" if ramp == "index" else "index"],
        zones=(_("kept"), _("blended"), _("divided by {stretch}").format(stretch=f"{setting.stretch:,.6g}")),
    )
