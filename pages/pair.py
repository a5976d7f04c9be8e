"""Rotate a pair: why does only the distance survive?"""

from lessons.pair import PAGE
from ui.page import draw

draw(PAGE)
