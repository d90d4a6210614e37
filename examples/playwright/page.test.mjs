// sudo atl link --rate 4Mb/s --delay 40ms --server 'node serve.mjs' -- npm test
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";

const address = process.env.PAGE ?? "http://server:3000";

test("the page comes over the link", async () => {
  // Chromium has no sandbox for root, who alone may make links.
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByText("Ready").waitFor();
    const times = await page.evaluate(() => {
      const [{ responseStart }] = performance.getEntriesByType("navigation");
      const [picture] = performance.getEntriesByName(new URL("/picture", location).href);
      return { first: responseStart, picture: picture.responseEnd - picture.startTime };
    });
    // A handshake and a request take two round trips of 80 ms, from the navigation on: a busy browser notes later steps late.
    assert.ok(times.first >= 155, `the page began after ${times.first} ms`);
    // A round trip, and 97 kB at 4 Mb/s; headers take some more.
    assert.ok(times.picture >= 80 + 190, `the picture took ${times.picture} ms`);
  } finally {
    await browser.close();
  }
});
