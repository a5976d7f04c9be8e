"""Distance decay: does the score fall with distance, and for which q and k?"""

from lessons.decay import PAGE
from ui.page import draw

draw(PAGE)
