"""All that pages say of a method of context extension: how it is set, written, named and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from figures.extension.look import Line, Look, Series
from lessons.methods.options import MethodOptions
from locales import _
from parameters.extension import METHOD
from parameters.types import Value
from rope_core import LongRopeScaling, RopeConfig, Scaling, YarnScaling

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings

Lines = tuple[str, ...]
ONE = "A = 1.0  # multiplies cos and sin\n"


class Row(NamedTuple):
    """A method in the table of methods; ``values`` set the page to the model that is named in ``example``."""

    speeds: str
    attention_factor: str
    tuning: str
    when: str
    models: str
    example: str
    values: Mapping[str, Value]


@dataclass(frozen=True, kw_only=True)
class Attention:
    """The attention factor of a method that has one.

    Attributes:
        options: Parameters that it depends on.
        at_one: Makes the method at the factor 1; only its attention factor is used.
        law: TeX lines that define A.
        code: An expression for A at stretches ``s``, of torch and math.
        sentence: Says where A comes from.
    """

    options: Lines
    at_one: Callable[[MethodOptions, int], YarnScaling | LongRopeScaling]
    law: Callable[[MethodOptions], Lines]
    code: Callable[[MethodOptions, int], str]
    sentence: Callable[[MethodOptions, int], str]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A method of context extension.

    Attributes:
        code: What a link calls it.
        look: How it is drawn.
        row: Its row in the table of methods.
        make: Makes it of its options, for a head and a factor.
        lines: PyTorch lines that define ``theta`` and ``A`` from ``plain``, for a length of the text; None is the trained one.
        law: TeX lines with symbols for the speeds before and after.
        sentence: Says what it does to the pairs, with the numbers of the page.
        numbers: TeX lines with the values of the symbols in ``law``.
        extended: What the page about context extension writes instead of ``law``.
        options: Parameters that its speeds depend on.
        bounds: Of these, those between which speeds are blended, in turns within the trained length, the smaller first.
        growing: Whether its speeds depend on the length of the text.
        attention: Its attention factor; None where that is 1.
    """

    code: str
    look: Look
    row: Row
    make: Callable[[MethodOptions, RopeConfig, float], Scaling | None]
    lines: Callable[[RopeConfig, int | None], str]
    law: Callable[[RopeConfig, str, str], Lines]
    sentence: Callable[[ExtensionSettings], str]
    numbers: Callable[[RopeConfig], Lines] = field(default=lambda config: (rf"s &= {getattr(config.scaling, 'factor', 1):.10g}",))
    extended: Callable[[ExtensionSettings], Lines] | None = None
    options: Lines = ()
    bounds: tuple[str, str] | tuple[()] = ()
    growing: bool = False
    attention: Attention | None = None

    @property
    def name(self) -> str:
        """Its name, as its button has it."""
        return _(METHOD.options[self.code])

    @property
    def spoken(self) -> str:
        """Its name within a sentence."""
        return {"none": _("no method"), "linear": _("linear scaling"), "proportional": _("proportional rotation")}.get(self.code, self.name)

    def series(self, values: Line) -> Series:
        """Return numbers of it with its name and its look."""
        return Series(name=self.name, look=self.look, values=values)
