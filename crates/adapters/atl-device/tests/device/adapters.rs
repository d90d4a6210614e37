//! Outputs of tools, and what they say of p_w and d_w.

use atl_core::time::Span;
use atl_device::LinkInfo;
use atl_device::adapters::{Adapter, AdapterError};
use atl_device::text;
use proptest::prelude::*;

fn of(name: &str, output: &[u8]) -> (Vec<LinkInfo>, Result<(), AdapterError>) {
    let mut told = Vec::new();
    let adapter = Adapter::named(name).expect("an adapter");
    let done = adapter.run(output, &mut |info| {
        told.push(*info);
        Ok(())
    });
    (told, done)
}

fn epochs(told: &[LinkInfo]) -> Vec<u32> {
    told.iter().map(|info| info.epoch).collect()
}

fn fixture(name: &str, file: &str) -> Vec<LinkInfo> {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/device/fixtures/adapters");
    let output = std::fs::read(folder.join(file)).expect("a fixture");
    let (told, done) = of(name, &output);
    done.expect("well formed");
    for info in &told {
        // Written and read, it is the same, but for the bitrate.
        let line = text::line(info);
        let read = text::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(text::line(&read), line);
    }
    told
}

/// The drops are those of 15 reports, and the delay is at most the least round trip.
#[test]
fn a_dish_bounds_loss_and_delay_from_above() {
    let [first, second, third] = fixture("starlink", "starlink.json")[..] else { panic!("three") };
    let loss = first.loss.expect("told");
    assert!((loss.value.get() - 0.05).abs() < 1e-12 && loss.low.get() <= 0.0);
    assert_eq!(first.delay.expect("told").high, Span::from_micros(38_500));
    // A report without a rate of drops has none.
    assert!((second.loss.expect("told").value.get() - 0.025).abs() < 1e-12);
    let delay = second.delay.expect("told");
    assert_eq!(
        (delay.low, delay.value, delay.high),
        (Span::ZERO, Span::from_micros(15_625), Span::from_micros(31_250))
    );
    // An outage counts as loss, and says nothing of the delay.
    assert!((third.loss.expect("told").value.get() - 0.35).abs() < 1e-12);
    assert!((third.loss.expect("told").high.get() - 1.0).abs() < 1e-12);
    assert_eq!(third.delay, second.delay);
}

/// A cell or a technology that is another than the last one known; what is unknown is no handoff.
#[test]
fn a_modem_tells_of_handoffs_alone() {
    let told = fixture("modem", "modem.json");
    assert_eq!(epochs(&told), [0, 0, 0, 1, 1, 2, 2]);
    assert!(told.iter().all(|info| info.loss.is_none() && info.delay.is_none()));
}

/// The forms of mmcli itself, with a service in ModemManager's place: another cell, no network, 5G
/// beside LTE in the same cell, and another technology, which is told before its cell.
#[test]
fn mmcli_is_read_as_it_prints() {
    assert_eq!(epochs(&fixture("modem", "modem_recorded.json")), [0, 0, 0, 1, 1, 1, 2, 2, 3, 4]);
}

#[test]
fn wfb_counts_what_its_code_could_not_repair() {
    let [first, second] = fixture("wfb", "wfb.jsonl")[..] else { panic!("two of one stream") };
    let none = first.loss.expect("counted");
    assert!(none.value.get() <= 0.0 && none.high.get() > 0.0 && none.packets == Some(1000));
    let some = second.loss.expect("counted");
    assert!((some.value.get() - 0.01).abs() < 1e-12, "{some:?}");
    assert!(some.low < some.value && some.high > some.value && some.packets == Some(2000));
}

#[test]
fn iw_tells_of_another_access_point_as_it_happens() {
    assert_eq!(epochs(&fixture("iw", "iw.txt")), [0, 1, 1]);
}

/// Moves between simulated access points, the same one once more, the other one after a pause, a
/// deauthentication, a refusal, and an access point that fell silent.
#[test]
fn iw_tells_of_each_move_that_was_recorded() {
    assert_eq!(epochs(&fixture("iw", "iw_recorded.txt")), [0, 1, 2, 2, 3, 4, 5, 6, 6, 7]);
}

/// Two devices of one machine, with times: the second one joins, and joins again, the access point
/// that it was with, while the first one moves.
#[test]
fn devices_of_one_machine_are_told_apart() {
    assert_eq!(epochs(&fixture("iw", "iw_recorded_two.txt")), [0, 1, 1, 2, 2, 3, 3, 4]);
}

