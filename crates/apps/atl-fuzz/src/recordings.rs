//! Links that others have recorded.

use atl_experiment::recording::{Choice, Column, FORMATS, Request, Wanted, import};
use atl_link::trace::{DelayTrace, RateTrace};

/// Longest part that is taken, in nanoseconds: a fast link has ten million opportunities in the
/// longest trace, and a short trace runs the same code.
const LONGEST: u64 = 2_000_000_000;
/// Columns of tables. Which of them a request names is up to the bytes.
const COLUMNS: [&str; 5] =
    ["time=1:s", "rate=2:Mb/s", "delay=3:ms", "rtt=rtt:ms", "time=timestamp_start"];

/// A recording behind two bytes: the format, or none to find out, and the choices. Every refusal
/// has a message; what is accepted is a trace that links read, not longer than was asked for, and
/// the same each time.
pub fn recordings(data: &[u8]) {
    let [format, choices, file @ ..] = data else { return };
    let chosen = |bit: u8| choices & (1 << bit) != 0;
    let format = FORMATS.get(usize::from(*format) % (FORMATS.len() + 1)).copied();
    let takes = |choice| format.is_some_and(|format| format.choices().contains(&choice));
    let some = COLUMNS.iter().enumerate().filter(|(n, _)| chosen(*n as u8 + 3));
    let columns = some.map(|(_, column)| column.parse::<Column>().expect("a column"));
    let request = Request {
        format,
        wanted: Wanted {
            name: if chosen(0) { "delay_1.txt".to_owned() } else { String::new() },
            delay: chosen(1) && takes(Choice::Delay),
            up: chosen(2) && takes(Choice::Direction),
            columns: if takes(Choice::Columns) { columns.collect() } else { Vec::new() },
            ..Wanted::default()
        },
        duration: Some(LONGEST),
        ..Request::default()
    };
    let made = import(file, &request);
    assert_eq!(made, import(file, &request));
    let made = match made {
        Ok(made) => made,
        Err(problem) => return assert!(!problem.to_string().is_empty()),
    };
    // A trace ends with a whole line, of 1 ms or of 10.
    let longest = LONGEST + 10_000_000;
    let nanos = match made.key {
        "trace" => RateTrace::parse(&made.text).map(|trace| trace.duration().nanos()),
        _ => DelayTrace::parse(&made.text).map(|trace| 10_000_000 * trace.delays().len() as u64),
    };
    assert_eq!(nanos.ok(), Some(made.summary.nanos), "{made:?}");
    assert!(made.summary.nanos <= longest && !made.summary.to_string().is_empty(), "{made:?}");
}
