"""A random walk over the whole app: any control, any page, any order, hostile links, Back. After each step a fresh session that opens the
address shows the same.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.registry import PAGES
from parameters import PARAMETERS
from parameters.types import write
from tests.visit import (
    address,
    component,
    controls,
    disabled,
    drawn,
    edit,
    figure,
    formulas,
    go,
    look,
    notices,
    numbers,
    open_page,
    release,
    run,
    send,
    trigger,
)

CONFIGS = Path(__file__).parents[1] / "data/configs"
HOSTILE = (
    *("", "nan", "-1", "1e400", "abc", "<script>alert(1)</script>", "0", "1e9", "7", "％"),
    *("a,b," * 100, '{"rope_type":"yarn"}', "{" * 500, "1, 2", "own", "1-answer"),
)
FORGED = (
    *(None, 7, "", [], {}, {"text": True}, {"text": "12", "serial": 1}, {"text": "1e300", "serial": 1, "name": "position"}),
    *({"text": "-5", "serial": -1, "name": "base"}, {"text": "x", "serial": 2, "name": "nobody"}),
)
UPLOADS = (
    *((CONFIGS / name).read_bytes() for name in ("08_deepseek_v3_yarn.json", "15_gemma3_4b_nested.json")),
    *(b"", b"{", b"[1]", b"\xff\xfe\x00", b'{"head_dim": 0, "rope_theta": NaN}', b"[" * 100_000),
)
EXTRAS = ("step", "done", "pin", "present")
pages = st.sampled_from(list(PAGES))
seeds = st.integers(0, 10_000)


def page_of(at):
    return at.session_state["visit"].page


def seen(at):
    """All that an address has to bring back: not what was answered, nor what a text held besides the numbers of its config."""
    native = {name: element for name, element in controls(at).items() if element.type not in ("bidi_component", "button", "text_area")}
    fields = {name: {key: part for key, part in each.items() if key != "seen"} for name, each in numbers(at).items()}
    values = {name: (element.value, element.options if hasattr(element, "options") else ()) for name, element in native.items()}
    offers = [group.options for group in at.get("button_group") if group.key in ("try", "w.step")]
    titles = [title.value for title in at.title]
    order = [(name, disabled(at, name)) for name in drawn(at)]
    shown = {"view": look(at), "titles": titles, "notices": notices(at)}
    return shown | {"controls": order, "numbers": fields, "values": values, "offers": offers}


class Walk(RuleBasedStateMachine):
    """Steps of a reader, and of somebody who sends what no reader can."""

    @initialize(
        page=pages,
        link=st.dictionaries(st.sampled_from([*PARAMETERS, *EXTRAS]), st.sampled_from(HOSTILE), max_size=3),
        held=st.lists(st.sampled_from(list(PARAMETERS)), max_size=3),
        way=st.sampled_from(("lock", "hide", "")),
    )
    def arrive(self, page, link, held, way):
        """Open a link."""
        locks = {way: ",".join(held)} if way and held else {}
        self.at = open_page(page, "en", **link, **locks)
        self.been = [(page, dict(self.at.query_params))]

    @rule(page=pages)
    def turn_to(self, page):
        go(self.at, page)

    @rule(which=seeds)
    def go_back(self, which):
        """Have an address once more that the visit has had."""
        page, query = self.been[which % len(self.been)]
        if page == page_of(self.at):
            edit(self.at, **query)
        else:
            go(self.at, page, **query)

    @rule(which=seeds, where=st.floats(0, 1))
    def slide_a_number(self, which, where):
        """Release a slider anywhere."""
        free = [each for each in numbers(self.at).values() if not each["disabled"]]
        if free:
            found = free[which % len(free)]
            release(self.at, found["name"], write(found["stops"][round(where * (len(found["stops"]) - 1))]))

    @rule(which=seeds, text=st.sampled_from(HOSTILE))
    def type_a_text(self, which, text):
        """Type anything into the field of a number or into a box."""
        fields = [*numbers(self.at), *(box for box in self.at.text_input if not box.disabled)]
        if fields:
            field = fields[which % len(fields)]
            if isinstance(field, str):
                release(self.at, field, text)
            else:
                field.set_value(text)
                run(self.at)

    @rule(message=st.sampled_from(FORGED), number=seeds)
    def forge_a_message(self, message, number):
        """Send what no browser sends."""
        found = self.at.get("bidi_component")
        trigger(self.at, found[number % len(found)], released=message, pressed=message)

    @rule(which=seeds, options=st.lists(seeds, min_size=1, max_size=3))
    def pick_from_a_list(self, which, options):
        """Pick views, options, settings to try, questions, answers, languages, models, layers."""
        lists = [*self.at.selectbox, *self.at.radio, *self.at.multiselect, *self.at.get("button_group")]
        lists = [each for each in lists if each.options and not each.proto.disabled]
        if lists:
            picked = lists[which % len(lists)]
            labels = list(dict.fromkeys(picked.options[option % len(picked.options)] for option in options))
            if picked.type in ("selectbox", "radio"):
                send(self.at, WidgetState(id=picked.proto.id, string_value=labels[0]))
            else:
                several = labels if picked.type == "multiselect" else labels[:1]
                send(self.at, WidgetState(id=picked.proto.id, string_array_value={"data": several}))

    @rule(which=seeds)
    def press_a_button(self, which):
        pressable = [button for button in self.at.button if not button.disabled]
        if pressable:
            pressable[which % len(pressable)].click()
            run(self.at)

    @precondition(lambda self: address(self.at).get("present") == "1")
    @rule(keys=st.lists(st.sampled_from(("next", "back", "leave")), min_size=1, max_size=3))
    def press_keys(self, keys):
        """Press keys of a clicker."""
        trigger(self.at, component(self.at, "present.keys"), pressed=keys)

    @rule(content=st.sampled_from(UPLOADS), upload=st.booleans())
    def bring_a_config(self, content, upload):
        """Paste or upload a config where it can be."""
        go(self.at, "models")
        if "models_way" in drawn(self.at) and not disabled(self.at, "models_way"):
            controls(self.at)["models_way"].set_value("own")
            run(self.at)
        for box in self.at.get("file_uploader") if upload else self.at.text_area:
            if not box.proto.disabled:
                if upload:
                    box.upload("config.json", content, "application/json")
                else:
                    box.set_value(content.decode(errors="replace"))
                run(self.at)

    @invariant()
    def fresh_page_shows_the_same(self):
        if not hasattr(self, "at"):
            return
        assert figure(self.at)["data"]
        query = dict(self.at.query_params)
        if any(text.startswith("visit:") for text in query.values()):
            return  # a config that only this visit has
        self.been.append((page_of(self.at), query))
        fresh = open_page(page_of(self.at), "", **query)
        assert seen(fresh) == seen(self.at), json.dumps(query)
        if formulas(self.at):  # of what stands under the figure one is open, which no address says
            assert formulas(fresh) == formulas(self.at)


def walks(count, steps):
    return settings(
        max_examples=count,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )


Walk.TestCase.settings = walks(10, 15)
TestWalk = Walk.TestCase


@pytest.mark.exhaustive
class TestLongWalk(Walk.TestCase):
    """The same, as long as nobody waits for it."""

    settings = walks(120, 40)
