#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""marks.py RESULT.json...: the results of kernelc grade --json as CSV, best first."""
import csv
import json
import sys


def main(paths):
    if not paths:
        sys.exit("marks.py: error: name the files that kernelc grade --json wrote")
    rows = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
            rows.append(
                (
                    result["submission"],
                    result["lab"],
                    float(result["points"]),
                    result["of"],
                    sum(test["result"] == "pass" for test in result["tests"]),
                    len(result["tests"]),
                )
            )
        except OSError as error:
            sys.exit(f"marks.py: error: cannot read '{path}': {error.strerror}")
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"marks.py: error: '{path}' is no result of kernelc grade --json: {error}")
    rows.sort(key=lambda row: (row[1], -row[2], row[0]))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("submission", "lab", "points", "of", "tests passed", "tests"))
    out.writerows((*row[:2], f"{row[2]:g}", *row[3:]) for row in rows)


main(sys.argv[1:])
