"""A whole head: how do d/2 pairs share one vector?"""

from lessons.head import PAGE
from ui.page import draw

draw(PAGE)
