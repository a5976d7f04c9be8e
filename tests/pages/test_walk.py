"""A random walk over the whole app: any control, any page, any order, hostile links. No exception, and always a figure."""

from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.visit import buttons, checked, disabled, drag, drawn, go, live_sliders, messages, open_page, run, send
from parameters.types import Choice, Number
from ui.parameters import PARAMETERS
from lessons.registry import LESSONS

CONFIGS = Path(__file__).parents[1] / "data/configs"
HOSTILE = (
    *("", "nan", "-1", "1e400", "abc", "<script>alert(1)</script>", "0", "1e9", "7", "％"),
    *("a,b," * 100, '{"rope_type":"yarn"}', "{" * 500),
)
FORGED = (
    *(None, 7, "", [], {}, {"value": True}, {"value": "12", "step": 1}),
    *({"value": 1e300, "step": 1}, {"value": -5, "step": -1, "rest": True}),
)
UPLOADS = (
    *((CONFIGS / name).read_bytes() for name in ("08_deepseek_v3_yarn.json", "15_gemma3_4b_nested.json")),
    *(b"", b"{", b"[1]", b"\xff\xfe\x00", b'{"head_dim": 0, "rope_theta": NaN}', b"[" * 100_000),
)
pages = st.sampled_from(list(LESSONS))
seeds = st.integers(0, 10_000)


def free(controls):
    return [control for control in controls if not control.proto.disabled]


class Walk(RuleBasedStateMachine):
    @initialize(page=pages, links=st.dictionaries(st.sampled_from(list(PARAMETERS)), st.sampled_from(HOSTILE), max_size=4))
    def arrive(self, page, links):
        self.at, self.step = open_page(page, **links), 0

    @rule(page=pages)
    def turn_to(self, page):
        go(self.at, page)

    @rule(which=seeds, where=st.floats(0, 1))
    def set_a_number(self, which, where):
        names = [name for name in drawn(self.at) if isinstance(PARAMETERS[name], Number) and not disabled(self.at, name)]
        if names:
            name = names[which % len(names)]
            spec = PARAMETERS[name]
            # Up to a tenth beyond either end: what is not allowed is named in the notice, and the default is used.
            self.at.number_input(key=name).set_value(float(round(spec.low + (1.2 * where - 0.1) * (spec.high - spec.low))))
            run(self.at)

    @rule(which=seeds, option=seeds)
    def choose(self, which, option):
        names = [name for name in drawn(self.at) if isinstance(PARAMETERS[name], Choice) and not disabled(self.at, name)]
        if names:
            name = names[which % len(names)]
            options = list(PARAMETERS[name].options)
            buttons(self.at, name).set_value(options[option % len(options)])
            run(self.at)

    @rule(which=seeds, text=st.sampled_from(HOSTILE))
    def type_into_a_box(self, which, text):
        boxes = free(self.at.text_input)
        if boxes:
            boxes[which % len(boxes)].set_value(text)
            run(self.at)

    @rule(where=seeds, rest=st.booleans())
    def drag_the_live_slider(self, where, rest):
        for hand in live_sliders(self.at):
            self.step += 1
            drag(self.at, {"value": hand.stops[where % len(hand.stops)], "step": self.step, "rest": rest})

    @rule(message=st.sampled_from(FORGED))
    def forge_a_message_of_the_live_slider(self, message):
        if live_sliders(self.at):
            drag(self.at, message)

    @rule(which=seeds, options=st.lists(seeds, min_size=1, max_size=3))
    def pick_from_a_list(self, which, options):
        """Languages, presets, models, layers, answers to a question, and Streamlit's own sliders."""
        lists = free([*self.at.selectbox, *self.at.radio, *self.at.select_slider, *self.at.multiselect, *self.at.get("button_group")])
        if lists:
            picked = lists[which % len(lists)]
            labels = list(dict.fromkeys(picked.options[option % len(picked.options)] for option in options))
            if picked.type in ("selectbox", "radio"):
                send(self.at, picked, string_value=labels[0])
            else:
                several = picked.type == "multiselect"
                send(self.at, picked, string_array_value={"data": labels if several else labels[:1]})

    @rule(content=st.sampled_from(UPLOADS), upload=st.booleans())
    def bring_a_config(self, content, upload):
        go(self.at, "models")
        if not disabled(self.at, "models_way"):
            buttons(self.at, "models_way").set_value("own")
            run(self.at)
        for box in free(self.at.get("file_uploader") if upload else self.at.text_area):
            if upload:
                box.upload("config.json", content, "application/json")
            else:
                box.set_value(content.decode(errors="replace"))
            run(self.at)

    @rule(which=seeds)
    def press_a_button(self, which):
        pressable = free(self.at.button)
        if pressable:
            pressable[which % len(pressable)].click()
            run(self.at)

    @invariant()
    def page_stands(self):
        if hasattr(self, "at"):
            checked(self.at)
            shown = messages(self.at)
            assert 1 <= len(shown) <= 2
            assert all(each["figure"]["data"] for each in shown)


Walk.TestCase.settings = settings(
    max_examples=12, stateful_step_count=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=True
)
TestWalk = Walk.TestCase
