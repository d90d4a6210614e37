// The position of the cursor in a scenario: table, key, and whether a key or a value is being
// written.

/** A position: names of tables and keys from the top. */
export interface Place {
  path: string[];
  /** The part being written. */
  what: "key" | "value" | "header";
  /** The text of it so far, without an opening quotation mark. */
  word: string;
  /** True inside an open quotation mark. */
  quoted: boolean;
}

const HEADER = /^\s*\[\[?\s*([^\][]+?)\s*\]\]?\s*(#.*)?$/;

/**
 * Position at the end of `before`, the text up to the cursor; `undefined` in a comment or a text.
 */
export function placeOf(before: string): Place | undefined {
  const lines = before.split("\n");
  const line = lines.pop() ?? "";
  let table: string[] = [];
  let first = 0;
  for (let i = lines.length - 1; i >= 0; i--) {
    const header = HEADER.exec(lines[i]!);
    if (header) {
      table = header[1]!.split(".").map((part) => part.trim());
      first = i + 1;
      break;
    }
  }
  const open = /^\s*\[\[?\s*([A-Za-z0-9_.-]*)$/.exec(line);
  const body = [...lines.slice(first), line].join("\n");
  const inner = scan(body);
  if (inner === undefined) return undefined;
  if (open && inner.path.length === 0) {
    const parts = open[1]!.split(".");
    return { path: parts.slice(0, -1), what: "header", word: parts.at(-1) ?? "", quoted: false };
  }
  return { ...inner, path: [...table, ...inner.path] };
}

/** Reads `key = value` lines with inline tables and lists. */
function scan(text: string): Place | undefined {
  // Open brackets, each with the keys leading to it.
  const open: { bracket: string; keys: string[] }[] = [];
  let keys: string[] = [];
  let word = "";
  let value = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "#") {
      const end = text.indexOf("\n", i);
      if (end < 0) return undefined;
      i = end - 1;
    } else if (char === '"' || char === "'") {
      const long = text.startsWith(char.repeat(3), i);
      const mark = long ? char.repeat(3) : char;
      let end = i + mark.length;
      while (end < text.length && !text.startsWith(mark, end)) end += text[end] === "\\" && char === '"' ? 2 : 1;
      const content = text.slice(i + mark.length, end);
      if (end >= text.length) {
        if (long) return undefined;
        return { path: path(open, keys), what: value ? "value" : "key", word: content, quoted: true };
      }
      word = content;
      i = end + mark.length - 1;
    } else if (char === "=") {
      keys = word.trim().split(".").map((part) => part.trim());
      word = "";
      value = true;
    } else if (char === "{" || char === "[") {
      open.push({ bracket: char, keys });
      word = "";
      if (char === "{") {
        keys = [];
        value = false;
      } else {
        keys = [];
        value = true;
      }
    } else if (char === "}" || char === "]") {
      keys = open.pop()?.keys ?? [];
      word = "";
      value = true;
    } else if (char === ",") {
      word = "";
      value = open.at(-1)?.bracket === "[";
      if (!value) keys = [];
    } else if (char === "\n") {
      if (open.length === 0) {
        keys = [];
        value = false;
      }
      word = "";
    } else {
      word += char;
    }
  }
  return { path: path(open, value ? keys : []), what: value ? "value" : "key", word: word.trimStart(), quoted: false };
}

function path(open: { keys: string[] }[], keys: string[]): string[] {
  return [...open.flatMap((level) => level.keys), ...keys];
}
