"""The feedback page in a real browser: a student's text runs nothing, loads nothing, hides
nothing. The same payloads as they came do all three, which shows that the tests can fail."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.judging.verdict import Mismatch, Status, Verdict
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from tests.support.browser import CHROMIUM, NO_CHROMIUM, Page, browser, until
from tests.support.hostile_html import REFRESH, RUN, SVG, payloads
from tests.support.made_feedback import check

in_browser = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


@dataclass
class Listener:
    """A web server on this machine's loopback that remembers what it was asked for."""

    port: int
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def listener() -> Iterator[Listener]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    heard = Listener(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield heard
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser") / "one") as page:
        yield page


def opened(tab: Page, page: str, folder: Path) -> None:
    """Show a page, and give what is in it half a second after all is loaded."""
    file = folder / f"{len(list(folder.iterdir()))}.html"
    file.write_text(page, encoding="utf-8")
    tab.open(file.as_uri())
    tab.wait_for(f"location.href == '{file.as_uri()}' && document.readyState == 'complete'")
    tab.evaluate("new Promise(done => setTimeout(done, 500))")


# ---------------------------------------------------------------- the page


SPEC = Assignment.model_validate(
    {
        "format": 1,
        "id": "a1",
        "title": "First",
        "exercise": [
            {"id": "e", "title": "E", "defines": ["x"], "check": [check("c", public=True)]},
            {"id": "f", "title": "F", "defines": ["x"], "check": [check("c", public=True)]},
        ],
    }
)
TEXT_KINDS = (
    "text/html text/markdown text/latex text/plain image/svg+xml image/png application/javascript "
    "application/vnd.jupyter.widget-view+json"
).split()


def cells(evil: str) -> Iterator[dict[str, Any]]:
    """A payload wherever a notebook can hold one."""
    for source in (f"words\n\n{evil}\n\nmore", evil):
        yield {
            "cell_type": "markdown",
            "metadata": {},
            "source": source,
            "attachments": {"a.png": {"image/svg+xml": SVG}},
        }
    shown = [{kind: evil} for kind in TEXT_KINDS]
    shown += [{"image/png": SVG}, {"image/jpeg": '"><script>x</script>'}]
    yield {
        "cell_type": "code",
        "metadata": {"collapsed": evil, "tags": [evil], "ag": evil},
        "source": evil,
        "outputs": [
            {"output_type": "stream", "name": "stdout", "text": evil},
            {"output_type": "stream", "name": evil, "text": f"\x1b[31m{evil}\x1b]8;;x:y\x07"},
            {"output_type": "error", "ename": evil, "evalue": evil, "traceback": [evil]},
            {"output_type": evil, "data": {"text/html": evil}},
            *(
                {"output_type": "display_data", "data": data, "metadata": {"alt": evil}}
                for data in shown
            ),
        ],
        "execution_count": evil,
    }


def hostile_page(url: str) -> str:
    """A graded notebook with every payload in every place, a student's name among them."""
    every = [evil for several in payloads(url).values() for evil in several]
    every.append(REFRESH.replace("URL", url))
    joined = "".join(every)
    wrong = Mismatch(joined[:500], "value", joined, joined, (every[0], 1))
    failed = Verdict("e", "c", "value", True, Status.FAILED, 0, 1000, joined[:1_500], (wrong,))
    verdicts = [
        msgspec.structs.replace(failed, diagnosis=joined[500:1_500]),
        Verdict("f", "c", "value", True, Status.RAISED, 0, 1000, joined[1_500:3_000]),
    ]
    name = f"<script>{RUN}</script><img src={url}/name>\u202e\x1b[2J"
    hand_in = SubmittedFile(f'"><script>{RUN}</script>.ipynb', "0", tuple(every[:20]))
    grade = points(SPEC, hand_in, verdicts, None, student=name)
    made = [cell for evil in every for cell in cells(evil)]
    for number, cell in enumerate(made, 1):
        cell["metadata"]["ag_number"] = number
    notebook = {"cells": made, "metadata": {"title": every[0], "widgets": every}}
    return feedback_page(feedback(grade, SPEC), notebook, {"e": 3, "f": len(made)})


def raw_page(page: str, markup: str, *, policy: bool) -> str:
    """The same page with markup as it came in its first text cell; with its policy or without."""
    if not policy:
        page, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
        assert count == 1
    head, cell, rest = page.partition('<div class="cell words">')
    assert cell
    return head + cell + markup + rest


def ran(tab: Page) -> bool:
    """Whether a script of a student's ran."""
    found: bool = tab.evaluate("document.title == 'OWNED' || 'owned' in document.body.dataset")
    return found


MEASURE = """
(() => {
  const wrong = [];
  for (const one of document.querySelectorAll(
      ".score strong, .overview .mark, .panel .result, .panel .mark, .panel .points")) {
    one.scrollIntoView({block: "center"});
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (box.width < 8 || box.height < 8) wrong.push("small: " + one.textContent);
    else if (style.visibility != "visible" || style.opacity != "1") wrong.push("hidden");
    else if (!top || !(one.contains(top) || top.contains(one))) wrong.push("covered");
  }
  const inside = document.querySelectorAll(
    ".cell style, .cell [style], .cell [id], .cell .panel, .cell .mark, .cell iframe, " +
    ".cell form, .cell svg, .cell link, .cell meta, .cell base, .cell input, .cell object");
  const count = what => document.querySelectorAll(what).length;
  return {wrong, scripts: count("script"), inside: inside.length, panels: count(".panel"),
          sheets: document.styleSheets.length};
})()
"""


# ---------------------------------------------------------------- tests


@in_browser
def test_a_hostile_page_runs_nothing_asks_nobody_and_hides_covers_or_imitates_no_mark(
    tab: Page, listener: Listener, tmp_path: Path
) -> None:
    page = hostile_page(listener.url)
    assert "<script" not in page.lower() and 'http-equiv="refresh"' not in page.lower()
    opened(tab, page, tmp_path)
    assert not ran(tab) and "First: feedback for" in tab.evaluate("document.title")
    found = tab.evaluate(MEASURE)
    assert found == {"wrong": [], "scripts": 0, "inside": 0, "panels": 2, "sheets": 1}
    assert listener.asked == []


def test_the_policy_names_no_script_and_nothing_from_elsewhere() -> None:
    page = hostile_page("http://127.0.0.1:1")
    metas = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert len(metas) == 1
    assert page.index("Content-Security-Policy") < page.index("<title")
    rules = dict(rule.split(maxsplit=1) for rule in metas[0].split("; "))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    assert rules == {"img-src": "data:", "style-src": "'unsafe-inline'"}


@pytest.mark.slow
@in_browser
def test_the_same_payloads_as_they_came_do_run_load_hide_and_leave(
    tab: Page, listener: Listener, tmp_path: Path
) -> None:
    """Without our cleaning and our policy: so the test above can fail."""
    page, came = hostile_page(listener.url), payloads(listener.url)
    loads = "".join(came["loads"])
    raw = raw_page(page, loads + "".join(came["scripts"][:8]), policy=False)
    opened(tab, raw, tmp_path)
    assert ran(tab)
    wanted = {f"/{name}" for name in "img link css iframe script srcset poster object".split()}
    until(lambda: wanted <= {*listener.asked}, what=listener.asked, within=30)
    opened(tab, raw_page(page, loads, policy=True), tmp_path)
    assert tab.evaluate(MEASURE)["wrong"]
    leaves = tmp_path / "leaves.html"
    refresh = REFRESH.replace("URL", listener.url)
    leaves.write_text(raw_page(page, refresh, policy=False), encoding="utf-8")
    tab.open(leaves.as_uri())
    until(lambda: "/refresh" in listener.asked, what=listener.asked, within=30)


@pytest.mark.slow
@in_browser
def test_the_policy_alone_stops_what_the_cleaning_would_let_through(
    tab: Page, listener: Listener, tmp_path: Path
) -> None:
    came = payloads(listener.url)
    evil = "".join((*came["loads"], *came["scripts"], *came["forgeries"]))
    opened(tab, raw_page(hostile_page(listener.url), evil, policy=True), tmp_path)
    assert not ran(tab)
    assert listener.asked == []
