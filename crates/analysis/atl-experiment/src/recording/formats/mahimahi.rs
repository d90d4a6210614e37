//! mahimahi's traces, and the logs of its mm-link (ravinet/mahimahi, `traces/README` and
//! `src/frontend/link_queue.cc`).
//!
//! A log has a line for each opportunity that the link had, used or not: `TIME # BYTES`. Its times
//! count from an unknown moment; `# base timestamp` in its head says when the trace began.

use atl_link::trace::RateTrace;

use super::super::events::{What, events, in_order, stated};
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::opportunities::Opportunities;
use super::super::problem::Problem;

const LOG: &str = "# mahimahi mm-link";
const BASE: &str = "base timestamp";

#[derive(Debug)]
pub(super) struct Mahimahi;

impl Format for Mahimahi {
    fn name(&self) -> &'static str {
        "mahimahi"
    }

    fn about(&self) -> &'static str {
        "a trace (.up, .down): a time in ms for each packet; or a log of mm-link"
    }

    fn choices(&self) -> &'static [Choice] {
        &[]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        file.first_line().starts_with(LOG) || RateTrace::parse(file.text).is_ok()
    }

    fn read(&self, text: &str, _: &Wanted) -> Result<Recorded, Problem> {
        if (Glance { name: "", text }).first_line().starts_with(LOG) {
            return of_log(text);
        }
        match RateTrace::parse(text) {
            Ok(trace) => Ok(Recorded::Opportunities(trace.timestamps().to_vec())),
            // The message names the line.
            Err(error) => Err(Problem::whole(error.to_string())),
        }
    }
}

fn of_log(text: &str) -> Result<Recorded, Problem> {
    let Some(base) = stated(text, BASE) else {
        let message = format!(
            "no line of the log is `# {BASE}: MILLISECONDS`, so that nobody knows when its trace began"
        );
        return Err(Problem::whole(message));
    };
    let mut opportunities = Opportunities::new();
    let mut last = base;
    for event in events(text) {
        let event = event?;
        if event.what == What::Opportunity {
            in_order(&event, last)?;
            last = event.at;
            opportunities.push(last - base)?;
        }
    }
    if last == base {
        let message = "no line of the log is an opportunity (`TIME # BYTES`) after its beginning";
        return Err(Problem::whole(message));
    }
    opportunities.ending(last - base).map(Recorded::Opportunities)
}
