//! A chart for LaTeX's package `pgfplots`, so that fonts and sizes are the paper's own.

use std::fmt::Write as _;

use super::chart::{Chart, ChartKind, Curve};
use super::latex::{comment, escaped};
use super::palette::{Look, Shape};
use super::range::{Range, across, label, up};

/// Number of marks along a dense curve.
const MARKS: usize = 8;

/// The picture, with comments on the packages it needs and the source of its data.
pub fn pgf(chart: &Chart, cite: &str) -> String {
    let mut out = comment(&chart.title) + &comment(cite);
    out.push_str(&comment("\\usepackage{pgfplots} \\pgfplotsset{compat=1.16}"));
    out.push_str("\\begin{tikzpicture}\n");
    for curve in &chart.curves {
        let look = Look::of(curve.style);
        let hex = look.ink().light.trim_start_matches('#').to_uppercase();
        line(&mut out, &format!("\\definecolor{{atl{}}}{{HTML}}{{{hex}}}", look.colour));
    }
    let (across, up) = (across(chart), up(chart));
    line(&mut out, &format!("\\begin{{axis}}[\n{}]", axis(chart, across, up)));
    for event in &chart.marks {
        let (x, y) = (event.x, [up.from, up.to]);
        let drawn = match event.to {
            Some(to) => format!(
                "\\fill[gray, opacity=.2] (axis cs:{x},{}) rectangle (axis cs:{to},{});",
                y[0], y[1]
            ),
            None => format!(
                "\\draw[gray, dashed] (axis cs:{x},{}) -- (axis cs:{x},{}) node[above right, inner xsep=0pt, \
                 font=\\scriptsize] {{{}}};",
                y[0],
                y[1],
                escaped(&event.text)
            ),
        };
        line(&mut out, &drawn);
    }
    for (index, curve) in chart.curves.iter().enumerate() {
        plot(&mut out, chart, index, curve);
    }
    for (x, limit) in chart.xs.iter().zip(&chart.limits) {
        if let (Some(x), Some(limit)) = (x.get(), limit.get()) {
            let (a, b) = (x - 0.46, x + 0.46);
            line(
                &mut out,
                &format!(
                    "\\draw[gray, dotted, thick] (axis cs:{a},{limit}) -- (axis cs:{b},{limit});"
                ),
            );
        }
    }
    out.push_str("\\end{axis}\n\\end{tikzpicture}\n");
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn axis(chart: &Chart, across: Range, up: Range) -> String {
    let mut keys = vec![
        "width=\\linewidth, height=.62\\linewidth".to_owned(),
        format!("xlabel={{{}}}, ylabel={{{}}}", escaped(&chart.x.label), escaped(&chart.y.label)),
        format!("xmin={}, xmax={}, ymin={}, ymax={}", across.from, across.to, up.from, up.to),
        "grid=major, grid style={gray!25}, axis line style={gray}, tick style={gray}".to_owned(),
        "legend style={at={(.5,-.22)}, anchor=north, draw=none, font=\\small}, legend columns=3, legend cell align=left"
            .to_owned(),
        "scaled ticks=false, clip marker paths=true, clip=false".to_owned(),
    ];
    if across.log {
        keys.push("xmode=log".to_owned());
    }
    if chart.kind == ChartKind::Bars {
        let width = 0.84 / chart.curves.len().max(1) as f64;
        keys.push(format!("ybar=0pt, bar width={width:.4}, bar shift auto"));
    }
    let names = &chart.x.names;
    if !names.is_empty() {
        let places: Vec<String> = (0..names.len()).map(|i| i.to_string()).collect();
        let texts: Vec<String> =
            names.iter().map(|name| format!("{{{}}}", escaped(name))).collect();
        keys.push(format!("xtick={{{}}}, xticklabels={{{}}}", places.join(","), texts.join(",")));
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        if longest * names.len() > 60 {
            keys.push("x tick label style={rotate=40, anchor=east}".to_owned());
        }
    }
    keys.iter().fold(String::new(), |mut all, key| {
        // Writing to a string cannot fail.
        let _ = writeln!(all, "  {key},");
        all
    })
}

/// Options of `\addplot` for a curve's look.
fn look(chart: &Chart, curve: &Curve, index: usize) -> String {
    let look = Look::of(curve.style);
    let mut keys = vec![format!("atl{}", look.colour)];
    let dash: Vec<String> = look
        .dashes()
        .iter()
        .enumerate()
        // A CSS pixel is 0.75 pt.
        .map(|(i, n)| {
            format!("{} {}pt", if i % 2 == 0 { "on" } else { "off" }, f64::from(*n) * 0.75)
        })
        .collect();
    if !dash.is_empty() && chart.kind != ChartKind::Scatter && !curve.open {
        keys.push(format!("dash pattern={}", dash.join(" ")));
    }
    if chart.kind == ChartKind::Bars {
        keys.push(format!("fill=atl{}!30", look.colour));
    } else if chart.joins(curve) {
        keys.push("thick".to_owned());
    } else {
        keys.push("only marks".to_owned());
    }
    keys.push(format!("mark={}", mark(look.mark())));
    let turned = if look.mark() == Shape::Down { ", rotate=180" } else { "" };
    let open = if curve.open { ", fill=none, scale=1.4" } else { "" };
    keys.push(format!("mark options={{solid{turned}{open}}}"));
    let many = chart.xs.len();
    let dense = matches!(chart.kind, ChartKind::Time | ChartKind::Distribution) && !curve.open;
    if dense && many > MARKS {
        let every = many / MARKS;
        let phase = 1 + every * (2 * index + 1) / (2 * chart.curves.len());
        keys.push(format!("mark repeat={every}, mark phase={phase}"));
    }
    if chart.kind == ChartKind::Distribution {
        keys.push("const plot".to_owned());
    }
    if matches!(chart.kind, ChartKind::Sweep | ChartKind::Scatter | ChartKind::Bars) {
        keys.push("error bars/.cd, y dir=both, y explicit, x dir=both, x explicit, error bar style={solid}".to_owned());
    }
    keys.join(", ")
}

const fn mark(shape: Shape) -> &'static str {
    match shape {
        Shape::Circle => "*",
        Shape::Square => "square*",
        Shape::Triangle | Shape::Down => "triangle*",
        Shape::Diamond => "diamond*",
        Shape::Cross => "x",
        Shape::Plus => "+",
        Shape::Ring => "o",
    }
}

