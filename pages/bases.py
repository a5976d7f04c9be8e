"""bases"""

from lessons.bases import PAGE
from ui.page import draw

draw(PAGE)
