"""Base and context: how large must the base be for a context length?"""

from lessons.bases import PAGE
from ui.page import draw

draw(PAGE)
