# SPDX-License-Identifier: MIT OR Apache-2.0
"""Looks at the site of `lichen doc` in a real browser, as a reader with a phone or a desktop does.

    browser.py CHROMIUM SITE SCREENSHOTS

Opens pages as files, without a network, in light and dark; searches, follows what is found, and
writes a picture of each page. Prints every fault; exits with 1 if there is one.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, TimeoutError, sync_playwright

SCREENS = {"phone": (390, 844), "desktop": (1280, 800)}
SCHEMES = ("light", "dark")
PAGES = {
    "start": "index.html",
    "guide": "doc/guide/2-a-program-of-your-own.html",
    "table": "doc/guide/8-which-kind-of-work.html",
    "picture": "README.html",
    "topic": "reference/topic-time.html",
    "header": "reference/timer.html",
    "types": "reference/thread.html",
    "spec": "doc/spec/scenario.html",
}
# Of the contrast between text and background: what WCAG asks of text of common size.
CONTRAST = 4.5

# Of each text that is seen: its contrast with the nearest background behind it, if that is too low.
FAINT = """(least) => {
    const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const parse = (text) => (text.match(/[0-9.]+/g) || [0, 0, 0, 0]).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const color = parse(getComputedStyle(node).backgroundColor);
            if (color.length === 3 || color[3] > 0.5) return color;
        }
        return [255, 255, 255];
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const node = walker.currentNode.parentElement;
        const seen = node.checkVisibility({visibilityProperty: true, opacityProperty: true});
        if (!text || !seen) continue;
        if (node.closest('script, style, noscript, .headerlink, .visually-hidden')) continue;
        const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < least) faint.push(`${text.slice(0, 40)} (${contrast.toFixed(1)})`);
    }
    return faint;
}"""

# What is wider than the window, without a bar of its own to scroll with.
WIDE = """() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('article *')];
    return [`the page is ${document.documentElement.scrollWidth} wide`].concat(
        wide.filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 3).map((node) => node.outerHTML.slice(0, 80)));
}"""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Whether a node is in the window.
IN_WINDOW = """(node) => {
    const {top, height} = node.getBoundingClientRect();
    return height > 0 && top >= 0 && top < innerHeight;
}"""


class Reader:
    """A browser's window, and what is wrong in it."""

    def __init__(self, browser, site: Path, screenshots: Path, screen: str, scheme: str):
        width, height = SCREENS[screen]
        self.site, self.screenshots = site, screenshots
        self.name = f"{screen}-{scheme}"
        self.faults: list[str] = []
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            has_touch=screen == "phone",
            reduced_motion="reduce",
        )
        self.page: Page = context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", self.said)
        self.page.on("pageerror", lambda error: self.fault(f"script: {error}"))
        self.page.on("request", self.requested)

    def fault(self, text: str) -> None:
        self.faults.append(f"{self.name}: {self.page.url.rsplit('/html/')[-1]}: {text}")

    def said(self, message) -> None:
        if message.type in ("error", "warning"):
            self.fault(f"console: {message.text}")

    def requested(self, request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.fault(f"asks the network for {request.url}")

    def open(self, place: str) -> None:
        self.page.goto((self.site / place).as_uri())

    def look(self, name: str) -> None:
        """Examines the page that is shown, and takes a picture of it."""
        for fault in self.page.evaluate(WIDE):
            self.fault(f"overflows: {fault}")
        for fault in self.page.evaluate(FAINT, CONTRAST)[:3]:
            self.fault(f"faint: {fault}")
        for picture in self.page.locator("article img").all():
            if not picture.evaluate("(image) => image.naturalWidth > 0"):
                self.fault(f"no picture: {picture.get_attribute('src')}")
        # What scrolling has moved is drawn in the next frame.
        self.page.evaluate(TWO_FRAMES)
        self.page.screenshot(path=self.screenshots / f"{name}-{self.name}.png")

    def background(self) -> int:
        """How light the page is, 0 to 255."""
        color = self.page.evaluate("getComputedStyle(document.body).backgroundColor")
        digits = color[color.index("(") + 1 : color.index(")")].split(",")
        return sum(int(part) for part in digits[:3]) // 3

    def search(self, word: str, place: str) -> None:
        """Searches as a reader does, from the start page, and follows the first result."""
        self.open("index.html")
        field = self.page.locator("input[name=q]").first
        if not field.is_visible():
            self.page.locator("label[for=__navigation]:visible").first.click()
        field.fill(word)
        field.press("Enter")
        found = self.page.locator("ul.search").get_by_role("link", name=word, exact=True).first
        try:
            found.wait_for()
        except TimeoutError:
            return self.fault(f"the search does not find {word}")
        self.look(f"search-{word}")
        found.click()
        self.page.wait_for_url(f"**/{place}**")
        anchor = self.page.locator(f"[id='c.{word}'], [id$='.{word}']").first
        try:
            self.page.wait_for_function(IN_WINDOW, arg=anchor.element_handle(), timeout=5_000)
        except TimeoutError:
            self.fault(f"{word} is not in the window")
        return self.look(f"found-{word}")


def examine(reader: Reader, scheme: str) -> None:
    for name, place in PAGES.items():
        reader.open(place)
        reader.look(name)
    if (reader.background() > 127) != (scheme == "light"):
        reader.fault(f"a {scheme} page has the background {reader.background()}")
    reader.search("sleep_ms", "reference/time.html")
    reader.search("THREAD", "reference/thread.html")
    reader.search("ERR_TIMEOUT", "reference/error.html")


def main() -> int:
    chromium, site, screenshots = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    screenshots.mkdir(parents=True, exist_ok=True)
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for screen in SCREENS:
            for scheme in SCHEMES:
                reader = Reader(browser, site, screenshots, screen, scheme)
                examine(reader, scheme)
                faults += reader.faults
        browser.close()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
