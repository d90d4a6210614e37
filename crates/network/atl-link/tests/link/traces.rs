//! Traces: the text format, and recorded traces.

use std::path::PathBuf;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::trace::{DelayTrace, RateTrace, TraceErrorKind};
use proptest::prelude::*;

#[test]
fn a_rate_trace_has_a_period_and_a_rate() {
    let trace = RateTrace::parse("0\n10\r\n10\n\n 20 \n").expect("a good trace");
    assert_eq!((trace.opportunities(), trace.duration()), (4, Span::from_millis(20)));
    // 4 * 1500 bytes in 20 ms.
    assert_eq!(trace.mean_rate(), Rate::from_mbps(2.4));
    // Up to 10 ms: 0, 10, 10. The one at 20 ends the first period; the second period starts with
    // one at 20 as well.
    let until = |ms| trace.opportunities_until(Time::from_millis(ms));
    assert_eq!([0, 9, 10, 19, 20, 30, 39, 40].map(until), [1, 1, 3, 3, 5, 7, 7, 9]);
    // After 0 up to 10: two. After 10 up to 20: the last one, and the first of the next period.
    let windows: Vec<Rate> = trace.windows(Span::from_millis(10)).collect();
    assert_eq!(windows, [Rate::from_mbps(2.4), Rate::from_mbps(2.4)]);
    let (from, to) = (Time::from_millis(5), Time::from_millis(5));
    assert_eq!(trace.mean_rate_between(from, to), Rate::ZERO);
}

#[test]
fn a_trace_error_names_the_line_the_value_and_what_is_allowed() {
    let rate = |text: &str| RateTrace::parse(text).expect_err("a bad trace").to_string();
    assert_eq!(rate(""), "the trace is empty: at least one line must hold a number");
    assert_eq!(rate(" \n\n"), rate(""));
    assert_eq!(
        rate("0\n0\n"),
        "the trace has zero length: its last timestamp, after which it repeats, must be at least 1 ms"
    );
    let form = "is not a whole number of milliseconds from 0 to 4294967295";
    assert_eq!(rate("1\n\n2x\n"), format!("line 3: `2x` {form}"));
    for bad in ["-1", "+1", "1.5", "4294967296", "NaN", "1 2", "\u{664}", "\u{1b}[0m"] {
        let error = RateTrace::parse(&format!("0\n{bad}")).expect_err("a bad trace");
        assert!(matches!(error.kind, TraceErrorKind::NotANumber { .. }), "{bad:?}");
        assert_eq!((error.line, error.value.as_str()), (2, bad));
        assert!(
            !error.to_string().contains('\u{1b}'),
            "a file must not send control sequences to the terminal"
        );
    }
    assert_eq!(
        rate("5\n7\n6\n"),
        "line 3: timestamp 6 is smaller than the previous one; it must be at least 7"
    );
    let delay = |text: &str| DelayTrace::parse(text).expect_err("a bad trace").to_string();
    assert_eq!(delay(""), rate(""));
    let form = "is not a number of milliseconds from 0 to 1000000 (such as 23 or 23.5)";
    for bad in ["x", "-0.5", "NaN", "inf", "1000001", "1e999"] {
        assert_eq!(delay(&format!("12\n{bad}\n")), format!("line 2: `{bad}` {form}"));
    }
}

#[test]
fn nothing_is_repeated_from_a_file_that_is_not_a_trace() {
    let secret = "\nroot:$6$secret:19000:0:99999:7:::\n";
    let errors = [
        RateTrace::parse(secret).expect_err("a file of passwords"),
        DelayTrace::parse(secret).expect_err("a file of passwords"),
    ];
    for error in errors {
        assert_eq!((error.line, error.value.as_str()), (2, ""));
        let message = error.to_string();
        assert!(message.starts_with("its first value, on line 2, is not a "), "{message}");
    }
}

