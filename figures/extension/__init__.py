"""Figures of the page about context extension."""
