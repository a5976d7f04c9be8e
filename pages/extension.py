"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

import streamlit as st

from lessons import extension_page, extension_sidebar
from lessons.extension_setting import GROWING, MAX_FACTOR, Knobs, Setting, own_list
from ui import heads, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice, number, vector, whole


def page() -> None:
    """Draw the page."""
    mode, method = choice("ext_view"), choice("method")
    head = heads.shared_head()
    extension_sidebar.offer(head)
    speeds_seen, sizes_seen = mode != "attention", mode in ("attention", "curve", "decode")
    knobs, key, cached = {}, 0, 1
    left, right = st.columns(2)
    with left:
        setting = Setting(head=head, method=method, target=whole("target", high=head.max_position * MAX_FACTOR))
        extension_page.factor_line(setting)
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

    setting = Setting(head=head, method=method, target=setting.target, knobs=Knobs(**knobs))
    extension_page.problem(setting)
    place = st.container()  # keeps the figure where it is while a long curve is counted
    with st.spinner(_("Counting every distance ...")):
        view = extension_page.view(mode, setting, key, cached)
    with place:
        lesson.picture(view, key="extension_figure")
    lesson.proof(view)
    lesson.words(view)
    extension_page.beneath(setting, counts=mode == "unseen")
    lesson.tries(
        "extension",
        (_("Where NTK leaves unseen angles"), {"ext_view": "unseen", "method": "ntk"}),
        (
            _("gpt-oss: ramp ends as they fall"),
            {"ext_view": "bands", "method": "yarn", "truncate": "off", "head_dim": 64, "base": 150_000, "context": 4096, "target": 131_072},
        ),
        (
            _("DeepSeek: growth in the softmax"),
            {"ext_view": "attention", "method": "yarn", "attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 1, "target": 163_840},
        ),
        (_("A key that was cached too early"), {"ext_view": "decode", "method": "dynamic"}),
    )
    lesson.take_home(view, name="extension")
    lesson.way_on("frequencies", "decay", "bases")


show(page)
