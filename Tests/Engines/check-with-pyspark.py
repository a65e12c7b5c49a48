#!/usr/bin/env python3
"""Checks JSON Lines with Spark: each partition goes through the program as a filter, and the reports are added up.

    pip install pyspark && apt-get install default-jre-headless
    Tests/Engines/check-with-pyspark.py .build/release/migration-inspector log.jsonl --results results

A line's name counts within its partition: its number there, behind `-#L`. With --compare one process checks the same
file, and the counts of both and their times are printed beside each other.
"""
import argparse
import json
import shlex
import subprocess
import sys
import time

from pyspark.sql import SparkSession


def is_summary(line):
    return line.startswith('{"summary"')


def merge(program, left, right):
    """One report of two, each a line of JSON."""
    run = subprocess.run(
        [program, "check", "--merge", "--format", "jsonl", "-"],
        input=f"{left}\n{right}\n",
        stdout=subprocess.PIPE,
        text=True,
    )
    if run.returncode > 1:
        raise RuntimeError(f"check --merge ended with {run.returncode}")
    return run.stdout.rstrip("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the path of migration-inspector, or of your own program")
    parser.add_argument("file", help="a file, a folder or a pattern of JSON Lines, as Spark takes it")
    parser.add_argument("--master", default="local[2]", help="where Spark runs (default: %(default)s)")
    parser.add_argument("--partitions", type=int, default=8, help="into how many parts the file is cut, at least")
    parser.add_argument("--results", help="a folder to write a result a line to")
    parser.add_argument("--compare", action="store_true", help="have one process check the file too")
    arguments = parser.parse_args()

    session = SparkSession.builder.master(arguments.master).appName("migration-inspector").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    start = time.monotonic()
    documents = session.sparkContext.textFile(arguments.file, arguments.partitions)
    # One document at a time for each core that Spark has.
    # Documents that fail are told in the report; a program that does not come to its end ends the job.
    command = '"$0" check --format jsonl --jobs 1 -; [ $? -le 1 ]'
    reports = documents.pipe(f"sh -c {shlex.quote(command)} {shlex.quote(arguments.program)}", checkCode=True)
    if arguments.results:
        reports = reports.cache()
        reports.filter(lambda line: not is_summary(line)).saveAsTextFile(arguments.results)
    program = arguments.program
    report = reports.filter(is_summary).reduce(lambda left, right: merge(program, left, right))
    seconds = time.monotonic() - start
    session.stop()

    summary = json.loads(report)["summary"]
    print(report)
    print(f"Spark ({arguments.master}): {seconds:.1f} s", file=sys.stderr)
    status = 0 if summary["documents"] == summary["current"] + summary["migrated"] else 1
    if not arguments.compare:
        return status
    start = time.monotonic()
    run = subprocess.run(
        [program, "check", "--format", "jsonl", arguments.file], stdout=subprocess.PIPE, text=True)
    whole = json.loads(run.stdout.rstrip("\n").rsplit("\n", 1)[-1])["summary"]
    print(f"one process: {time.monotonic() - start:.1f} s", file=sys.stderr)
    differing = {key: (summary[key], whole[key]) for key in summary if key != "causes" and summary[key] != whole[key]}
    if len(summary["causes"]) != len(whole["causes"]):
        differing["number of causes"] = (len(summary["causes"]), len(whole["causes"]))
    for cause, other in zip(summary["causes"], whole["causes"]):
        # Sources are named within their partitions.
        for key in cause:
            if key != "sources" and cause[key] != other[key]:
                differing[key] = (cause[key], other[key])
    print(f"differing: {differing}" if differing else "the counts and the causes are the same", file=sys.stderr)
    return 2 if differing else status


if __name__ == "__main__":
    sys.exit(main())
