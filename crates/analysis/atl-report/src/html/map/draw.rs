//! Drawing a map as SVG.

use atl_core::path::PathSignal;
use atl_core::time::Time;
use atl_engine::setup::{Map, MobileSetup, Setup, Track};
use maud::{Markup, html};

use super::canvas::Canvas;
use super::labels::{LINE, Labels};
use super::{plain, rates};
use crate::stays::{Stay, stays};

/// Number of the report's colours.
const COLOURS: usize = crate::figure::palette::COLOURS.len();
/// Limit on the signs per mobile, such as handoffs; more would hide the map.
const MOST_SIGNS: usize = 200;

/// Class of a cell's colour in the report's palette.
fn colour(cell: usize) -> String {
    format!("k{}", cell % COLOURS)
}

pub(super) fn svg(setup: &Setup, map: &Map) -> Markup {
    let canvas = Canvas::of(map);
    let (width, height) = (canvas.width, canvas.height);
    let mut labels = Labels::new(width, height);
    let ways: Vec<(&MobileSetup, &Track)> = setup.mobiles.iter().zip(&map.tracks).collect();
    let end = Time::ZERO + setup.duration;
    for (mobile, track) in &ways {
        for place in signs(mobile, track).map(|sign| canvas.place(sign.at)) {
            labels.keep_free(place, 6.0);
        }
    }
    let names = map.cells.iter().enumerate().map(|(i, place)| {
        let at = canvas.place(place.cell.at());
        labels.keep_free(at, 4.0);
        // Above the access point, since tracks often lead through it.
        let up = (at.0, at.1 - 2.0 * LINE);
        [(place.name.clone(), up), (rates(setup, map, i), (up.0, up.1 + LINE))]
            .map(|(text, near)| (labels.place(&text, near), text))
    });
    let names: Vec<_> = names.collect();
    let times: Vec<_> = ways
        .iter()
        .flat_map(|(mobile, track)| moments(mobile, track, end))
        .map(|(text, at)| (labels.place(&text, canvas.place(at)), text))
        .collect();
    let (bar, bar_text) = canvas.bar();
    let (bar, bar_y) = (canvas.length(bar), height - 10.0);
    html! {
        svg viewBox=(format!("0 0 {width:.0} {height:.0}")) role="img" aria-label=(described(setup, map)) {
            @for (i, place) in map.cells.iter().enumerate() {
                @let (x, y) = canvas.place(place.cell.at());
                circle class=(format!("cell {}", colour(i))) cx=(short(x)) cy=(short(y))
                    r=(short(canvas.length(place.cell.radius_m()))) {}
                path class=(format!("mast {}", colour(i)))
                    d=(format!("M{x:.1} {:.1}l4 8h-8z", y - 4.0)) {}
            }
            @for (mobile, track) in &ways {
                @for stay in stays(mobile) {
                    (way(&canvas, map, track, &stay, end))
                }
                (start(&canvas, track))
                @for sign in signs(mobile, track) {
                    (sign.draw(canvas.place(sign.at)))
                }
            }
            @for (place, text) in names.iter().flatten().chain(&times) {
                @if let Some((x, y)) = place {
                    text x=(short(*x)) y=(short(y + 4.0)) { (text) }
                }
            }
            path class="bar" d=(format!("M26 {:.1}v5h{bar:.1}v-5", bar_y - 5.0)) {}
            text.left x=(short(26.0 + bar + 6.0)) y=(short(bar_y)) { (bar_text) }
        }
    }
}

/// Number with one decimal, which is enough for coordinates.
fn short(value: f64) -> String {
    format!("{value:.1}")
}

/// The map in words for screen readers.
fn described(setup: &Setup, map: &Map) -> String {
    let cells: Vec<String> = map
        .cells
        .iter()
        .enumerate()
        .map(|(i, place)| {
            let (at, radius) = (place.cell.at(), plain(place.cell.radius_m()));
            let (x, y) = (plain(at.x_m), plain(at.y_m));
            format!(
                "{} at {x}, {y} m with a radius of {radius} m ({})",
                place.name,
                rates(setup, map, i)
            )
        })
        .collect();
    let ways = setup.mobiles.iter().map(|mobile| {
        let stays = stays(mobile);
        let names: Vec<&str> = stays.iter().map(|s| s.cell.unwrap_or("no cell")).collect();
        format!("{} moves through {}", mobile.name, names.join(", "))
    });
    let mut parts = vec![format!("Cells: {}", cells.join("; "))];
    parts.extend(ways);
    parts.join(". ")
}

