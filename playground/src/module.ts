// The WebAssembly module, with texts and bytes passed through its memory. See
// crates/atl-web/src/exports.rs.

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  output(): number;
  output_length(): number;
}

/** A number, or a seed, which may exceed the exact range of numbers. */
export type Argument = number | bigint;

/** Functions of the module. */
export type Name =
  | "open" | "sliders" | "run" | "put" | "page" | "summary" | "data"
  | "watch" | "forwards" | "back" | "go_to" | "next_loss";

/** Failure of a call, with the module's reason. */
export class Refusal extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** One instance of the module. */
export class Module {
  private readonly exports: Exports & Record<string, unknown>;

  constructor(compiled: WebAssembly.Module) {
    const instance = new WebAssembly.Instance(compiled, {});
    this.exports = instance.exports as unknown as Exports & Record<string, unknown>;
  }

  /** Calls a function with this input and returns a copy of its answer. */
  call(name: Name, input: Uint8Array, args: Argument[]): Uint8Array<ArrayBuffer> {
    const at = this.exports.input(input.length);
    new Uint8Array(this.exports.memory.buffer, at, input.length).set(input);
    let failed: number;
    try {
      failed = (this.exports[name] as (...args: Argument[]) => number)(...args);
    } catch (trap) {
      const reason = new TextDecoder().decode(this.answer());
      throw new Error(`the simulator stopped: ${reason || trap}`, { cause: trap });
    }
    const answer = this.answer();
    if (failed !== 0) throw new Refusal(new TextDecoder().decode(answer));
    return answer;
  }

  private answer(): Uint8Array<ArrayBuffer> {
    const { memory } = this.exports;
    return new Uint8Array(memory.buffer, this.exports.output(), this.exports.output_length()).slice();
  }
}
