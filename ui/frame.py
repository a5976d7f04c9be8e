"""Who runs: everything, or the page alone, or within it the scene alone; both are fragments.

A move within a page runs the page alone, and a step of the live slider what follows the hand (ui/scene.py). What stands outside, shared
parameters and the notice, is then out of date if the move changed it; whoever changes such a thing asks for the frame, and everything runs
once more.
"""

from __future__ import annotations

import streamlit as st


def start() -> None:
    """Note that everything runs."""
    st.session_state["_whole"] = True
    st.session_state["_wanted"] = False
    st.session_state["_embedded"] = bool(st.context.is_embedded)  # asked for once: the question takes a while


def is_whole() -> bool:
    """Say whether everything runs, once: the page asks when it begins."""
    return bool(st.session_state.pop("_whole", False))


def open_scene() -> None:
    """Note that the page runs, and its scene with it."""
    st.session_state["_scene_of_page"] = True


def is_scene_of_page() -> bool:
    """Say whether the scene runs with its page, once: the scene asks when it begins."""
    return bool(st.session_state.pop("_scene_of_page", False))


def is_embedded() -> bool:
    """Say whether the app is shown within another page (``?embed=true``)."""
    return bool(st.session_state.get("_embedded"))


def ask_for_frame() -> None:
    """Have everything run after the page."""
    st.session_state["_wanted"] = True


def is_wanted() -> bool:
    """Say whether somebody asked."""
    return bool(st.session_state.get("_wanted"))


def open_lesson(name: str) -> None:
    """Note which page runs."""
    st.session_state["_lesson"] = name


def lesson_name() -> str:
    """Name the page that runs."""
    name: str = st.session_state["_lesson"]
    return name
