// The page: the text becomes runs, and runs become a report.

import type { Entry, Knob, Opened, Problem, Request } from "./answers";
import { Desk, Ended } from "./desk";
import { Editor } from "./editor";
import { files, save, type File } from "./files";
import { Refusal } from "./module";
import { element } from "./page";
import { Packets } from "./packets";
import { Report } from "./report";
import { Runs } from "./runs";
import type { Schema } from "./schema";
import { pack, unpack } from "./share";
import { Sliders } from "./sliders";
import { Views } from "./views";

const FIRST = "showcase/roaming";
/** Milliseconds of rest after typing before the text is run; sliders take effect immediately. */
const REST = 250;

const fetched = async (name: string): Promise<Response> => {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer;
};
const compiled = fetched("atl_web.wasm")
  .then((answer) => answer.arrayBuffer())
  .then((bytes) => WebAssembly.compile(bytes));
const catalogue = fetched("catalogue.json").then((answer) => answer.json() as Promise<Entry[]>);
let schema: Schema | undefined;
void fetched("schema.json").then(async (answer) => (schema = (await answer.json()) as Schema));

const front = new Desk(compiled);
const runs = new Runs(compiled, front);
const report = new Report(element("frames", HTMLElement));
const status = element("status", HTMLElement);
const problems = element("problems", HTMLElement);
const bar = element("bar", HTMLProgressElement);
const choice = element("choice", HTMLSelectElement);
const quick = element("quick", HTMLInputElement);

const editor = new Editor(element("editor", HTMLElement), () => schema, () => later(REST), () => views.show("report"));
const sliders = new Sliders(element("knobs", HTMLElement), (knob: Knob, text: string) => {
  editor.replace(knob.from, knob.to, text);
  later(0);
});
const packets = new Packets(compiled, failed);
const views = new Views((part) => packets.show(part === "packets"));

/** Built-in scenario that the text is derived from. */
let from = FIRST;
/** Seeds in the address; empty for the text's own. */
let seeds = "";
/** Last scenario read without mistakes, and the number of its seeds with all runs done. */
let last: { opened: Opened; seeds: number; settled: Promise<void> } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let reading = Promise.resolve();
let edition = 0;
let arrival = 0;

function later(milliseconds: number): void {
  edition++;
  clearTimeout(timer);
  timer = setTimeout(read, milliseconds);
}

/** Reads the text. One reading at a time; outdated ones are skipped. */
function read(): void {
  timer = undefined;
  const mine = edition;
  reading = reading.then(() => (mine === edition ? update() : undefined)).catch(failed);
}

function asked(): Request {
  return { text: editor.text, from, quick: quick.checked, seeds };
}

async function update(): Promise<void> {
  const request = asked();
  void remember(request);
  sliders.show(await front.json<Knob[]>("sliders", request.text));
  runs.cancel();
  let opened: Opened;
  try {
    opened = await front.json<Opened>("open", JSON.stringify(request));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errors } = JSON.parse(error.reason) as { errors: Problem[] };
    editor.mark(errors, []);
    list(errors);
    say(errors.length === 1 ? "1 error" : `${errors.length} errors`, true);
    return;
  }
  if (request.text !== editor.text) return;
  editor.mark([], opened.warnings);
  list([]);
  document.title = `${opened.title} – atl playground`;
  packets.open(request, opened);
  const started = performance.now();
  const of = opened.seeds.length;
  const mine = { opened, seeds: 0, settled: Promise.resolve() };
  last = mine;
  let shown = "";
  mine.settled = runs.all(request, opened, {
    progress(done, all) {
      bar.max = all;
      bar.value = done;
      if (done < all) say(`${done} of ${all} runs${shown}`);
    },
    async stage(seeds) {
      const page = await front.text("page", new Uint8Array(), seeds);
      if (last !== mine) return;
      const headline = await report.show(page);
      if (last !== mine) return;
      element("headline", HTMLElement).textContent = headline;
      if (performance.getEntriesByName("atl-first-result").length === 0) performance.mark("atl-first-result");
      mine.seeds = seeds;
      const seconds = (performance.now() - started) / 1000;
      shown = `, shown: ${seeds} of ${of} seeds`;
      document.body.dataset["seeds"] = `${seeds}/${of}`;
      if (seeds === of) say(`${of * opened.points.length} runs, ${of} seed${of === 1 ? "" : "s"} each, in ${seconds.toFixed(1)} s`);
    },
  });
  mine.settled.catch(failed);
}

