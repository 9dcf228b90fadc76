// SPDX-License-Identifier: Apache-2.0
// Fills for blocks and lines: eight colours that people with any colour vision tell apart, times four patterns.

const hues = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a900", "#8c7ae6"];

type Fill = string | CanvasPattern;

export class Paint {
  private readonly fills: Fill[] = [];

  fill(context: CanvasRenderingContext2D, index: number): Fill {
    const known = this.fills[index];
    if (known !== undefined) return known;
    const made = this.make(context, index);
    this.fills[index] = made;
    return made;
  }

  private make(context: CanvasRenderingContext2D, index: number): Fill {
    const hue = hues[index % hues.length] as string;
    const pattern = Math.floor(index / hues.length) % 4;
    if (pattern === 0) return hue;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const c = tile.getContext("2d");
    if (!c) return hue;
    c.fillStyle = hue;
    c.fillRect(0, 0, 6, 6);
    c.fillStyle = "rgb(255 255 255 / 62%)";
    if (pattern === 1) c.fillRect(0, 0, 6, 2);
    else if (pattern === 2) c.fillRect(0, 0, 2, 6);
    else {
      c.fillRect(0, 0, 3, 3);
      c.fillRect(3, 3, 3, 3);
    }
    return context.createPattern(tile, "repeat") ?? hue;
  }

  // The same as a picture for legends.
  static swatch(index: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = 22;
    canvas.height = 12;
    canvas.className = "swatch";
    canvas.style.backgroundColor = "transparent";
    const context = canvas.getContext("2d");
    if (context) {
      context.fillStyle = new Paint().fill(context, index);
      context.fillRect(0, 0, 22, 12);
    }
    return canvas;
  }
}

export const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A canvas as sharp as the screen; returns its size in CSS pixels.
export function fit(canvas: HTMLCanvasElement, height: number): { context: CanvasRenderingContext2D; width: number } | null {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  if (width === 0) return null;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) return null;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width };
}
