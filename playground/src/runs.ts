// Carrying out a scenario's runs on all workers: the first seed of every point first, then more. A
// newer scenario ends them.

import type { Opened, Request } from "./answers";
import { Desk, Ended } from "./desk";

/** Limit on the workers, beyond which browsers get no faster. */
const MOST = 8;
/** Milliseconds that an outdated run may continue: starting a new worker takes as long. */
const PATIENCE = 60;

/** Callbacks for the progress of runs. */
export interface Listener {
  /** `done` of `all` runs have ended. */
  progress(done: number, all: number): void;
  /** All runs over the first `seeds` seeds have ended. */
  stage(seeds: number): Promise<void>;
}

/** Numbers of seeds after which results are shown: 1, 3, 6, 12, ... and all. */
export function stages(seeds: number): number[] {
  const all = [];
  for (let n = 1; n < seeds; n = n === 1 ? 3 : 2 * n) all.push(n);
  all.push(seeds);
  return all;
}

/** The workers that carry out runs. */
export class Runs {
  private readonly workers: Desk[];
  private generation = 0;

  constructor(
    compiled: Promise<WebAssembly.Module>,
    private readonly front: Desk,
  ) {
    const count = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
    this.workers = Array.from({ length: count }, () => new Desk(compiled));
  }

  /** Ends all runs. The function returned is true once they have been ended again. */
  cancel(): () => boolean {
    const mine = ++this.generation;
    return () => mine !== this.generation;
  }

  /** Carries out all runs of the scenario open at the front desk, which stores the results. */
  async all(request: Request, opened: Opened, listener: Listener): Promise<void> {
    const stale = this.cancel();
    const jobs = opened.seeds.flatMap((seed) => opened.points.map((_, point) => ({ point, seed })));
    const text = JSON.stringify(request);
    const shown = stages(opened.seeds.length);
    const left = opened.seeds.map(() => opened.points.length);
    let next = 0;
    let done = 0;
    let complete = 0;
    let stage: Promise<void> = Promise.resolve();
    let showing = false;
    const show = (seeds: number) => {
      // If the page is still busy with fewer seeds, skip to the latest.
      if (showing && seeds < opened.seeds.length) return;
      showing = true;
      stage = stage.then(async () => {
        if (!stale()) await listener.stage(seeds);
        showing = false;
      });
    };
    listener.progress(0, jobs.length);
    const work = async (worker: Desk) => {
      await this.free(worker, stale);
      while (next < jobs.length && !stale()) {
        const job = jobs[next++]!;
        await worker.open(text);
        const result = await worker.bytes("run", new Uint8Array(), job.point, BigInt(job.seed));
        if (stale()) return;
        await this.front.bytes("put", result, job.point, BigInt(job.seed));
        if (stale()) return;
        listener.progress(++done, jobs.length);
        left[opened.seeds.indexOf(job.seed)]!--;
        while (complete < left.length && left[complete] === 0) {
          complete++;
          if (shown.includes(complete)) show(complete);
        }
      }
    };
    const unlessEnded = (error: unknown) => {
      if (!(error instanceof Ended) && !stale()) throw error;
    };
    await Promise.all(this.workers.map((worker) => work(worker).catch(unlessEnded)));
    await stage;
  }

  /** Waits briefly for a worker's last run to end. An outdated wait must not end later runs. */
  private async free(desk: Desk, stale: () => boolean): Promise<void> {
    const until = performance.now() + PATIENCE;
    while (desk.busy > 0 && !stale()) {
      if (performance.now() >= until) {
        desk.end();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
