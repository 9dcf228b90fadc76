// SPDX-License-Identifier: Apache-2.0
// The compiler's WebAssembly module: a request goes in, an answer comes out. It asks for little of WASI.

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  request(bytes: number): number;
  answer(): number;
  reply(): number;
}

// An exit, and what was written to standard error before.
export class Stopped extends Error {}

const badFile = 8, noSuchCall = 52;

export class Compiler {
  private instance: Exports | null = null;
  private said = "";

  constructor(private readonly module: WebAssembly.Module) {}

  // The text of the answer. After a fatal error the next request begins with a new instance.
  ask(request: string): string {
    this.said = "";
    try {
      const instance = (this.instance ??= this.start());
      const bytes = new TextEncoder().encode(request);
      const place = instance.request(bytes.length) >>> 0; // before the buffer is asked for: memory may grow
      new Uint8Array(instance.memory.buffer, place, bytes.length).set(bytes);
      const length = instance.answer() >>> 0;
      const answer = instance.reply() >>> 0;
      return new TextDecoder().decode(new Uint8Array(instance.memory.buffer, answer, length));
    } catch (error) {
      this.instance = null;
      const what = error instanceof Stopped ? "" : error instanceof RangeError ? "the stack is full" : error instanceof Error ? error.message : String(error);
      throw new Stopped([this.said.trim(), what].filter((text) => text !== "").join(": ") || "the compiler stopped");
    }
  }

  private start(): Exports {
    const wasi: Record<string, (...values: number[]) => number> = {
      // Bytes for standard output and standard error.
      fd_write: (_file = 0, list = 0, count = 0, written = 0) => {
        const view = new DataView(exports.memory.buffer);
        let bytes = 0;
        for (let n = 0; n < count; n++) {
          const at = view.getUint32(list + 8 * n, true);
          const size = view.getUint32(list + 8 * n + 4, true);
          this.said += new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
          bytes += size;
        }
        view.setUint32(written, bytes, true);
        return 0;
      },
      proc_exit: () => {
        throw new Stopped();
      },
      environ_sizes_get: (count = 0, size = 0) => {
        const view = new DataView(exports.memory.buffer);
        view.setUint32(count, 0, true);
        view.setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_prestat_get: () => badFile, // there are no folders
      clock_time_get: (_id = 0, _precision = 0, to = 0) => {
        new DataView(exports.memory.buffer).setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
    };
    const imports: Record<string, (...values: number[]) => number> = {};
    for (const { name } of WebAssembly.Module.imports(this.module)) imports[name] = wasi[name] ?? (() => noSuchCall);
    const exports = new WebAssembly.Instance(this.module, { wasi_snapshot_preview1: imports }).exports as unknown as Exports;
    exports._initialize();
    return exports;
  }
}
