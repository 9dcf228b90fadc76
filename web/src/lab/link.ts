// SPDX-License-Identifier: Apache-2.0
// The state of the lab as text for the fragment of the address: JSON, deflated, in the letters of base64url.

export interface PaneState {
  warp: number;
  optimisation: number;
  meld: string;
  restructure: string;
  source: string | null; // its own version; null: that of the editor
  view: string; // the fragment of the page inside
}
export interface LabState {
  v: 1;
  source: string;
  file: string;
  kernel: string;
  global: string;
  local: string;
  args: Record<string, string>; // by kernel and parameter: "scanner.text"
  panes: PaneState[];
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// Text, deflated, in the letters of base64url.
export async function packed(plain: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(plain), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Null: it is damaged.
export async function unpacked(letters: string): Promise<string | null> {
  try {
    const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(text, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    return new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

export async function toFragment(state: LabState): Promise<string> {
  return `#lab=${await packed(JSON.stringify(state))}`;
}

// Null: the fragment is not one of the lab, or it is damaged.
export async function fromFragment(fragment: string): Promise<LabState | null> {
  const match = fragment.match(/^#lab=([\w-]+)$/);
  if (!match) return null;
  try {
    const state = JSON.parse((await unpacked(match[1] as string)) ?? "") as LabState;
    const texts = [state.source, state.file, state.kernel, state.global, state.local, ...Object.values(state.args)];
    const good = state.v === 1 && texts.every((value) => typeof value === "string") && Array.isArray(state.panes) && state.panes.length >= 1 && state.panes.length <= 2 &&
      state.panes.every((pane) => typeof pane.warp === "number" && typeof pane.optimisation === "number" && typeof pane.view === "string" && (pane.source === null || typeof pane.source === "string"));
    return good ? state : null;
  } catch {
    return null;
  }
}
