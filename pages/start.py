"""Start: what is RoPE, in one moving picture?"""

from lessons.start import PAGE
from ui.page import draw

draw(PAGE)
