//! The text form of link information, for files and commands.
//!
//! One line of JSON, closed by a newline: an object with any of these keys. A key that is absent or
//! null means that the value is unknown.
//!
//! | key | value |
//! | --- | --- |
//! | `p_w` | p_w, 0 to 1 |
//! | `p_w_low`, `p_w_high` | its 95 % interval, 0 to 1; both or neither; without them it is exact |
//! | `packets` | packets that it rests on, 0 to 2^53; with `p_w` and without an interval, the interval is computed from it |
//! | `d_w_s` | d_w in seconds, 0 to 60 |
//! | `d_w_low_s`, `d_w_high_s` | its range in seconds, 0 to 60; both or neither; without them it is exact |
//! | `rate_bps` | expected rate in bits per second, greater than 0, at most 1e12 |
//! | `epoch` | handoffs so far, 0 to 2^32 - 1; 0 when absent |
//!
//! ```
//! let info = atl_device::text::parse(b"{\"p_w\": 0.012, \"d_w_s\": 0.3, \"epoch\": 2}\n")?;
//! assert_eq!(info.epoch, 2);
//! assert!(info.report().is_some());
//! assert!(info.rate.is_none());
//! # Ok::<(), atl_device::text::TextError>(())
//! ```

mod error;

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use serde::{Deserialize, Serialize};

pub use error::TextError;

use crate::info::{DelayEstimate, LinkInfo, LossEstimate};
use crate::interval::{Batch, loss_estimate};

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 4096;

/// Upper bound on delays, in seconds.
const MOST_DELAY: f64 = 60.0;
/// Upper bound on rates, in bits per second.
const MOST_RATE: f64 = 1e12;
/// The largest whole number that a JSON reader must keep (RFC 8259, sec. 6).
const MOST_PACKETS: u64 = 1 << 53;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    p_w: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_w_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_w_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d_w_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d_w_low_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d_w_high_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_bps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epoch: Option<u32>,
}

/// Reads one line of link information.
///
/// # Errors
/// If the text is not exactly one such line.
pub fn parse(text: &[u8]) -> Result<LinkInfo, TextError> {
    if text.len() > MAX_TEXT {
        return Err(TextError::TooLong);
    }
    let line = text.strip_suffix(b"\n").ok_or(TextError::Unfinished)?;
    if line.contains(&b'\n') {
        return Err(TextError::SeveralLines);
    }
    let line: Line = serde_json::from_slice(line)
        .map_err(|error| TextError::Json { column: error.column(), reason: error.to_string() })?;
    Ok(LinkInfo {
        loss: loss(&line)?,
        delay: delay(&line)?,
        rate: rate(line.rate_bps)?,
        bitrate: None,
        epoch: line.epoch.unwrap_or(0),
    })
}

/// One line of link information, as [`parse`] reads it. The bitrate has no key.
pub fn line(info: &LinkInfo) -> String {
    let loss = info.loss.as_ref();
    let delay = info.delay.as_ref();
    let line = Line {
        p_w: loss.map(|loss| loss.value.get()),
        p_w_low: loss.map(|loss| loss.low.get()),
        p_w_high: loss.map(|loss| loss.high.get()),
        packets: loss.and_then(|loss| loss.packets).map(|packets| packets.min(MOST_PACKETS)),
        d_w_s: delay.map(|delay| delay.value.secs().min(MOST_DELAY)),
        d_w_low_s: delay.map(|delay| delay.low.secs().min(MOST_DELAY)),
        d_w_high_s: delay.map(|delay| delay.high.secs().min(MOST_DELAY)),
        rate_bps: info.rate.map(Rate::bps).filter(|bps| *bps > 0.0 && *bps <= MOST_RATE),
        epoch: Some(info.epoch),
    };
    // Numbers and keys cannot fail to be written.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

fn loss(line: &Line) -> Result<Option<LossEstimate>, TextError> {
    let packets = line.packets.map(|n| whole("packets", n)).transpose()?;
    let low = line.p_w_low.map(|p| probability("p_w_low", p)).transpose()?;
    let high = line.p_w_high.map(|p| probability("p_w_high", p)).transpose()?;
    let Some(p) = line.p_w else {
        return match (low, high, packets) {
            (None, None, None) => Ok(None),
            _ => Err(TextError::Without { key: "p_w_low, p_w_high and packets", needs: "p_w" }),
        };
    };
    let value = probability("p_w", p)?;
    let (low, high) = match (low, high, packets) {
        (Some(low), Some(high), _) => {
            ordered("p_w", low.get(), value.get(), high.get())?;
            (low, high)
        }
        (None, None, Some(packets)) if packets > 0 => {
            let lost = libm::round(value.get() * packets as f64) as u64;
            let Some(counted) = loss_estimate(&[Batch { packets, lost }]) else {
                return Ok(None);
            };
            // Counts are whole: the share as given may lie just outside of their interval.
            let low = if counted.low < value { counted.low } else { value };
            (low, if counted.high > value { counted.high } else { value })
        }
        // A share of no packets is no estimate.
        (None, None, Some(_)) => return Ok(None),
        (None, None, None) => (value, value),
        _ => return Err(TextError::Without { key: "p_w_low", needs: "p_w_high" }),
    };
    Ok(Some(LossEstimate { value, low, high, packets }))
}

fn delay(line: &Line) -> Result<Option<DelayEstimate>, TextError> {
    let low = line.d_w_low_s.map(|s| seconds("d_w_low_s", s)).transpose()?;
    let high = line.d_w_high_s.map(|s| seconds("d_w_high_s", s)).transpose()?;
    let value = line.d_w_s.map(|s| seconds("d_w_s", s)).transpose()?;
    match (value, low, high) {
        (None, None, None) => Ok(None),
        (None, ..) => Err(TextError::Without { key: "d_w_low_s and d_w_high_s", needs: "d_w_s" }),
        (Some(value), None, None) => Ok(Some(DelayEstimate::exact(value))),
        (Some(value), Some(low), Some(high)) => {
            ordered("d_w_s", low.secs(), value.secs(), high.secs())?;
            Ok(Some(DelayEstimate { value, low, high }))
        }
        _ => Err(TextError::Without { key: "d_w_low_s", needs: "d_w_high_s" }),
    }
}

fn rate(bps: Option<f64>) -> Result<Option<Rate>, TextError> {
    let Some(bps) = bps else {
        return Ok(None);
    };
    if bps > 0.0 && bps <= MOST_RATE {
        Ok(Some(Rate::from_bps(bps)))
    } else {
        Err(out_of_range("rate_bps", bps, "greater than 0 and at most 1e12"))
    }
}

fn ordered(key: &'static str, low: f64, value: f64, high: f64) -> Result<(), TextError> {
    if low <= value && value <= high {
        Ok(())
    } else {
        Err(TextError::Order { key, low, value, high })
    }
}

fn probability(key: &'static str, p: f64) -> Result<Probability, TextError> {
    Probability::new(p).ok_or_else(|| out_of_range(key, p, "from 0 to 1"))
}

fn seconds(key: &'static str, s: f64) -> Result<Span, TextError> {
    if (0.0..=MOST_DELAY).contains(&s) {
        Ok(Span::from_secs_f64(s))
    } else {
        Err(out_of_range(key, s, "from 0 to 60 seconds"))
    }
}

fn whole(key: &'static str, n: u64) -> Result<u64, TextError> {
    if n <= MOST_PACKETS { Ok(n) } else { Err(out_of_range(key, n as f64, "from 0 to 2^53")) }
}

fn out_of_range(key: &'static str, value: f64, allowed: &'static str) -> TextError {
    TextError::Range { key, value, allowed }
}
