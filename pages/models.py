"""Models: what does this model's config.json really say?"""

from dataclasses import replace
from functools import partial

from lessons.models import PAGE
from lessons.models.state import before
from lessons.models.views import view
from ui.page import draw
from ui.visit import visit

# What was found in a text that was pasted, the visit alone remembers: settings hold its numbers.
draw(replace(PAGE, view=partial(view, pasted=visit().pasted), before=partial(before, pasted=visit().pasted)))
