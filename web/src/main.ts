// SPDX-License-Identifier: Apache-2.0
import "./style.css";
import { App } from "./app";
import { h } from "./dom";
import { readModel } from "./record";

function start(): void {
  const place = document.getElementById("app") as HTMLElement;
  const text = document.getElementById("record")?.textContent ?? "";
  if (!text.trim().startsWith("{")) {
    place.append(h("main", { class: "empty" }, h("h1", {}, "No record"), h("p", {}, "This page shows the record of one launch, which kernelc explore writes into it.")));
    return;
  }
  try {
    const model = readModel(JSON.parse(text));
    document.title = `${model.kernel} · kernelc explore`;
    (window as unknown as { app: App }).app = new App(model);
  } catch (error) {
    place.replaceChildren(h("main", { class: "empty" }, h("h1", {}, "The record cannot be shown"), h("p", {}, error instanceof Error ? error.message : String(error))));
  }
}

start();
