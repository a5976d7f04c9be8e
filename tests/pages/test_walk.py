"""A random walk over the whole app: any control, any page, any order, hostile links. No exception, and always a figure."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.visit import buttons, checked, disabled, drawn, go, messages, open_page, run
from ui.kinds import Choice, Number
from ui.parameters import PARAMETERS
from ui.registry import LESSONS

HOSTILE = (
    *("", "nan", "-1", "1e400", "abc", "<script>alert(1)</script>", "0", "1e9", "7", "％"),
    *("a,b," * 100, '{"rope_type":"yarn"}', "{" * 500),
)
pages = st.sampled_from(list(LESSONS))
seeds = st.integers(0, 10_000)


class Walk(RuleBasedStateMachine):
    @initialize(page=pages, links=st.dictionaries(st.sampled_from(list(PARAMETERS)), st.sampled_from(HOSTILE), max_size=4))
    def arrive(self, page, links):
        self.at = open_page(page, **links)

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
        boxes = [box for box in self.at.text_input if not box.proto.disabled]
        if boxes:
            boxes[which % len(boxes)].set_value(text)
            run(self.at)

    @rule(which=seeds)
    def press_a_button(self, which):
        pressable = [button for button in self.at.button if not button.proto.disabled]
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
    max_examples=8, stateful_step_count=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=True
)
TestWalk = Walk.TestCase
