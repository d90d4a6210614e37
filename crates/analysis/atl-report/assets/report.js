// Draws the report's charts with uPlot: zoom by dragging, values at the cursor, legend that hides curves,
// keyboard and touch, light, dark and print. Data comes from the page itself.
(() => {
  "use strict";

  const charts = JSON.parse(document.getElementById("charts").textContent);
  const FONT = "12px system-ui, sans-serif";

  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // Colour, dashes and mark of a series: numbers into the lists that stand before this script.
  const look = style => LOOKS.looks[style % LOOKS.looks.length];
  const colour = style => css("--c" + look(style)[0]);
  const dash = style => LOOKS.dashes[look(style)[1]];
  const shape = style => look(style)[2];

  const number = v => {
    if (v == null) return "–";
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size < 1e-3 || size >= 1e7) return String(Number(v.toPrecision(4)).toExponential());
    return String(Number(v.toPrecision(4)));
  };
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };

  // Outline of a marker of radius r around (x, y), for a canvas and for the legend alike.
  const outline = (kind, x, y, r) => {
    const corners = LOOKS.shapes[kind];
    if (corners.length) return "M" + corners.map(([a, b]) => `${x + a * r} ${y + b * r}`).join("L") + "Z";
    return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  };
  const paintMark = (ctx, kind, x, y, r, open) => {
    const path = new Path2D(outline(kind, x, y, open ? r * 1.35 : r));
    ctx.setLineDash([]);
    if (open || kind === LOOKS.ring) {
      if (!open) { ctx.save(); ctx.fillStyle = css("--bg"); ctx.fill(path); ctx.restore(); }
      ctx.lineWidth = r * 0.48;
      ctx.stroke(path);
    } else ctx.fill(path);
  };

  const draw = (holder, chart) => {
    const { xs, curves, marks = [] } = chart;
    const lines = chart.kind === "time";
    const bars = chart.kind === "bars";
    const steps = chart.kind === "distribution";
    // One run instead of the mean over the seeds.
    let single = false;
    const ys = c => (single && curves[c].one ? curves[c].one : curves[c].y);
    const names = chart.x.names || [];
    const last = xs.length - 1;
    const shown = curves.map(() => true);
    let logY = false;
    let u = null;
    let at = null;

    // Curves at the same named place stand beside each other.
    const closed = curves.filter(curve => !curve.open);
    const offset = c => {
      // A paper's marks stand where their curve does.
      const i = closed.findIndex(curve => curve.style === curves[c].style);
      return names.length && closed.length > 1 ? (i - (closed.length - 1) / 2) * slot() : 0;
    };
    const place = () => (u ? u.over.clientWidth : holder.clientWidth) / Math.max(1, names.length);
    const slot = () => (bars ? place() * 0.84 / closed.length : Math.min(12, 90 / closed.length));
    const pattern = c => dash(curves[c].style);
    const low = (curve, i) => (single ? null : curve.low?.[i]) ?? (single && curve.one ? curve.one : curve.y)[i];
    const high = (curve, i) => (single ? null : curve.high?.[i]) ?? (single && curve.one ? curve.one : curve.y)[i];
    const sure = (curve, i) => !single && curve.low?.[i] != null;

    const rangeX = (_, min, max) => {
      if (names.length) return min <= 0 && max >= names.length - 1 ? [-0.5, names.length - 0.5] : [min, max];
      if (!(min <= xs[0] && max >= xs[last])) return [min, max];
      if (chart.x.log) return [xs[0] / 1.4, xs[last] * 1.4];
      if (lines) return xs[0] === xs[last] ? [xs[0] - 0.5, xs[0] + 0.5] : [Math.min(xs[0], ...marks.map(m => m.x)), xs[last]];
      let [least, most] = [xs[0], xs[last]];
      for (const curve of curves) {
        (curve.low_x || []).forEach(x => { if (x != null) least = Math.min(least, x); });
        (curve.high_x || []).forEach(x => { if (x != null) most = Math.max(most, x); });
      }
      const pad = (most - least) * 0.05 || Math.abs(least) * 0.1 || 1;
      return [least - pad, most + pad];
    };
    const rangeY = self => {
      // The x scale itself is not set yet when uPlot asks; the indices in view are.
      const [from, to] = self.series[0].idxs || [0, last];
      let [least, most] = [Infinity, -Infinity];
      curves.forEach((curve, c) => shown[c] && ys(c).forEach((y, i) => {
        if (y == null || i < from || i > to) return;
        if (logY && y <= 0) return;
        least = Math.min(least, logY && low(curve, i) <= 0 ? y : low(curve, i));
        most = Math.max(most, high(curve, i));
      }));
      (chart.limits || []).forEach(limit => { if (limit != null) most = Math.max(most, limit); });
      if (least > most) return logY ? [0.1, 10] : [0, 1];
      if (steps && !logY) return [0, 104];
      if (logY) return [least / 1.3, most * 1.3];
      // From zero, so that heights compare, but for a scatter plot, whose clouds would be pressed together.
      if (chart.kind !== "scatter") least = Math.min(least, 0);
      const pad = (most - least || Math.abs(most) || 1) * 0.07;
      return [least < 0 || chart.kind === "scatter" ? least - pad : least, most + pad];
    };

    const clipped = (self, paint) => {
      const { ctx, bbox } = self;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      paint(ctx, bbox);
      ctx.restore();
    };
    const px = v => v * uPlot.pxRatio;
    const placeX = (self, c, i) => self.valToPos(xs[i], "x", true) + px(offset(c));
    const placeY = (self, y) => self.valToPos(logY && y <= 0 ? self.scales.y.min : y, "y", true);

    const bands = self => clipped(self, ctx => curves.forEach((curve, c) => {
      if (!shown[c] || single || !curve.low || names.length || !(lines || chart.kind === "sweep")) return;
      const there = curve.y.map((y, i) => i).filter(i => curve.y[i] != null && sure(curve, i));
      if (there.length < 2) return;
      ctx.beginPath();
      there.forEach(i => ctx.lineTo(placeX(self, c, i), placeY(self, high(curve, i))));
      there.reverse().forEach(i => ctx.lineTo(placeX(self, c, i), placeY(self, low(curve, i))));
      ctx.closePath();
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = colour(curve.style);
      ctx.fill();
    }));

    // Bars: the outline has the series' dashes, the mark stands on the mean.
    const bar = (self, c) => clipped(self, ctx => {
      const curve = curves[c];
      const wide = Math.max(px(2), px(slot()) * 0.86);
      ctx.strokeStyle = ctx.fillStyle = colour(curve.style);
      curve.y.forEach((y, i) => {
        if (y == null || (logY && y <= 0)) return;
        const [x, top, foot] = [placeX(self, c, i), placeY(self, y), self.bbox.top + self.bbox.height];
        ctx.globalAlpha = 0.3;
        ctx.fillRect(x - wide / 2, top, wide, foot - top);
        ctx.globalAlpha = 1;
        ctx.lineWidth = px(1.6);
        ctx.setLineDash(pattern(c).map(px));
        ctx.strokeRect(x - wide / 2, top, wide, foot - top);
        ctx.setLineDash([]);
      });
    });
    const limits = self => clipped(self, (ctx, bbox) => (chart.limits || []).forEach((limit, i) => {
      if (limit == null) return;
      const [x, y, half] = [self.valToPos(xs[i], "x", true), placeY(self, limit), px(place()) * 0.46];
      ctx.strokeStyle = ctx.fillStyle = css("--soft");
      ctx.lineWidth = px(1.5);
      ctx.setLineDash([px(2), px(2)]);
      ctx.beginPath(); ctx.moveTo(x - half, y); ctx.lineTo(x + half, y); ctx.stroke();
      ctx.setLineDash([]);
      ctx.font = `${px(11)}px system-ui, sans-serif`;
      ctx.textAlign = "right";
      ctx.textBaseline = "bottom";
      ctx.fillText(half > px(60) ? `the link: ${number(limit)}` : number(limit), x + half, y - px(2));
    }));

    const markers = (self, c) => clipped(self, ctx => {
      const curve = curves[c];
      ctx.strokeStyle = ctx.fillStyle = colour(curve.style);
      // On dense lines a mark at about every eighth of the width, not all curves at the same places.
      const every = (lines || steps) && !curve.open ? Math.max(1, Math.floor((self.series[0].idxs[1] - self.series[0].idxs[0]) / 8)) : 1;
      const first = every > 1 ? Math.floor(every * (c + 0.5) / curves.length) : 0;
      ys(c).forEach((y, i) => {
        if (y == null || (logY && y <= 0) || (every > 1 && i % every !== first)) return;
        const [x, top] = [placeX(self, c, i), placeY(self, y)];
        ctx.lineWidth = px(1.4);
        ctx.setLineDash([]);
        ctx.beginPath();
        if (sure(curve, i) && !lines) {
          const [a, b] = [placeY(self, high(curve, i)), placeY(self, low(curve, i))];
          ctx.moveTo(x, a); ctx.lineTo(x, b);
          for (const end of [a, b]) { ctx.moveTo(x - px(4), end); ctx.lineTo(x + px(4), end); }
        }
        if (curve.low_x?.[i] != null) {
          const ends = [curve.low_x[i], curve.high_x[i]].map(x => self.valToPos(x, "x", true));
          ctx.moveTo(ends[0], top); ctx.lineTo(ends[1], top);
          for (const end of ends) { ctx.moveTo(end, top - px(4)); ctx.lineTo(end, top + px(4)); }
        }
        ctx.stroke();
        paintMark(ctx, shape(curve.style), x, top, px(lines ? 3.6 : 4.2), curve.open);
      });
    });

    // Names beside points: at the first of four places where nothing else stands.
    const words = self => clipped(self, (ctx, bbox) => {
      ctx.font = `${px(11)}px system-ui, sans-serif`;
      ctx.textBaseline = "middle";
      ctx.textAlign = "left";
      const taken = [];
      const dots = [];
      curves.forEach((curve, c) => shown[c] && curve.y.forEach((y, i) => {
        if (y == null || (logY && y <= 0)) return;
        const dot = { c, text: curve.words?.[i], x: placeX(self, c, i), y: placeY(self, y) };
        dots.push(dot);
        taken.push([dot.x - px(5), dot.y - px(5), dot.x + px(5), dot.y + px(5)]);
        if (sure(curve, i)) taken.push([dot.x - px(4), placeY(self, high(curve, i)), dot.x + px(4), placeY(self, low(curve, i))]);
        if (curve.low_x?.[i] != null) {
          taken.push([self.valToPos(curve.low_x[i], "x", true), dot.y - px(4), self.valToPos(curve.high_x[i], "x", true), dot.y + px(4)]);
        }
      }));
      for (const dot of dots) {
        if (!dot.text) continue;
        const [w, h, gap] = [ctx.measureText(dot.text).width, px(13), px(8)];
        const across = [gap, -gap - w, -w / 2];
        const up = [5, 12, 20].flatMap(d => [-h - px(d), px(d)]);
        const boxes = [[gap, -h / 2], [-gap - w, -h / 2], ...up.flatMap(dy => across.map(dx => [dx, dy]))]
          .map(([dx, dy]) => [dot.x + dx, dot.y + dy, dot.x + dx + w, dot.y + dy + h]);
        const free = boxes.find(b => b[0] >= bbox.left && b[2] <= bbox.left + bbox.width && b[1] >= bbox.top
          && b[3] <= bbox.top + bbox.height && taken.every(t => b[2] < t[0] || b[0] > t[2] || b[3] < t[1] || b[1] > t[3]));
        if (!free) continue;
        taken.push(free);
        ctx.fillStyle = css("--fg");
        ctx.fillText(dot.text, free[0], free[1] + h / 2);
      }
    });

    // Handoffs as lines with the new network's name above, blackouts as shaded spans.
    const rows = marks.some(m => m.curve != null) ? 3 : 2;
    const top = marks.length ? 8 + rows * 13 : 10;
    const events = self => {
      const { ctx, bbox } = self;
      const ends = Array(rows).fill(-Infinity);
      ctx.save();
      ctx.font = `${px(11)}px system-ui, sans-serif`;
      ctx.textBaseline = "bottom";
      ctx.textAlign = "left";
      for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
        if (mark.curve != null && !shown[mark.curve]) continue;
        const { min, max } = self.scales.x;
        if (mark.x > max || (mark.to ?? mark.x) < min) continue;
        const x = self.valToPos(Math.max(mark.x, min), "x", true);
        ctx.strokeStyle = ctx.fillStyle = mark.curve == null ? css("--soft") : colour(curves[mark.curve].style);
        if (mark.to != null) {
          const width = Math.max(self.valToPos(Math.min(mark.to, max), "x", true) - x, px(2));
          ctx.globalAlpha = 0.22;
          ctx.fillRect(x, bbox.top, width, bbox.height);
          ctx.globalAlpha = 1;
        } else {
          ctx.setLineDash([px(5), px(4)]);
          ctx.lineWidth = px(1.2);
          ctx.beginPath(); ctx.moveTo(x, bbox.top); ctx.lineTo(x, bbox.top + bbox.height); ctx.stroke();
          ctx.setLineDash([]);
        }
        const width = ctx.measureText(mark.text).width;
        const left = Math.min(x, bbox.left + bbox.width - width);
        const row = ends.findIndex(end => end < left);
        if (row < 0) continue;
        ctx.fillText(mark.text, left, bbox.top - px(2 + row * 13));
        ends[row] = left + width + px(8);
      }
      ctx.restore();
    };

    const scanned = (values, i) => {
      for (const d of lines ? [0, -1, 1, -2, 2] : [0]) if (values[i + d] != null) return i + d;
      return null;
    };
    const valueAt = (c, i) => {
      const where = i == null ? null : scanned(ys(c), i);
      if (where == null) return null;
      const curve = curves[c];
      return number(ys(c)[where])
        + (sure(curve, where) ? ` [${number(low(curve, where))}, ${number(high(curve, where))}]` : "");
    };
    const where = i => `${chart.x.label}: ${names[xs[i]] ?? number(xs[i])}`;
    const values = () => {
      legend.querySelectorAll("button").forEach((button, c) => {
        button.querySelector(".value").textContent = valueAt(c, at) ?? "";
      });
      readout.textContent = at == null ? "" : `${where(at)} · ${chart.y.label}`;
    };
    // What stands at the pointer: the values of all curves there, the largest first.
    const atPointer = self => {
      const { left, top, idx } = self.cursor;
      if (idx == null || left < 0) { tip.hidden = true; return; }
      const there = curves.map((_, c) => c).filter(c => shown[c] && valueAt(c, idx) != null);
      there.sort((a, b) => ys(b)[scanned(ys(b), idx)] - ys(a)[scanned(ys(a), idx)]);
      if (!there.length) { tip.hidden = true; return; }
      tip.replaceChildren(el("div", { class: "where" }, where(idx)), ...there.slice(0, 16).map(c => {
        const row = el("div", {}, sample(c), curves[c].name, el("b", {}, valueAt(c, idx)));
        return row;
      }));
      tip.hidden = false;
      const [x, y] = [self.over.offsetLeft + left, self.over.offsetTop + top];
      const right = x + 14 + tip.offsetWidth <= plot.clientWidth;
      tip.style.left = Math.max(0, right ? x + 14 : x - 14 - tip.offsetWidth) + "px";
      tip.style.top = Math.max(0, Math.min(y + 10, plot.clientHeight - tip.offsetHeight)) + "px";
    };

    // Of numbers that would run into each other the rounder ones stay: 1, then 2 and 5, then those with few digits.
    const apart = (self, splits, texts, axis) => {
      if (!self.axes?.[axis]) return texts;
      const across = axis === 0;
      const rank = text => { const digits = text.replace(/e.*|[^1-9]/g, ""); return digits === "1" ? 0 : digits === "2" || digits === "5" ? 1 : 1 + digits.length; };
      const half = text => (across ? text.length * 3.6 + 3 : 8);
      const kept = [];
      for (const i of texts.map((_, i) => i).filter(i => texts[i]).sort((a, b) => rank(texts[a]) - rank(texts[b]) || a - b)) {
        const at = self.valToPos(splits[i], self.axes[axis].scale);
        if (kept.every(other => Math.abs(other.at - at) >= other.half + half(texts[i]))) kept.push({ i, at, half: half(texts[i]) });
      }
      return texts.map((text, i) => (kept.some(other => other.i === i) ? text : ""));
    };
    const ticks = (self, splits, axis) => {
      const powers = splits.some(v => v != null && v > 0 && v < 1e-3);
      const texts = splits.map(v => (v == null ? "" : powers && v ? String(Number(v.toPrecision(4)).toExponential()) : number(v)));
      return apart(self, splits, texts, axis);
    };
    // On a logarithmic axis over several decades only the decades get lines and labels.
    const decades = (_, splits) => {
      const there = splits.filter(v => v > 0);
      if (there.length < 2 || there[there.length - 1] / there[0] < 30) return splits;
      return splits.map(v => (v > 0 && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6 ? v : null));
    };
    const logarithmic = axis => ({ ...axis, filter: decades, grid: { ...axis.grid, filter: decades }, ticks: { ...axis.ticks, filter: decades } });
    const longest = Math.max(0, ...names.map(n => n.length));
    // A label that is longer than its axis gets smaller letters, down to 9 pixels, and then an ellipsis.
    const fitted = (label, room) => {
      const ctx = (fitted.canvas ??= document.createElement("canvas")).getContext("2d");
      const wide = (text, size) => { ctx.font = `600 ${size}px system-ui, sans-serif`; return ctx.measureText(text).width; };
      const size = Math.max(9, Math.min(12, Math.floor(120 * room / wide(label, 12)) / 10));
      let text = label;
      while (text.length > 4 && wide(text, size) > room) text = text.slice(0, -2).trimEnd() + "…";
      return { label: text, labelFont: `600 ${size}px system-ui, sans-serif` };
    };
    // Names that do not fit side by side stand aslant, and the picture is higher by what they need.
    const slanted = width => names.length && (width - 100) / names.length < longest * 7 + 8;
    // Where many are close together they stand steeper.
    const slant = width => ((width - 100) / names.length < 36 ? 65 : 45) * Math.PI / 180;
    const foot = width => (slanted(width) ? Math.max(32, Math.min(170, 28 + longest * 7.2 * Math.sin(slant(width)))) : 32);
    // The last one reaches beyond its place.
    const beyond = width => (slanted(width) ? Math.max(14, longest * 7.1 * Math.cos(slant(width)) + 12 - (width - 100) / names.length / 2) : 14);
    const axes = (width, height) => {
      const common = {
        labelSize: 22, labelGap: 2, font: FONT, stroke: () => css("--soft"),
        grid: { stroke: () => css("--line"), width: 1 }, ticks: { stroke: () => css("--line"), width: 1 },
      };
      const x = { ...common, ...fitted(chart.x.label, width - 104), values: ticks, size: 32 };
      if (names.length) {
        x.splits = () => names.map((_, i) => i);
        x.values = (_, splits) => splits.map(i => names[i] ?? "");
        x.filter = (_, splits) => splits;
        x.grid = { show: false };
        if (slanted(width)) { x.rotate = -slant(width) * 180 / Math.PI; x.size = foot(width); }
      }
      const room = height - top - x.size - 22;
      const y = { ...common, ...fitted(chart.y.label, room), values: ticks, size: 62 };
      return [chart.x.log ? logarithmic(x) : x, logY ? logarithmic(y) : y];
    };
    const size = () => {
      const width = Math.max(260, holder.clientWidth);
      return { width, height: Math.round(Math.min(430, Math.max(260, width * 0.48)) + foot(width) - 32) };
    };

    const build = () => {
      const zoom = u && { min: u.scales.x.min, max: u.scales.x.max };
      if (u) u.destroy();
      const { width, height } = size();
      u = new uPlot({
        width, height,
        padding: [top, beyond(width), 0, 4],
        legend: { show: false },
        scales: {
          x: { time: false, distr: chart.x.log ? 3 : 1, range: rangeX },
          y: { distr: logY ? 3 : 1, range: rangeY },
        },
        axes: axes(width, height),
        series: [{}].concat(curves.map((curve, c) => ({
          label: curve.name,
          show: shown[c],
          stroke: () => colour(curve.style),
          width: lines ? 1.5 : 1.8,
          dash: pattern(c),
          spanGaps: true,
          points: { show: false },
          ...(steps ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
          ...(chart.kind === "scatter" || names.length || curve.open ? { paths: () => null } : {}),
        }))),
        cursor: {
          drag: { x: true, y: true, uni: 40, dist: 5 },
          points: { show: lines, size: 7 },
        },
        hooks: {
          drawAxes: [self => { bands(self); events(self); }],
          drawSeries: [(self, i) => {
            if (i === 0 || !shown[i - 1]) return;
            if (bars) bar(self, i - 1);
            markers(self, i - 1);
          }],
          draw: [self => { limits(self); words(self); }],
          setCursor: [self => {
            const idx = self.cursor.left >= 0 ? self.cursor.idx : null;
            if (idx !== at) { at = idx; values(); }
            if (pointing) atPointer(self);
          }],
          setScale: [() => { if (u) reset.disabled = !zoomed(); }],
        },
      }, [xs, ...curves.map((_, c) => ys(c))], plot);
      if (zoom && zoomedFrom(zoom)) u.setScale("x", zoom);
      touch(u.over);
      u.over.addEventListener("pointerenter", () => { pointing = true; });
      u.over.addEventListener("pointerleave", () => { pointing = false; tip.hidden = true; });
      plot.append(tip);
    };
    let pointing = false;
    const tip = el("div", { class: "tip", "aria-hidden": "true" });
    tip.hidden = true;
    const full = () => rangeX(u, xs[0], xs[last]);
    const zoomedFrom = ({ min, max }) => {
      const [low, high] = full();
      const slack = (high - low) * 1e-6;
      return min > low + slack || max < high - slack;
    };
    const zoomed = () => zoomedFrom(u.scales.x);

    const zoomBy = factor => {
      const { min, max } = u.scales.x;
      const [to, from] = chart.x.log ? [Math.log, Math.exp] : [v => v, v => v];
      const [low, high] = full().map(to);
      const centre = at == null ? (to(min) + to(max)) / 2 : Math.min(Math.max(to(xs[at]), to(min)), to(max));
      const a = Math.max(low, centre - (centre - to(min)) * factor);
      const b = Math.min(high, centre + (to(max) - centre) * factor);
      if (factor > 1 && a <= low && b >= high) return unzoom();
      u.setScale("x", { min: from(a), max: from(b) });
    };
    const unzoom = () => u.setScale("x", { min: xs[0], max: xs[last] });
    const moveTo = i => {
      const next = Math.min(last, Math.max(0, i));
      const { min, max } = u.scales.x;
      if (xs[next] < min || xs[next] > max) return;
      u.setCursor({ left: u.valToPos(xs[next], "x"), top: u.over.clientHeight / 2 });
      at = next;
      values();
      said.textContent = readout.textContent + ": " + curves.map((c, k) =>
        (shown[k] && ys(k)[at] != null ? `${c.name} ${number(ys(k)[at])}` : "")).filter(Boolean).join(", ");
    };
    // A finger moves the cursor sideways; up and down scroll the page.
    const touch = over => over.addEventListener("pointermove", e => {
      if (e.pointerType !== "touch") return;
      const box = over.getBoundingClientRect();
      u.setCursor({ left: e.clientX - box.left, top: e.clientY - box.top });
    });

    const button = (text, title, act) => {
      const b = el("button", { type: "button", title, "aria-label": title }, text);
      b.addEventListener("click", () => act(b));
      return b;
    };
    const log = button("log y", "Logarithmic y axis", b => {
      logY = !logY;
      b.setAttribute("aria-pressed", logY);
      build();
    });
    log.setAttribute("aria-pressed", "false");
    const reset = button("reset", "Reset zoom", () => unzoom());
    reset.disabled = true;
    const one = chart.seed == null || !curves.some(c => c.one) ? ""
      : button(`seed ${chart.seed}`, `Show the run with seed ${chart.seed} instead of the mean over all`, b => {
        single = !single;
        b.setAttribute("aria-pressed", single);
        build();
      });
    if (one) one.setAttribute("aria-pressed", "false");
    const tools = el("div", { class: "tools" },
      one, log, button("−", "Zoom out", () => zoomBy(2)), button("+", "Zoom in", () => zoomBy(0.5)), reset);
    const plot = el("div", {
      class: "plot", tabindex: "0", role: "group", "aria-roledescription": "chart",
      "aria-label": `${chart.title}: ${chart.y.label} against ${chart.x.label}. Left and right arrows move the cursor, plus and minus zoom, 0 resets.`,
    });
    plot.addEventListener("keydown", e => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const step = e.shiftKey ? Math.max(1, Math.round(last / 20)) : 1;
      const acts = {
        ArrowRight: () => moveTo(at == null ? 0 : at + step), ArrowLeft: () => moveTo(at == null ? last : at - step),
        Home: () => moveTo(0), End: () => moveTo(last),
        "+": () => zoomBy(0.5), "=": () => zoomBy(0.5), "-": () => zoomBy(2), "0": unzoom, Escape: unzoom,
      };
      if (acts[e.key]) { e.preventDefault(); acts[e.key](); }
    });
    const readout = el("div", { class: "readout" });
    const said = el("div", { class: "hidden", "aria-live": "polite" });
    const legend = el("div", { class: "legend", role: "group", "aria-label": "Curves" });
    // A sample of a curve: its line and its mark.
    const sample = c => {
      const { style, open } = curves[c];
      const ink = `var(--c${look(style)[0]})`;
      const ring = open || shape(style) === LOOKS.ring;
      const line = open || chart.kind === "scatter" || (names.length && !bars) ? ""
        : `<path d="M1 7H37" stroke="${ink}" stroke-width="2" stroke-dasharray="${pattern(c).join(" ")}"/>`;
      const mark = `<path d="${outline(shape(style), 19, 7, 4.4)}" fill="${ring ? "var(--bg)" : ink}" stroke="${ink}" stroke-width="${open ? 1.6 : 1}"/>`;
      const holder = el("span", { class: "sample" });
      // Only numbers and names of colours: nothing that a user wrote.
      holder.innerHTML = `<svg viewBox="0 0 38 14" aria-hidden="true">${line}${mark}</svg>`;
      return holder;
    };
    curves.forEach((curve, c) => {
      const b = el("button", { type: "button", "aria-pressed": "true", title: "Show or hide" });
      b.append(sample(c));
      b.append(curve.name, el("span", { class: "value" }));
      b.addEventListener("click", () => {
        shown[c] = !shown[c];
        b.setAttribute("aria-pressed", shown[c]);
        u.setSeries(c + 1, { show: shown[c] });
      });
      legend.append(b);
    });

    holder.append(tools, plot, readout, legend, said);
    holder.classList.add("drawn");
    build();
    let before = holder.clientWidth;
    new ResizeObserver(() => {
      if (holder.clientWidth === before) return;
      before = holder.clientWidth;
      build();
    }).observe(holder);
    return { redraw: () => u.redraw(false, true), resize: width => u.setSize(width ? { width, height: width * 0.45 } : size()) };
  };

  // Below each figure and table: its files, which lie in the page compressed, and a picture made of the SVG.
  const unpack = async packed => {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  const save = (name, blob) => {
    const link = el("a", { download: name });
    link.href = URL.createObjectURL(blob);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const picture = svg => new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => {
      const scale = 3;
      const canvas = el("canvas", { width: image.width * scale, height: image.height * scale });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done, "image/png");
    };
    image.onerror = failed;
    image.src = "data:image/svg+xml," + encodeURIComponent(svg);
  });
  const KINDS = [["svg", "SVG", "image/svg+xml"], ["png", "PNG", "image/png"], ["csv", "CSV", "text/csv"],
    ["pgf", "PGF", "application/x-tex"], ["tex", "LaTeX table", "application/x-tex"]];
  document.querySelectorAll(".files").forEach(place => {
    const name = place.dataset.id.split("/").slice(-2).join("-");
    for (const [kind, text, type] of KINDS) {
      const packed = place.dataset[kind === "png" ? "svg" : kind];
      if (!packed) continue;
      const b = el("button", { type: "button", title: `Save ${name}.${kind}` }, text);
      b.addEventListener("click", async () => {
        const file = await unpack(packed);
        save(`${name}.${kind}`, kind === "png" ? await picture(file) : new Blob([file], { type }));
      });
      place.append(b);
    }
  });

  const holders = [...document.querySelectorAll(".chart[data-chart]")];
  const drawn = new Map();
  const ensure = holder => {
    if (!drawn.has(holder)) drawn.set(holder, draw(holder, charts[Number(holder.dataset.chart)]));
  };
  // Of many charts only those are drawn that come near the screen: a page may hold a hundred.
  if (holders.length <= 8) holders.forEach(ensure);
  const near = new IntersectionObserver(seen => seen.forEach(entry => {
    if (!entry.isIntersecting) return;
    near.unobserve(entry.target);
    ensure(entry.target);
  }), { rootMargin: "800px" });
  holders.forEach(holder => near.observe(holder));

  const redraw = () => drawn.forEach(chart => chart.redraw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("print");
    holders.forEach(ensure);
    drawn.forEach(chart => chart.resize(660));
    redraw();
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("print");
    drawn.forEach(chart => chart.resize());
    redraw();
  });
})();
