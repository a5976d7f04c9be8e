"""Controls that a link holds: ``lock=m,base`` shows them and lets nobody move them, ``hide=q`` does not draw them.

The link with which a visit begins decides, and for all of the visit: a held parameter has the value that this link gives it, or else its
default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from parameters import PARAMETERS
from parameters.types import Number, Value

LOCK, HIDE = "lock", "hide"
NAMES = (LOCK, HIDE)
"""The two parameters of the address."""


@dataclass(frozen=True)
class Locks:
    """What a link holds.

    Attributes:
        values: What the link says of each held parameter; None where it says nothing.
        hidden: Those of them that are not drawn.
        unknown: Names that are no parameters.
        texts: ``lock`` and ``hide`` as the link has them.
    """

    values: Mapping[str, str | None] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def is_held(self, name: str) -> bool:
        """Return whether nobody may move a parameter."""
        return name in self.values

    def is_hidden(self, name: str) -> bool:
        """Return whether a parameter is not drawn."""
        return name in self.hidden

    @property
    def shown(self) -> tuple[str, ...]:
        """The parameters that are drawn and cannot be moved."""
        return tuple(name for name in self.values if name not in self.hidden)

    def value(self, name: str, given: str | None) -> str | None:
        """Return what counts for a parameter: what is ``given``, but of a held one what the link says."""
        return self.values.get(name, given)

    def block(self, values: Mapping[str, Value]) -> bool:
        """Return whether values would change a held parameter, so that no button may offer them."""
        return any(name in self.values and self._now(name) != value for name, value in values.items())

    def _now(self, name: str) -> Value | None:
        spec, given = PARAMETERS[name], self.values[name]
        if given is None:
            return spec.default
        return spec.parse(given) if isinstance(spec, Number) else given

    @property
    def given(self) -> dict[str, str]:
        """The values that the link gives to held parameters, for an address."""
        return {name: text for name, text in self.values.items() if text is not None}


NO_LOCKS = Locks()


def read_locks(address: Mapping[str, str]) -> Locks:
    """Find in a link what it holds."""
    texts = {name: address[name] for name in NAMES if address.get(name)}
    lock, hide = (_names(texts.get(name, "")) for name in NAMES)
    asked = dict.fromkeys((*lock, *hide))
    values = {name: address.get(name) for name in asked if name in PARAMETERS}
    return Locks(values, frozenset(hide) & values.keys(), tuple(name for name in asked if name not in PARAMETERS), texts)


def write_locks(lock: Iterable[str], hide: Iterable[str]) -> dict[str, str]:
    """Write ``lock`` and ``hide`` for a link, without those that are empty."""
    return {name: ",".join(names) for name, names in ((LOCK, lock), (HIDE, hide)) if names}


def _names(text: str) -> list[str]:
    return [word.strip() for word in text.replace("，", ",").split(",") if word.strip()]
