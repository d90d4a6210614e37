//! Mobiles: their tracks, and the signals of their lower layers on the way.

use atl_core::model::Card;
use atl_core::time::{Span, Time};
use atl_mobility::geometry::{Track, TrackError, WayPoint};
use atl_mobility::journey::{JourneyError, Rules, compile};
use atl_mobility::prediction::{Heading, History, Nearest, Predictor};
use atl_mobility::trigger::Trigger;

use super::cell::place;
use super::clock::Clock;
use super::names::duplicate;
use crate::errors::Problem;
use crate::keys::words::{PREDICTORS, PredictorName, TRIGGERS, TriggerName};
use crate::keys::{HANDOFF, MAX_MOBILES};
use crate::table::{Field, Table};
use atl_engine::setup::{Cell, CellPlace, Handoff, MobileSetup, MobileStep, Prediction, RadioCard};

/// A mobile with its track.
pub(super) type Mobile = (MobileSetup, Track);

/// Reads all mobiles; `None` if one has an error. `whole` is true if the cells have none.
pub(super) fn read(
    tables: &[Table<'_>],
    nodes: &[String],
    places: &[CellPlace],
    clock: &Clock,
    whole: bool,
) -> Option<Vec<Mobile>> {
    if let Some(table) = tables.get(MAX_MOBILES) {
        table
            .report(format!("there are more than {MAX_MOBILES} mobiles"), "too many with this one");
        return None;
    }
    let cells: Vec<Cell> = places.iter().map(|place| place.cell).collect();
    let mut mobiles: Vec<Mobile> = Vec::new();
    let mut complete = true;
    for table in tables {
        let Some((mobile, track)) = one(table, places, &cells, clock, whole) else {
            complete = false;
            continue;
        };
        if nodes.contains(&mobile.name) {
            duplicate(table, "node", &mobile.name);
            complete = false;
        }
        if mobiles.iter().any(|(other, _)| other.name == mobile.name) {
            duplicate(table, "mobile", &mobile.name);
            complete = false;
        }
        mobiles.push((mobile, track));
    }
    complete.then_some(mobiles)
}

fn one(
    table: &Table<'_>,
    places: &[CellPlace],
    cells: &[Cell],
    clock: &Clock,
    whole: bool,
) -> Option<Mobile> {
    let name = table.read("name", Field::name);
    let speed = table.read("speed", Field::speed);
    let start = table.value("start", Field::time);
    let track = track(table, speed, start);
    let card = match table.get("card") {
        Some(field) => Some(radio_card(&field)?),
        None => None,
    };
    let handoff = table.or_default("handoff")?;
    let handoff = handoff_of(&handoff, table, places, whole);
    let (track, handoff) = (track?, handoff?);
    if !whole {
        return None;
    }
    let predictor: Box<dyn Predictor> = match &handoff.prediction {
        Prediction::Nearest => Box::new(Nearest),
        Prediction::Heading => Box::new(Heading),
        Prediction::History(journeys) => Box::new(History::new(journeys)),
    };
    let journey = match compile(cells, &track, &handoff.rules, &*predictor, clock.end) {
        Ok(journey) => journey,
        Err(error) => {
            let help = match error {
                _ if cells.is_empty() => "the file has no `[[cell]]`",
                JourneyError::NeverCovered if clock.moved => "the run may end before it does",
                JourneyError::NeverCovered => "lead its path through a cell before the run ends",
                JourneyError::TooManyCells => "let it use fewer cells",
            };
            let problem = Problem::new(format!("`{}` has no network: {error}", table.path))
                .at(table.get("path").map_or(table.at, |f| f.node.at))
                .key(&*table.path)
                .label("this path")
                .help(help);
            table.cx.sink.report(problem);
            return None;
        }
    };
    let mobile = MobileSetup {
        name: name?.to_owned(),
        cells: journey.cells.iter().map(|&cell| places[cell].name.clone()).collect(),
        steps: journey
            .steps
            .iter()
            .map(|step| MobileStep { at: step.at, signal: step.signal })
            .collect(),
        handoff,
        card,
    };
    Some((mobile, track))
}

/// Reads a radio's currents and battery.
fn radio_card(field: &Field<'_>) -> Option<RadioCard> {
    let table = field.table()?;
    let receiving = table.read("receiving", Field::current);
    let transmitting = table.read("transmitting", Field::current);
    let rate = table.read("rate", Field::rate);
    let currents = Card { receiving_amperes: receiving?, transmitting_amperes: transmitting? };
    Some(RadioCard { currents, rate: rate? })
}

/// A mobile's track from its way points.
fn track(table: &Table<'_>, speed: Option<f64>, start: Option<Span>) -> Option<Track> {
    let items = table.read("path", Field::items)?;
    let points: Option<Vec<WayPoint>> = {
        let all: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(i, item)| way_point(item, speed, i + 1 == items.len()))
            .collect();
        all.into_iter().collect()
    };
    let start = Time::ZERO + start?;
    match Track::new(start, &points?) {
        Ok(track) => Some(track),
        Err(TrackError::SamePlace(i)) => {
            items[i].bad("the way point before it is at the same place: give that one a `wait`")
        }
        Err(TrackError::Place(i) | TrackError::Speed(i)) => items[i].bad("it must be finite"),
        Err(TrackError::Empty) => None,
    }
}

