//! Parsers of option values; their errors say what is allowed.

use std::net::{SocketAddr, ToSocketAddrs as _};

use atl_core::model::fading::Snr;
use atl_core::path::MAX_LOSS;
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_scenario::units;

/// Limit on times in models: no transport protocol has a round trip of more than an hour.
const MAX_TIME: Span = Span::from_secs(3600);

/// Parses the `key=value` of `--set`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected key=value, such as queue=400 or network.wifi.loss=0".to_owned()),
    }
}

/// A loss probability below 1, as a number or a percentage.
pub(super) fn loss(text: &str) -> Result<Probability, String> {
    let value = text.parse::<f64>().ok().or_else(|| units::percent(text).ok());
    loss_of(value.unwrap_or(f64::NAN))
}

/// A loss probability below 1.
pub(super) fn loss_of(value: f64) -> Result<Probability, String> {
    let allowed = || format!("expected a number from 0 to {MAX_LOSS}, or a percentage such as 2%");
    Probability::new(value).filter(|p| p.get() <= MAX_LOSS).ok_or_else(allowed)
}

/// A probability greater than 0, as a number or a percentage.
pub(super) fn share(text: &str) -> Result<Probability, String> {
    let value = text.parse::<f64>().ok().or_else(|| units::percent(text).ok());
    match value.and_then(Probability::new) {
        Some(p) if p > Probability::ZERO => Ok(p),
        _ => {
            Err("expected a number greater than 0 and at most 1, or a percentage such as 2%"
                .to_owned())
        }
    }
}

/// A bit error ratio.
pub(super) fn bit_errors(text: &str) -> Result<Probability, String> {
    let value = number(
        text,
        |x| (0.0..=0.1).contains(&x),
        "expected a number from 0 to 0.1, such as 1e-5",
    )?;
    Ok(Probability::clamped(value))
}

/// A loss greater than 0: without losses the equations set no limit.
pub(super) fn some_loss(text: &str) -> Result<Probability, String> {
    let p = loss(text)?;
    if p > Probability::ZERO {
        Ok(p)
    } else {
        Err(format!(
            "must be greater than 0 (and at most {MAX_LOSS}): without losses the equations set no limit"
        ))
    }
}

/// A time that may be zero.
pub(super) fn time(text: &str) -> Result<Span, String> {
    within(units::time(text)?)
}

/// A time that no model needs more of.
pub(super) fn within(span: Span) -> Result<Span, String> {
    if span <= MAX_TIME { Ok(span) } else { Err("expected a time from 0s to 1h".to_owned()) }
}

/// A time greater than zero.
pub(super) fn some_time(text: &str) -> Result<Span, String> {
    more_than_nothing(time(text)?)
}

/// A time greater than zero.
pub(super) fn more_than_nothing(span: Span) -> Result<Span, String> {
    if span.is_zero() {
        Err("expected a time greater than 0s and at most 1h, such as 120ms".to_owned())
    } else {
        Ok(span)
    }
}

/// A data rate.
pub(super) fn rate(text: &str) -> Result<Rate, String> {
    units::rate(text)
}

/// A signal-to-noise ratio in dB.
pub(super) fn snr(text: &str) -> Result<Snr, String> {
    match text.parse::<f64>().or_else(|_| units::decibels(text)) {
        Ok(db) if (-20.0..=100.0).contains(&db) => Ok(Snr::from_db(db)),
        _ => Err("expected a ratio from -20dB to 100dB".to_owned()),
    }
}

/// A Doppler shift in Hz.
pub(super) fn doppler(text: &str) -> Result<f64, String> {
    match text.parse::<f64>().or_else(|_| units::hertz(text)) {
        Ok(hertz) if (1e-3..=1e5).contains(&hertz) => Ok(hertz),
        _ => Err("expected a frequency from 0.001Hz to 100kHz".to_owned()),
    }
}

/// Size of a packet in bytes.
pub(super) fn packet_size(text: &str) -> Result<u32, String> {
    let allowed = || "expected a size from 1B to 65535B, such as 1000 or 1000B".to_owned();
    let bytes = match text.parse::<u64>() {
        Ok(bytes) => bytes,
        Err(_) => units::size(text).map_err(|_| allowed())?,
    };
    match u32::try_from(bytes) {
        Ok(bytes) if (1..=65535).contains(&bytes) => Ok(bytes),
        _ => Err(allowed()),
    }
}

