// A worker with an instance of the module. It carries out calls one after the other.

import { Module, Refusal, type Argument, type Name } from "./module";

/** First message to a worker. */
export interface Start {
  compiled: WebAssembly.Module;
}

/** Message to a worker that calls a function. */
export interface Order {
  id: number;
  name: Name;
  input: Uint8Array;
  args: Argument[];
}

/** Message from a worker. */
export type Reply =
  | { id: number; answer: Uint8Array<ArrayBuffer> }
  | { id: number; refused: string }
  | { id: number; failed: string };

let module: Module | undefined;

addEventListener("message", (event: MessageEvent<Start | Order>) => {
  const { data } = event;
  if ("compiled" in data) {
    module = new Module(data.compiled);
    return;
  }
  const { id, name, input, args } = data;
  try {
    if (module === undefined) throw new Error("the module is not loaded");
    const answer = module.call(name, input, args);
    const reply: Reply = { id, answer };
    postMessage(reply, { transfer: [answer.buffer] });
  } catch (error) {
    const reply: Reply =
      error instanceof Refusal ? { id, refused: error.reason } : { id, failed: String(error) };
    postMessage(reply);
  }
});
