//! Answers to questions about links.

use atl_core::time::Time;
use atl_core::units::Rate;

use super::error::QueryError;
use super::form::{
    LOST_KIND, MAX_ANSWER, MAX_TAGS, NO_SUCH_LINK, NOT_YET, REFUSAL_KIND, REPORT, REPORT_KIND,
    UNLIMITED, VERSION, first,
};
use super::tags::LostTags;
use crate::message::{PeerInfo, PeerLinkReport};
use crate::octets::{Octets, Rest};
use crate::peer_info;

/// The state of a link at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkMeasurement {
    /// Time of the measurement since the link began.
    pub at: Time,
    /// Packets that the MAC has passed since the link began.
    pub passed: u64,
    /// Packets that the MAC has lost since the link began.
    pub lost: u64,
    /// The rate at which it transmits; `None` where transmission takes no time.
    pub rate: Option<Rate>,
    /// Its own report: p_w over its window, d_w, and the number of handoffs.
    pub report: PeerLinkReport,
}

/// The reason why a request gets no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such link.
    NoSuchLink,
    /// The link has no measurement yet.
    NotYet,
}

/// The contents of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// The state of the link.
    Report(LinkMeasurement),
    /// No report, and the reason.
    Refusal(Refusal),
    /// Tags of datagrams that the link has lost.
    Lost(LostTags),
}

/// An answer with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Number of the request.
    pub number: u32,
    /// Number of the answer among those to the same request, from 0.
    pub serial: u32,
    /// The contents of the answer.
    pub body: Body,
}

impl Answer {
    /// Encodes the answer. Times are rounded down to microseconds, rates to bits per second; p_w
    /// and d_w as in [`encode`](crate::encode).
    pub fn encode(&self) -> Octets<MAX_ANSWER> {
        let mut message = Octets::new();
        let kind = match self.body {
            Body::Report(_) => REPORT_KIND,
            Body::Refusal(_) => REFUSAL_KIND,
            Body::Lost(_) => LOST_KIND,
        };
        message.push(&first(kind));
        message.push(&self.number.to_be_bytes());
        message.push(&self.serial.to_be_bytes());
        match &self.body {
            Body::Report(link) => {
                message.push(&(link.at.nanos() / 1000).to_be_bytes());
                message.push(&link.passed.to_be_bytes());
                message.push(&link.lost.to_be_bytes());
                // The conversion saturates, and 2^64 - 1 itself means no limit.
                let rate =
                    link.rate.map_or(UNLIMITED, |rate| (rate.bps() as u64).min(UNLIMITED - 1));
                message.push(&rate.to_be_bytes());
                let info = PeerInfo { link_report: Some(link.report), ..PeerInfo::NONE };
                message.push(peer_info::encode(&info).as_ref());
            }
            Body::Refusal(Refusal::NoSuchLink) => message.push(&[NO_SUCH_LINK]),
            Body::Refusal(Refusal::NotYet) => message.push(&[NOT_YET]),
            Body::Lost(lost) => {
                message.push(&lost.first.to_be_bytes());
                lost.tags.iter().take(MAX_TAGS).for_each(|tag| message.push(tag));
            }
        }
        message
    }

    /// Decodes an answer.
    ///
    /// # Errors
    /// If the octets are not exactly one answer of this version.
    pub fn decode(octets: &[u8]) -> Result<Self, QueryError> {
        let mut rest = Rest(octets);
        let [byte] = rest.take().ok_or(QueryError::Truncated)?;
        let (version, kind) = (byte >> 4, byte & 0xf);
        if version != VERSION {
            return Err(QueryError::Version { found: version });
        }
        if !matches!(kind, REPORT_KIND | REFUSAL_KIND | LOST_KIND) {
            return Err(QueryError::Kind { found: kind });
        }
        let number = rest.u32().ok_or(QueryError::Truncated)?;
        let serial = rest.u32().ok_or(QueryError::Truncated)?;
        let body = match kind {
            REPORT_KIND => Body::Report(measurement(&mut rest)?),
            LOST_KIND => {
                let body = Body::Lost(LostTags::decode(rest)?);
                return Ok(Answer { number, serial, body });
            }
            _ => Body::Refusal(refusal(&mut rest)?),
        };
        match rest.0.len() {
            0 => Ok(Answer { number, serial, body }),
            octets => Err(QueryError::Trailing { octets }),
        }
    }
}

fn measurement(rest: &mut Rest<'_>) -> Result<LinkMeasurement, QueryError> {
    let mut number = || rest.u64().ok_or(QueryError::Truncated);
    let (at, passed, lost, rate) = (number()?, number()?, number()?, number()?);
    let report: [u8; REPORT] = rest.take().ok_or(QueryError::Truncated)?;
    let info = peer_info::decode(&report).map_err(|error| QueryError::Report(Some(error)))?;
    let report = match info {
        PeerInfo { link_report: Some(report), rate: None, window_open: None } => report,
        _ => return Err(QueryError::Report(None)),
    };
    Ok(LinkMeasurement {
        // Longer times become 584 years.
        at: Time::from_nanos(at.min(u64::MAX / 1000) * 1000),
        passed,
        lost,
        rate: (rate != UNLIMITED).then(|| Rate::from_bps(rate as f64)),
        report,
    })
}

fn refusal(rest: &mut Rest<'_>) -> Result<Refusal, QueryError> {
    match rest.take().ok_or(QueryError::Truncated)? {
        [NO_SUCH_LINK] => Ok(Refusal::NoSuchLink),
        [NOT_YET] => Ok(Refusal::NotYet),
        [found] => Err(QueryError::Reason { found }),
    }
}