/// Size of a packet's headers in bytes, which may be zero.
pub(super) fn header_size(text: &str) -> Result<u32, String> {
    match text {
        "0" | "0B" => Ok(0),
        _ => packet_size(text)
            .map_err(|_| "expected a size from 0B to 65535B, such as 48 or 48B".to_owned()),
    }
}

fn number(text: &str, ok: impl Fn(f64) -> bool, allowed: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if ok(value) => Ok(value),
        _ => Err(allowed.to_owned()),
    }
}

/// beta: the share of the window kept after a loss.
pub(super) fn beta(text: &str) -> Result<f64, String> {
    number(text, |x| x > 0.0 && x < 1.0, "expected a number greater than 0 and smaller than 1")
}

/// alpha in packets per round-trip time.
pub(super) fn alpha(text: &str) -> Result<f64, String> {
    number(
        text,
        |x| (1e-9..=1e9).contains(&x),
        "expected a number from 1e-9 to 1e9, in packets per RTT",
    )
}

/// b: data packets per ACK.
pub(super) fn packets_per_ack(text: &str) -> Result<f64, String> {
    number(
        text,
        |x| (1.0..=1000.0).contains(&x),
        "expected a number from 1 to 1000 (2 with delayed ACKs)",
    )
}

/// Two names with a comma between them.
pub(super) fn two_names(text: &str) -> Result<(String, String), String> {
    match text.split_once(',').map(|(one, other)| (one.trim(), other.trim())) {
        Some((one, other)) if !one.is_empty() && !other.is_empty() && one != other => {
            Ok((one.to_owned(), other.to_owned()))
        }
        _ => Err("expected two different hosts of the scenario, such as phone,server".to_owned()),
    }
}

/// Parses the `host=command` of `--at`.
pub(super) fn host_command(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((host, command)) if !host.trim().is_empty() && !command.trim().is_empty() => {
            Ok((host.trim().to_owned(), command.to_owned()))
        }
        _ => {
            Err("expected a host of the scenario and a command, such as server='iperf3 -s'"
                .to_owned())
        }
    }
}

/// An IP address and a port; a host name stands for its first address.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let resolved = || text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    text.parse().ok().or_else(resolved).ok_or_else(|| {
        "expected an address and a port, such as 127.0.0.1:5000 or [::1]:5000".to_owned()
    })
}

/// A size greater than zero.
pub(super) fn size(text: &str) -> Result<u64, String> {
    match units::size(text)? {
        0 => Err("expected a size greater than 0B, such as 100MB".to_owned()),
        bytes => Ok(bytes),
    }
}

/// A duration greater than zero.
pub(super) fn any_time(text: &str) -> Result<Span, String> {
    match units::time(text)? {
        span if span.is_zero() => Err("expected a time greater than 0s, such as 60s".to_owned()),
        span => Ok(span),
    }
}

/// A duration that may be zero.
pub(super) fn time_or_none(text: &str) -> Result<Span, String> {
    units::time(text)
}

/// Time between two reports.
pub(super) fn interval(text: &str) -> Result<Span, String> {
    match units::time(text)? {
        span if (Span::from_millis(10)..=MAX_TIME).contains(&span) => Ok(span),
        _ => Err("expected a time from 10ms to 1h".to_owned()),
    }
}

/// Time to watch the clock instead of sleeping.
pub(super) fn spin(text: &str) -> Result<Span, String> {
    match units::time(text)? {
        span if span <= Span::from_millis(10) => Ok(span),
        _ => Err("expected a time from 0s to 10ms, such as 50us".to_owned()),
    }
}

/// A current in amperes.
pub(super) fn current(text: &str) -> Result<f64, String> {
    match units::amperes(text) {
        Ok(amperes) if amperes <= 10.0 => Ok(amperes),
        _ => Err("expected a current from 0A to 10A, such as 327mA".to_owned()),
    }
}

/// A battery's charge in ampere seconds.
pub(super) fn charge(text: &str) -> Result<f64, String> {
    match units::ampere_seconds(text) {
        Ok(charge) if charge > 0.0 => Ok(charge),
        _ => Err("expected a charge greater than 0 in mAh or Ah, such as 730mAh".to_owned()),
    }
}

/// A number of dummies.
pub(super) fn dummies(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(n) if (1..=1_000_000_000).contains(&n) => Ok(n),
        _ => Err("expected a whole number from 1 to 1000000000".to_owned()),
    }
}
