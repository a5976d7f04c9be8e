"""The formulas of the attention page: symbols, then one number of the figure."""

from __future__ import annotations

from compute.attention import AttentionSettings, attend
from lessons.wording import tex


def score_lines(head: AttentionSettings) -> tuple[str, ...]:
    """Write the score, and that of the last query with key 0."""
    last = head.tokens - 1
    number = rf"s_{{{last},\,0}} &= {tex(float(attend(head).scores[last, 0]))}"
    lines: tuple[str, ...]
    match head.encoding:
        case "rope":
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle R(m\theta)\,q_m,", r"&\qquad R(n\theta)\,k_n\rangle")
        case "sinusoidal":
            lines = (
                r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m + p_m,\; k_n + p_n\rangle",
                r"p_m &= (\sin m\theta_0, \cos m\theta_0, \dots)",
            )
        case "alibi":
            slope = rf"2^{{-{head.alibi_head}}}"
            lines = (rf"s_{{m,n}} &= \tfrac{{1}}{{\sqrt d}}\,\langle q_m, k_n\rangle - {slope}\,|m-n|",)
        case "t5":
            lines = (r"s_{m,n} &= \langle q_m, k_n\rangle + \beta_{\,\mathrm{bucket}(m-n)}",)
        case _:
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m, k_n\rangle",)
    return (*lines, number)


def weight_lines(head: AttentionSettings) -> tuple[str, str]:
    """Write the softmax, and its weight of key 0 for the last query."""
    last, seen = head.tokens - 1, r"j \le m" if head.causal else "j"
    return (
        rf"a_{{m,n}} &= e^{{s_{{m,n}}}} \Big/ \textstyle\sum_{{{seen}}} e^{{s_{{m,j}}}}",
        rf"a_{{{last},\,0}} &= {tex(float(attend(head).weights[last, 0]))}",
    )


def output_lines(head: AttentionSettings) -> tuple[str, str]:
    """Write the output, and its first number for the last query."""
    last = head.tokens - 1
    return r"o_m &= \textstyle\sum_n a_{m,n}\,v_n", rf"o_{{{last}}} &= ({tex(float(attend(head).output[last, 0]))},\ \dots)"
