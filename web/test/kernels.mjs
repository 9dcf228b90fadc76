// SPDX-License-Identifier: Apache-2.0
// The launches that tests and pictures use.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const kernels = [
  { name: "scanner", file: "examples/scanner/scanner.cl", launch: ["--global", "128", "--arg", "text=@TEXT", "--arg", "stride=64", "--arg", "out=i32[512]"] },
  {
    name: "mandelbrot", file: "examples/mandelbrot/mandelbrot.cl",
    launch: ["--global", "16,8", "--arg", "out=u32[128]", "--arg", "width=16", "--arg", "left=-2.25f", "--arg", "top=-1.152f", "--arg", "step=0.2f", "--arg", "limit=32"],
  },
  { name: "bitonic", file: "bench/melding/kernels/bitonic.cl", launch: ["--global", "128", "--local", "64", "--arg", "data=i32[128]:rand(1,0,100000)"] },
  { name: "exceptions", file: "examples/exceptions/exceptions.cl", launch: ["--global", "64", "--arg", "in=f32[64]:rand(3,-1000,900000)", "--arg", "out=f32[64]", "--arg", "limit=20"] },
];

export function browserPath() {
  return [process.env.CHROME, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
}

// Chromium as root and without a network.
export const browserFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// In the folder, where the command runs: the page shows the launch as it was typed.
function text(root, folder) {
  const name = "scanner.txt";
  if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), execFileSync(join(root, "examples/scanner/make_text.sh")));
  return name;
}

export function pageOf(kernelc, root, folder, kernel) {
  const launch = kernel.launch.map((word) => (word.includes("@TEXT") ? word.replace("TEXT", text(root, folder)) : word));
  const file = join(root, kernel.file);
  const page = join(folder, `${kernel.name}.html`);
  execFileSync(kernelc, ["explore", file, ...launch, "-o", page], { cwd: folder });
  const stats = JSON.parse(execFileSync(kernelc, ["stats", file, ...launch, "--json"], { cwd: folder }));
  return { name: kernel.name, page, stats };
}
