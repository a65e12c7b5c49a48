"""Makes demo-data/store-of-books.sqlite: books as SwiftData stores them, with metadata of every version and every kind of failure.

    python3 Tests/DocumentSourcesTests/Support/make-book-store.py demo-data/store-of-books.sqlite

The tables are those that Core Data, on which SwiftData stands, makes for one model named Book, as far as they matter here: Z_PK names
the row, Z_ENT the entity, Z_OPT counts the changes, and dates are seconds since 2001. The file it makes is the same every time.
"""

import os
import plistlib
import sqlite3
import sys
from datetime import datetime

BOOKS = [
    # Version 1: no key createdAt.
    ("The Moonstone", b'{"active":true}'),
    ("Middlemarch", b'{"active":false}'),
    ("Cranford", b'{ "active" : true }'),
    # Version 2: the key is there, and may be null.
    ("Bleak House", b'{"active":true,"createdAt":123456.75}'),
    ("Villette", b'{"active":false,"createdAt":null}'),
    ("Emma", b'{"createdAt":694224000,"active":true}'),
    # A binary property list in place of JSON, with a date of its own kind.
    ("Persuasion", plistlib.dumps({"active": True, "createdAt": datetime(2024, 1, 31)}, fmt=plistlib.FMT_BINARY)),
    # What the app has never heard of.
    ("Shirley", b'{"active":true,"createdAt":123456.75,"shelf":"B2"}'),
    # What goes wrong.
    ("Evelina", b'{"active":"yes"}'),
    ("Belinda", b'{"active":true,"createdAt":"2024-01-31"}'),
    ("Pamela", b'{"createdAt":123456.75}'),
    ("Clarissa", b'{"active":null}'),
    ("Cecilia", b'{"active":true,"createdAt":12'),
    ("Ormond", b"{'active':true}"),
    ("Waverley", b'[true]'),
    # Empty cells are no documents.
    ("Rasselas", b""),
    ("Vathek", None),
]


def make(path):
    if os.path.exists(path):
        os.remove(path)
    store = sqlite3.connect(path, isolation_level=None)
    store.executescript(
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZADDED TIMESTAMP, ZNAME VARCHAR,
                            ZMETA BLOB);
        CREATE INDEX Z_Book_byName ON ZBOOK (ZNAME COLLATE BINARY ASC);
        BEGIN;
        """
    )
    metadata = {"NSPersistenceFrameworkVersion": 1522, "NSStoreType": "SQLite"}
    store.execute(
        "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
        ("6F2A1C0E-3B7D-4E58-9A41-0C5D8E7F1B26", plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)),
    )
    store.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Book', 0, ?)", (len(BOOKS),))
    for number, (name, meta) in enumerate(BOOKS, start=1):
        store.execute("INSERT INTO ZBOOK VALUES (?, 1, 1, ?, ?, ?)", (number, 700000000.0 + number, name, meta))
    store.execute("COMMIT")
    store.close()


make(sys.argv[1])
