//! Reading the data that the application sends.

use atl_core::units::Rate;

use super::options;
use crate::application::applications;
use crate::keys::words::DISTRIBUTIONS;
use crate::table::{Field, Table};
use crate::tree::{Entry, Kind};
use atl_engine::setup::{ApplicationConfig, EncoderRates, Media, Source};

/// Limit on a frame in bytes.
const MAX_FRAME: f64 = 1e7;

/// Reads a word, or a table.
pub(super) fn read(field: &Field<'_>) -> Option<Source> {
    if let Kind::Str(text) = &field.node.kind {
        if text == "greedy" {
            return Some(Source::Greedy);
        }
        let found = format!("expected \"greedy\" or a table, found {}", field.node.what());
        field.report(field.problem(format!("`{}` is not a source", field.path), found).help(
            "a table is { bytes = \"10MB\" }, { bytes = \"1MB\", every = \"10s\" }, { rate = \"1Mb/s\" }, \
             { on = \"1s\", off = \"2s\", rate = \"1Mb/s\" }, \
             { application = \"request-response\" } or { frames = 30, min = \"100kb/s\", max = \"2Mb/s\" }",
        ));
        return None;
    }
    let table = field.table()?;
    let given = |key| table.get(key).is_some();
    match () {
        () if given("application") => application(&table).map(Source::Application),
        () if given("bytes") => size(&table),
        // Each copy takes its own from the distribution.
        () if given("sizes") => Some(Source::Fixed { bytes: 1 }),
        () if given("frames") => media(&table).map(Source::Media),
        () if given("on") || given("off") => pattern(&table),
        () => table.read("rate", Field::rate).map(|rate| Source::Steady { rate }),
    }
}

/// Reads the name of an application, or a table with its name and options.
fn application(table: &Table<'_>) -> Option<ApplicationConfig> {
    let field = table.get("application")?;
    if field.is_text() {
        return registered(&field, &field, &[]);
    }
    let table = field.table()?;
    let name = table.get("name")?;
    let options: Vec<&Entry> = table.others().map(|(entry, _)| entry).collect();
    registered(&name, &field, &options)
}

fn registered(
    name: &Field<'_>,
    field: &Field<'_>,
    options: &[&Entry],
) -> Option<ApplicationConfig> {
    let all: Vec<_> = applications().iter().map(|listed| (listed.name, *listed)).collect();
    let listed = name.one_of(&all)?;
    let label = format!("`{}`", listed.name);
    options::read(field, (&label, &["name"]), options, |all| listed.with_options(all))
}

fn exponential(table: &Table<'_>) -> Option<bool> {
    table.value("distribution", |f| f.one_of(DISTRIBUTIONS))
}

/// Reads the sizes of one file, or of files one after the other.
fn size(table: &Table<'_>) -> Option<Source> {
    let bytes = table.read("bytes", Field::size);
    let Some(every) = table.get("every") else {
        return Some(Source::Fixed { bytes: bytes? });
    };
    let (every, exponential) = (every.time(), exponential(table));
    Some(Source::Files { bytes: bytes?, every: every?, exponential: exponential? })
}

fn pattern(table: &Table<'_>) -> Option<Source> {
    let (on, off) = (table.read("on", Field::time), table.read("off", Field::time));
    let rate = table.read("rate", Field::rate);
    let exponential = exponential(table);
    Some(Source::OnOff { on: on?, off: off?, rate: rate?, exponential: exponential? })
}

fn media(table: &Table<'_>) -> Option<Media> {
    let frames = table.read("frames", Field::number);
    let reaction = table.value("reaction", Field::time);
    let playout = table.value("playout", Field::time);
    let (frames_per_second, rates) = (frames, rates(table));
    let (frames_per_second, rates) = (frames_per_second?, rates?);
    let most = match &rates {
        EncoderRates::Range { max, .. } => max.bps(),
        EncoderRates::Ladder(steps) => steps.last().map_or(0.0, |step| step.bps()),
    };
    if most / 8.0 / frames_per_second > MAX_FRAME {
        let message = format!("`{}` has frames of more than 10 MB", table.path);
        table.report(message, "its maximum rate is too high for this frame rate");
        return None;
    }
    Some(Media { frames_per_second, rates, reaction: reaction?, playout: playout? })
}

/// Reads a range of rates, a ladder, or a single rate.
fn rates(table: &Table<'_>) -> Option<EncoderRates> {
    let (ladder, min, max) = (table.get("rate"), table.get("min"), table.get("max"));
    match (ladder, min, max) {
        (Some(ladder), None, None) if ladder.is_list() => steps(&ladder),
        (Some(one), None, None) => Some(EncoderRates::Ladder([one.rate()?].into())),
        (None, Some(min), Some(max)) => {
            let (low, high) = (min.rate(), max.rate());
            match (low?, high?) {
                (low, high) if low > high => max.bad("`max` must not be below `min`"),
                (min, max) => Some(EncoderRates::Range { min, max }),
            }
        }
        _ => None,
    }
}

fn steps(ladder: &Field<'_>) -> Option<EncoderRates> {
    let items = ladder.items()?;
    let mut steps: Vec<Rate> = Vec::with_capacity(items.len());
    let mut whole = true;
    for item in &items {
        match item.rate() {
            Some(rate) if steps.last().is_some_and(|last| rate <= *last) => {
                whole = false;
                item.bad::<()>("each step must be higher than the one before it");
            }
            Some(rate) => steps.push(rate),
            None => whole = false,
        }
    }
    whole.then(|| EncoderRates::Ladder(steps.into()))
}
