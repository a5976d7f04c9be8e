"""What is measured is judged: every goal that there is stands in the tables, met or missed, and nothing that went wrong is lost."""

import asyncio
from pathlib import Path

import pytest
import torch
import websockets

from benchmarks import __main__ as command
from benchmarks import classroom, client, core, interaction, live
from benchmarks.client import visit
from benchmarks.servers import Server, served
from lessons.registry import LESSONS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def server():
    with served() as running:
        yield running


def goals(table):
    return {goal.name: goal for goal in table.goals}


def test_a_page_is_dragged_beside_the_bare_one_and_its_views_are_weighed(server):
    async def drag():
        with served(interaction.BARE) as bare:
            async with visit(server.stream) as visitor, visit(bare.stream) as other:
                return await interaction.drag("attention", visitor, other, steps=2)

    steps = asyncio.run(drag())
    assert steps.errors == []
    assert len(steps.seconds) == len(steps.bare) == 2
    assert len(steps.sizes) == 2 + 3 * 4  # two steps of the drag, three in each view
    assert max(steps.sizes) < 150_000


@pytest.mark.parametrize("page", LESSONS)
def test_no_live_step_of_any_view_is_large(server, page):
    async def weigh():
        async with visit(server.stream) as visitor:
            await interaction.other_views(visitor, found)

    found = interaction.Steps(page)
    asyncio.run(weigh())
    assert found.errors == []
    assert 0 < max(found.sizes) < 150_000


def test_every_goal_of_a_step_is_judged():
    steps = interaction.Steps(
        "decay", seconds=[0.03, 0.03], bare=[0.01, 0.01], sizes=[10_000, 160_000], errors=["It broke."], frames=600_000
    )
    found = goals(interaction.table([steps]))
    assert [goal.measured for goal in found.values()] == [pytest.approx(3), 160, 600, 0, 1]
    assert [goal.is_met for goal in found.values()] == [False, False, False, True, False]


def test_every_goal_of_a_drag_is_judged():
    drags = [
        live.Drags("pair", False, [6.0] * 3, [10.0] * 3, [True, True, False]),
        live.Drags("attention", True, [4.0] * 3, [10.0] * 3, [True] * 3),
    ]
    found = goals(live.table(drags))
    assert {name: (goal.measured, goal.is_met) for name, goal in found.items()} == {
        "pair: drawings beside a bare live chart": (0.6, False),
        "pair: releases that drew another value": (1, False),
        "attention, a heat map: drawings a second": (4.0, False),
        "attention: releases that drew another value": (0, True),
    }


def test_a_class_is_taught_and_a_server_that_is_not_there_is_an_error(server):
    lesson = asyncio.run(classroom.attend([server], clients=3, seconds=2))
    assert lesson.errors == []
    assert len(lesson.first) == 3
    assert lesson.seconds
    nobody = Server("http://127.0.0.1:1", server.pid, 0.0)
    absent = asyncio.run(classroom.attend([nobody], clients=2, seconds=0))
    assert len(absent.errors) == 2


def test_a_server_that_never_answers_is_an_error(monkeypatch):
    async def wait():
        async with websockets.serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0, subprotocols=["streamlit"]) as silent:
            port = silent.sockets[0].getsockname()[1]
            return await classroom.attend([Server(f"http://127.0.0.1:{port}", 0, 0.0)], clients=1, seconds=0)

    monkeypatch.setattr(client, "PATIENCE", 0.2)
    monkeypatch.setattr(Server, "megabytes", lambda server: 0.0)
    assert "TimeoutError" in asyncio.run(wait()).errors[0]


def test_every_rotation_is_judged_beside_clone_and_transformers(monkeypatch):
    monkeypatch.setattr(core, "SHAPE", (1, 2, 16, 128))
    names = set(goals(core.rotation(torch.device("cpu"), None)))
    for dtype in ("float32", "bfloat16"):
        assert f"rotation, half, {dtype}: time of torch.clone" in names
        for layout in ("half", "interleaved"):
            assert f"rotation, {layout}, {dtype}: times as fast as transformers' form" in names


def test_the_command_measures_what_is_named_and_fails_on_a_missed_goal(monkeypatch, tmp_path, capsys):
    slow = interaction.table([interaction.Steps("pair", seconds=[0.03], bare=[0.01], sizes=[1])])
    monkeypatch.setattr(interaction, "measure", lambda: [slow])
    monkeypatch.setattr("sys.argv", ["benchmarks", "interaction", "--out", str(tmp_path / "out.md")])
    assert command.main() == 1
    assert "missed: pair: time of a live step" in capsys.readouterr().err
    assert "**missed**" in (tmp_path / "out.md").read_text()


def test_the_page_about_deployment_has_the_figures_of_the_benchmark(tmp_path):
    deploy, measured = ((DOCS / name).read_text(encoding="utf-8") for name in ("deploy.md", "benchmarks.md"))
    rows = deploy.partition(command.BEGIN)[2].partition(command.END)[0].strip()
    assert rows.count("\n") > 10
    assert rows in measured
    page = tmp_path / "deploy.md"
    page.write_text(deploy, encoding="utf-8")
    command.write_capacity([classroom.Table(command.CAPACITY, ("clients", "p95"), (("1", "9"),))], page)
    assert page.read_text(encoding="utf-8") == deploy.replace(rows, "| clients | p95 |\n| --- | ---: |\n| 1 | 9 |")
