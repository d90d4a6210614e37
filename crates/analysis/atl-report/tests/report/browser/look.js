// Looks at a report in a browser as a reader would, and tells the server behind it what is wrong.
(() => {
  "use strict";
  const view = location.hash.slice(1);
  const thorough = view.endsWith("light") && view.startsWith("1280");
  const problems = [];
  const say = (kind, what) => { if (problems.length < 60) problems.push(`${kind}: ${what}`); };
  addEventListener("error", e => say("error", e.message));
  addEventListener("unhandledrejection", e => say("error", e.reason));
  for (const level of ["error", "warn"]) console[level] = (...words) => say("console", words.join(" "));

  // Text on canvases, with the four corners of each, as it was drawn last.
  const drawn = new Map();
  const clips = new WeakMap();
  const proto = CanvasRenderingContext2D.prototype;
  const hook = (name, before) => {
    const old = proto[name];
    proto[name] = function (...args) { before.call(this, ...args); return old.apply(this, args); };
  };
  const state = ctx => {
    if (!clips.has(ctx)) clips.set(ctx, { stack: [], clip: null, rect: null });
    return clips.get(ctx);
  };
  hook("save", function () { const s = state(this); s.stack.push(s.clip); });
  hook("restore", function () { const s = state(this); s.clip = s.stack.pop() ?? null; });
  hook("rect", function (...rect) { state(this).rect = rect; });
  hook("clip", function (path) { if (!(path instanceof Path2D)) state(this).clip = state(this).rect; });
  hook("clearRect", function () { drawn.set(this.canvas, []); });
  hook("fillText", function (text, x, y) {
    if (!String(text).trim()) return;
    const m = this.getTransform();
    const size = this.measureText(text);
    const [l, r] = [x - size.actualBoundingBoxLeft, x + size.actualBoundingBoxRight];
    const [t, b] = [y - size.actualBoundingBoxAscent, y + size.actualBoundingBoxDescent];
    const quad = [[l, t], [r, t], [r, b], [l, b]].map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
    if (!drawn.has(this.canvas)) drawn.set(this.canvas, []);
    drawn.get(this.canvas).push({ text: String(text), quad, clip: state(this).clip });
  });

  // Two convex outlines overlap if no side of either separates them; a pixel is forgiven.
  const overlap = (a, b) => {
    for (const shape of [a, b]) {
      for (let i = 0; i < 4; i++) {
        const [[x1, y1], [x2, y2]] = [shape[i], shape[(i + 1) % 4]];
        const size = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [nx, ny] = [(y1 - y2) / size, (x2 - x1) / size];
        const along = quad => quad.map(([x, y]) => x * nx + y * ny);
        const [p, q] = [along(a), along(b)];
        if (Math.max(...p) <= Math.min(...q) + 1 || Math.max(...q) <= Math.min(...p) + 1) return false;
      }
    }
    return true;
  };
  const judge = (where, texts, [left, top, right, bottom]) => {
    texts.forEach(({ text, quad, clip }, i) => {
      const box = clip ? [clip[0], clip[1], clip[0] + clip[2], clip[1] + clip[3]] : [left, top, right, bottom];
      const cut = quad.some(([x, y]) => x < box[0] - 1 || x > box[2] + 1 || y < box[1] - 1 || y > box[3] + 1);
      if (cut) say("cut", `"${text}" in ${where}`);
      for (const other of texts.slice(i + 1)) {
        if (overlap(quad, other.quad)) say("overlap", `"${text}" and "${other.text}" in ${where}`);
      }
    });
  };
  const ofSvg = svg => [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => {
    const b = t.getBBox();
    const m = t.getScreenCTM();
    // The box of a line of text is as high as its font; its letters are about 0.72 of that.
    const [y1, y2] = [b.y + b.height * 0.2, b.y + b.height * 0.86];
    const quad = [[b.x, y1], [b.x + b.width, y1], [b.x + b.width, y2], [b.x, y2]]
      .map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
    return { text: t.textContent, quad, clip: null };
  });
  const judgeSvg = (where, svg) => {
    const box = svg.getBoundingClientRect();
    judge(where, ofSvg(svg), [box.left, box.top, box.right, box.bottom]);
  };

  // Contrast by WCAG 2.2.
  const rgb = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)]; return Math.max(x, y) / Math.min(x, y); };
  const ground = node => {
    for (let n = node; n; n = n.parentElement) {
      const colour = rgb(getComputedStyle(n).backgroundColor);
      if (colour.length === 3) return colour;
      if (colour[3] === 1) return colour;
    }
    return rgb(getComputedStyle(document.body).backgroundColor);
  };
  const resolved = name => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const colour = rgb(getComputedStyle(probe).color);
    probe.remove();
    return colour;
  };
  const colours = () => {
    const bg = resolved("--bg");
    for (let i = 0; i < 8; i++) {
      const c = contrast(resolved(`--c${i}`), bg);
      if (c < 3) say("contrast", `series --c${i}: ${c.toFixed(2)}`);
    }
    const told = new Set();
    for (const node of document.querySelectorAll("body *")) {
      if (node.closest("svg, script, style, [hidden], :disabled")) continue;
      if (![...node.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
      const c = contrast(rgb(getComputedStyle(node).color), ground(node));
      const name = `${node.tagName} .${node.className}`;
      if (c < 4.5 && !told.has(name)) { told.add(name); say("contrast", `${name}: ${c.toFixed(2)}`); }
    }
  };
  const pause = ms => new Promise(done => setTimeout(done, ms));

  const looksDiffer = charts => charts.forEach(chart => {
    const seen = new Map();
    chart.curves.forEach(curve => {
      const key = LOOKS.looks[curve.style % LOOKS.looks.length].join("/");
      if (seen.has(key)) say("alike", `${seen.get(key)} and ${curve.name} in ${chart.title}`);
      seen.set(key, curve.name);
    });
  });

  // The values at the pointer of each chart, somewhere along its middle.
  const hover = async () => {
    for (const plot of document.querySelectorAll(".chart.drawn .plot")) {
      const title = plot.getAttribute("aria-label").split(":")[0];
      const over = plot.querySelector(".u-over");
      const tip = plot.querySelector(".tip");
      over.scrollIntoView({ block: "center" });
      await pause(20);
      let seen = false;
      for (const share of [0.5, 0.3, 0.7, 0.1, 0.9]) {
        const box = over.getBoundingClientRect();
        const at = { clientX: box.left + box.width * share, clientY: box.top + box.height / 2, bubbles: true, movementX: 1 };
        over.dispatchEvent(new PointerEvent("pointerenter", at));
        over.dispatchEvent(new MouseEvent("mouseenter", at));
        over.dispatchEvent(new MouseEvent("mousemove", at));
        await pause(20);
        if (tip.hidden || !/\d/.test(tip.querySelector("b")?.textContent ?? "")) continue;
        const where = tip.getBoundingClientRect();
        if (where.right > document.documentElement.clientWidth + 1 || where.left < -1) say("cut", `values at the pointer of ${title}`);
        seen = true;
        break;
      }
      if (!seen) say("hover", `no values at the pointer of ${title}`);
      over.dispatchEvent(new PointerEvent("pointerleave"));
      if (!tip.hidden) say("hover", `values stay when the pointer leaves ${title}`);
    }
  };

  // What the buttons save; a PNG of the first figures only, for it takes a second.
  const files = async () => {
    const saved = [];
    HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
    const blobs = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => { blobs.push(blob); return make(blob); };
    let pictures = 0;
    for (const button of document.querySelectorAll(".files button")) {
      const kind = button.title.split(".").pop();
      if (kind === "png" && pictures++ >= 2) continue;
      const before = blobs.length;
      button.click();
      for (let i = 0; i < 500 && saved.length === before; i++) await pause(10);
      const blob = blobs[before];
      if (!blob || saved[before] !== button.title.replace("Save ", "")) { say("file", `${button.title} saved ${saved[before]}`); continue; }
      const text = await blob.text();
      const good = {
        svg: () => text.startsWith("<svg") && text.includes("scenario_hash"),
        png: () => text.slice(1, 4) === "PNG" && blob.size > 5000,
        csv: () => text.split("\n").length > 2 && text.includes(","),
        pgf: () => text.includes("\\begin{tikzpicture}"),
        tex: () => text.includes("\\toprule"),
      }[kind];
      if (!good()) say("file", `${button.title}: ${text.slice(0, 60)}`);
    }
    return saved.length;
  };
  const unpack = async packed => {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  const pictures = async () => {
    for (const place of document.querySelectorAll(".files[data-svg]")) {
      const holder = document.createElement("div");
      holder.style.cssText = "position:absolute;left:0;top:0;visibility:hidden";
      holder.innerHTML = await unpack(place.dataset.svg);
      document.body.append(holder);
      judgeSvg(`the SVG ${place.dataset.id}`, holder.firstElementChild);
      holder.remove();
    }
  };

  const look = async () => {
    const charts = JSON.parse(document.getElementById("charts").textContent).map(placed => placed.chart ?? placed);
    // Printing draws all charts; without it only those near the screen are.
    dispatchEvent(new Event("beforeprint"));
    dispatchEvent(new Event("afterprint"));
    await pause(400);
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth + 1) {
      const wide = [...document.querySelectorAll("body *")].find(n => n.getBoundingClientRect().right > root.clientWidth + 1 && !n.closest(".scroll, pre"));
      say("wide", `${root.scrollWidth} of ${root.clientWidth} pixels: ${wide?.tagName} .${wide?.className}`);
    }
    const plots = document.querySelectorAll(".chart.drawn canvas");
    let inked = 0;
    for (const canvas of plots) {
      const title = canvas.closest(".plot").getAttribute("aria-label").split(":")[0];
      judge(title, drawn.get(canvas) ?? [], [0, 0, canvas.width, canvas.height]);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      inked += data.some(byte => byte !== 0);
    }
    document.querySelectorAll(".map svg").forEach(svg => judgeSvg("the map", svg));
    colours();
    looksDiffer(charts);
    const counts = { charts: charts.length, drawn: plots.length, inked, saved: 0 };
    await hover();
    if (thorough) {
      await pictures();
      counts.saved = await files();
    }
    return counts;
  };
  addEventListener("load", async () => {
    await pause(300);
    const counts = await look().catch(e => { say("error", e.stack ?? e); return {}; });
    // The page's policy forbids it to talk to anybody: the page around it does.
    parent.postMessage({ view, seen: { ...counts, problems } }, "*");
  });
})();
