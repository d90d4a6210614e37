// The page's results are those of the program, byte for byte: every built-in scenario, with --quick and one seed.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ATL, launch, missing, open, PAGE, serve } from "./support.mjs";

const execute = promisify(execFile);
const reason = missing() ?? (existsSync(ATL) ? undefined : `there is no ${ATL} to compare with: make build`);
if (reason) console.log(`skipped: ${reason}`);

/** The files that the program writes, by name, and what it prints as JSON. */
async function native(name, folder) {
  const args = ["run", name, "--quick", "--seeds", "1", "--csv", "--json", "--out", folder];
  const { stdout } = await execute(ATL, args, { maxBuffer: 1 << 28 });
  const files = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]));
  // A page has no folder whose files it could name.
  const summary = stdout.replace(/,\n {2}"files": \[[^\]]*\],\n {2}"replaced": (true|false)/, "");
  files.set("summary.json", Buffer.from(summary));
  return files;
}

/** The files that the page makes, by name. */
async function inPage(page, name) {
  await page.evaluate((name) => {
    document.body.dataset.seeds = "";
    location.hash = `${name}&seeds=1`;
  }, name);
  try {
    await page.waitForFunction(
      (name) => document.getElementById("choice").value === name && /^(\d+)\/\1$/.test(document.body.dataset.seeds),
      name,
      { timeout: 600_000 },
    );
  } catch (error) {
    const state = await page.evaluate(() => ({
      address: location.href,
      choice: document.getElementById("choice").value,
      seeds: document.body.dataset.seeds,
      status: document.getElementById("status").textContent,
    }));
    throw new Error(`${name}: the page shows no result: ${JSON.stringify(state)}`, { cause: error });
  }
  const all = await page.evaluate(async () => {
    const encode = (bytes) => {
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(text);
    };
    return (await globalThis.atl.results()).map(({ name, bytes }) => [name, encode(bytes)]);
  });
  return new Map(all.map(([name, text]) => [name, Buffer.from(text, "base64")]));
}

test("results equal the program's", { skip: reason, timeout: 1_800_000 }, async (t) => {
  const server = await serve();
  const browser = await launch();
  const folder = mkdtempSync(join(tmpdir(), "atl-equality-"));
  t.after(async () => {
    await browser.end();
    server.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const { page, wrong } = await open(browser.context, server.address);
  const names = JSON.parse(readFileSync(join(PAGE, "catalogue.json"))).map((entry) => entry.name);
  assert.ok(names.length > 50, `${names.length} scenarios`);
  let bytes = 0;
  const run = (name) => name && native(name, join(folder, name.replace("/", "-")));
  let next = run(names[0]);
  for (const [i, name] of names.entries()) {
    // The program runs the next scenario while the page is at this one.
    const [expected, found] = await Promise.all([next, inPage(page, name)]);
    next = run(names[i + 1]);
    if (process.env.ATL_VERBOSE) console.log(`${name}: ${[...expected.keys()].length} files`);
    assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort(), name);
    for (const [file, content] of expected) {
      const same = content.equals(found.get(file));
      assert.ok(same, `${name}: ${file} differs ${difference(content, found.get(file))}`);
      bytes += content.length;
    }
  }
  assert.deepEqual(wrong, []);
  console.log(`${names.length} scenarios, ${bytes} bytes are the same`);
});

/** Where two files differ first. */
function difference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const part = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 30), at + 60).toString());
  return `at byte ${at}: ${part(a)} became ${part(b)}`;
}
