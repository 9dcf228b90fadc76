#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The results of kernelc grade --json as CSV: the list of leaders, or what Moodle imports.

    marks.py RESULT.json...                          one line for each result, best first
    marks.py --moodle [--students FILE.csv] [--percent] RESULT.json...

--moodle writes a line for each student and a column for each lab, with the best of the student's results. A student is
the name of the submission without its folder and ending. --students names a file with two columns, that name and what
Moodle knows the student by; the second one's heading ("Email address", "ID number", "Username") is kept.
"""
import argparse
import csv
import json
import os
import sys


def read_result(path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    return {
        "submission": result["submission"],
        "lab": result["lab"],
        "points": float(result["points"]),
        "of": float(result["of"]),
        "passed": sum(test["result"] == "pass" for test in result["tests"]),
        "tests": len(result["tests"]),
    }


def read_students(path):
    """The heading of the second column, and for each name what stands there."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    if not rows or any(len(row) != 2 for row in rows):
        raise ValueError("expected two columns: the name of the submission, and the student")
    names = [row[0] for row in rows[1:]]
    if len(set(names)) != len(names):
        raise ValueError(f"'{next(n for n in names if names.count(n) > 1)}' stands there twice")
    return rows[0][1], dict(rows[1:])


def leaders(results):
    results.sort(key=lambda r: (r["lab"], -r["points"], r["submission"]))
    yield "submission", "lab", "points", "of", "tests passed", "tests"
    for r in results:
        yield r["submission"], r["lab"], f"{r['points']:g}", f"{r['of']:g}", r["passed"], r["tests"]


def moodle(results, heading, students, percent):
    labs = sorted({r["lab"] for r in results})
    best = {}
    for r in results:
        name = os.path.splitext(os.path.basename(r["submission"]))[0]
        if students is not None and name not in students:
            sys.exit(f"marks.py: error: no student is named for the submission '{r['submission']}'")
        mark = 100 * r["points"] / r["of"] if percent else r["points"]
        key = (name if students is None else students[name], r["lab"])
        best[key] = max(mark, best.get(key, 0))
    yield heading, *labs
    for student in sorted({student for student, _ in best}):
        yield student, *(f"{round(best[student, lab], 2):g}" if (student, lab) in best else "" for lab in labs)


def main():
    parser = argparse.ArgumentParser(prog="marks.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moodle", action="store_true", help="a line for each student, a column for each lab")
    parser.add_argument("--students", metavar="FILE.csv", help="what Moodle knows the students by")
    parser.add_argument("--percent", action="store_true", help="marks from 0 to 100 in place of points")
    parser.add_argument("results", nargs="+", metavar="RESULT.json", help="files that kernelc grade --json wrote")
    options = parser.parse_args()
    if not options.moodle and (options.students or options.percent):
        parser.error("--students and --percent belong to --moodle")
    results, heading, students = [], "Username", None
    for path in options.results:
        try:
            results.append(read_result(path))
        except OSError as error:
            sys.exit(f"marks.py: error: cannot read '{path}': {error.strerror}")
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"marks.py: error: '{path}' is no result of kernelc grade --json: {error}")
    if options.students:
        try:
            heading, students = read_students(options.students)
        except OSError as error:
            sys.exit(f"marks.py: error: cannot read '{options.students}': {error.strerror}")
        except ValueError as error:
            sys.exit(f"marks.py: error: {options.students}: {error}")
    rows = moodle(results, heading, students, options.percent) if options.moodle else leaders(results)
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
