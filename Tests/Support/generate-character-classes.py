#!/usr/bin/env python3
"""Writes Sources/DisplayText/CharacterClassTable.swift to standard output.

    pip install wcwidth
    python3 Tests/Support/generate-character-classes.py > Sources/DisplayText/CharacterClassTable.swift

The classes come from the Unicode Character Database that this python carries (categories and East Asian width).
wcwidth's tables, which follow the newest Unicode, say where terminals of different age disagree: such a character is
shown as an escape, unless a whole script could not be read then.
"""
import unicodedata

from wcwidth import wcwidth

ESCAPED, COMBINING, NARROW, WIDE = range(4)

# Default_Ignorable_Code_Point (DerivedCoreProperties.txt) beyond category Cf: nothing of them can be seen.
INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}
INVISIBLE.update(range(0xE0000, 0xE1000))

# The vowels and final consonants of Hangul, which join the consonant before them.
HANGUL_JOINED = {*range(0x1160, 0x1200), *range(0xD7B0, 0xD800)}

# Their two halves make a flag in some terminals and stay two letters in others.
REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)

# Signs that stood alone for a column or two, depending on the terminal, until Unicode 16 made them wide.
HEXAGRAMS = range(0x4DC0, 0x4E00)


def character_class(code: int) -> int:
    character = chr(code)
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or code in INVISIBLE or code in REGIONAL_INDICATORS:
        return ESCAPED
    if category in ("Mn", "Me") or code in HANGUL_JOINED:
        return COMBINING
    wide = unicodedata.east_asian_width(character) in "WF" or code in HEXAGRAMS
    # Spacing marks (Mc) take a column in most terminals and none in some; without them no Indic text can be read.
    if category != "Mc" and wcwidth(character) != (2 if wide else 1):
        return ESCAPED
    return WIDE if wide else NARROW


def main() -> None:
    runs = []
    for code in range(0x110000):
        new = character_class(code)
        if not runs or runs[-1][1] != new:
            runs.append((code, new))
    print("// Written by Tests/Support/generate-character-classes.py. Do not edit.")
    print()
    print(f"/// The classes of all characters of Unicode {unicodedata.unidata_version}, in runs: each entry is the first character of a")
    print("/// run, shifted left by two bits, and the run's ``CharacterClass`` in those bits.")
    print("let characterClassTable: [UInt32] = [")
    for start in range(0, len(runs), 12):
        print("    " + ", ".join(f"0x{code << 2 | kind:X}" for code, kind in runs[start:start + 12]) + ",")
    print("]")


if __name__ == "__main__":
    main()
