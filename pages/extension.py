"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

from lessons.extension import PAGE
from ui.page import draw

draw(PAGE)
