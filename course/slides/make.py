#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make.py [--kernelc FILE] [--out FILE.html]: the slides, as one HTML file that loads nothing.

deck.md is Markdown of pandoc; a heading begins a slide. Two kinds of blocks are filled in:

    ```run lines=12 keep=^ipdom          runs the command in the root of the project and shows it with its output:
    kernelc stats ...                    the first so many lines, of those that match; width=80: so much of each;
                                         small: a smaller font
    ```

    ```dot                               draws the graph that the command writes
    kernelc ... --emit=dot
    ```

Needs pandoc, and dot of graphviz. A command that cannot be run, or that writes nothing, ends this with status 1.
"""
import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BLOCK = re.compile(r"^```(run|dot)( [^\n]*)?\n(.*?)^```$", re.M | re.S)


def run(command, folder, kernelc):
    path = os.path.dirname(os.path.abspath(kernelc)) + os.pathsep + os.environ["PATH"]
    ran = subprocess.run(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, timeout=120, env={**os.environ, "PATH": path, "OUT": folder})
    if not ran.stdout.strip() or ran.returncode not in (0, 1, 5, 6):
        sys.exit(f"make.py: error: status {ran.returncode} of: {command}\n{ran.stdout.decode()}")
    return ran.stdout.decode()


def shown(command, options, folder, kernelc):
    lines = run(command, folder, kernelc).rstrip("\n").split("\n")
    keep = re.search(r"keep=(\S+)", options)
    if keep:
        lines = [line for line in lines if re.search(keep[1], line)]
        if not lines:
            sys.exit(f"make.py: error: no line matches {keep[1]} of: {command}")
    width = int((re.search(r"width=(\d+)", options) or [0, 0])[1])
    if width:
        lines = [line if len(line) <= width else line[:width].rstrip()
                 for line in lines]
    most = int((re.search(r"lines=(\d+)", options) or [0, 12])[1])
    if len(lines) > most:
        lines = lines[:most] + ["..."]
    first, *rest = command.strip().split("\n")
    typed = "\n".join([f"<b>$ {html.escape(first)}</b>"] + [f"<b>{html.escape(line)}</b>" for line in rest])
    kind = ' class="small"' if "small" in options else ""
    return f"<pre{kind}>{typed}\n{html.escape(chr(10).join(lines))}</pre>"


def drawn(command, number, folder, kernelc):
    picture = os.path.join(folder, f"graph{number}.svg")
    style = ["-Nfontsize=11", "-Nmargin=0.08,0.04", "-Granksep=0.28", "-Efontsize=10", "-Nfontname=DejaVu Sans Mono"]
    subprocess.run(["dot", "-Tsvg", *style, "-o", picture], input=run(command, folder, kernelc).encode(), check=True)
    return f"![]({picture})"


def main():
    parser = argparse.ArgumentParser(prog="make.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    built = os.path.join(ROOT, "build", "release", "kernelc")
    installed = not os.path.isdir(os.path.join(ROOT, "build"))
    parser.add_argument("--kernelc", default=(shutil.which("kernelc") if installed else None) or built)
    parser.add_argument("--out", default="slides.html" if installed else os.path.join(ROOT, "build", "slides.html"))
    options = parser.parse_args()
    if not os.path.isdir(os.path.join(ROOT, "course", "teacher")):
        print("make.py: error: the slides show what the teacher's programs do: the package kernelc-course-teacher",
              file=sys.stderr)
        return 4
    for tool, package in (("pandoc", "pandoc"), ("dot", "graphviz")):
        if not shutil.which(tool):
            print(f"make.py: error: {tool} is absent: the package {package}", file=sys.stderr)
            return 4
    with open(os.path.join(HERE, "deck.md"), encoding="utf-8") as file:
        deck = file.read()
    with tempfile.TemporaryDirectory() as folder:
        count = 0

        def fill(match):
            nonlocal count
            kind, settings, command = match[1], match[2] or "", match[3].rstrip("\n")
            if kind == "run":
                return shown(command, settings, folder, options.kernelc)
            count += 1
            return drawn(command, count, folder, options.kernelc)

        source = os.path.join(folder, "deck.md")
        with open(source, "w", encoding="utf-8") as file:
            file.write(BLOCK.sub(fill, deck))
        made = os.path.join(folder, "deck.html")
        subprocess.run(["pandoc", "--from=markdown-smart", "--to=dzslides", "--standalone", "--self-contained",
                        "--slide-level=1", "--no-highlight", "--quiet", "--css", os.path.join(HERE, "slides.css"),
                        "--resource-path", f"{ROOT}:{folder}", "-o", made, source], check=True)
        with open(made, encoding="utf-8") as file:
            page = file.read()
    outside = re.findall(r"""(?:src|href)=["'](?!data:|#)[^"']+|url\(["']?(?!data:|#)[^)]+""", page)
    if outside:
        sys.exit(f"make.py: error: the page would load {outside[0]}")
    number = 0

    def numbered(match):
        nonlocal number
        number += 1
        return f'<section data-number="{number}"' + match[1]

    page = re.sub(r"<section((?: [^>]*)?>)", numbered, page)
    os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(page)
    print(f"{number} slides: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
