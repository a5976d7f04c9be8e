"""A page as one HTML file: figure, sentences and formula, without a network and without a server."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from latex2mathml.converter import convert

from exports.snapshot import Snapshot
from figures.drawing import Drawing
from lessons.markup import to_html
from locales import _, speaking

PAPER = {"paper_bgcolor": "#FFFFFF", "plot_bgcolor": "#FFFFFF", "font": {"family": "sans-serif", "color": "#31333F", "size": 14}}
GRID = {"gridcolor": "#E6E8EC", "linecolor": "#E6E8EC", "zerolinecolor": "#C8CCD4", "automargin": True}
CONFIG = {"displaylogo": False, "responsive": True, "showSendToCloud": False}


def write_page(snapshot: Snapshot) -> bytes:
    """Write the file. All that comes from a reader is escaped; the figure and plotly.js stand in it whole."""
    view = snapshot.view
    rows = [f"<tr><th scope=row>{_text(row.label)}<td>{_text(row.words) or '–'}<td><code>{_text(row.name)}</code>" for row in snapshot.rows]
    with speaking(snapshot.language):
        page = PAGE.format(
            language=_text(snapshot.language),
            title=_text(snapshot.title),
            verdict=f"<p>{to_html(view.verdict)}</p>" if view.verdict else "",
            figure=_figure(view.figure),
            alt=_text(view.alt),
            sentences="\n".join(f"<li>{to_html(sentence)}" for sentence in view.sentences),
            formula_title=_text(_("The formula, with numbers")),
            formulas="\n".join(f"<p>{mathml(line)}" for line in view.formula),
            settings_title=_text(_("Settings")),
            name_title=_text(_("Name in the link")),
            value_title=_text(_("Value")),
            settings="\n".join(rows),
            code_title=_text(_("The same numbers in PyTorch")),
            code=_text(view.code.strip()),
            link=_text(snapshot.link),
            back=_text(_("Open this page as it is set")),
            maker=_text(snapshot.maker),
        )
    return page.encode()


def mathml(line: str) -> str:
    """Write a line of TeX as MathML, which browsers draw by themselves."""
    # What the converter does not know, in words that it does.
    return str(convert(line.replace("{aligned}", "{split}").replace(r"\arg ", r"\mathrm{arg}\,"), display="block"))


def _figure(figure: Drawing) -> str:
    """Draw on white: the figure itself has no background."""
    shown = go.Figure(figure.to_dict(), _validate=False)
    layout = shown.layout
    template = layout.template.to_plotly_json() if layout.template else {}
    given = template.get("layout", {})
    axes = {name: GRID | dict(given.get(name, {})) for name in ("xaxis", "yaxis")}
    layout.template = template | {"layout": given | PAPER | axes}
    return str(shown.to_html(full_html=False, include_plotlyjs=True, config=CONFIG, div_id="figure"))


def _text(text: str) -> str:
    return html.escape(text)


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
{verdict}
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
