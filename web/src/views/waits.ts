// SPDX-License-Identifier: Apache-2.0
// Where lanes wait: in words, and as a table of a whole launch.
import type { App } from "../app";
import { h, percent } from "../dom";
import type { Encounter, Trace } from "../model";

// What lanes wait for while others execute a block.
export const encounters: Record<Encounter, { short: string; long: string }> = {
  comes: { short: "reconverge there", long: "The executing lanes come to the block where the others wait: they reconverge there." },
  may: { short: "may reconverge", long: "Some path leads the executing lanes to the block where the others wait, another one past it." },
  turn: { short: "take turns", long: "The executing lanes do not come there: the two groups only take turns." },
};

// The relation of lanes that wait at a block to those that execute another one; undefined: the record does not say.
export const encounter = (trace: Trace, waiting: number, executing: number): Encounter | undefined =>
  trace.waits.find((at) => at.block === waiting)?.others.find((other) => other.block === executing)?.how;

const shown = 6;

// The places of a launch where most issue slots are lost to waiting.
export function waitTable(app: App, trace: Trace): HTMLElement | null {
  if (trace.waits.length === 0 && trace.ended === 0) return null;
  const total = app.model.costs.find((cost) => cost.scheme === trace.scheme)?.issued ?? 0;
  if (total === 0) return null;
  const most = Math.max(...trace.waits.map((at) => at.slots), trace.ended, 1);
  const share = (slots: number) => h("td", { class: "share" }, h("span", { class: "bar-of-share" }, h("span", { class: "meter" }, h("i", { class: "wasted", style: `width:${(100 * slots) / most}%` })), h("span", { class: "number" }, percent(slots, total))));
  const rows = trace.waits.slice(0, shown).map((at) =>
    h("tr", { "data-waits": trace.blocks[at.block]?.label ?? "" },
      h("td", {}, app.blockLink(trace.blocks[at.block])), share(at.slots),
      h("td", {}, h("div", { class: "whom" }, at.others.slice(0, 3).map((other) => [app.blockLink(trace.blocks[other.block], false), h("span", { class: "number" }, percent(other.slots, total)), h("span", { class: "how", title: encounters[other.how].long }, encounters[other.how].short)])))));
  const rest = trace.waits.slice(shown).reduce((sum, at) => sum + at.slots, 0);
  if (rest > 0) rows.push(h("tr", {}, h("td", {}, "elsewhere"), share(rest), h("td", {})));
  if (trace.ended > 0) rows.push(h("tr", { "data-waits": "" }, h("td", {}, "have ended"), share(trace.ended), h("td", { class: "quiet" }, "the warp runs until its last lane has")));
  return h("section", { class: "waits", "data-scheme": trace.scheme },
    h("h3", {}, `Where lanes wait under ${trace.scheme}`), h("p", { class: "quiet" }, "Share of all issue slots of the launch, and which blocks other lanes execute meanwhile."),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "before"), h("th", { scope: "col" }, "issue slots"), h("th", { scope: "col" }, "while others execute"))), h("tbody", {}, rows)));
}

// What waits at the block, and what waits while it executes: for the graph.
export function waitsOf(app: App, trace: Trace, label: string): HTMLElement | null {
  const total = app.model.costs.find((cost) => cost.scheme === trace.scheme)?.issued ?? 0;
  const name = (block: number) => app.blockLink(trace.blocks[block], false);
  const here = trace.waits.find((at) => trace.blocks[at.block]?.label === label);
  const meanwhile = trace.waits.flatMap((at) => at.others.filter((other) => trace.blocks[other.block]?.label === label).map((other) => ({ ...other, at: at.block })));
  if (total === 0 || (!here && meanwhile.length === 0)) return null;
  return h("div", { class: "waitsof" }, h("h3", {}, `Waiting lanes, under ${trace.scheme}`),
    here && h("p", {}, `Lanes wait here for ${percent(here.slots, total)} of all issue slots, while others execute:`),
    here && (["comes", "may", "turn"] as const).map((how) => {
      const others = here.others.filter((other) => other.how === how);
      return others.length > 0 && h("p", {}, others.map((other, n) => [n > 0 && ", ", name(other.block), ` ${percent(other.slots, total)}`]), h("br"), h("span", { class: "quiet" }, encounters[how].long));
    }),
    meanwhile.length > 0 && h("p", {}, "While lanes execute this block, others wait:"),
    meanwhile.length > 0 && h("ul", {}, meanwhile.sort((a, b) => b.slots - a.slots).slice(0, shown).map((other) => h("li", {}, "before ", name(other.at), ` ${percent(other.slots, total)} (${encounters[other.how].short})`))));
}
