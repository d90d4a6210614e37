//! LeoReplayer's traces (SpaceNetLab/LeoCC, `traces/README.md`): `bw_N.txt` is a trace as mahimahi
//! has it, and `delay_N.txt` the one-way delay in ms, a line for each 10 ms.
//!
//! Both are lists of numbers, so the name of the file says which it is.

use atl_link::trace::{DelayTrace, RateTrace};

use super::super::curve::Curve;
use super::super::delays::LINE;
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::problem::Problem;

#[derive(Debug)]
pub(super) struct LeoReplayer;

fn has_delays(name: &str) -> bool {
    name.starts_with("delay_") || name.ends_with(".delay")
}

impl Format for LeoReplayer {
    fn name(&self) -> &'static str {
        "leoreplayer"
    }

    fn about(&self) -> &'static str {
        "LeoCC's bw_N.txt, as mahimahi's; or delay_N.txt, a delay in ms for each 10 ms"
    }

    fn choices(&self) -> &'static [Choice] {
        &[Choice::Delay]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        (file.name.starts_with("bw_") && RateTrace::parse(file.text).is_ok())
            || (has_delays(file.name) && DelayTrace::parse(file.text).is_ok())
    }

    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem> {
        // The messages name the line.
        if !wanted.delay && !has_delays(&wanted.name) {
            return match RateTrace::parse(text) {
                Ok(trace) => Ok(Recorded::Opportunities(trace.timestamps().to_vec())),
                Err(error) => Err(Problem::whole(format!(
                    "{error} (as a file of rates; --delay reads one of delays)"
                ))),
            };
        }
        let trace = DelayTrace::parse(text).map_err(|error| Problem::whole(error.to_string()))?;
        let mut curve = Curve::default();
        for delay in trace.delays() {
            curve.push(LINE, delay.nanos());
        }
        Ok(Recorded::Delay(curve))
    }
}
