// A scenario in the fragment of an address: the name of an unchanged built-in one, otherwise the
// compressed text.

import type { Request } from "./answers";

/** Limit on a scenario in bytes, also while unpacking. */
const LONGEST = 1 << 20;
const MARK = "t=";

/** The fragment, without `#`. */
export async function pack(request: Request, builtin: string | undefined): Promise<string> {
  const options = `${request.quick ? "" : "&full"}${request.seeds ? `&seeds=${request.seeds}` : ""}`;
  if (builtin !== undefined && request.text === builtin) return `${request.from}${options}`;
  const packed = await through(new TextEncoder().encode(request.text), new CompressionStream("deflate-raw"));
  const from = request.from ? `&from=${request.from}` : "";
  return `${MARK}${toBase64(packed)}${from}${options}`;
}

/** Content of a fragment; `undefined` if it is empty, an error if it is damaged. */
export async function unpack(
  fragment: string,
  textOf: (name: string) => string | undefined,
): Promise<Request | undefined> {
  const [head = "", ...options] = fragment.replace(/^#/, "").split("&");
  if (head === "") return undefined;
  const quick = !options.includes("full");
  const option = (name: string) => options.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const seeds = /^[\d,]*$/.test(option("seeds")) ? option("seeds") : "";
  if (!head.startsWith(MARK)) {
    const text = textOf(decodeURIComponent(head));
    if (text === undefined) throw new Error(`there is no built-in scenario “${head}”`);
    return { text, from: decodeURIComponent(head), quick, seeds };
  }
  const named = option("from");
  const from = textOf(named) === undefined ? "" : named;
  try {
    const bytes = await through(fromBase64(head.slice(MARK.length)), new DecompressionStream("deflate-raw"));
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), from, quick, seeds };
  } catch {
    throw new Error("the link is damaged: its scenario cannot be read");
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) {
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
