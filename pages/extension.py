"""extension"""

from lessons.extension import PAGE
from ui.page import draw

draw(PAGE)
