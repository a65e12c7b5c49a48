#!/usr/bin/env python3
"""Makes the pictures of the screen that the README shows: what the program draws in tmux, as SVG on black and on white.

    swift build && Tests/Support/make-pictures.py .build/debug/migration-inspector

Needs Python 3 and tmux, and nothing else. The colors of the program have enough contrast on both.
"""

import html
import os
import re
import subprocess
import sys
import tempfile
import time

COLUMNS, ROWS = 118, 24
CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.4, 18, 14, 14
THEMES = {"dark": ("#0d1117", "#d6dae0"), "light": ("#ffffff", "#24292f")}
BASE = ["#000000", "#cd3131", "#0dbc79", "#b58900", "#2472c8", "#bc3fbc", "#11a8cd", "#b0b0b0",
        "#666666", "#f14c4c", "#23d18b", "#c0a000", "#3b8eea", "#d670d6", "#29b8db", "#e5e5e5"]


def color(number):
    """A color of xterm's palette."""
    if number < 16:
        return BASE[number]
    if number < 232:
        steps = [0, 95, 135, 175, 215, 255]
        number -= 16
        return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    grey = 8 + 10 * (number - 232)
    return "#%02x%02x%02x" % (grey, grey, grey)


def capture(program, document, awaited):
    """The screen with its escape sequences, once all of `awaited` is on it."""
    with tempfile.TemporaryDirectory() as folder:
        tmux = ["tmux", "-S", os.path.join(folder, "socket"), "-f", "/dev/null"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        subprocess.run(
            tmux + ["new-session", "-d"] + size + [program, document] + [";", "set", "status", "off"], check=True,
            env=environment)
        subprocess.run(tmux + ["resize-window"] + size, check=True)
        try:
            for _ in range(200):
                text = subprocess.run(tmux + ["capture-pane", "-p"], check=True, capture_output=True, text=True).stdout
                if all(words in text for words in awaited):
                    break
                time.sleep(0.1)
            else:
                sys.exit("waited in vain for %s; this is there:\n%s" % (awaited, text))
            return subprocess.run(
                tmux + ["capture-pane", "-p", "-e", "-N"], check=True, capture_output=True, text=True).stdout
        finally:
            subprocess.run(tmux + ["kill-server"])


def runs(line):
    """The pieces of a line: text and what it looks like."""
    look = {}
    for part in re.split("(\x1b\\[[0-9;:]*m|\x1b\\([0B]|[\x0e\x0f])", line):
        match = re.fullmatch("\x1b\\[([0-9;:]*)m", part)
        if not match:
            if part and part[0] not in "\x1b\x0e\x0f":
                yield part, dict(look)
            continue
        numbers = [int(number or 0) for number in re.split("[;:]", match.group(1))]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                look = {}
            elif number in (1, 2, 4, 7):
                look[number] = True
            elif number in (22, 24, 27):
                for name in {22: (1, 2), 24: (4,), 27: (7,)}[number]:
                    look.pop(name, None)
            elif number in (38, 48) and numbers and numbers[0] == 5:
                look["text" if number == 38 else "ground"] = color(numbers[1])
                del numbers[:2]
            elif number in (39, 49):
                look.pop("text" if number == 39 else "ground", None)
            elif 30 <= number < 38 or 90 <= number < 98:
                look["text"] = color(number - 30 if number < 38 else number - 82)
            elif 40 <= number < 48 or 100 <= number < 108:
                look["ground"] = color(number - 40 if number < 48 else number - 92)


def svg(screen, theme):
    """The screen as a picture."""
    ground, plain = THEMES[theme]
    width, height = COLUMNS * CELL_WIDTH + 2 * MARGIN, ROWS * CELL_HEIGHT + 2 * MARGIN
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="%d">'
        % (width, height, width, height, FONT_SIZE),
        '<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % ground,
    ]
    for row, line in enumerate(screen.split("\n")[:ROWS]):
        column, y = 0, MARGIN + row * CELL_HEIGHT
        for text, look in runs(line):
            x, length = MARGIN + column * CELL_WIDTH, len(text) * CELL_WIDTH
            column += len(text)
            text_color, text_ground = look.get("text", plain), look.get("ground")
            if 7 in look:
                text_color, text_ground = text_ground or ground, text_color
            if text_ground:
                lines.append('<rect x="%g" y="%g" width="%g" height="%d" fill="%s"/>'
                             % (x, y, length, CELL_HEIGHT, text_ground))
            style = "".join([' font-weight="bold"' if 1 in look else "", ' opacity="0.6"' if 2 in look else "",
                             ' text-decoration="underline"' if 4 in look else ""])
            # Word by word, so that each stands in its place whatever the font.
            for word in re.finditer("[^ ]+", text):
                lines.append('<text x="%g" y="%g" textLength="%g" fill="%s"%s>%s</text>' % (
                    x + word.start() * CELL_WIDTH, y + CELL_HEIGHT - 5, len(word.group()) * CELL_WIDTH, text_color,
                    style, html.escape(word.group(), quote=False)))
    return "\n".join(lines + ["</svg>", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    screen = capture(
        os.path.abspath(sys.argv[1]), os.path.join(root, "demo-data", "poems"), ["rating-9.json ─", "proof: opens with 5", "of 7 problems"])
    folder = os.path.join(root, "Sources", "MigrationInspector", "MigrationInspector.docc", "Resources")
    os.makedirs(folder, exist_ok=True)
    for theme in THEMES:
        with open(os.path.join(folder, "screen-%s.svg" % theme), "w", encoding="utf-8") as file:
            file.write(svg(screen, theme))


main()
