"""Frequencies: how fast does each pair turn, and what does the base change?"""

from lessons.frequencies import PAGE
from ui.page import draw

draw(PAGE)
