//! Decoding of a receiver's reports. Octets come from the network: any of them may be anything.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;

use super::error::WireError;
use super::form::{CERTAIN, LINK, LINK_LEN, OPEN, RATE, RATE_LEN, VERSION, WINDOW};
use crate::message::{PeerInfo, PeerLinkReport};
use crate::octets::Rest;

/// Decodes a message of reports.
///
/// # Errors
/// If the octets are not exactly one message of this version.
pub fn decode(octets: &[u8]) -> Result<PeerInfo, WireError> {
    let mut rest = Rest(octets);
    let [first] = rest.take().ok_or(WireError::Truncated)?;
    let (version, flags) = (first >> 4, first & 0xf);
    if version != VERSION {
        return Err(WireError::Version { found: version });
    }
    let has = |flag: u8| flags & flag != 0;
    if has(OPEN) && !has(WINDOW) {
        return Err(WireError::OpenWithoutWindow);
    }
    let expected = if has(LINK) { LINK_LEN } else { 0 } + if has(RATE) { RATE_LEN } else { 0 };
    if rest.0.len() > expected {
        return Err(WireError::Trailing { octets: rest.0.len() - expected });
    }
    let link_report = has(LINK).then(|| link(&mut rest)).transpose()?;
    let rate = has(RATE).then(|| rate(&mut rest)).transpose()?;
    Ok(PeerInfo { link_report, rate, window_open: has(WINDOW).then_some(has(OPEN)) })
}

fn link(rest: &mut Rest<'_>) -> Result<PeerLinkReport, WireError> {
    let mut number = || rest.u32().ok_or(WireError::Truncated);
    let (epoch, loss, delay) = (number()?, number()?, number()?);
    let link = LinkReport {
        loss: Probability::clamped(f64::from(loss) / CERTAIN),
        delay: Span::from_micros(u64::from(delay)),
    };
    Ok(PeerLinkReport { epoch, link })
}

fn rate(rest: &mut Rest<'_>) -> Result<f64, WireError> {
    let rate = f64::from_be_bytes(rest.take().ok_or(WireError::Truncated)?);
    if rate.is_finite() && rate.is_sign_positive() { Ok(rate) } else { Err(WireError::Rate) }
}
