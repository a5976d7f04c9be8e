"""Attention: what does a head see?"""

from lessons.attention import PAGE
from ui.page import draw

draw(PAGE)
