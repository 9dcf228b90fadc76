// SPDX-License-Identifier: Apache-2.0
// What the lab opens with: an example or the state of a link, and its launch, which is asked for before the page is there
// to show it.
import { type LabState, type PaneState, fromFragment } from "./link";
import { launchOf } from "./launch";
import { type Answer, type Parameter, Service } from "./service";

export interface Example {
  name: string;
  about: string;
  file: string;
  source: string;
  global: number[];
  local: number[];
  args: string[];
}

// A record that has been asked for, by the text of the request.
export interface FirstLaunch {
  request: string;
  answer: Promise<Answer | null>;
}

// What the first script of the lab leaves to the page.
export interface Early {
  examples: Example[];
  state: LabState;
  checker: Service;
  runner: Service;
  first: FirstLaunch;
}

export const mostSteps = 200_000_000;
const checkSeconds = 10;
const launchSeconds = 10;

const plain = (): PaneState => ({ warp: 32, optimisation: 2, meld: "cost", restructure: "auto", source: null, view: "#view=lanes&alone=true" });

const firstKernel = (source: string): string => source.match(/kernel\s+void\s+(\w+)/)?.[1] ?? "";

// The launch that an example comes with.
export function launchIn(example: Example): Pick<LabState, "file" | "kernel" | "global" | "local" | "args"> {
  const name = firstKernel(example.source);
  const args = Object.fromEntries(example.args.map((argument) => {
    const equals = argument.indexOf("=");
    return [`${name}.${argument.slice(0, equals)}`, argument.slice(equals + 1)];
  }));
  return { file: example.file.slice(example.file.lastIndexOf("/") + 1), kernel: "", global: example.global.join(","), local: example.local.join(","), args };
}

// What the compiler is asked of a pane, without the launch.
export const paneRequest = (state: LabState, { source, warp, optimisation, meld, restructure }: PaneState): object =>
  ({ source: source ?? state.source, file: state.file, warp, optimisation, meld, restructure, max_steps: mostSteps });

// The launch that the form will ask for, as far as an example or a link says; if the form says something else, that counts.
function firstLaunch(runner: Service, state: LabState): FirstLaunch {
  const name = state.kernel || firstKernel(state.source);
  const params = Object.keys(state.args).filter((key) => key.startsWith(`${name}.`)).map((key): Parameter => ({ name: key.slice(name.length + 1), type: "", size: 0 }));
  const launch = launchOf({ name, params }, state.global, state.local, (parameter) => state.args[`${name}.${parameter}`] ?? "");
  const request = { ...paneRequest(state, state.panes[0] as PaneState), ...(typeof launch === "string" ? { kernel: name, do: "stages" } : { ...launch, do: "record" }) };
  return { request: JSON.stringify(request), answer: runner.ask(request) };
}

// The worker that launches has been opened already; the one that checks is opened when it is asked.
export async function begin(module: Promise<WebAssembly.Module>, gallery: Promise<Response>, runs: Worker): Promise<Early> {
  const checker = new Service(module, () => checkSeconds);
  const runner = new Service(module, () => launchSeconds, runs);
  const examples = (await (await gallery).json()) as Example[];
  const example = examples[0] as Example;
  const state = (await fromFragment(location.hash)) ?? { v: 1, source: example.source, ...launchIn(example), panes: [plain()] };
  return { examples, state, checker, runner, first: firstLaunch(runner, state) };
}
