#!/usr/bin/env bash
# Installs what is missing, builds, and runs three kernels with hard control flow on every engine of this
# machine, each compared bit by bit with the interpreter.
set -euo pipefail
cd "$(dirname "$0")"
./install.sh
cmake --preset release >/dev/null
cmake --build --preset release --target kernelc
kernelc=$PWD/build/release/kernelc
mkdir -p out

mandelbrot=(examples/mandelbrot/mandelbrot.cl --arg "out=u32[393216]" --arg width=768
  --arg left=-2.25f --arg top=-1.152f --arg step=0.0045f --arg limit=256 --global 768,512)

echo
echo "== mandelbrot: a divergent loop with break, on the CPU; picture in out/mandelbrot.png"
"$kernelc" run "${mandelbrot[@]}" --threads 1 --repeat 5 --image out=out/mandelbrot.png:768x512:heat
echo
echo "== mandelbrot, smaller: every engine against the interpreter"
"$kernelc" check examples/mandelbrot/mandelbrot.cl --arg "out=u32[24576]" --arg width=192 \
  --arg left=-2.25f --arg top=-1.152f --arg step=0.018f --arg limit=256 --global 192,128 -ffp-contract=off

echo
echo "== scanner: states are labels, transitions are gotos, every work-item is in its own state"
examples/scanner/make_text.sh >out/scanner.txt
scanner=(examples/scanner/scanner.cl --global 1024 --arg "text=@out/scanner.txt" --arg stride=64 --arg "out=i32[4096]")
echo "first two lines: words, numbers, strings, position of an error"
"$kernelc" run "${scanner[@]}" --print "out[0:8]" | paste -d' ' - - - -
"$kernelc" check "${scanner[@]}"

echo
echo "== exceptions: some work-items throw; one value is caught, another ends its work-item"
exceptions=(examples/exceptions/exceptions.cl --global 1024 --arg "in=f32[1024]:rand(7,-100,400)"
  --arg "out=f32[1024]" --arg limit=12)
"$kernelc" check "${exceptions[@]}"
echo
echo "== exceptions: with numbers that throw a type no handler knows; exit status 5 and a report"
status=0
"$kernelc" check examples/exceptions/exceptions.cl --global 1024 --arg "in=f32[1024]:rand(3,-1000,1003000)" \
  --arg "out=f32[1024]" --arg limit=20 || status=$?
[[ $status -eq 5 ]] || { echo "demo.sh: expected exit status 5, got $status" >&2; exit 1; }
echo
echo "All engines agree."
