//! A file of flows: when each starts, and how much it sends.

use atl_core::time::{Span, Time};

use super::rows::{self, named, rows};
use crate::keys::MAX_FLOWS;

/// Latest start in seconds.
const LATEST: f64 = 1e6;

/// Starts and sizes in bytes of flows, in the order of their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FlowList(pub(super) Vec<(Time, u64)>);

impl FlowList {
    /// Parses lines such as `1.25,40000`: seconds, and bytes. A first line of words names the
    /// columns; blank lines and those that begin with `#` are skipped.
    pub(super) fn parse(text: &str) -> Result<FlowList, String> {
        let mut flows: Vec<(Time, u64)> = Vec::new();
        for (number, line) in rows(text) {
            let Some(flow) = one(line) else {
                let what = named(number, line, "flow", flows.is_empty());
                return Err(format!(
                    "{what} is not a start in seconds from 0 to 1000000 and whole bytes from 1, \
                     such as 1.25,40000"
                ));
            };
            if flows.len() as u64 >= MAX_FLOWS {
                return Err(format!("line {number}: there are more than {MAX_FLOWS} flows"));
            }
            flows.push(flow);
        }
        if flows.is_empty() { Err("it has no flow".to_owned()) } else { Ok(FlowList(flows)) }
    }
}

fn one(line: &str) -> Option<(Time, u64)> {
    let (start, bytes) = line.split_once(',')?;
    let start: f64 = start.trim().parse().ok().filter(|start| (0.0..=LATEST).contains(start))?;
    Some((Time::ZERO + Span::from_secs_f64(start), rows::bytes(bytes)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_flows() {
        let text = "start_s,bytes\n# a comment\n0,1500\n\n 0.25 , 40000 \n";
        let flows = FlowList::parse(text).expect("right");
        assert_eq!(flows.0, [(Time::ZERO, 1500), (Time::from_millis(250), 40_000)]);
        assert_eq!(FlowList::parse("1e-1,7").expect("right").0, [(Time::from_millis(100), 7)]);
    }

    #[test]
    fn a_wrong_line_is_told_and_a_strange_file_is_not_repeated() {
        let told = |text: &str| FlowList::parse(text).expect_err("wrong");
        assert!(told("0,1500\n1,-2").contains("line 2: `1,-2`"));
        let strange = told("start,bytes\nroot:x:0");
        assert!(strange.contains("on line 2,") && !strange.contains("root"), "{strange}");
        for wrong in ["0;1500", "-1,5", "1,0", "1,1.5", "1e7,5", "nan,5", "1,2,3"] {
            assert!(told(wrong).contains("line 1"), "{wrong}");
        }
        assert_eq!(told("start,bytes\n"), "it has no flow");
    }
}