fn way_point(field: &Field<'_>, speed: Option<f64>, last: bool) -> Option<WayPoint> {
    if !field.is_table() {
        return Some(WayPoint::new(place(field)?, speed?));
    }
    let table = field.table()?;
    let at = table.read("at", place);
    let own = table.read("speed", Field::speed);
    let wait = table.value("wait", Field::time);
    for key in ["speed", "wait"] {
        if let Some(field) = table.get(key) {
            field.effect(!last, "the host stays at its last way point");
        }
    }
    Some(WayPoint { at: at?, speed_mps: own.or(speed)?, wait: wait? })
}

/// Reads the handoff method: a word, or a table.
fn handoff_of(
    field: &Field<'_>,
    mobile: &Table<'_>,
    places: &[CellPlace],
    whole: bool,
) -> Option<Handoff> {
    let table = match field.is_text() {
        true => mobile.empty(&HANDOFF),
        false => field.table()?,
    };
    let at = match field.is_text() {
        true => field.one_of(TRIGGERS),
        false => table.value("at", |f| f.one_of(TRIGGERS)),
    };
    let hysteresis = table.value("hysteresis", Field::decibels);
    let exponent = table.value("exponent", Field::number);
    let binding = table.value("binding", Field::time);
    let gap = table
        .value("break-before-make", |f| if f.is_off() { Some(None) } else { f.time().map(Some) });
    let predict = table.value("predict", |f| f.one_of(PREDICTORS));
    let history = table.get("history");
    let journeys = match &history {
        Some(field) => journeys(field, places, whole),
        None => Some(Vec::new()),
    };
    let (at, predict) = (at?, predict?);
    for key in ["hysteresis", "exponent"] {
        if let Some(field) = table.get(key) {
            let strongest = at == TriggerName::Strongest;
            field.effect(strongest, "the host does not compare signals: `at` is not \"strongest\"");
        }
    }
    if let Some(field) = &history {
        let used = predict == PredictorName::History;
        field.effect(used, "the host does not predict from it: `predict` is not \"history\"");
    }
    let trigger = match at {
        TriggerName::Middle => Trigger::Middle,
        TriggerName::Entry => Trigger::Entry,
        TriggerName::Exit => Trigger::Exit,
        TriggerName::Strongest => {
            Trigger::Strongest { hysteresis_db: hysteresis?, exponent: exponent? }
        }
    };
    let prediction = match predict {
        PredictorName::Nearest => Prediction::Nearest,
        PredictorName::Heading => Prediction::Heading,
        PredictorName::History => Prediction::History(journeys?),
    };
    Some(Handoff { rules: Rules { trigger, binding: binding?, gap: gap? }, prediction })
}

/// Reads earlier journeys as indices of cells.
fn journeys(field: &Field<'_>, places: &[CellPlace], whole: bool) -> Option<Vec<Vec<usize>>> {
    let index = |name: &Field<'_>| {
        let text = name.text()?;
        let found = places.iter().position(|place| place.name == text);
        if found.is_none() && whole {
            let problem = name.problem(format!("there is no cell `{text}`"), "unknown cell");
            name.report(problem.nearest(text, places.iter().map(|place| place.name.as_str())));
        }
        found
    };
    let all = field.items()?.into_iter().map(|journey| {
        let cells: Vec<Option<usize>> = journey.items()?.iter().map(index).collect();
        cells.into_iter().collect()
    });
    all.collect()
}
