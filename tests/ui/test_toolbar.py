"""The words of the figure's toolbar."""

from server.assets import SCRIPT
from ui.live import TOOLBAR


def test_plotly_knows_each_word_that_is_translated_for_it():
    script = SCRIPT.read_text(encoding="utf-8")
    assert [word for word in TOOLBAR if f'"{word}"' not in script] == ["Full screen"]
