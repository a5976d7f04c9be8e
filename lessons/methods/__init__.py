"""The methods of context extension, a sheet each: formula, PyTorch lines, sentence, row of the table, look."""

from lessons.methods.code import speeds_code
from lessons.methods.registry import SHEETS, sheet_of
from lessons.methods.sheet import Sheet, width_symbol
from lessons.methods.words import law_tex, scaling_sentence, width_sentence

__all__ = ["SHEETS", "Sheet", "law_tex", "scaling_sentence", "sheet_of", "speeds_code", "width_sentence", "width_symbol"]
