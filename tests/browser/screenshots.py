"""Take the two pictures of the README: ``python -m tests.browser.screenshots``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.stage import ROOT, Visitor, chromium, served

PICTURES = {
    "start": ("/?start_view=two&gap=5&lang=en", "light"),
    "decay": ("/decay?lang=zh-CN", "dark"),
}


def main() -> None:
    """Serve the app, and save a picture each in ``docs/screenshots``."""
    folder = ROOT / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as logs, served(Path(logs) / "log.txt") as server, chromium() as browser:
        for name, (link, scheme) in PICTURES.items():
            looks = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
            context = browser.new_context(viewport={"width": 1280, "height": 960}, **looks)
            visitor = Visitor(context, server.url)
            visitor.open(link)
            visitor.page.evaluate("document.fonts.ready")
            path = folder / f"{name}.png"
            visitor.page.screenshot(path=path, animations="disabled")
            context.close()
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
