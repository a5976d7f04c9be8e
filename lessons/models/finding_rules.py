"""Sentences that the core keeps in a variable before it says them, for the translators: extraction sees only what stands in a call.

A test looks for templates of the core that nobody translates.
"""

from __future__ import annotations

from locales import N_

RULES = (
    N_("dynamic NTK starts to change the speeds beyond max_position_embeddings = {value:,} tokens"),
    N_("latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first"),
    N_("layers of type {name} have no entry in the rope settings; they are taken as not rotated"),
    N_("{key} = {value:g} multiplies the softmax scale by {factor:.9g}, outside of cos and sin"),
    N_("{key} = {value} is not read beside the settings of single types of layers"),
    N_("{key} is missing; {value:,g} is what the config class of {model} takes"),
    N_("{key} is missing; {value:,g}, the usual default of engines, is taken"),
    N_("{key} is missing; {value:,} is what the config class of {model} takes"),
    N_("{key} is missing; {value:,} tokens are taken as the context"),
    N_("{key} is missing; {value:g} is what the config class of {model} takes"),
    N_("{key} is not read by the class of {model} in transformers 5, which turns the whole head; it is followed here"),
    N_("{key} is null; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers"),
    N_("{key} makes the base fixed, larger by alpha to the power d / (d - 2), as in the Hunyuan models"),
    N_("{key} must add up to the {pairs} pairs, got {value}"),
    N_("{key} must be a list of at most {longest} entries, got {value}"),
    N_("{key} must be a list of names, at most {limit} different ones, got {value}"),
    N_("{key} must be a string of at most {longest} printable characters, got {value}"),
    N_("{key} must be a whole number from {low:,} to {high:,}, got {value}"),
    N_("{key} must be three counts of pairs, the first two alike, got {value}"),
    N_("{key} must give an even number of coordinates to turn in pairs, got {value}"),
    N_("{key} must have one entry for each of the {pairs} pairs, got {value}"),
    N_("{key} must hold settings for at most {limit} types of layers with short names, got {value}"),
    N_("{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}"),
    N_("{key} stands in one object of the file more than once; the last value, {value}, counts"),
)
