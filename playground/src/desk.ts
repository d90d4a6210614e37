// A worker as seen by the page: calls that return promises.

import { Refusal, type Argument, type Name } from "./module";
import type { Order, Reply, Start } from "./worker";

interface Waiting {
  resolve(answer: Uint8Array<ArrayBuffer>): void;
  reject(error: Error): void;
}

const EMPTY = new Uint8Array();

/** The call failed because its worker was ended. */
export class Ended extends Error {}

/** A worker with an instance of the module. */
export class Desk {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  /** The request whose scenario is open in the worker. */
  private opened = "";

  constructor(private readonly compiled: Promise<WebAssembly.Module>) {}

  /** Number of unanswered calls. */
  get busy(): number {
    return this.waiting.size;
  }

  /** Calls a function of the module and returns the answer's bytes. */
  async bytes(name: Name, input: Uint8Array | string, ...args: Argument[]): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
    const worker = await this.started();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const order: Order = { id, name, input: bytes, args };
      worker.postMessage(order);
    });
  }

  /** As `bytes`, for a text. */
  async text(name: Name, input: Uint8Array | string = EMPTY, ...args: Argument[]): Promise<string> {
    return new TextDecoder().decode(await this.bytes(name, input, ...args));
  }

  /** As `bytes`, for JSON. */
  async json<T>(name: Name, input: Uint8Array | string = EMPTY, ...args: Argument[]): Promise<T> {
    return JSON.parse(await this.text(name, input, ...args)) as T;
  }

  /** Opens the scenario of a request unless it is open already. */
  async open(request: string): Promise<void> {
    if (this.opened === request) return;
    await this.bytes("open", request);
    this.opened = request;
  }

  /** Ends the worker immediately. The next call starts a new one without a session. */
  end(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.opened = "";
    for (const { reject } of this.waiting.values()) reject(new Ended("ended"));
    this.waiting.clear();
  }

  private async started(): Promise<Worker> {
    const compiled = await this.compiled;
    if (this.worker === undefined) {
      const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
      worker.addEventListener("message", (event: MessageEvent<Reply>) => this.answered(event.data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        this.fail(`a worker failed: ${event.message}`);
      });
      const start: Start = { compiled };
      worker.postMessage(start);
      this.worker = worker;
    }
    return this.worker;
  }

  private answered(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ("answer" in reply) waiting?.resolve(reply.answer);
    else if ("refused" in reply) waiting?.reject(new Refusal(reply.refused));
    else {
      waiting?.reject(new Error(reply.failed));
      // After a panic the instance must not be used again.
      this.end();
    }
  }

  private fail(message: string): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    this.end();
    for (const { reject } of all) reject(new Error(message));
  }
}
