// SPDX-License-Identifier: Apache-2.0
// A first guess at the arguments of a launch, from what the compiler says of the parameters.
import type { Kernel, Parameter } from "./service";

// "8,4" as numbers; null: it is not one to three whole numbers.
export function sizes(text: string): number[] | null {
  const parts = text.split(",").map((part) => part.trim());
  return parts.length <= 3 && parts.every((part) => /^\d{1,10}$/.test(part)) ? parts.map(Number) : null;
}

function elementType(parameter: Parameter): string {
  const element = parameter.element ?? "i8";
  if (element === "struct" || element === "void") return "u8";
  return parameter.unsigned ? element.replace(/^i/, "u") : element;
}

// What the parameter is, as the kernel language says it.
export function describe(parameter: Parameter): string {
  if (parameter.parts) return `${parameter.parts.length} numbers`;
  const space = parameter.type.match(/^ptr<(\w+)>$/)?.[1];
  if (space === undefined) return parameter.unsigned ? parameter.type.replace(/^i/, "u") : parameter.type;
  return `${space} ${parameter.const ? "const " : ""}${parameter.element === "struct" ? `struct of ${parameter.element_size} bytes` : elementType(parameter)}*`;
}

export function guess(parameter: Parameter, items: number, local: number): string {
  if (parameter.parts) return `(${parameter.parts.map((part) => (part.type.startsWith("f") ? "1.0f" : "1")).join(",")})`;
  const space = parameter.type.match(/^ptr<(\w+)>$/)?.[1];
  if (space === undefined) return parameter.type.startsWith("f") ? "1.0f" : parameter.type === "i1" ? "true" : "16";
  const count = (space === "local" ? local : items) * (parameter.element === "struct" ? (parameter.element_size ?? 1) : 1);
  const array = `${elementType(parameter)}[${count}]`;
  return space === "local" || !parameter.const ? array : `${array}:rand(1,0,100)`;
}

// The options of a request that the form gives; a text says what is wrong with it.
export function launchOf(kernel: Kernel, global: string, local: string, values: (parameter: string) => string): object | string {
  const size = sizes(global);
  if (!size) return "the number of work-items is one to three whole numbers: 64 or 16,8";
  const group = local.trim() === "" ? null : sizes(local);
  if (local.trim() !== "" && !group) return "the size of groups is empty or one to three whole numbers";
  return { kernel: kernel.name, global: size, ...(group ? { local: group } : {}), args: kernel.params.map((parameter) => `${parameter.name}=${values(parameter.name)}`) };
}
