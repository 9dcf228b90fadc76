// SPDX-License-Identifier: Apache-2.0
import "./style.css";
import { App } from "./app";
import { h } from "./dom";
import { readModel } from "./record";

let app: App | null = null;

function empty(title: string, text: string): void {
  (document.getElementById("app") as HTMLElement).replaceChildren(h("main", { class: "empty" }, h("h1", {}, title), h("p", {}, text)));
}

// The lab shows one record after the other in the same page.
function show(record: unknown): void {
  app?.close();
  app = null;
  try {
    const model = readModel(record as Parameters<typeof readModel>[0]);
    document.title = `${model.kernel} · kernelc explore`;
    (document.getElementById("app") as HTMLElement).replaceChildren();
    app = new App(model);
    (window as unknown as { app: App }).app = app;
  } catch (error) {
    empty("The record cannot be shown", error instanceof Error ? error.message : String(error));
  }
}

const text = document.getElementById("record")?.textContent ?? "";
(window as unknown as { show: typeof show }).show = show;
if (text.trim().startsWith("{")) show(JSON.parse(text));
else empty("No record", "This page shows the record of one launch, which kernelc explore writes into it.");
