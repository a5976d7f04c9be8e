"""head"""

from lessons.head import PAGE
from ui.page import draw

draw(PAGE)