/** Lists mistakes; each entry leads to its place. */
function list(errors: Problem[]): void {
  problems.hidden = errors.length === 0;
  problems.replaceChildren(
    ...errors.map((problem) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = problem.key ? `${problem.key}: ${problem.message}` : problem.message;
      button.addEventListener("click", () => {
        views.show("scenario");
        editor.go(problem.from);
      });
      item.append(button);
      if (problem.help.length > 0) {
        const help = document.createElement("p");
        help.textContent = problem.help.join("; ");
        item.append(help);
      }
      return item;
    }),
  );
}

function say(text: string, bad = false): void {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

function failed(error: unknown): void {
  if (error instanceof Ended) return;
  say(error instanceof Error ? error.message : String(error), true);
}

/** Updates the address to one that leads here. */
async function remember(request: Request): Promise<string> {
  const entry = (await catalogue).find((entry) => entry.name === request.from);
  const fragment = await pack(request, entry?.text);
  if (request.text === editor.text) history.replaceState(null, "", `#${fragment}`);
  return `${location.href.split("#")[0]}#${fragment}`;
}

/** Opens the scenario of an address's fragment, otherwise the first scenario. */
async function arrive(fragment: string): Promise<void> {
  const mine = ++arrival;
  const entries = await catalogue;
  const textOf = (name: string) => entries.find((entry) => entry.name === name)?.text;
  let request: Request = { text: textOf(FIRST) ?? "", from: FIRST, quick: true, seeds: "" };
  let complaint = "";
  try {
    request = (await unpack(fragment, textOf)) ?? request;
  } catch (error) {
    complaint = error instanceof Error ? error.message : String(error);
  }
  // Another address has been opened meanwhile.
  if (mine !== arrival) return;
  ({ from, seeds } = request);
  choice.value = from;
  quick.checked = request.quick;
  editor.set(request.text);
  element("link-problem", HTMLElement).textContent = complaint;
  later(0);
}

async function choices(): Promise<void> {
  const entries = await catalogue;
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const entry of entries) {
    const name = entry.name.split("/")[0]!;
    let group = groups.get(name);
    if (!group) {
      group = document.createElement("optgroup");
      group.label = name;
      groups.set(name, group);
    }
    const option = document.createElement("option");
    option.value = entry.name;
    option.textContent = `${entry.name.slice(name.length + 1)}: ${entry.title}`;
    group.append(option);
  }
  // Scenarios for playing come first.
  const showcase = groups.get("showcase");
  groups.delete("showcase");
  choice.replaceChildren(...(showcase ? [showcase] : []), ...groups.values());
}

choice.addEventListener("change", () => void (async () => {
  const entry = (await catalogue).find((entry) => entry.name === choice.value);
  if (!entry) return;
  from = entry.name;
  seeds = "";
  editor.set(entry.text);
  element("link-problem", HTMLElement).textContent = "";
  later(0);
})().catch(failed));
quick.addEventListener("change", () => later(0));
// The address may have been replaced already, so take the event's.
addEventListener("hashchange", (event) => void arrive(new URL(event.newURL).hash).catch(failed));

element("share", HTMLButtonElement).addEventListener("click", () => void (async () => {
  const address = await remember(asked());
  const button = element("share", HTMLButtonElement);
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Link copied";
  } catch {
    // Some pages may not write to the clipboard; the address bar has the link too.
    button.textContent = "Link is in the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 2500);
})().catch(failed));

/**
 * Files of the current scenario once all its runs are done: for the button, and for programs that
 * drive the page.
 */
async function results(): Promise<File[]> {
  if (timer !== undefined) {
    clearTimeout(timer);
    read();
  }
  await reading;
  if (!last) throw new Error("no scenario is open");
  await last.settled;
  return files(front, last.opened.seeds.length);
}

/** Interface for programs that drive the page: the text, a change as if typed, and the files. */
const control = {
  text: () => editor.text,
  edit(what: string, to: string): void {
    const at = editor.text.indexOf(what);
    if (at < 0) throw new Error(`the text has no ${what}`);
    editor.replace(at, at + what.length, to);
    later(0);
  },
  results,
};
Object.assign(globalThis, { atl: control });

element("save", HTMLButtonElement).addEventListener("click", () => {
  const blob = new TextEncoder().encode(editor.text);
  save({ name: "mine.toml", bytes: blob as Uint8Array<ArrayBuffer> });
});
element("save-data", HTMLButtonElement).addEventListener("click", () => void (async () => {
  for (const file of await results()) save(file);
})().catch(failed));

void choices().then(() => arrive(location.hash)).catch(failed);
