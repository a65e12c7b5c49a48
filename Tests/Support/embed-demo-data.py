#!/usr/bin/env python3
"""Writes the files of demo-data as Swift source, so that the program carries them.

    Tests/Support/embed-demo-data.py > Sources/migration-inspector/DemoFiles.swift

Run it whenever a file in demo-data has changed; a test compares the two.
"""

import base64
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def literal(text):
    """Returns a string literal that stands for the text, with the indentation of an argument."""
    hashes = "#"
    while '"""' + hashes in text or "\\" + hashes in text:
        hashes += "#"
    lines = [("            " + line).rstrip(" ") if line == "" else "            " + line for line in text.split("\n")]
    return f'{hashes}"""\n' + "\n".join(lines) + f'\n            """{hashes}'


def is_plain(data):
    """Whether the data is text that a literal shows as it is."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return re.search(r"[^\n\x20-\x7e\u00a1-\u1fff\u2010-\u2027\u2030-\uffef]", text) is None


def entry(path):
    data = path.read_bytes()
    name = path.relative_to(ROOT / "demo-data").as_posix()
    if is_plain(data):
        return f'        DemoData.File("{name}", text: {literal(data.decode())}),'
    encoded = base64.b64encode(data).decode()
    return f'        DemoData.File("{name}", base64: "{encoded}"),'


files = sorted(path for path in (ROOT / "demo-data").rglob("*") if path.is_file())
print("// swift-format-ignore-file")
print("// Made by Tests/Support/embed-demo-data.py from the files of demo-data.")
print("import MigrationInspector")
print()
print("extension DemoData {")
print("    /// The files of demo-data.")
print("    static let demoFiles = DemoData(files: [")
for path in files:
    print(entry(path))
print("    ])")
print("}")
