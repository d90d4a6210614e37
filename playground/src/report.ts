// The report in two frames, so that the old page stays until the new one is drawn.

/** The part of the page with the report. */
export class Report {
  private frames: HTMLIFrameElement[];
  private shown = 0;
  private turn = 0;
  /** Releases the caller that waits for a page replaced by a newer one. */
  private overtaken: () => void = () => {};

  constructor(parent: HTMLElement) {
    this.frames = [0, 1].map(() => {
      const frame = document.createElement("iframe");
      frame.title = "Report";
      hide(frame);
      parent.append(frame);
      return frame;
    });
  }

  /**
   * Shows a page once it is loaded, at the old one's scroll position. Gives the page's sentence on
   * the leader, if it has one.
   */
  async show(page: string): Promise<string> {
    const turn = ++this.turn;
    const old = this.frames[this.shown]!;
    const next = this.frames[1 - this.shown]!;
    this.overtaken();
    await new Promise<void>((resolve) => {
      this.overtaken = resolve;
      next.onload = () => resolve();
      next.srcdoc = page;
    });
    if (turn !== this.turn) return "";
    next.contentWindow?.scrollTo(0, old.contentWindow?.scrollY ?? 0);
    next.classList.remove("hidden");
    next.removeAttribute("tabindex");
    next.removeAttribute("aria-hidden");
    this.shown = 1 - this.shown;
    hide(old);
    return next.contentDocument?.querySelector(".headline")?.textContent ?? "";
  }
}

function hide(frame: HTMLIFrameElement): void {
  frame.classList.add("hidden");
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
}
