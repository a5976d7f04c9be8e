"""Arrays in, Plotly figures out: no Streamlit, no state, no RoPE.

Labels arrive translated. Every figure carries the same template, so that one thing has one look on every page.
"""