/// Part of a track during a stay in a cell.
fn way(canvas: &Canvas, map: &Map, track: &Track, stay: &Stay<'_>, end: Time) -> Markup {
    let to = stay.to.unwrap_or(end).min(end);
    if to <= stay.from {
        return html! {};
    }
    let turns = track.legs().iter().map(|leg| leg.start).filter(|at| stay.from < *at && *at < to);
    let times = std::iter::once(stay.from).chain(turns).chain([to]);
    let mut places: Vec<(f64, f64)> = times.map(|at| canvas.place(track.position(at))).collect();
    places.dedup();
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let cell = stay.cell.and_then(|name| map.cells.iter().position(|c| c.name == name));
    let class = cell.map_or_else(|| "way none".to_owned(), |cell| format!("way {}", colour(cell)));
    html! {
        @if places.len() > 1 {
            polyline class=(class) points=(points.join(" ")) {}
            @for pair in places.windows(2) {
                (arrow(pair[0], pair[1], &class))
            }
        }
    }
}

/// Arrow for the direction, in the middle of a line that is long enough.
fn arrow(from: (f64, f64), to: (f64, f64), class: &str) -> Markup {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
    let (x, y) = (from.0 + dx / 2.0, from.1 + dy / 2.0);
    let (ux, uy) = (dx / length * 6.0, dy / length * 6.0);
    let corners = [(x + ux, y + uy), (x - ux - uy, y - uy + ux), (x - ux + uy, y - uy - ux)];
    let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    html! {
        @if length > 40.0 {
            polygon class=(class.replace("way", "head")) points=(corners.join(" ")) {}
        }
    }
}

/// Symbol at the start of a track.
fn start(canvas: &Canvas, track: &Track) -> Markup {
    let (x, y) = canvas.place(track.position(Time::ZERO));
    html! { circle.start cx=(short(x)) cy=(short(y)) r="4" {} }
}

/// Symbol of a signal on the track.
struct Sign {
    at: atl_engine::setup::Point,
    what: PathSignal,
}

/// Symbols of a mobile's signals.
fn signs<'a>(mobile: &'a MobileSetup, track: &'a Track) -> impl Iterator<Item = Sign> + 'a {
    let steps = mobile.steps.iter().take(MOST_SIGNS);
    steps.map(|step| Sign { at: track.position(step.at), what: step.signal })
}

impl Sign {
    fn draw(&self, (x, y): (f64, f64)) -> Markup {
        html! {
            @match self.what {
                PathSignal::Imminent(_) => circle.sign cx=(short(x)) cy=(short(y)) r="4.5" {},
                PathSignal::Done(_) => path.sign.done d=(format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0)) {},
                PathSignal::Gone(_) => path.sign d=(format!("M{:.1} {:.1}l8 8m0 -8l-8 8", x - 4.0, y - 4.0)) {},
            }
        }
    }
}

/// Times written on the map: at both ends of the track, and at changes of cell.
fn moments(
    mobile: &MobileSetup,
    track: &Track,
    end: Time,
) -> Vec<(String, atl_engine::setup::Point)> {
    let seconds = |at: Time| format!("{} s", plain(at.secs()));
    let begins = format!("{}, {}", mobile.name, seconds(Time::ZERO));
    let mut moments = vec![(begins, track.position(Time::ZERO))];
    let changes = mobile.steps.iter().filter(|s| matches!(s.signal, PathSignal::Done(_)));
    moments.extend(changes.map(|step| (seconds(step.at), track.position(step.at))));
    let arrives = track.legs().last().map_or(end, |leg| leg.start).min(end);
    moments.push((seconds(arrives), track.position(arrives)));
    moments
}
