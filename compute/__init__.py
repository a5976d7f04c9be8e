"""Cached calls of the core, one module a topic: numbers and frozen settings in, numpy arrays out. No Streamlit, no language."""
