//! Curves and points on a grid of characters.

use super::super::chart::{Chart, ChartKind, Curve};
use super::super::range::{Range, across, label, up};
use super::ink::Inks;
use super::{Canvas, cut, width, wrapped};

/// Content of a character cell.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// Series with a point in the cell.
    points: Vec<usize>,
    /// Series whose line passes through it.
    lines: Vec<usize>,
    /// Character behind points and lines.
    ground: Option<char>,
}

/// The cells and the ranges that they cover.
struct Plot {
    cells: Vec<Vec<Cell>>,
    across: Range,
    up: Range,
}

impl Plot {
    fn columns(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    fn column(&self, x: f64) -> usize {
        let last = self.columns() - 1;
        (self.across.share(x).clamp(0.0, 1.0) * last as f64).round() as usize
    }

    fn line(&self, y: f64) -> usize {
        let last = self.cells.len() - 1;
        ((1.0 - self.up.share(y).clamp(0.0, 1.0)) * last as f64).round() as usize
    }
}

pub(super) fn grid(chart: &Chart, canvas: Canvas, inks: &Inks) -> String {
    let (across, up) = (across(chart), up(chart));
    let ticks = up.ticks((canvas.height / 4).max(2));
    let margin = ticks.iter().map(|tick| width(&label(*tick))).max().unwrap_or(1) + 1;
    let columns = canvas.width - margin - 2;
    let cells = vec![vec![Cell::default(); columns]; canvas.height];
    let mut plot = Plot { cells, across, up };
    let events = events(chart, &mut plot);
    for (i, curve) in chart.curves.iter().enumerate() {
        draw(chart, i, curve, &mut plot);
    }
    let mut out = format!("{}\n", cut(&chart.y.label, canvas.width));
    if let Some(events) = events {
        out.push_str(format!("{}{events}", " ".repeat(margin + 1)).trim_end());
        out.push('\n');
    }
    for (line, cells) in plot.cells.iter().enumerate() {
        let tick = ticks.iter().find(|tick| plot.line(**tick) == line);
        let (text, sign) = match tick {
            Some(tick) => (label(*tick), '┤'),
            None => (String::new(), '│'),
        };
        let row: String =
            cells.iter().enumerate().map(|(at, cell)| shown(cell, at, inks)).collect();
        out.push_str(&format!("{text:>margin$}{sign}{}\n", row.trim_end()));
    }
    out.push_str(&below(chart, &plot, margin, canvas.width));
    out
}

fn shown(cell: &Cell, at: usize, inks: &Inks) -> String {
    match (&cell.points[..], &cell.lines[..]) {
        ([], []) => cell.ground.map_or(" ".to_owned(), String::from),
        // Where several series meet, columns alternate between them.
        ([], lines) => inks.painted(lines[at % lines.len()], '·'),
        (points, _) => {
            let series = points[at % points.len()];
            inks.painted(series, inks.mark(series))
        }
    }
}

fn draw(chart: &Chart, series: usize, curve: &Curve, plot: &mut Plot) {
    let names = chart.x.names.len();
    let (n, place) = (chart.curves.len(), plot.columns() / names.max(1));
    // Series at the same named position stand side by side.
    let beside = |column: usize| match names {
        0 => column,
        _ => {
            let step = (place.saturating_sub(1) / n.max(1)).clamp(0, 4);
            (column + series * step).saturating_sub((n - 1) * step / 2).min(plot.columns() - 1)
        }
    };
    let points = chart.xs.iter().zip(&curve.y);
    let points: Vec<Option<(f64, f64)>> = points.map(|(x, y)| Some((x.get()?, y.get()?))).collect();
    let mut sums = vec![(0.0, 0.0); plot.columns()];
    let mut put = Vec::new();
    for (x, y) in points.iter().flatten() {
        let column = beside(plot.column(*x));
        if chart.kind == ChartKind::Time {
            sums[column].0 += y;
            sums[column].1 += 1.0;
        } else {
            put.push((column, plot.line(*y)));
        }
    }
    // Mean of the samples that fall into one column.
    put.extend(
        sums.iter()
            .enumerate()
            .filter(|(_, sum)| sum.1 > 0.0)
            .map(|(column, sum)| (column, plot.line(sum.0 / sum.1))),
    );
    for (column, line) in put {
        let cell = &mut plot.cells[line][column];
        if !cell.points.contains(&series) {
            cell.points.push(series);
        }
    }
    if chart.joins(curve) {
        for pair in points.windows(2) {
            let [Some(from), Some(to)] = pair else { continue };
            join(chart.kind, series, *from, *to, plot);
        }
    }
}

/// Line through the columns between two points.
fn join(kind: ChartKind, series: usize, from: (f64, f64), to: (f64, f64), plot: &mut Plot) {
    let (first, last) = (plot.column(from.0), plot.column(to.0));
    for column in first + 1..last {
        let share = (column - first) as f64 / (last - first) as f64;
        let y = match kind {
            ChartKind::Distribution => from.1,
            _ => from.1 + share * (to.1 - from.1),
        };
        let line = plot.line(y);
        let cell = &mut plot.cells[line][column];
        // Over time, a single column without a sample is drawn as a point rather than shown as a
        // gap.
        let kind = if last - first == 2 && kind == ChartKind::Time {
            &mut cell.points
        } else {
            &mut cell.lines
        };
        if !kind.contains(&series) {
            kind.push(series);
        }
    }
}

/// Lines and shades of events that concern all curves, and a row with their names.
fn events(chart: &Chart, plot: &mut Plot) -> Option<String> {
    let shared: Vec<_> = chart.marks.iter().filter(|mark| mark.curve.is_none()).collect();
    let mut names: Vec<char> = Vec::new();
    for mark in &shared {
        let column = plot.column(mark.x);
        let (until, sign) = match mark.to {
            Some(to) => (plot.column(to), '░'),
            None => (column, '┊'),
        };
        for cells in &mut plot.cells {
            for cell in &mut cells[column..=until] {
                // The shade of a period must not hide the line of a handoff.
                cell.ground.get_or_insert(sign);
            }
        }
        if names.len() <= column && column + width(&mark.text) <= plot.columns() {
            names.resize(column, ' ');
            names.extend(mark.text.chars().chain([' ']));
        }
    }
    (!shared.is_empty()).then(|| names.into_iter().collect())
}

/// The x axis with ticks and label.
fn below(chart: &Chart, plot: &Plot, margin: usize, limit: usize) -> String {
    let columns = plot.columns();
    let names = &chart.x.names;
    let place = columns / names.len().max(1);
    let fit = names.iter().all(|name| width(name) < place);
    let ticks: Vec<(f64, String)> = match names.is_empty() {
        true => plot.across.ticks(columns / 12).into_iter().map(|t| (t, label(t))).collect(),
        false => names
            .iter()
            .enumerate()
            .map(|(i, name)| (i as f64, if fit { name.clone() } else { (i + 1).to_string() }))
            .collect(),
    };
    let mut axis = vec!['─'; columns];
    let mut labels: Vec<char> = Vec::new();
    for (at, text) in ticks {
        let column = plot.column(at);
        axis[column] = '┬';
        let start = (margin + 1 + column)
            .saturating_sub(width(&text) / 2)
            .min(limit - width(&text).min(limit));
        if labels.is_empty() || labels.len() < start {
            labels.resize(start.max(labels.len()), ' ');
            labels.extend(text.chars());
        }
    }
    let axis: String = axis.into_iter().collect();
    let labels: String = labels.into_iter().collect();
    let title = cut(&chart.x.label, limit);
    let indent =
        (margin + 1 + columns / 2).saturating_sub(width(&title) / 2).min(limit - width(&title));
    let mut out =
        format!("{}└{axis}\n{labels}\n{}{title}\n", " ".repeat(margin), " ".repeat(indent));
    if !fit && !names.is_empty() {
        let list: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(i, name)| cut(&format!("{}\u{a0}{name}", i + 1), limit - 1))
            .collect();
        out.push_str(&wrapped(&list.join(", "), limit).replace('\u{a0}', " "));
    }
    out
}
