"""models"""

from lessons.models import PAGE
from ui.page import draw

draw(PAGE)
