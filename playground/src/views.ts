// Visible parts of the page: two columns on a wide screen, one part at a time on a narrow one.

const NARROW = matchMedia("(max-width: 60rem)");
const PARTS = ["scenario", "sliders", "report", "packets"] as const;

/** A part of the page. */
export type Part = (typeof PARTS)[number];

/** The tabs that select a part. */
export class Views {
  private part: Part = "report";

  constructor(private readonly changed: (part: Part) => void) {
    for (const part of PARTS) {
      const tab = this.tab(part);
      tab.addEventListener("click", () => this.show(part));
      tab.addEventListener("keydown", (event) => this.key(event, part));
    }
    NARROW.addEventListener("change", () => this.show(this.part));
    this.show(this.part);
  }

  /** The part shown besides those that are always visible. */
  get current(): Part {
    return this.part;
  }

  /** Shows a part of the page. */
  show(part: Part): void {
    const pair: Part[] = ["scenario", "sliders"];
    // A wide screen always shows both.
    this.part = !NARROW.matches && pair.includes(part) ? "report" : part;
    document.body.dataset["part"] = this.part;
    for (const one of PARTS) {
      const selected = one === this.part;
      this.tab(one).setAttribute("aria-selected", String(selected));
      this.tab(one).tabIndex = selected ? 0 : -1;
    }
    this.changed(this.part);
  }

  private key(event: KeyboardEvent, part: Part): void {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const seen = PARTS.filter((one) => this.tab(one).offsetParent !== null);
    const next = seen[(seen.indexOf(part) + by + seen.length) % seen.length]!;
    this.show(next);
    this.tab(next).focus();
    event.preventDefault();
  }

  private tab(part: Part): HTMLElement {
    return document.getElementById(`tab-${part}`)!;
  }
}
