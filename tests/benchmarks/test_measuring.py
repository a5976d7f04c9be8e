"""What is measured is judged: every goal that there is stands in the tables, met or missed, and nothing that went wrong is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import websockets

from benchmarks import __main__ as command
from benchmarks import classroom, client, core, drag, moves, route, start
from benchmarks.client import visit
from benchmarks.report import Goal, Table
from benchmarks.servers import BARE, BESIDE, Server, served
from lessons.registry import PAGES

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(BESIDE) as running:
        yield running


def goals(table: Table) -> dict[str, Goal]:
    return {goal.name: goal for goal in table.goals}


def test_a_page_is_moved_beside_the_bare_one(server: Server) -> None:
    async def move() -> moves.Moves:
        with served(BARE) as bare:
            async with visit(server.stream) as visitor, visit(bare.stream) as other:
                return await moves.move("attention", visitor, other, steps=2)

    found = asyncio.run(move())
    assert found.errors == []
    assert len(found.seconds) == len(found.bare) == 2
    assert 2 < found.elements <= moves.MOST_ELEMENTS
    assert 0 < found.size < 300_000


def test_the_live_route_is_asked_beside_one_that_returns_the_same_bytes(server: Server) -> None:
    found = asyncio.run(route.ask(server.url, "pair", steps=3))
    assert len(found.computed) == len(found.kept) == len(found.bare) == 3
    assert found.size > 1000


def test_chromium_draws_each_step_twice_once_by_the_app_and_once_bare(server: Server) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=drag.chromium_path(), args=drag.FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(server.url + "/pair")
        steps = drag.drag(page, steps=2)
        same = page.evaluate("""() => {
            const [ours, bare] = [document.querySelector('.rope-figure'), document.body.lastElementChild];
            const told = ({ data }) => JSON.stringify(data.map(({ type, name, x, y }) => [type, name, x, y]));
            return told(ours) === told(bare);
        }""")
        browser.close()
    assert len(steps) == 2
    assert all(milliseconds > 0 for step in steps for milliseconds in step)
    assert same


def test_every_goal_of_a_whole_move_is_judged() -> None:
    found = moves.Moves("decay", seconds=[0.03, 0.03], bare=[0.01, 0.01], elements=26, size=60_000, errors=["It broke."])
    judged = goals(moves.table([found])).values()
    assert [goal.measured for goal in judged] == [26, pytest.approx(3), 1]
    assert not any(goal.is_met for goal in judged)


def test_every_goal_of_the_live_route_is_judged() -> None:
    slow = [route.Asked(page, [0.010] * 3, [0.001] * 3, [0.001] * 3, 9_000) for page in list(PAGES)[:3]]
    fast = [route.Asked(page, [0.003] * 3, [0.001] * 3, [0.001] * 3, 9_000) for page in list(PAGES)[3:]]
    (goal,) = route.table(slow + fast).goals
    assert (goal.measured, goal.bound, goal.is_met) == (6, 7, False), "the glossary is not counted"
    (goal,) = route.table(slow[:2] + fast + [route.Asked("pair", [0.003], [0.001], [0.001])]).goals
    assert goal.is_met


def test_every_goal_of_a_drag_is_judged() -> None:
    found = goals(drag.table([drag.Drags("pair", [30.0] * 18 + [60.0] * 2, [10.0] * 20)]))
    assert {name: (goal.measured, goal.is_met) for name, goal in found.items()} == {
        "pair: input to figure drawn beside a bare loop, median": (3, False),
        "pair: input to figure drawn beside a bare loop, p95": (6, False),
    }


@pytest.mark.parametrize("drags", [False, True])
def test_a_class_is_taught_and_a_server_that_is_not_there_is_an_error(server: Server, drags: bool) -> None:
    lesson = asyncio.run(classroom.attend([server], clients=3, seconds=2, drags=drags))
    assert lesson.errors == []
    assert len(lesson.first) == 3
    assert lesson.seconds
    assert len(lesson.steps) % classroom.STEPS == 0
    assert bool(lesson.steps) == drags
    nobody = Server("http://127.0.0.1:1", server.pid, 0.0)
    absent = asyncio.run(classroom.attend([nobody], clients=2, seconds=0, drags=drags))
    assert len(absent.errors) == 2


def test_every_goal_of_a_class_is_judged(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    async def attend(servers: object, clients: int, seconds: float, *, drags: bool = False) -> classroom.Lesson:
        return classroom.Lesson(clients, [0.3] * 20, [0.4] * 20 if drags else [], [0.1], ["It broke."], 400.0)

    monkeypatch.setattr(classroom, "attend", attend)
    monkeypatch.setattr(classroom, "SETUPS", {"whole moves": (False, ()), "drags": (True, ())})
    (table,) = classroom.measure((10, 100), 30)
    assert {name: goal.measured for name, goal in goals(table).items()} == {
        "classroom of 10, whole moves: errors": 1,
        "classroom of 100, whole moves: errors": 1,
        "classroom of 100, whole moves: p95": 300,
        "classroom of 10, drags: errors": 1,
        "classroom of 100, drags: errors": 1,
        "classroom of 100, drags: p95": 300,
        "classroom of 100, drags: p95 of steps": 400,
    }
    assert not any(goal.is_met for goal in table.goals)


def test_a_server_that_never_answers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait() -> classroom.Lesson:
        async with websockets.serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0, subprotocols=["streamlit"]) as silent:
            port = silent.sockets[0].getsockname()[1]
            return await classroom.attend([Server(f"http://127.0.0.1:{port}", 0, 0.0)], clients=1, seconds=0)

    monkeypatch.setattr(client, "PATIENCE", 0.2)
    monkeypatch.setattr(Server, "megabytes", lambda server: 0.0)
    assert "TimeoutError" in asyncio.run(wait()).errors[0]


def test_the_start_is_judged_by_the_first_whole_page(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr(start, "start", lambda app: (1.0, 3.0, 0.1) if app == start.APP else (1.0, 2.0, 0.1))
    monkeypatch.setattr(start, "served", lambda app: served_already(server))
    monkeypatch.setattr(start, "cold", lambda urls: {url: [1.0] for url in urls})
    (goal,) = start.measure()[0].goals
    assert (goal.measured, goal.is_met) == (1.5, False)


class served_already:
    def __init__(self, server: Server) -> None:
        self.server = server

    def __enter__(self) -> Server:
        return self.server

    def __exit__(self, *_: object) -> None:
        pass


def test_rotation_is_judged_in_float32_beside_clone_and_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "SHAPE", (1, 2, 16, 128))
    assert sorted(goal.name for goal in core.rotation(torch.device("cpu"), None).goals) == [
        "rotation, half: time of torch.clone",
        "rotation, half: times as fast as transformers' form",
        "rotation, interleaved: times as fast as transformers' form",
    ]


def test_the_command_measures_what_is_named_and_fails_on_a_missed_goal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = moves.table([moves.Moves("pair", seconds=[0.03], bare=[0.01])])
    monkeypatch.setattr(moves, "measure", lambda: [slow])
    monkeypatch.setattr("sys.argv", ["benchmarks", "moves", "--out", str(tmp_path / "out.md")])
    assert command.main() == 1
    assert "missed: pair: time of a whole move" in capsys.readouterr().err
    assert "**missed**" in (tmp_path / "out.md").read_text()


def test_the_page_about_deployment_has_the_figures_of_the_benchmark(tmp_path: Path) -> None:
    deploy, measured = ((DOCS / name).read_text(encoding="utf-8") for name in ("deploy.md", "benchmarks.md"))
    rows = deploy.partition(command.BEGIN)[2].partition(command.END)[0].strip()
    assert rows.count("\n") > 8
    assert rows in measured
    page = tmp_path / "deploy.md"
    page.write_text(deploy, encoding="utf-8")
    command.write_capacity([Table(command.CAPACITY, ("clients", "p95"), (("1", "9"),))], page)
    assert page.read_text(encoding="utf-8") == deploy.replace(rows, "| clients | p95 |\n| --- | ---: |\n| 1 | 9 |")
