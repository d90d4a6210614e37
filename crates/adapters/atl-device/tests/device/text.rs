//! The text form: accepted lines, and complaints about others.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_device::LinkInfo;
use atl_device::text::{MAX_TEXT, TextError, parse};
use proptest::prelude::*;

fn read(line: &str) -> Result<LinkInfo, TextError> {
    parse(format!("{line}\n").as_bytes())
}

fn complaint(line: &str) -> String {
    read(line).expect_err(line).to_string()
}

#[test]
fn all_keys() {
    let info = read(
        r#"{"p_w": 0.02, "p_w_low": 0.01, "p_w_high": 0.05, "packets": 500, "d_w_s": 0.25, "d_w_low_s": 0.2,
            "d_w_high_s": 0.6, "rate_bps": 2e6, "epoch": 7}"#
            .replace('\n', " ")
            .as_str(),
    )
    .unwrap();
    let (loss, delay) = (info.loss.unwrap(), info.delay.unwrap());
    assert_eq!(loss.packets, Some(500));
    assert!((loss.value.get() - 0.02).abs() < 1e-15 && (loss.high.get() - 0.05).abs() < 1e-15);
    assert_eq!(delay.value, Span::from_millis(250));
    assert_eq!((delay.low, delay.high), (Span::from_millis(200), Span::from_millis(600)));
    assert_eq!((info.rate, info.epoch), (Some(Rate::from_mbps(2.0)), 7));
    assert_eq!(info.peer_report().unwrap().epoch, 7);
}

#[test]
fn what_is_absent_or_null_is_not_known() {
    assert_eq!(read("{}").unwrap(), LinkInfo::UNKNOWN);
    assert_eq!(read(r#"{"p_w": null, "d_w_s": null}"#).unwrap(), LinkInfo::UNKNOWN);
    let info = read(r#"{"p_w": 0.1}"#).unwrap();
    assert!(info.report().is_none());
    // A share of no packets is no estimate.
    assert!(read(r#"{"p_w": 0, "packets": 0}"#).unwrap().loss.is_none());
}

#[test]
fn a_number_of_packets_gives_the_interval() {
    let loss = read(r#"{"p_w": 0, "packets": 20}"#).unwrap().loss.unwrap();
    assert!((loss.high.get() - 0.1611).abs() < 5e-5, "{loss:?}");
    assert!(loss.low.get() < 1e-15);
    // Half a packet: the value stays within its interval.
    let loss = read(r#"{"p_w": 0.5, "packets": 1}"#).unwrap().loss.unwrap();
    assert!(loss.low <= loss.value && loss.value <= loss.high);
}

#[test]
fn complaints_name_the_key_the_value_and_what_is_allowed() {
    assert_eq!(complaint(r#"{"p_w": 1.5}"#), "p_w is 1.5; allowed is from 0 to 1");
    assert_eq!(complaint(r#"{"d_w_s": -1}"#), "d_w_s is -1; allowed is from 0 to 60 seconds");
    assert_eq!(
        complaint(r#"{"rate_bps": 0}"#),
        "rate_bps is 0; allowed is greater than 0 and at most 1e12"
    );
    assert_eq!(
        complaint(r#"{"p_w": 0.3, "p_w_low": 0.1, "p_w_high": 0.2}"#),
        "p_w is 0.3, outside of its interval from 0.1 to 0.2"
    );
    assert_eq!(complaint(r#"{"p_w": 0.3, "p_w_low": 0.1}"#), "p_w_low only together with p_w_high");
    assert!(complaint(r#"{"loss": 1}"#).contains("unknown field `loss`"));
    assert!(complaint(r#"{"epoch": -1}"#).contains("invalid value: integer `-1`"));
    assert!(complaint("[1]").contains("invalid"), "{}", complaint("[1]"));
}

#[test]
fn an_unfinished_line_is_not_read() {
    assert_eq!(parse(b"{}"), Err(TextError::Unfinished));
    assert_eq!(parse(b""), Err(TextError::Unfinished));
    assert_eq!(parse(b"{}\n{}\n"), Err(TextError::SeveralLines));
    assert_eq!(parse(&vec![b' '; MAX_TEXT + 1]), Err(TextError::TooLong));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&text);
    }

    #[test]
    fn what_is_accepted_is_in_range(p in -0.5..1.5_f64, packets in any::<u64>(), d in -1.0..100.0_f64) {
        let line = format!("{{\"p_w\": {p}, \"packets\": {packets}, \"d_w_s\": {d}}}\n");
        if let Ok(info) = parse(line.as_bytes()) {
            prop_assert!((0.0..=1.0).contains(&p) && (0.0..=60.0).contains(&d) && packets <= 1 << 53);
            if let Some(loss) = info.loss {
                prop_assert!(loss.low <= loss.value && loss.value <= loss.high);
            }
        } else {
            prop_assert!(!(0.0..=1.0).contains(&p) || !(0.0..=60.0).contains(&d) || packets > 1 << 53);
        }
    }
}
