// One run packet by packet: forwards, backwards, to the next loss, or continuously.

import type { Opened, PointView, Request, Row, View } from "./answers";
import { Desk, Ended } from "./desk";
import { element } from "./page";
import { plot, type Loss } from "./plot";

/** Limit on the points of the curves. */
const KEPT = 60_000;
/** Limit on the rows of the list. */
const ROWS = 40;

const SYMBOLS: Record<Row["what"], string> = { queued: "→", passed: "⇢", arrived: "✓", dropped: "▽", lost: "✕" };

/** The view of one watched run. */
export class Packets {
  private readonly desk: Desk;
  private request: Request | undefined;
  private opened: Opened | undefined;
  private stale = true;
  private visible = false;
  private view: View | undefined;
  private points: View["points"] = [];
  private losses: Loss[] = [];
  private playing = 0;
  private calls: Promise<void> = Promise.resolve();

  private readonly point = element("point", HTMLSelectElement);
  private readonly seed = element("seed", HTMLSelectElement);
  private readonly flow = element("flow", HTMLSelectElement);
  private readonly link = element("link", HTMLSelectElement);
  private readonly speed = element("speed", HTMLSelectElement);
  private readonly span = element("span", HTMLSelectElement);
  private readonly time = element("time", HTMLInputElement);
  private readonly play = element("play", HTMLButtonElement);
  private readonly canvas = element("curves", HTMLCanvasElement);

