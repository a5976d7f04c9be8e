"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from lessons import extension_page, extension_sidebar
from lessons.extension_setting import GROWING, MAX_FACTOR, Knobs, Setting, own_list
from ui import frame, heads, live
from ui.i18n import _
from ui.lesson import View
from ui.page import show
from ui.params import choice, number, peek_number, vector, whole
from ui.scene import scene


def page() -> None:
    """Draw the page."""
    mode, method = choice("ext_view"), choice("method")
    head = heads.shared_head()
    extension_sidebar.offer(head)
    speeds_seen, sizes_seen = mode != "attention", mode in ("attention", "curve", "decode")
    knobs, key, cached = {}, 0, 1
    left, right = st.columns(2)
    longest = head.max_position * MAX_FACTOR
    setting = Setting(head=head, method=method, target=int(peek_number("target", high=longest)))
    with left:
        if mode == "decode":
            key = whole("key_at", high=setting.length - 1)
            if method in GROWING:
                cached = whole("cached_length", high=setting.length)
    with right:
        if method == "yarn" and speeds_seen:
            knobs["ramp"] = choice("ramp")
            knobs["truncate"] = knobs["ramp"] == "rotation" or choice("truncate") == "on"
        if method in ("yarn", "parts") and speeds_seen:
            knobs["beta_fast"] = number("beta_fast")
            knobs["beta_slow"] = number("beta_slow", high=knobs["beta_fast"])
        elif method == "llama3" and speeds_seen:
            knobs["high_freq_factor"] = number("high_freq_factor")
            knobs["low_freq_factor"] = number("low_freq_factor", high=knobs["high_freq_factor"])
        elif method == "longrope" and speeds_seen:
            lists = {"short_factor": setting.length == setting.trained, "long_factor": setting.length > setting.trained}
            knobs = {name: own_list(name, vector(name)) for name in ("short_factor", "long_factor") if lists[name] or mode == "decode"}
        elif speeds_seen:
            of = {"dynamic": "dynamic_factor", "proportional": "rotary_fraction"}.get(method)
            knobs = {name: number(name) for name in ("dynamic_factor", "rotary_fraction") if name == of}
    with left:
        if method == "yarn" and sizes_seen and choice("attention_rule") == "ratio":
            knobs |= {name: number(name) for name in ("mscale", "mscale_all_dim")}
        elif method in ("yarn", "longrope") and sizes_seen:
            knobs["attention_factor"] = number("attention_factor")

    def view(target: float) -> View:
        moved = replace(setting, target=int(target), knobs=Knobs(**knobs))
        if moved.length != setting.length and not live.is_moving():
            frame.ask_for_frame()  # bounds of the controls above
        extension_page.factor_line(moved)
        extension_page.problem(moved)
        # Controls above may still have the bounds of the length at which the hand began.
        drawn = extension_page.view(mode, moved, min(key, moved.length - 1), min(cached, moved.length))
        return replace(drawn, beneath=partial(extension_page.beneath, moved, counts=mode == "unseen"))

    scene(
        "extension",
        view,
        high=longest,
        slow=True,
        beneath=partial(extension_page.elsewhere, setting),
        tries=(
            (_("Where NTK leaves unseen angles"), {"ext_view": "unseen", "method": "ntk"}),
            (
                _("gpt-oss: ramp ends as they fall"),
                {
                    "ext_view": "bands",
                    "method": "yarn",
                    "truncate": "off",
                    "head_dim": 64,
                    "base": 150_000,
                    "context": 4096,
                    "target": 131_072,
                },
            ),
            (
                _("DeepSeek: growth in the softmax"),
                {"ext_view": "attention", "method": "yarn", "attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 1, "target": 163_840},
            ),
            (_("A key that was cached too early"), {"ext_view": "decode", "method": "dynamic"}),
        ),
        onward=("frequencies", "decay", "bases"),
    )


show(page)
