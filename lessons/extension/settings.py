"""What the page about context extension is set to: a head, a method with its options, and the length that it must serve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from numpy import ndarray

from compute.speeds import ratios, speeds
from lessons.methods import SHEETS
from lessons.methods.options import USUAL, MethodOptions, read_options
from lessons.methods.sheet import Sheet
from parameters.head_config import partial_head
from parameters.settings import Settings
from rope_core import RopeConfig, RopeConfigError, Scaling


@dataclass(frozen=True, kw_only=True)
class ExtensionSettings:
    """A head as it was trained, and how it is extended.

    Attributes:
        head: Without scaling; its ``max_position`` is the trained length L.
        sheet: The chosen method.
        target: The length T that is asked for; where it is shorter than L, nothing has to be stretched.
        key: Position of a cached key, below the length.
        table: Length of the text whose table the cached keys carry.
        options: Of the chosen method.
    """

    head: RopeConfig
    sheet: Sheet
    target: int
    key: int = 0
    table: int = 1
    options: MethodOptions = USUAL

    @property
    def trained(self) -> int:
        """L, in tokens."""
        return self.head.max_position

    @property
    def length(self) -> int:
        """T, never shorter than L."""
        return max(self.target, self.trained)

    @property
    def stretch(self) -> float:
        """The factor s: what the config states, never below 1, else what the lengths make."""
        return max(1.0, self.options.stated_factor) if self.options.stated_factor else self.length / self.trained

    def scaling(self, sheet: Sheet) -> Scaling | None:
        """Make a method: the chosen one with its options, another one as it is usual.

        Raises:
            RopeConfigError: If its options break a rule.
        """
        return sheet.make(self.options if sheet is self.sheet else USUAL, self.head, self.stretch)

    @cached_property
    def usable(self) -> dict[str, RopeConfig]:
        """The head with each method that can be used with it, by the code of the method."""
        found = {}
        for code, sheet in SHEETS.items():
            try:
                found[code] = replace(self.head, scaling=self.scaling(sheet))
            except RopeConfigError:
                continue
        return found

    @cached_property
    def problem(self) -> RopeConfigError | None:
        """Why the chosen method cannot be used, if it cannot."""
        try:
            replace(self.head, scaling=self.scaling(self.sheet))
        except RopeConfigError as error:
            return error
        return None

    @property
    def used(self) -> Sheet:
        """The method whose numbers are shown: the chosen one, or none where it cannot be used."""
        return SHEETS["none"] if self.problem else self.sheet

    @cached_property
    def chosen(self) -> RopeConfig:
        """The head with the chosen method; as it was trained where that cannot be used."""
        return self.head if self.problem else replace(self.head, scaling=self.scaling(self.sheet))

    @cached_property
    def attention_factor(self) -> float:
        """A of the chosen method: of its options alone, whatever the head."""
        try:
            scaling = self.scaling(self.sheet)
        except RopeConfigError:
            return 1.0
        return 1.0 if scaling is None else scaling.attention_factor_for(self.head, self.length)

    @property
    def ratios(self) -> ndarray:
        """New speed over old, by pair."""
        return ratios(self.chosen, self.length)

    @property
    def larger_base(self) -> float:
        """The base whose law gives the last pair its speed."""
        return base_of(self.chosen, self.length)


def base_of(config: RopeConfig, length: int) -> float:
    """Return the base whose law gives the last pair its speed, ``base ** -((d - 2) / d)``."""
    width = config.rotary_dim
    return float(speeds(config, length)[-1] ** (-width / (width - 2)))


def option_names(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the method, as the page is set, depends on."""
    sheet = SHEETS[settings.text("method")]
    attention = sheet.attention.options if sheet.attention else ()
    skipped = {"truncate"} if settings["ramp"] == "rotation" else set()
    if "attention_rule" in attention:
        skipped |= {"attention_factor"} if settings["attention_rule"] == "ratio" else {"mscale", "mscale_all_dim"}
    stated = ("stated_factor",) if sheet.bounds else ()
    return tuple(name for name in (*sheet.options, *stated, *attention) if name not in skipped)


def shown_options(settings: Settings) -> tuple[str, ...]:
    """Name those of them that the chosen view depends on."""
    sheet, view = SHEETS[settings.text("method")], settings["ext_view"]
    skipped = set(sheet.options) if view == "attention" else set()
    if sheet.attention and view not in ("attention", "curve", "decode"):
        skipped |= set(sheet.attention.options)
    if settings.number("target") <= settings.number("context"):
        skipped.add("long_factor")
    elif view != "decode":
        skipped.add("short_factor")
    return tuple(name for name in option_names(settings) if name not in skipped)


def read_extension(settings: Settings, names: tuple[str, ...] | None = None) -> ExtensionSettings:
    """Return what the page is set to; options that are not among ``names``, those that the view shows, have their defaults."""
    return ExtensionSettings(
        head=partial_head(settings),
        sheet=SHEETS[settings.text("method")],
        target=settings.whole("target"),
        key=settings.whole("key_at"),
        table=settings.whole("cached_length"),
        options=read_options(settings, shown_options(settings) if names is None else names),
    )
