// Sliders, each for one number of the text.

import type { Knob } from "./answers";

const STEPS = 300;

/** Position of a slider for a number. */
export function placeOfNumber(knob: Knob, number: number): number {
  if (number <= 0) return 0;
  const share = Math.log(number / knob.low) / Math.log(knob.high / knob.low);
  const place = Math.round(share * STEPS);
  return Math.min(STEPS, Math.max(knob.zero ? 1 : 0, place));
}

/** Text of the number at a position, with two or three figures. */
export function numberAt(knob: Knob, place: number): string {
  if (knob.zero && place <= 0) return "0";
  const number = knob.low * Math.pow(knob.high / knob.low, place / STEPS);
  if (knob.whole) return String(Math.max(1, Number(number.toPrecision(3)) | 0));
  const short = Number(number.toPrecision(2));
  const text = short < 1e-3 ? short.toExponential().replace("e-", "e-") : String(short);
  // Numbers with a unit are written without exponent.
  return knob.unit && text.includes("e") ? short.toFixed(8).replace(/0+$/, "") : text;
}

/** Label of a slider, such as `wifi loss` or `queue`. */
function nameOf(path: string): string {
  const parts = path.split(".");
  return (parts[0] === "vars" ? parts.slice(1) : parts.slice(1)).join(" ").replaceAll("_", " ");
}

/** All sliders of a text. */
export class Sliders {
  private knobs: Knob[] = [];
  private readonly rows = new Map<string, { input: HTMLInputElement; output: HTMLOutputElement }>();

  constructor(
    private readonly parent: HTMLElement,
    private readonly move: (knob: Knob, text: string) => void,
  ) {}

  /** Shows the sliders of a text. One being dragged keeps its position. */
  show(knobs: Knob[]): void {
    const same = knobs.length === this.knobs.length && knobs.every((knob, i) => knob.path === this.knobs[i]?.path);
    this.knobs = knobs;
    if (!same) this.build();
    for (const knob of knobs) {
      const row = this.rows.get(knob.path);
      if (!row) continue;
      row.output.textContent = `${knob.number}${knob.unit}`;
      row.input.setAttribute("aria-valuetext", `${knob.number}${knob.unit}`);
      if (row.input.dataset["held"] !== "true") row.input.valueAsNumber = placeOfNumber(knob, knob.number);
    }
  }

  private build(): void {
    this.rows.clear();
    this.parent.replaceChildren();
    if (this.knobs.length === 0) {
      const none = document.createElement("p");
      none.className = "soft";
      none.textContent = "Numbers of [vars], networks and links get sliders.";
      this.parent.append(none);
    }
    // The range stays that of the text when the sliders were made, so that it does not move while
    // dragging.
    for (const first of this.knobs) {
      const label = document.createElement("label");
      const name = document.createElement("span");
      name.textContent = nameOf(first.path);
      name.title = first.path;
      const input = document.createElement("input");
      Object.assign(input, { type: "range", min: "0", max: String(STEPS), step: "1" });
      const output = document.createElement("output");
      label.append(name, input, output);
      this.parent.append(label);
      this.rows.set(first.path, { input, output });
      const hold = (held: boolean) => () => (input.dataset["held"] = String(held));
      input.addEventListener("pointerdown", hold(true));
      for (const event of ["pointerup", "pointercancel", "blur", "keyup"]) input.addEventListener(event, hold(false));
      input.addEventListener("input", () => {
        const knob = this.knobs.find((knob) => knob.path === first.path);
        if (!knob) return;
        const number = numberAt(first, input.valueAsNumber);
        if (Number(number) === knob.number) return;
        const text = knob.quoted ? `"${number}${knob.unit}"` : number;
        this.shift(knob, text);
        this.move(knob, text);
      });
    }
  }

  /**
   * After a change at one slider, moves the places of those behind it until the text is read again.
   */
  private shift(moved: Knob, text: string): void {
    const by = text.length - (moved.to - moved.from);
    const end = moved.to;
    this.knobs = this.knobs.map((knob) => {
      if (knob.path === moved.path) return { ...knob, to: knob.to + by, number: parseFloat(text.replace(/^"/, "")) };
      return knob.from >= end ? { ...knob, from: knob.from + by, to: knob.to + by } : knob;
    });
  }
}