fn plot(out: &mut String, chart: &Chart, index: usize, curve: &Curve) {
    let known: Vec<(usize, f64, f64)> = chart
        .xs
        .iter()
        .zip(&curve.y)
        .enumerate()
        .filter_map(|(i, (x, y))| Some((i, x.get()?, y.get()?)))
        .collect();
    if chart.kind == ChartKind::Time {
        let ends: Vec<(f64, f64, f64)> = known
            .iter()
            .filter_map(|(i, x, _)| curve.interval(*i).map(|(low, high)| (*x, low, high)))
            .collect();
        if ends.len() > 1 {
            let there = ends.iter().map(|(x, _, high)| format!("({x},{high})"));
            let back = ends.iter().rev().map(|(x, low, _)| format!("({x},{low})"));
            let all: Vec<String> = there.chain(back).collect();
            let colour = Look::of(curve.style).colour;
            line(
                out,
                &format!(
                    "\\addplot[draw=none, mark=none, fill=atl{colour}, fill opacity=.16, forget plot] coordinates {{\n{}\n}} -- cycle;",
                    all.join("\n")
                ),
            );
        }
    }
    line(out, &format!("\\addplot+[{}] coordinates {{", look(chart, curve, index)));
    for (i, x, y) in &known {
        line(out, &format!("  ({x},{y}){}", arms(chart, curve, *i, *x, *y)));
    }
    line(out, "};");
    line(out, &format!("\\addlegendentry{{{}}}", escaped(&curve.name)));
    for (i, x, y) in known {
        let words = curve.words.get(i).filter(|words| !words.is_empty());
        if let Some(words) = words {
            let words = escaped(words);
            line(
                out,
                &format!("\\node[right, font=\\scriptsize] at (axis cs:{x},{y}) {{{words}}};"),
            );
        }
    }
}

/// Whiskers of a point's interval.
fn arms(chart: &Chart, curve: &Curve, place: usize, x: f64, y: f64) -> String {
    if matches!(chart.kind, ChartKind::Time | ChartKind::Distribution) {
        return String::new();
    }
    let (low, high) = curve.interval(place).unwrap_or((y, y));
    let bound = |of: &[super::chart::Num]| of.get(place).and_then(|n| n.get()).unwrap_or(x);
    let (left, right) = (bound(&curve.low_x), bound(&curve.high_x));
    format!(
        " += ({},{}) -= ({},{})",
        label(right - x),
        label(high - y),
        label(x - left),
        label(y - low)
    )
}