#[test]
fn each_delay_lasts_one_step_and_the_trace_repeats() {
    let trace = DelayTrace::parse("12\n7.25\n").expect("a good trace");
    let at = |ms| trace.at(Time::from_millis(ms)).nanos() / 1000;
    assert_eq!([0, 9, 10, 19, 20, 30].map(at), [12_000, 12_000, 7_250, 7_250, 12_000, 7_250]);
    assert_eq!(trace.duration(), Span::from_millis(20));
    let trace = trace.with_step(Span::from_millis(1));
    assert_eq!(trace.at(Time::from_millis(1)), Span::from_micros(7250));
    assert_eq!(trace.with_step(Span::ZERO).step(), Span::from_nanos(1));
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in any::<String>(), bytes in any::<Vec<u8>>()) {
        for text in [text.as_str(), &String::from_utf8_lossy(&bytes)] {
            let _ = RateTrace::parse(text).map_err(|error| error.to_string());
            let _ = DelayTrace::parse(text).map_err(|error| error.to_string());
        }
    }

    /// Texts that are nearly traces; a trace that parses can be read at any time.
    #[test]
    fn a_trace_that_parses_can_be_read_at_any_time(
        text in "([0-9]{1,10}|[0-9 .e+-]{0,4}|0)(\r?\n([0-9]{1,10}|[0-9]|)){0,20}",
        at in any::<u64>(),
    ) {
        let at = Time::from_nanos(at);
        if let Ok(trace) = RateTrace::parse(&text) {
            prop_assert!(trace.mean_rate() > Rate::ZERO);
            prop_assert!(trace.opportunities_until(at) <= trace.opportunities_until(Time::MAX));
            prop_assert!(trace.windows(trace.duration()).count() == 1);
        }
        if let Ok(trace) = DelayTrace::parse(&text) {
            prop_assert!(trace.delays().contains(&trace.at(at)));
        }
    }

    #[test]
    fn a_written_trace_reads_back_the_same(mut at in prop::collection::vec(any::<u32>(), 1..200)) {
        at.sort_unstable();
        prop_assume!(at.last() != Some(&0));
        let text: String = at.iter().map(|ms| format!("{ms}\n")).collect();
        let trace = RateTrace::parse(&text).expect("in order");
        prop_assert_eq!(trace.timestamps(), at.as_slice());
    }
}

/// A recorded trace; `None`, with a message, if the traces are not available.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn recorded(name: &str) -> Option<String> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/traces");
    let folder =
        std::env::var_os("ATL_TRACES").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let text = std::fs::read_to_string(folder.join(name));
    if text.is_err() {
        eprintln!("skipped: no trace {name} in {} (set ATL_TRACES)", folder.display());
    }
    text.ok()
}

#[test]
fn recorded_rate_traces_are_read_completely() {
    for name in ["starlink.down", "tmobile-umts-driving.down", "verizon-lte-short.down"] {
        let Some(text) = recorded(name) else { continue };
        let trace = RateTrace::parse(&text).expect(name);
        assert_eq!(trace.opportunities(), text.lines().count(), "{name}");
        let last: u64 = text.lines().last().and_then(|l| l.parse().ok()).expect(name);
        assert_eq!(trace.duration(), Span::from_millis(last), "{name}");
        let rates: Vec<f64> = trace.windows(Span::from_secs(1)).map(|r| r.mbps()).collect();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        // The last window may extend into the next period, an error of at most one window.
        let off = (mean / trace.mean_rate().mbps() - 1.0).abs();
        assert!(off < 2.0 / rates.len() as f64, "{name}: {mean} of {}", trace.mean_rate());
    }
}

#[test]
fn a_recorded_delay_trace_is_read_completely() {
    let Some(text) = recorded("starlink.delay") else {
        return;
    };
    let trace = DelayTrace::parse(&text).expect("a good trace");
    assert_eq!(trace.delays().len(), text.lines().count());
    assert_eq!(trace.at(Time::ZERO), Span::from_millis(12));
}

#[test]
fn a_link_with_a_recorded_trace_sends_one_packet_of_1500_bytes_per_opportunity() {
    use std::sync::Arc;

    use atl_link::random::Stream;
    use atl_link::{Config, Exit, Link, Packet, Service};

    struct Full;
    impl Packet for Full {
        fn wire_bytes(&self) -> u32 {
            1500
        }
    }

    for name in ["starlink.down", "tmobile-umts-driving.down", "verizon-lte-short.down"] {
        let Some(text) = recorded(name) else { continue };
        let trace = Arc::new(RateTrace::parse(&text).expect(name));
        let mut config = Config::constant(Rate::ZERO, Span::ZERO, 1000);
        config.initial.service = Service::Trace(Arc::clone(&trace));
        let mut link = Link::new(Arc::new(config), Stream::new(1, name));
        // More packets than any millisecond has opportunities.
        for _ in 0..1000 {
            assert!(link.offer(Time::ZERO, Full).is_ok());
        }
        // One and a half periods; the queue is never empty.
        let end = Time::from_nanos(trace.duration().nanos() / 2 * 3);
        let mut times = Vec::new();
        while link.next_event() <= end {
            let now = link.next_event();
            assert!(matches!(link.poll(now), Some(Exit::Delivered(Full))));
            times.push(now);
            assert!(link.offer(now, Full).is_ok());
        }
        // The opportunities at time zero had nothing to carry yet.
        let unused = trace.opportunities_until(Time::ZERO);
        assert_eq!(times.len() as u64, trace.opportunities_until(end) - unused, "{name}");
        let expected = trace.timestamps()[unused as usize..].iter();
        assert!(
            expected.zip(&times).all(|(&ms, at)| Time::from_millis(u64::from(ms)) == *at),
            "{name}: not at the times of the trace"
        );
    }
}
