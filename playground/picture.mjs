// Draws README's picture of the page: node picture.mjs FILE. The page has to be built, and a browser to be there.

import { launch, missing, open, serve } from "./test/support.mjs";

const [file] = process.argv.slice(2);
const reason = file ? missing() : "usage: node picture.mjs FILE";
if (reason) {
  console.error(reason);
  process.exit(3);
}
const server = await serve();
const browser = await launch();
const { page } = await open(browser.context, server.address);
await page.waitForFunction(() => /^(\d+)\/\1$/.test(document.body.dataset.seeds), undefined, { timeout: 120_000 });
await page.click("#tab-packets");
await page.waitForSelector("#happenings tr");
await page.click("#next-loss");
await page.waitForSelector("#happenings tr:is(.lost, .dropped)");
await page.screenshot({ path: file });
await browser.end();
server.end();