/// The name of a network may read like an event.
#[test]
fn neither_networks_nor_countless_devices_are_taken_for_moves() {
    let moved = "connected to 02:00:00:00:01:00";
    let scan = format!("wlan0 (phy #0): scan finished: 2412, \"{moved}\"\n");
    let devices: String = (0..100).map(|n| format!("wlan{n} (phy #{n}): {moved}\n")).collect();
    let again = "wlan0 (phy #0): connected to 02:00:00:00:00:00\n";
    let (told, done) = of("iw", format!("{scan}{devices}{again}").as_bytes());
    done.expect("readable");
    assert_eq!(epochs(&told), [vec![0; 64], vec![1]].concat());
}

/// Lines that the helper for Android printed for the calls in `android.calls`: a handoff is another
/// network, also after a time without one, and a rate of 0 is unknown.
#[test]
fn android_tells_of_handoffs_and_the_rate() {
    let told = fixture("lines", "android.jsonl");
    let rates = told.iter().map(|info| info.rate.map(|rate| rate.bps()));
    let told: Vec<_> = rates.zip(told.iter().map(|info| info.epoch)).collect();
    let expected = [
        (None, 0),
        (Some(12e6), 0),
        (None, 1),
        (Some(3.4e6), 1),
        (None, 1),
        (None, 1),
        (Some(5.1e6), 1),
        (None, 2),
    ];
    assert_eq!(told, expected);
}

/// The helper itself, where there is a JDK.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_helper_for_android_prints_what_was_recorded() {
    use std::process::{Command, Stdio};

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixtures = root.join("tests/device/fixtures/adapters");
    let source = root.join("../../../examples/android/LinkLine.java");
    let calls = std::fs::File::open(fixtures.join("android.calls")).expect("a fixture");
    if !Command::new("javac").arg("-version").output().is_ok_and(|javac| javac.status.success()) {
        eprintln!("skipped: there is no JDK to run the helper for Android with");
        return;
    }
    // Java runs a file of source by itself.
    let java = Command::new("java").arg(source).stdin(Stdio::from(calls)).output();
    let java = java.expect("java beside javac");
    assert!(java.status.success(), "{}", String::from_utf8_lossy(&java.stderr));
    let recorded = std::fs::read(fixtures.join("android.jsonl")).expect("a fixture");
    assert_eq!(String::from_utf8_lossy(&java.stdout), String::from_utf8_lossy(&recorded));
}

#[test]
fn a_line_that_is_not_in_the_text_form_is_told_with_its_number() {
    let (told, done) = of("lines", b"{\"epoch\": 1}\n\n{\"p_w\": 2}\n");
    assert_eq!(told.len(), 1);
    let error = done.expect_err("no probability").to_string();
    assert!(error.starts_with("line 3: ") && error.contains("p_w"), "{error}");
}

#[test]
fn what_is_no_json_is_told() {
    let (told, done) = of("starlink", b"ERROR: connection refused\n");
    assert!(told.is_empty() && matches!(done, Err(AdapterError::Json(_))));
    assert!(Adapter::named("nothing").is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any octets, and any values in the places that are read, give a valid line or nothing.
    #[test]
    fn nothing_that_is_read_breaks_an_adapter(
        octets in prop::collection::vec(any::<u8>(), 0..200),
        value in prop::sample::select(&["-1", "0", "1e308", "\"x\"", "null", "[]", "[1]", "[-1, 2]", "{}", "18446744073709551615"][..]),
        other in prop::sample::select(&["1e-300", "2", "true", "[18446744073709551615]", "-0.0"][..]),
    ) {
        let made = format!(
            "{{\"dishGetStatus\": {{\"popPingDropRate\": {value}, \"popPingLatencyMs\": {other}}}}}\n\
             {{\"type\": \"rx\", \"id\": \"a\", \"packets\": {{\"lost\": {value}, \"out\": {other}}}}}\n\
             {{\"modem\": {{\"location\": {{\"3gpp\": {value}}}, \"generic\": {{\"state\": {other}}}}}}}\n"
        );
        for name in Adapter::NAMES {
            for output in [&octets, made.as_bytes()] {
                for info in of(name, output).0 {
                    let line = text::line(&info);
                    prop_assert!(text::parse(line.as_bytes()).is_ok(), "{}", line);
                }
            }
        }
    }
}
