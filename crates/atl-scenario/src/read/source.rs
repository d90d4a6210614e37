//! What the application sends.

use atl_core::time::Span;
use atl_core::units::Rate;

use crate::keys;
use crate::setup::{EncoderRates, Media, Source};
use crate::table::{Field, Table};
use crate::tree::Kind;

/// Unless the file says otherwise: about what an encoder's rate control takes to follow, and a budget that a
/// conversation still bears (ITU-T G.114 wants 150 ms, and at most 400 ms, from mouth to ear).
const REACTION: Span = Span::from_millis(500);
const PLAYOUT: Span = Span::from_millis(200);
/// Longest reaction and longest time until a frame is shown: a host remembers what falls into them.
const LONGEST: Span = Span::from_secs(60);
/// Least mean time between two files: a million of them a second would be submitted one by one.
const LEAST_INTERVAL: Span = Span::from_millis(1);
/// Frames per second, least and most.
const FRAMES: (f64, f64) = (0.1, 1000.0);
/// Most steps of an encoder's ladder.
const MOST_STEPS: usize = 64;
/// Most bytes of a frame.
const MOST_BYTES: f64 = 1e7;

/// What a table describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Size,
    Pattern,
    Media,
}

/// Keys that tell which it is, in words. `rate` is of a pattern and of media, and alone a constant rate; `distribution`
/// is of a pattern and of files.
const FORMS: &[(Form, &str, &[&str])] = &[
    (Form::Size, "a size", &["bytes", "every"]),
    (Form::Pattern, "a pattern", &["on", "off"]),
    (Form::Media, "live media", &["frames", "min", "max", "reaction", "playout"]),
];