  constructor(compiled: Promise<WebAssembly.Module>, private readonly failed: (error: unknown) => void) {
    this.desk = new Desk(compiled);
    const again = () => this.begin();
    this.point.addEventListener("change", () => (this.fillFlows(), again()));
    this.flow.addEventListener("change", () => (this.fillLink(), again()));
    this.seed.addEventListener("change", again);
    this.link.addEventListener("change", again);
    this.span.addEventListener("change", () => this.draw());
    const act = (id: string, action: () => void) => element(id, HTMLButtonElement).addEventListener("click", action);
    act("restart", () => this.go("go_to", 0));
    act("back", () => this.go("back", 1));
    act("step", () => this.go("forwards", 1));
    act("next-loss", () => this.go("next_loss"));
    this.play.addEventListener("click", () => this.toggle());
    this.time.addEventListener("input", () => this.go("go_to", this.time.valueAsNumber));
    element("packets", HTMLElement).addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Notes that another scenario is open. */
  open(request: Request, opened: Opened): void {
    const before = { point: this.point.selectedIndex, seed: this.seed.value };
    this.request = request;
    this.opened = opened;
    this.stale = true;
    this.stop();
    const labels = opened.points.map((point, i) => point.label || `point ${i + 1}`);
    fill(this.point, labels, Math.max(0, before.point));
    fill(this.seed, opened.seeds.map(String), Math.max(0, opened.seeds.map(String).indexOf(before.seed)));
    this.fillFlows();
    if (this.visible) this.begin();
  }

  /** Notes whether the view is visible. */
  show(visible: boolean): void {
    this.visible = visible;
    if (!visible) this.stop();
    else if (this.stale) this.begin();
    else this.draw();
  }

  private get setup(): PointView | undefined {
    return this.opened?.points[Math.max(0, this.point.selectedIndex)];
  }

  private fillFlows(): void {
    const setup = this.setup;
    if (!setup) return;
    fill(this.flow, setup.flows, Math.max(0, this.flow.selectedIndex));
    fill(this.link, setup.links, 0);
    this.fillLink();
  }

  private fillLink(): void {
    this.link.selectedIndex = this.setup?.first_links[Math.max(0, this.flow.selectedIndex)] ?? 0;
  }

  /** Opens the chosen run at its start. */
  private begin(): void {
    this.stop();
    const { request, opened, setup } = this;
    if (!request || !opened || !setup) return;
    const args = [
      this.point.selectedIndex,
      BigInt(opened.seeds[this.seed.selectedIndex] ?? 1),
      this.flow.selectedIndex,
      this.link.selectedIndex,
    ];
    this.time.max = String(setup.duration_s);
    const fresh = this.stale;
    this.stale = false;
    this.queue(async () => {
      if (fresh) await this.desk.bytes("open", JSON.stringify(request));
      // This view says that earlier points are void.
      this.take(await this.desk.json<View>("watch", new Uint8Array(), ...args));
      this.take(await this.desk.json<View>("forwards", new Uint8Array(), 1));
    });
  }

  private go(name: "forwards" | "back" | "go_to" | "next_loss", ...args: number[]): void {
    this.stop();
    this.queue(async () => this.take(await this.desk.json<View>(name, new Uint8Array(), ...args)));
  }

  private queue(work: () => Promise<void>): void {
    this.calls = this.calls.then(work).catch((error: unknown) => {
      this.stale = true;
      if (!(error instanceof Ended)) this.failed(error);
    });
  }

  private toggle(): void {
    if (this.playing) return this.stop();
    if (this.view?.ended) this.go("go_to", 0);
    this.play.textContent = "Pause";
    this.play.setAttribute("aria-pressed", "true");
    const turn = performance.now();
    this.playing = turn;
    let last = turn;
    const frame = async (): Promise<void> => {
      if (this.playing !== turn) return;
      const now = performance.now();
      const seconds = ((now - last) / 1000) * Number(this.speed.value);
      last = now;
      const target = (this.view?.time_s ?? 0) + seconds;
      this.queue(async () => this.take(await this.desk.json<View>("go_to", new Uint8Array(), target)));
      await this.calls;
      if (this.view?.ended) this.stop();
      else requestAnimationFrame(() => void frame());
    };
    requestAnimationFrame(() => void frame());
  }

  private stop(): void {
    this.playing = 0;
    this.play.textContent = "Play";
    this.play.setAttribute("aria-pressed", "false");
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return;
    const space = event.key === " " && !(target instanceof HTMLButtonElement);
    if (event.key === "ArrowRight") this.go("forwards", event.shiftKey ? 10 : 1);
    else if (event.key === "ArrowLeft") this.go("back", event.shiftKey ? 10 : 1);
    else if (event.key === "n") this.go("next_loss");
    else if (event.key === "Home") this.go("go_to", 0);
    else if (event.key === "p" || space) this.toggle();
    else return;
    event.preventDefault();
  }

  private take(view: View): void {
    if (view.restarted) {
      this.points = [];
      this.losses = [];
    }
    // In one operation, since there may be many.
    this.points = this.points.concat(view.points);
    if (this.points.length > KEPT) this.points = this.points.filter((_, i) => i % 2 === 0);
    const last = this.losses.at(-1)?.time_s ?? -1;
    const gone = (row: Row) => (row.what === "lost" || row.what === "dropped") && row.time_s > last;
    this.losses.push(...view.recent.filter(gone));
    this.view = view;
    this.draw();
  }

  private draw(): void {
    const { view } = this;
    if (!view || !this.visible) return;
    const width = Number(this.span.value) || Math.max(view.time_s, 0.1);
    const to = Math.max(view.time_s, width);
    plot(this.canvas, [...this.points, view.now], this.losses, to - width, to);
    // For programs that drive the page.
    this.canvas.dataset["points"] = String(this.points.length);
    this.time.valueAsNumber = view.time_s;
    element("clock", HTMLOutputElement).textContent = `${view.time_s.toFixed(6)} s`;
    element("facts", HTMLElement).replaceChildren(...this.facts(view));
    element("boxes", HTMLElement).replaceChildren(...boxes(view));
    element("happenings", HTMLElement).replaceChildren(...this.rows(view));
  }

  private facts({ now, counts, steps }: View): HTMLElement[] {
    const known: [string, string][] = [["step", String(steps)]];
    if (now.cwnd !== null) known.push(["cwnd", now.cwnd.toFixed(2)]);
    if (now.ssthresh !== null) known.push(["ssthresh", now.ssthresh.toFixed(2)]);
    if (now.rate_bps !== null) known.push(["rate", `${(now.rate_bps / 1e6).toFixed(3)} Mb/s`]);
    known.push(["in flight", String(now.in_flight)]);
    if (now.srtt_s !== null) known.push(["SRTT", `${(now.srtt_s * 1e3).toFixed(1)} ms`]);
    known.push(["sent", `${counts.sent}${counts.again ? ` (${counts.again} again)` : ""}`]);
    known.push(["arrived", String(counts.arrived)], ["dropped", String(counts.dropped)], ["lost", String(counts.lost)]);
    return known.map(([name, value]) => {
      const item = document.createElement("div");
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = name;
      text.textContent = value;
      item.append(term, text);
      return item;
    });
  }

  private rows({ recent }: View): HTMLElement[] {
    const setup = this.setup;
    return recent.slice(-ROWS).reverse().map((row) => {
      const line = document.createElement("tr");
      line.className = row.what;
      const what = `${SYMBOLS[row.what]} ${row.what}${row.why ? `: ${row.why}` : ""}`;
      const link = row.link === null ? "" : (setup?.links[row.link] ?? "");
      const kind = row.again ? `${row.kind} again` : row.kind;
      const cells = [row.time_s.toFixed(6), what, kind, String(row.seq), link, setup?.flows[row.flow] ?? "", String(row.bytes)];
      for (const text of cells) line.insertCell().textContent = text;
      return line;
    });
  }
}

/** The link as boxes: queued packets, and those in transmission or propagating. */
function boxes({ now }: View): HTMLElement[] {
  const line = (className: string, count: number, what: string) => {
    const span = document.createElement("span");
    span.className = className;
    const most = 60;
    span.textContent = "■".repeat(Math.min(count, most)) + (count > most ? " …" : "");
    const label = document.createElement("span");
    label.className = "count";
    label.textContent = `${count} ${what}`;
    const whole = document.createElement("div");
    whole.append(label, span);
    return whole;
  };
  return [line("waiting", now.waiting, "waiting"), line("wire", now.on_link - now.waiting, "on the link")];
}

function fill(select: HTMLSelectElement, labels: string[], index: number): void {
  const options = labels.map((label) => {
    const option = document.createElement("option");
    option.textContent = label;
    return option;
  });
  select.replaceChildren(...options);
  select.selectedIndex = Math.min(index, labels.length - 1);
}
