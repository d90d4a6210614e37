// Curves of one run on a canvas over a window of time: packets sent and queued, and losses.

import type { Point, Row } from "./answers";

/** A dropped or lost packet. */
export type Loss = Pick<Row, "time_s" | "what">;

interface Curve {
  name: string;
  colour: string;
  dash: number[];
  of(point: Point): number | null;
}

const UPPER: Curve[] = [
  { name: "cwnd", colour: "--c0", dash: [], of: (point) => point.cwnd },
  { name: "in flight", colour: "--c1", dash: [6, 3], of: (point) => point.in_flight },
  { name: "ssthresh (packets)", colour: "--c2", dash: [2, 3], of: (point) => point.ssthresh },
];
const PACED: Curve[] = [
  { name: "rate (Mb/s)", colour: "--c0", dash: [], of: (point) => (point.rate_bps ?? 0) / 1e6 },
];
const LOWER: Curve[] = [
  { name: "queue (packets)", colour: "--c3", dash: [], of: (point) => point.waiting },
];

const LEFT = 46;
const RIGHT = 10;

/** Draws both diagrams, from `from` to `to` in seconds. */
export function plot(canvas: HTMLCanvasElement, points: Point[], losses: Loss[], from: number, to: number): void {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!context || width === 0 || height === 0) return;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  const seen = points.slice(firstAt(points, from), firstAt(points, to) + 1);
  const paced = points.at(-1)?.cwnd === null;
  const split = Math.round(height * 0.62);
  const now = points.at(-1)?.time_s ?? 0;
  const x = (time: number) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  diagram(context, paced ? PACED : UPPER, seen, { x, top: 26, bottom: split - 14, width, now });
  diagram(context, LOWER, seen, { x, top: split + 26, bottom: height - 24, width, now });
  times(context, from, to, x, height);
  marks(context, losses.filter((loss) => loss.time_s >= from && loss.time_s <= to), x, split);
}

interface Frame {
  x(time: number): number;
  top: number;
  bottom: number;
  width: number;
  now: number;
}

function diagram(context: CanvasRenderingContext2D, curves: Curve[], points: Point[], frame: Frame): void {
  const { x, top, bottom, width, now } = frame;
  // ssthresh may be far above the others, so it has no influence on the scale.
  const scaled = curves.slice(0, 2);
  const highest = points.reduce((most, point) => Math.max(most, ...scaled.map((curve) => curve.of(point) ?? 0)), 1);
  const y = (value: number) => bottom - (value / (highest * 1.08)) * (bottom - top);
  context.strokeStyle = ink("--line");
  context.fillStyle = ink("--soft");
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of ticks(highest, 4)) {
    context.beginPath();
    context.moveTo(LEFT, y(tick));
    context.lineTo(width - RIGHT, y(tick));
    context.stroke();
    context.fillText(String(tick), LEFT - 6, y(tick));
  }
  let label = LEFT;
  context.textAlign = "left";
  context.save();
  for (const curve of curves) {
    context.strokeStyle = ink(curve.colour);
    context.lineWidth = 1.75;
    context.setLineDash(curve.dash);
    context.beginPath();
    context.moveTo(label, top - 14);
    context.lineTo(label + 22, top - 14);
    context.stroke();
    context.fillStyle = ink("--fg");
    context.fillText(curve.name, label + 27, top - 14);
    label += 44 + context.measureText(curve.name).width;
  }
  context.beginPath();
  context.rect(LEFT, top - 4, width - LEFT - RIGHT, bottom - top + 5);
  context.clip();
  for (const curve of curves) {
    context.strokeStyle = ink(curve.colour);
    context.setLineDash(curve.dash);
    context.beginPath();
    let before: number | undefined;
    for (const point of points) {
      const value = curve.of(point);
      if (value === null) continue;
      if (before === undefined) context.moveTo(x(point.time_s), y(value));
      else {
        // A value holds until the next event.
        context.lineTo(x(point.time_s), y(before));
        context.lineTo(x(point.time_s), y(value));
      }
      before = value;
    }
    if (before !== undefined) context.lineTo(x(now), y(before));
    context.stroke();
  }
  context.restore();
}

function times(context: CanvasRenderingContext2D, from: number, to: number, x: (time: number) => number, height: number): void {
  context.fillStyle = ink("--soft");
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  const step = ticks(to - from, 6)[1] ?? 1;
  for (let n = Math.ceil(from / step); n * step <= to; n++) {
    context.fillText(`${Number((n * step).toPrecision(6))} s`, Math.min(x(n * step), x(to) - 14), height - 6);
  }
}

function marks(context: CanvasRenderingContext2D, losses: Loss[], x: (time: number) => number, bottom: number): void {
  context.strokeStyle = ink("--bad");
  context.lineWidth = 2;
  for (const loss of losses) {
    const at = x(loss.time_s);
    const y = bottom - 4;
    context.beginPath();
    if (loss.what === "lost") {
      context.moveTo(at - 4, y - 4);
      context.lineTo(at + 4, y + 4);
      context.moveTo(at + 4, y - 4);
      context.lineTo(at - 4, y + 4);
    } else {
      context.moveTo(at - 5, y - 4);
      context.lineTo(at + 5, y - 4);
      context.lineTo(at, y + 4);
      context.closePath();
    }
    context.stroke();
  }
}

/** Round numbers from 0 up to a value. */
export function ticks(highest: number, count: number): number[] {
  const rough = highest / count;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, n) => Number((n * step).toPrecision(6)));
}

/** Index of the last point before a time, otherwise 0. */
function firstAt(points: Point[], time: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.time_s < time) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function ink(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
