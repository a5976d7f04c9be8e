"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

from dataclasses import replace

import streamlit as st

from lessons import extension_page, extension_sidebar
from lessons.extension_setting import BANDED, GROWING, MAX_FACTOR, Knobs, Setting, own_list
from ui import heads
from ui.i18n import _
from ui.page import show
from ui.params import choice, number, peek_number, vector, whole
from ui.scene import scene


def page() -> None:
    """Draw the page."""
    mode, method = choice("ext_view"), choice("method")
    head = heads.shared_head()
    extension_sidebar.offer(head)
    speeds_seen, sizes_seen, knobs = mode != "attention", mode in ("attention", "curve", "decode"), {}
    longest, (left, right) = head.max_position * MAX_FACTOR, st.columns(2)
    setting = Setting(head=head, method=method, target=int(peek_number("target", high=longest)))
    with left:
        key = whole("key_at", high=setting.length - 1) if mode == "decode" else 0
        cached = whole("cached_length", high=setting.length) if mode == "decode" and method in GROWING else 1
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
            of = {"dynamic_factor": "dynamic", "rotary_fraction": "proportional"}
            knobs = {name: number(name) for name in ("dynamic_factor", "rotary_fraction") if of[name] == method}
    with left:
        if method in BANDED:
            knobs["stated_factor"] = number("stated_factor")
        if method == "yarn" and sizes_seen and choice("attention_rule") == "ratio":
            knobs |= {name: number(name) for name in ("mscale", "mscale_all_dim")}
        elif method in ("yarn", "longrope") and sizes_seen:
            knobs["attention_factor"] = number("attention_factor")
    setting = replace(setting, knobs=Knobs(**knobs))
    scene(
        "extension",
        lambda target: extension_page.follow(mode, setting, int(target), key, cached),
        high=longest,
        slow=True,
        more=True,
        beneath=lambda: extension_page.elsewhere(setting),
        tries=(
            (_("Where NTK leaves unseen angles"), {"ext_view": "unseen", "method": "ntk"}),
            (
                _("gpt-oss: ramp ends as they fall"),
                {"ext_view": "bands", "method": "yarn", "truncate": "off", "stated_factor": 0}
                | {"head_dim": 64, "base": 150_000, "context": 4096, "target": 131_072},
            ),
            (
                _("DeepSeek: growth in the softmax"),
                {"ext_view": "attention", "method": "yarn", "attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 1}
                | {"target": 163_840, "stated_factor": 0},
            ),
            (_("A key that was cached too early"), {"ext_view": "decode", "method": "dynamic"}),
        ),
        onward=("frequencies", "decay", "bases"),
    )


show(page)
