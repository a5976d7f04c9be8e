"""A page as one HTML file: figure, sentences and formula, without a network and without a server."""

from __future__ import annotations

import html
import re

import plotly.graph_objects as go
from latex2mathml.converter import convert

from ui.taken import Away

PAPER = {"paper_bgcolor": "#FFFFFF", "plot_bgcolor": "#FFFFFF", "font": {"family": "sans-serif", "color": "#31333F", "size": 14}}
GRID = {"gridcolor": "#E6E8EC", "linecolor": "#E6E8EC", "zerolinecolor": "#C8CCD4", "automargin": True}
CONFIG = {"displaylogo": False, "responsive": True, "showSendToCloud": False}


def write_page(taken: Away) -> bytes:
    """Write the file. All that comes from a reader is escaped; the figure and plotly.js stand in it whole."""
    _ = taken.say
    view = taken.view
    rows = [
        f"<tr><th scope=row>{_text(label)}<td>{_text(words) or '–'}<td><code>{_text(name)}</code>"
        for name, _text_of, label, words in taken.settings
    ]
    page = PAGE.format(
        language=_text(taken.language),
        title=_text(taken.title),
        figure=_figure(view.figure),
        alt=_text(view.alt),
        sentences="\n".join(f"<li>{_markdown(sentence)}" for sentence in view.sentences),
        formula_title=_text(_("The formula, with numbers")),
        formulas="\n".join(f"<p>{mathml(line)}" for line in view.formula),
        settings_title=_text(_("Settings")),
        name_title=_text(_("Name in the link")),
        value_title=_text(_("Value")),
        settings="\n".join(rows),
        code_title=_text(_("The same numbers in PyTorch")),
        code=_text(view.code.strip()),
        link=_text(taken.link),
        back=_text(_("Open this page as it is set")),
        maker=_text(taken.maker),
    )
    return page.encode()


def mathml(line: str) -> str:
    """Write a line of TeX as MathML, which browsers draw by themselves."""
    # What the converter does not know, in words that it does.
    return str(convert(line.replace("{aligned}", "{split}").replace(r"\arg ", r"\mathrm{arg}\,"), display="block"))


def _figure(figure: go.Figure) -> str:
    """Draw on white: the figure itself knows no ground."""
    shown = go.Figure(figure.to_dict(), _validate=False)
    layout = shown.layout
    template = layout.template.to_plotly_json() if layout.template else {}
    given = template.get("layout", {})
    axes = {name: GRID | dict(given.get(name, {})) for name in ("xaxis", "yaxis")}
    layout.template = template | {"layout": given | PAPER | axes}
    return str(shown.to_html(full_html=False, include_plotlyjs=True, auto_play=False, config=CONFIG, div_id="figure"))


def _text(text: str) -> str:
    return html.escape(text)


def _markdown(sentence: str) -> str:
    """Write the marks that sentences have: strong words and numbers."""
    strong = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", _text(sentence))
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", strong)


PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{maker}">
<title>{title}</title>
<style>
body {{ font: 16px/1.6 system-ui, sans-serif; color: #31333F; background: #FFFFFF; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
h1 {{ line-height: 1.25 }} h2 {{ font-size: 1.25rem; margin-top: 2rem }}
table {{ border-collapse: collapse }} th, td {{ text-align: left; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid #E6E8EC }}
th {{ font-weight: normal }} thead th {{ font-weight: 600 }}
code, pre {{ background: #F3F4F6; border-radius: 4px }} code {{ padding: 0.1em 0.3em }}
pre {{ padding: 1rem; overflow-x: auto }}
pre code {{ padding: 0 }} p:has(math) {{ overflow-x: auto }} math {{ font-size: 1.15rem }}
mtd[columnalign=right] {{ text-align: -webkit-right; padding-right: 0 }}
mtd[columnalign=left] {{ text-align: -webkit-left; padding-left: 0 }}
footer {{ margin: 3rem 0; color: #5A5E6B }}
</style>
<h1>{title}</h1>
<figure role="figure" aria-label="{alt}" style="margin: 0">
{figure}
</figure>
<ul>
{sentences}
</ul>
<h2>{formula_title}</h2>
{formulas}
<h2>{settings_title}</h2>
<table>
<thead><tr><th>{settings_title}<th>{value_title}<th>{name_title}</thead>
{settings}
</table>
<h2>{code_title}</h2>
<pre><code>{code}</code></pre>
<footer><a href="{link}">{back}</a> · {maker}</footer>
</html>
"""
