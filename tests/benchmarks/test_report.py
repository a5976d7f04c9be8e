"""The report: goals that are met or missed, the exit code, ratios of what ran side by side, and numbers as people write them."""

import math

import pytest

from benchmarks.report import Goal, Spread, Table, exit_code, figures, machine, markdown, ratios

FAST = Goal("fast", 1.5, 2.0)
SLOW = Goal("slow", 2.5, 2.0, "ms")


def table(*goals: Goal) -> Table:
    return Table("Made up", ("what", "ms"), (("this", "1"), ("that", "2")), "How to read it.", goals)


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (Goal("at the bound", 2.0, 2.0), True),
        (Goal("above", 2.1, 2.0), False),
        (Goal("below", 1.9, 2.0), True),
        (Goal("at the bound", 40, 40, at_least=True), True),
        (Goal("below", 39, 40, at_least=True), False),
        (Goal("above", 41, 40, at_least=True), True),
        (Goal("not measured", math.nan, 2.0), False),
        (Goal("not measured", math.nan, 2.0, at_least=True), False),
    ],
    ids=lambda value: value.name if isinstance(value, Goal) else "",
)
def test_a_goal_is_met_on_its_side_of_the_bound(goal, met):
    assert goal.is_met is met


@pytest.mark.parametrize(("tables", "code"), [([], 0), ([table()], 0), ([table(FAST)], 0), ([table(FAST), table(FAST, SLOW)], 1)])
def test_one_missed_goal_is_enough_for_a_failure(tables, code):
    assert exit_code(tables) == code


def test_reasons_are_given_once_and_for_missed_goals_alone():
    slow, fast = (Goal(name, measured, 2.0, why=f"because of {name}") for name, measured in (("slow", 3.0), ("fast", 1.0)))
    text = markdown("Here", [table(slow, fast), table(slow)])
    assert text.count("because of slow") == 1
    assert "because of fast" not in text


def test_missed_goals_stand_first_and_say_by_how_much():
    text = markdown("A machine.", [table(FAST, SLOW)])
    assert text.index("| slow | 2.5 ms | at most 2 ms | **missed** |") < text.index("| fast | 1.5 | at most 2 | met |")
    assert "1 of 2 goals" in text


def test_a_report_holds_the_machine_and_every_table():
    text = markdown("A machine.", [table(), table()])
    assert "A machine." in text
    assert text.count("## Made up\n\nHow to read it.\n\n| what | ms |\n| --- | ---: |\n| this | 1 |\n| that | 2 |\n") == 2
    assert "Goals" not in text


def test_the_machine_is_named_with_the_versions():
    import torch

    assert f"torch {torch.__version__}" in machine("A GPU")
    assert machine("A GPU").startswith("A GPU, ")


def test_ratios_compare_run_by_run():
    """A machine that is three times as slow in the second half changes no ratio."""
    assert ratios([2, 2, 6, 6], [1, 1, 3, 3]) == Spread(2, 2, 2)


def test_the_spread_is_the_quartiles():
    assert Spread.of([5, 1, 2, 3, 4]) == Spread(3, 2, 4)
    assert Spread.of([7]) == Spread(7, 7, 7)
    assert Spread.of([0.001, 0.002]).text(1e3) == "1.5 (1–2)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1"),
        (1.234, "1.23"),
        (45.678, "45.7"),
        (1234.5, "1,234"),
        (0.00789, "0.00789"),
        (1.23e-10, "1.2e-10"),
        (math.nan, "nan"),
    ],
)
def test_numbers_have_three_figures(value, text):
    assert figures(value) == text