/// A word, or a table.
pub(super) fn read(field: &Field<'_>) -> Option<Source> {
    if let Kind::Str(text) = &field.node.kind {
        if text == "greedy" {
            return Some(Source::Greedy);
        }
        let found = format!("expected \"greedy\" or a table, found {}", field.node.what());
        field.report(field.problem(format!("`{}` is not a source", field.path), found).help(
            "a table is { bytes = \"10MB\" }, { bytes = \"1MB\", every = \"10s\" }, { rate = \"1Mb/s\" }, \
             { on = \"1s\", off = \"2s\", rate = \"1Mb/s\" } or \
             { frames = 30, min = \"100kb/s\", max = \"2Mb/s\" }",
        ));
        return None;
    }
    let table = field.table(&keys::SOURCE)?;
    let has = |keys: &[&'static str]| keys.iter().any(|key| table.get(key).is_some());
    let forms: Vec<_> = FORMS.iter().filter(|(.., keys)| has(keys)).collect();
    match forms.as_slice() {
        [(_, one, _), (_, other, _), ..] => {
            table.report(format!("`{}` is both {one} and {other}", table.path), "has both");
            None
        }
        [(Form::Size, ..)] if has(&["rate"]) => {
            let message = format!("`{}` is a size and has a rate", table.path);
            table.report(message, "its bytes are there from the start");
            None
        }
        [(form, one, _)] if has(&["distribution"]) && !random(*form, &table) => {
            let message = format!("`{}` is {one} and has a distribution", table.path);
            table.report(message, "it is of the times of `on` and `off`, or of `every`");
            None
        }
        [(Form::Size, ..)] => size(&table),
        [(Form::Media, ..)] => media(&table).map(Source::Media),
        [] if has(&["rate"]) && has(&["distribution"]) => {
            let message = format!("`{}` is a constant rate and has a distribution", table.path);
            table.report(message, "it is of the times of `on` and `off`, or of `every`");
            None
        }
        [] if has(&["rate"]) => {
            table.need("rate").and_then(|f| f.rate()).map(|rate| Source::Steady { rate })
        }
        _ => pattern(&table),
    }
}

/// Whether it has times that can be drawn at random.
fn random(form: Form, table: &Table<'_>) -> bool {
    match form {
        Form::Size => table.get("every").is_some(),
        Form::Pattern => true,
        Form::Media => false,
    }
}

fn is_exponential(table: &Table<'_>) -> bool {
    let names = [("exponential", true), ("constant", false)];
    table.read("distribution", |f: &Field<'_>| f.one_of(&names)).unwrap_or(false)
}

/// A file, or one after the other.
fn size(table: &Table<'_>) -> Option<Source> {
    let bytes = table.need("bytes").and_then(|f| match f.size()? {
        0 => f.bad("there must be something to send"),
        bytes => Some(bytes),
    });
    let Some(every) = table.get("every") else {
        return Some(Source::Fixed { bytes: bytes? });
    };
    let every = match every.time()? {
        time if time < LEAST_INTERVAL => every.bad("files are at least 1 ms apart"),
        time => Some(time),
    };
    let exponential = is_exponential(table);
    Some(Source::Files { bytes: bytes?, every: every?, exponential })
}

fn pattern(table: &Table<'_>) -> Option<Source> {
    let period = |key| {
        let f: Field<'_> = table.need(key)?;
        f.time().and_then(|t| if t.is_zero() { f.bad("it must be above zero") } else { Some(t) })
    };
    let (on, off) = (period("on"), period("off"));
    let rate = table.need("rate").and_then(|f| f.rate());
    let exponential = is_exponential(table);
    Some(Source::OnOff { on: on?, off: off?, rate: rate?, exponential })
}

fn media(table: &Table<'_>) -> Option<Media> {
    let frames = table.need("frames").and_then(|f| f.number(FRAMES.0, FRAMES.1));
    let time = |key| {
        table.read(key, |f: &Field<'_>| match f.time()? {
            time if time > LONGEST => f.bad("it is at most 60s"),
            time => Some(time),
        })
    };
    let (reaction, playout) = (time("reaction"), time("playout"));
    let (frames_per_second, rates) = (frames, rates(table));
    let (frames_per_second, rates) = (frames_per_second?, rates?);
    let most = match &rates {
        EncoderRates::Range { max, .. } => max.bps(),
        EncoderRates::Ladder(steps) => steps.last().map_or(0.0, |step| step.bps()),
    };
    if most / 8.0 / frames_per_second > MOST_BYTES {
        let message = format!("`{}` has frames of more than 10 MB", table.path);
        table.report(message, "its largest rate is too high for so few frames");
        return None;
    }
    Some(Media {
        frames_per_second,
        rates,
        reaction: reaction.unwrap_or(REACTION),
        playout: playout.unwrap_or(PLAYOUT),
    })
}

/// A range, a ladder, or a single rate.
fn rates(table: &Table<'_>) -> Option<EncoderRates> {
    let (ladder, min, max) = (table.get("rate"), table.get("min"), table.get("max"));
    match (ladder, min, max) {
        (Some(ladder), None, None) if matches!(ladder.node.kind, Kind::Array(_)) => steps(&ladder),
        (Some(one), None, None) => Some(EncoderRates::Ladder([one.rate()?].into())),
        (None, Some(min), Some(max)) => {
            let (low, high) = (min.rate(), max.rate());
            match (low?, high?) {
                (low, high) if low > high => max.bad("it is not below `min`"),
                (min, max) => Some(EncoderRates::Range { min, max }),
            }
        }
        (ladder, ..) => {
            let label = if ladder.is_some() { "has both" } else { "has neither" };
            let message = "an encoder has the steps of `rate`, or a range from `min` to `max`";
            table.report(message, label);
            None
        }
    }
}

fn steps(ladder: &Field<'_>) -> Option<EncoderRates> {
    let items = ladder.items()?;
    if items.is_empty() || items.len() > MOST_STEPS {
        return ladder.bad(format!("an encoder has from 1 to {MOST_STEPS} steps"));
    }
    let mut steps: Vec<Rate> = Vec::with_capacity(items.len());
    let mut whole = true;
    for item in &items {
        match item.rate() {
            Some(rate) if steps.last().is_some_and(|last| rate <= *last) => {
                whole = false;
                item.bad::<()>("each step is higher than the one before it");
            }
            Some(rate) => steps.push(rate),
            None => whole = false,
        }
    }
    whole.then(|| EncoderRates::Ladder(steps.into()))
}
