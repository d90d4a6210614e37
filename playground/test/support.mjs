// A browser without a screen, and a plain file server.

import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** The page, as `make playground` built it. */
export const PAGE = process.env.ATL_PLAYGROUND ?? fileURLToPath(new URL("../../target/playground", import.meta.url));
/** The program that results are compared with. */
export const ATL = process.env.ATL ?? fileURLToPath(new URL("../../target/release/atl", import.meta.url));

const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a browser; `undefined` without one. */
export function browserPath() {
  for (const name of BROWSERS) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  return undefined;
}

/** Why the tests cannot run here; `undefined` if they can. */
export function missing() {
  if (!existsSync(join(PAGE, "index.html"))) return `${PAGE} is not built: make playground`;
  if (!browserPath()) return `none of ${BROWSERS.join(", ")} is installed`;
  return undefined;
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Serves the page's files as any file server would; gives the address and what ends it. */
export async function serve(folder = PAGE) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? "index.html" : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}

/** A browser with a profile of its own. */
export async function launch() {
  const { chromium } = await import("playwright-core");
  const profile = mkdtempSync(join(tmpdir(), "atl-playground-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    headless: true,
    viewport: { width: 1280, height: 900 },
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
  const end = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, end };
}

/** A page at an address, with everything that went wrong on it and every other host that it asked. */
export async function open(context, address) {
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error}`));
  page.on("requestfailed", (request) => wrong.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(address).host) wrong.push(`another host: ${request.url()}`);
  });
  await page.goto(address);
  return { page, wrong };
}

/** Waits until all runs of the scenario are shown. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const [seeds, all] = (document.body.dataset.seeds ?? "0/1").split("/");
    const bar = document.getElementById("bar");
    return seeds === all && bar.value === bar.max && document.getElementById("status").textContent.includes(" in ");
  });
}
