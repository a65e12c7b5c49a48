#!/usr/bin/env python3
"""Writes the ranges of Sources/DisplayText/WideCharacters.swift to standard output.

    python3 Tests/Support/generate-wide-characters.py > Sources/DisplayText/WideCharacters.swift
    swift format --in-place Sources/DisplayText/WideCharacters.swift

East Asian Width (W and F) and general categories come from the Unicode Character Database that this python carries.
Only characters that can be shown count: what lies between two wide characters and is never shown divides no range.
"""
import unicodedata

# Hexagrams stood alone for a column or two, depending on the terminal, until Unicode 16 made them wide.
HEXAGRAMS = range(0x4DC0, 0x4E00)

# Never shown, or without a column of their own.
OTHER = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me")
INVISIBLE = (0x115F, 0x1160, 0x3164, 0xFFA0, *range(0x1F1E6, 0x1F200))

ranges = []
is_open = False
for code in range(0x110000):
    character = chr(code)
    if unicodedata.category(character) in OTHER or code in INVISIBLE:
        continue
    if unicodedata.east_asian_width(character) in "WF" or code in HEXAGRAMS:
        if is_open:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
        is_open = True
    else:
        is_open = False

print("// Written by Tests/Support/generate-wide-characters.py. Do not edit.")
print()
print(f"/// The characters of Unicode {unicodedata.unidata_version} that take two columns, among those that can be shown.")
print("let wideCharacters: [ClosedRange<UInt32>] = [")
for start in range(0, len(ranges), 6):
    print("    " + " ".join(f"0x{low:X}...0x{high:X}," for low, high in ranges[start:start + 6]))
print("]")
