// SPDX-License-Identifier: Apache-2.0
// What a student has done, kept in this browser, and a pass as text for the fragment of the address.
import { packed, unpacked } from "../lab/link";

export interface LabProgress {
  source?: string;
  points?: number;  // the most that a grading gave
  of?: number;
}

const key = "kernelc.labs";

// A browser may refuse to store: then everything works but for that.
export function loadProgress(): Record<string, LabProgress> {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    const good: Record<string, LabProgress> = {};
    if (typeof all !== "object" || all === null) return good;
    for (const [lab, one] of Object.entries(all as Record<string, unknown>)) {
      const { source, points, of } = (one ?? {}) as LabProgress;
      good[lab] = { ...(typeof source === "string" ? { source } : {}), ...(typeof points === "number" && typeof of === "number" ? { points, of } : {}) };
    }
    return good;
  } catch {
    return {};
  }
}

export function storeProgress(all: Record<string, LabProgress>): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

export interface Place {
  lab: string;             // its folder
  source: string | null;   // null: the link names only the lab
}

export async function toFragment(place: Place): Promise<string> {
  return `#lab=${place.lab}${place.source === null ? "" : `&pass=${await packed(place.source)}`}`;
}

// Null: the fragment names no lab. A pass that is damaged is left out.
export async function fromFragment(fragment: string): Promise<Place | null> {
  const match = fragment.match(/^#lab=([\w-]+)(?:&pass=([\w-]+))?$/);
  if (!match) return null;
  return { lab: match[1] as string, source: match[2] === undefined ? null : await unpacked(match[2]) };
}
