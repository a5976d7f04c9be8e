"""The live route: the checks of a link, the bytes of a run, and nothing that a stranger can send hurts it."""

from __future__ import annotations

import asyncio
import builtins
import gzip
import json
import random
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import cachetools
import numpy as np
import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message

import app
from compute.store import STORE
from compute.turns import ASKER, Dropped
from lessons.compare import write_pin
from lessons.registry import PAGES
from locales import CATALOGUES
from parameters.settings import Settings
from rope_core import RopeConfigError
from server import answers, limits, views
from server.answers import Question, answer
from server.views import KNOWN, LARGEST, LONGEST, view_path, view_route
from tests.browser.stage import Server, served
from tests.evaluate import settings_of
from tests.raw import ask, say
from tests.visit import message, notices, open_page, read
from ui import notices as notices_of_links

CONFIG = json.dumps({"head_dim": 64, "num_attention_heads": 8, "hidden_size": 512, "rope_theta": 5e5, "max_position_embeddings": 8192})
LINKS = {"start": {"position": "77"}, "decay": {"base": "500000", "reach": "3000"}, "models": {"models_view": "turns"}}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Return a client of the route behind all that stands before the app."""
    with TestClient(Starlette(routes=[view_route()], middleware=app.GUARDS), base_url="http://localhost") as made:
        yield made


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> cachetools.LRUCache[Question, Any]:
    """Begin each test with no answer kept."""
    empty: cachetools.LRUCache[Question, Any] = cachetools.LRUCache(answers.MOST, getsizeof=answers._KEPT.getsizeof)
    monkeypatch.setattr(answers, "_KEPT", empty)
    return empty


def path(page: str, query: Mapping[str, str] | None = None) -> str:
    return f"/view/{page}?{urlencode(query or {})}"


def as_text(shown: Mapping[str, Any]) -> str:
    return json.dumps(shown, default=np.ndarray.tolist, sort_keys=True)


def sentence(client: TestClient, page: str, query: Mapping[str, str]) -> str:
    """Return the one sentence with which the route refuses a query."""
    refused = client.get(path(page, query))
    assert refused.status_code == 400
    assert refused.headers["content-type"].startswith("text/plain")
    line, end = refused.text.split("\n")
    assert line
    assert not end
    return line


# What is answered.


@pytest.mark.parametrize("page", PAGES)
def test_each_page_is_answered_with_the_bytes_of_its_view_and_what_a_run_shows(client: TestClient, page: str) -> None:
    for lang in CATALOGUES:
        got = client.get(path(page, {"lang": lang}))
        assert got.status_code == 200
        answers._KEPT.clear()
        assert got.content == answer(Question(Settings(page), None, lang, coarse=True))
    shown = message(open_page(page, lang))["view"]
    assert as_text(read(got.content)) == as_text(shown)


@pytest.mark.parametrize("page", LINKS)
def test_a_link_with_settings_and_a_pinned_one_is_answered_as_it_is_drawn(client: TestClient, page: str) -> None:
    pin = write_pin(settings_of(page, **LINKS[page]))
    for query in (LINKS[page], {"pin": pin}, {**LINKS[page], "pin": pin}):
        shown = message(open_page(page, **query))["view"]
        assert as_text(read(client.get(path(page, query)).content)) == as_text(shown)


def test_what_a_link_may_say_besides_settings_changes_nothing(client: TestClient) -> None:
    plain = client.get(path("decay", {"base": "500000"})).content
    more = {
        "lang": "en",
        "step": "2-answer",
        "done": "decay-1",
        "present": "1",
        "lock": "base",
        "hide": "reach",
        "embed": "true",
        "gap": "7",
        "ask": "Why?",
    }
    assert client.get(path("decay", {"base": "500000"} | more)).content == plain
    assert notices_of_links.KNOWN == KNOWN


@pytest.mark.parametrize("step", ["1", "1-question"])
def test_while_a_question_is_open_nothing_is_said_that_it_hides(client: TestClient, step: str) -> None:
    told = read(client.get(path("start", {"position": "5"})).content)
    shown = read(client.get(path("start", {"position": "5", "step": step})).content)
    assert told["sentences"]
    assert not shown["sentences"]
    assert "pair 0<br>" in as_text(told)
    assert "pair 0<br>" not in as_text(shown)
    assert (
        client.get(path("start", {"position": "5", "step": step, "pin": "start:position=9"})).content
        == client.get(path("start", {"position": "5", "step": step})).content
    )
    assert as_text(read(client.get(path("start", {"position": "5", "step": "1-answer"})).content)) == as_text(told)


def test_a_drag_that_leaves_another_number_no_room_shows_it_at_its_bound_as_a_run_does(client: TestClient) -> None:
    dragged = client.get(path("pair", {"pair": "63", "head_dim": "56"}))
    assert dragged.content == client.get(path("pair", {"pair": "27", "head_dim": "56"})).content
    at = open_page("pair", pair="63", head_dim="56")
    assert as_text(read(dragged.content)) == as_text(message(at)["view"])
    assert notices(at) == ["Pair i must be a whole number from 0 to 27, got `63`; using 27."]


def test_of_a_name_that_is_given_twice_the_last_value_counts(client: TestClient) -> None:
    assert client.get("/view/decay?base=7&base=500000").content == client.get("/view/decay?base=500000").content


def test_a_config_may_come_as_the_body_of_a_post(client: TestClient) -> None:
    view = {"models_way": "own", "lang": "ja"}
    by_address = client.get(path("models", {**view, "models_config": CONFIG}))
    by_body = client.post(path("models", view), content=CONFIG)
    assert by_body.status_code == by_address.status_code == 200
    assert by_body.content == by_address.content != client.get(path("models", view)).content
    assert client.post(path("models", view), content="").content == client.get(path("models", view)).content


def test_the_route_stands_under_the_base_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert view_path() == "/view"
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/lab/rope/"}.get)
    assert view_path() == "/lab/rope/view"


# What is refused.

REFUSED = [
    ("decay", {"base": "-1"}),
    ("decay", {"base": "nan"}),
    ("decay", {"head_dim": "127"}),
    ("decay", {"decay_view": "none"}),
    ("decay", {"scaling": '{"rope_type":"none"}'}),
    ("decay", {"scaling": "{" * 99}),
    ("decay", {"q_head": "1, x", "vectors": "typed"}),
    ("models", {"models_names": "nobody"}),
    ("models", {"models_config": "{}"}),
    ("models", {"models_config": "[" * 999}),
    ("models", {"models_layer": "-1"}),
    ("start", {"pin": "start:position=-5"}),
    ("start", {"pin": "start:nothing=1"}),
    ("start", {"pin": "nowhere"}),
    ("start", {"basis": "5"}),
    ("start", {"<script>": "`x`"}),
    ("start", {"lang": "xx"}),
    ("start", {"step": "6"}),
    ("start", {"step": "1-answered"}),
    ("glossary", {"step": "1"}),
]


@pytest.mark.parametrize(("page", "query"), REFUSED, ids=lambda part: part if isinstance(part, str) else urlencode(part)[:40])
def test_what_a_link_may_not_say_is_refused_in_the_words_that_the_page_has_for_it(
    client: TestClient, page: str, query: dict[str, str]
) -> None:
    said = set()
    for lang in CATALOGUES:
        asked = {"lang": lang} | query
        said.add(line := sentence(client, page, asked))
        assert line in notices(open_page(page, "", **asked))
    assert len(said) == (1 if "lang" in query else len(CATALOGUES))


def test_the_first_of_several_problems_is_named(client: TestClient) -> None:
    assert "Base" in sentence(client, "decay", {"base": "-1", "reach": "-1", "pin": "nowhere"})


@pytest.mark.parametrize("lang", CATALOGUES)
def test_what_the_core_refuses_is_said_in_the_language_asked_for(client: TestClient, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    template = "{field} must be a positive even integer, got {value!r}"

    def refuse(_: Question) -> bytes:
        raise RopeConfigError(template, field="head_dim", value=7)

    monkeypatch.setattr(views, "answer", refuse)
    assert sentence(client, "start", {"lang": lang}) == CATALOGUES[lang].gettext(template).format(field="head_dim", value=7)


def test_pages_that_are_not_there_are_not_found(client: TestClient) -> None:
    for page in ("nowhere", "Start", "..", "start.py", "%00", "%ff", "x" * 999):
        assert client.get(f"/view/{page}?base=-1").status_code == 404
    for lang, catalogue in CATALOGUES.items():
        assert client.get(f"/view/nowhere?lang={lang}").text == catalogue.gettext("There is no such page.") + "\n"
    assert client.post("/view/nowhere", content=b"x").status_code == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
def test_other_methods_are_not_allowed(client: TestClient, method: str) -> None:
    assert client.request(method, "/view/start").status_code == 405


def test_an_address_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.get("/view/glossary?term=" + "x" * (LONGEST - 5)).status_code == 200
    for lang, catalogue in CATALOGUES.items():
        refused = client.get(f"/view/glossary?lang={lang}&term=" + "x" * LONGEST)
        assert refused.status_code == 400
        assert refused.text == catalogue.gettext("An address may have at most {most} characters.").format(most="16,384") + "\n"


@pytest.mark.parametrize("body", [b" " * (LARGEST + 1), b"\xff\xfe{}", CONFIG.encode("utf-16")])
def test_a_body_that_is_too_large_or_no_text_is_refused(client: TestClient, body: bytes) -> None:
    refused = client.post("/view/models", content=body)
    assert (refused.status_code, refused.text) == (400, "A config may have at most 1,000,000 bytes of UTF-8 text.\n")


@pytest.mark.parametrize(
    "body",
    [
        *(b"null", b"[]", b'"x"', b"1e999", b"{", b"\x00", b"[" * LARGEST, b'{"a":' * 9999),
        *(b'{"head_dim": %d}' % number for number in (0, -2, 10**400, 2**63)),
        b'{"head_dim": ' + b"9" * 99_999 + b"}",
        b'{"head_dim": 64, "rope_theta": 1e400, "max_position_embeddings": NaN}',
        b'{"head_dim": "\\ud800", "\\ud800": {}}',
        json.dumps({"head_dim": 64, "layer_types": ["x"] * 90_000}).encode(),
        json.dumps({f"key{number}": number for number in range(50_000)}).encode(),
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_hostile_config_is_refused_with_a_sentence(client: TestClient, body: bytes) -> None:
    refused = client.post("/view/models", content=body)
    assert refused.status_code == 400
    assert refused.text.startswith("Your own config: ")
    assert refused.text.count("\n") == 1
    assert len(refused.text) < 400


def asgi(messages: Callable[[], Message | Awaitable[Message]], method: str = "GET", url: str = "/view/models", query: str = "") -> int:
    """Return the status with which the route answers a browser that sends these messages."""
    sent: list[Message] = []

    async def receive() -> Message:
        message = messages()
        return await message if isinstance(message, Awaitable) else message

    async def send(part: Message) -> None:
        sent.append(part)

    scope = {"type": "http", "method": method, "path": url, "query_string": query.encode(), "headers": []}
    asyncio.run(Starlette(routes=[view_route()])(scope, receive, send))
    return int(sent[0]["status"])


def test_no_more_of_a_body_is_read_than_a_config_may_have() -> None:
    parts = 0

    def more() -> Message:
        nonlocal parts
        parts += 1
        assert parts < 50
        return {"type": "http.request", "body": b" " * 100_000, "more_body": True}

    assert asgi(more, "POST") == 400
    assert parts == 11


# What nobody waits for.


def test_a_request_that_nobody_waits_for_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Question) -> bytes:
        raise AssertionError("it was computed")

    monkeypatch.setattr(views, "answer", refuse)
    assert asgi(lambda: {"type": "http.disconnect"}) == 499
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    assert asgi(lambda: next(parts), "POST") == 499


def test_large_counts_let_small_ones_pass(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LONGEST", 0.01)
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def slow(question: Question) -> bytes:
        if question.settings.page == "decay":
            begun.release()
            go_on.wait()
        return answer(question)

    monkeypatch.setattr(views, "answer", slow)
    with ThreadPoolExecutor(46) as crowd:
        large = [crowd.submit(client.get, f"/view/decay?base={base}") for base in range(1000, 1045)]
        try:
            assert all(begun.acquire(timeout=60) for _ in large)
            assert crowd.submit(client.get, "/view/start").result(60).status_code == 200
            assert not any(each.done() for each in large)
        finally:
            go_on.set()
        assert [each.result().status_code for each in large] == [200] * len(large)


def test_a_long_count_is_dropped_when_its_browser_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, left, seen = threading.Event(), threading.Event(), []

    def count(_: Question) -> bytes:
        begun.set()
        left.wait(30)
        while ASKER.get().waits():
            time.sleep(0.001)
        seen.append(ASKER.get().waits())
        raise Dropped

    async def leave() -> Message:
        if begun.is_set():
            left.set()
            return {"type": "http.disconnect"}
        await asyncio.sleep(0.001)
        return {"type": "http.request", "body": b""}

    monkeypatch.setattr(views, "answer", count)
    assert asgi(leave) == 503
    assert seen == [False]


def test_where_many_wait_a_long_count_is_refused_with_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "WAITING", 0)
    STORE.clear()
    got = client.get("/view/bases?bases_view=heat&head_dim=90&lang=zh-CN")
    assert got.status_code == 503
    assert got.text == "等待中的长时间计算太多，请一分钟后再试。\n"
    assert client.get("/view/start?m=77").status_code == 200


# What is kept.


def test_the_tag_tells_languages_pages_values_and_pins_apart(client: TestClient) -> None:
    pin = {"pin": "decay:base=777"}
    queries = [
        {},
        {"base": "500000"},
        {"base": "500001"},
        pin,
        pin | {"base": "500000"},
        {"pin": "decay:base=778"},
        {"reach": "3000"},
    ]
    asked = [path("decay", query | {"lang": lang}) for query in queries for lang in CATALOGUES]
    asked += [path(page, {"lang": lang}) for page in PAGES if page != "decay" for lang in CATALOGUES]
    tags = [client.get(each).headers["etag"] for each in asked]
    assert len(set(tags)) == len(tags)
    assert [client.get(each).headers["etag"] for each in asked] == tags


def test_a_browser_that_has_an_answer_is_told_so_and_one_that_has_another_gets_it(client: TestClient) -> None:
    first, other = client.get("/view/start"), client.get("/view/start?lang=ja")
    again = client.get("/view/start", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    changed = client.get("/view/start", headers={"If-None-Match": other.headers["etag"]})
    assert (changed.status_code, changed.content) == (200, first.content)
    assert first.headers["cache-control"] == again.headers["cache-control"] == "private, no-cache"


def test_what_a_drag_sees_coarsely_a_run_shows_with_every_digit(client: TestClient) -> None:
    large = settings_of("attention", tokens_seen=96, alike="random")
    while_dragged = client.get(path("attention", large.write())).content
    at_rest = answer(Question(large, None, "en", coarse=False))
    assert client.get(path("attention", large.write())).content == while_dragged
    assert len(while_dragged) < 0.5 * len(at_rest)


def test_what_is_kept_is_not_computed_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/view/decay?base=777").content
    monkeypatch.setattr(views, "answer", None)
    assert client.get("/view/decay?base=777&lang=en").content == first


def test_answers_are_kept_within_a_bound_that_counts_long_configs(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    small: cachetools.LRUCache[Question, Any] = cachetools.LRUCache(150_000, getsizeof=answers._KEPT.getsizeof)
    monkeypatch.setattr(answers, "_KEPT", small)
    for position in range(30):
        assert client.get(f"/view/start?position={position}").status_code == 200
        assert sum(len(kept.data) for kept in small.values()) <= small.currsize <= 150_000
    assert 1 < len(small) < 30
    before = set(small)
    assert client.post("/view/models", content=CONFIG + " " * 200_000).status_code == 200
    assert set(small) == before, "a config of 200,000 bytes is kept among 150,000"
    assert answers._KEPT.maxsize < answers.MOST


def test_languages_asked_for_at_once_never_mix(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_KEPT", cachetools.LRUCache(1, getsizeof=answers._KEPT.getsizeof))  # everything is computed
    asked = [path(page, {"lang": lang}) for page in ("start", "pair", "bases", "glossary") for lang in CATALOGUES]
    asked += [path("start", {"lang": lang, "position": "-1"}) for lang in CATALOGUES]
    alone = {each: client.get(each).content for each in asked}
    assert len(set(alone.values())) == len(asked)
    crowded = random.Random(0).sample(asked * 4, len(asked) * 4)
    with ThreadPoolExecutor(8) as crowd:
        assert [got.content for got in crowd.map(client.get, crowded)] == [alone[each] for each in crowded]


# What strangers may do.


def test_the_route_has_the_headers_and_the_host_check_of_every_answer(client: TestClient) -> None:
    for asked, status in (("/view/start", 200), ("/view/start?base=-1", 400), ("/view/nowhere", 404)):
        got = client.get(asked)
        assert got.status_code == status
        assert "default-src 'none'" in got.headers["content-security-policy"]
        assert got.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in got.headers
    foreign = client.get("/view/start", headers={"Host": "evil.example"})
    assert foreign.status_code == 400
    assert len(foreign.content) < 100


def test_the_route_writes_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(file: Any, mode: str = "r", *more: Any, _open: Any = builtins.open, **options: Any) -> Any:
        assert not set(mode) & set("wax+"), f"{file} is written to"
        return _open(file, mode, *more, **options)

    monkeypatch.setattr(builtins, "open", read_only)
    monkeypatch.setattr(Path, "open", None)
    for page in PAGES:
        assert client.get(f"/view/{page}").status_code == 200
    assert client.post("/view/models", content=CONFIG).status_code == 200
    assert not st.runtime.exists()


ODD = ["1e308", "-1e308", "1e999", "9" * 400, "-0", "0x10", "1_0", "١٢", "½", "∞", "nan", "infinity", "1e-320", "+", "", "a=b=c", "=&=&;"]
BROKEN = ["%", "%zz", "%ED%A0%80", "%ff%fe", "%00", "&&&", quote("\u202e\ufeff<script>alert(1)</script>"), quote("`**_[x](y)_**`")]


def hostile_method(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return "{" * rng.randrange(1, 2000) + rng.choice(["", "}" * 9, '"rope_type"'])
    kind, factor = rng.choice(["yarn", "linear", "longrope", "none", {}, [], None, 7]), rng.choice([4, 1e308, -1, "4", [4], 10**300])
    return json.dumps({"rope_type": kind, "factor": factor, "attention_factor": 10.0 ** rng.randrange(-300, 300)})


def hostile(rng: random.Random) -> tuple[str, str]:
    """Return a page and a query that no control writes."""
    page = rng.choice([*PAGES, *PAGES, *PAGES, "nowhere", "%2e%2e", "a%00b"])
    names = sorted(KNOWN) + ["lang", "pin", "pin", "scaling", "models_config", "base", "reach"] * 4
    letters = [*range(1, 32), *range(0x20, 0x3000, 7), *range(0xE000, 0x11000, 99)]
    texts: list[Callable[[], str]] = [
        lambda: rng.choice(ODD),
        lambda: rng.choice(BROKEN),
        lambda: quote(rng.randbytes(rng.randrange(1, 40))),
        lambda: quote(hostile_method(rng)),
        lambda: quote("".join(map(chr, rng.choices(letters, k=20)))),
        lambda: f"{page}:{quote(urlencode({rng.choice(names): rng.choice(['1', '-1', 'x' * 3000, chr(0)])}))}",
    ]
    parts = [f"{rng.choice(names)}={rng.choice(texts)()}" for _ in range(rng.choice([1, 1, 1, 2, 5, 40]))]
    if rng.random() < 0.2:
        parts.append(rng.choice(texts)() + "=" + rng.choice(texts)())
    return page, "&".join(parts)


def test_hostile_queries_get_an_answer_or_one_sentence(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(11)
    seen: dict[int, int] = {}
    for _ in range(500):
        page, query = hostile(rng)
        got = client.get(f"/view/{page}?{query}")
        seen[got.status_code] = seen.get(got.status_code, 0) + 1
        if got.status_code == 200:
            assert not {"NaN", "Infinity"} & set(got.text[:100_000].replace(",", " ").split()), query
        else:
            assert got.status_code == (404 if page not in PAGES else 400), query
            assert got.text.count("\n") == 1, query
            assert got.text.endswith("\n")
            assert len(got.text) < 600, query
            assert not any(not (c.isprintable() or c == "\n") for c in got.text), query
    assert caplog.messages == [] or {record.name.split(".")[0] for record in caplog.records} <= {"httpx2", "httpx"}
    assert min(seen[status] for status in (200, 400, 404)) > 20, seen


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("views") / "log.txt") as running:
        yield running


def test_a_served_app_answers_hostile_requests_with_a_line_in_its_log_at_most(server: Server) -> None:
    rng, before = random.Random(12), len(server.log.read_text().splitlines())
    for _ in range(60):
        page, query = hostile(rng)
        status, _, _ = ask(server, f"/view/{page}?{query}".encode("ascii", "ignore").decode().replace(" ", ""))
        assert status in (200, 400, 404, 414, 431)
    for raw in (b"GET /view/start?\xff\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /view/" + b"x" * 99_999 + b" HTTP/1.1\r\n\r\n"):
        assert b" 200 " not in say(server, raw, 0.5)[:20]
    half = b"POST /view/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{"
    say(server, half, 0.1)
    assert ask(server, "/view/start")[0] == 200
    assert len(server.log.read_text().splitlines()) - before <= 64


def test_a_served_app_compresses_answers_and_knows_them_again_either_way(server: Server) -> None:
    _, plain_headers, plain = ask(server, "/view/frequencies?freq_view=laws")
    status, headers, packed = ask(server, "/view/frequencies?freq_view=laws", Accept_Encoding="gzip")
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    assert "accept-encoding" in headers["Vary"].lower()
    assert gzip.decompress(packed) == plain
    assert len(packed) < 0.6 * len(plain)
    assert headers["ETag"] == plain_headers["ETag"]
    for encoding in ("gzip", "identity"):
        again = ask(server, "/view/frequencies?freq_view=laws", Accept_Encoding=encoding, If_None_Match=headers["ETag"])
        assert (again[0], again[2]) == (304, b"")
    status, head, body = ask(server, "/view/frequencies?freq_view=laws", "HEAD")
    assert (status, body, head["ETag"], head["Content-Length"]) == (200, b"", headers["ETag"], str(len(plain)))
    for method in ("PUT", "DELETE"):
        assert ask(server, "/view/start", method, Content_Length="0")[0] == 405
