"""Glossary: what does each symbol and each term mean?"""

from lessons.glossary import PAGE
from ui.page import draw

draw(PAGE)
