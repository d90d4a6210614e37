//! The wire form of questions about a link, and of their answers: its p_w, its d_w, and the
//! datagrams that it lost.
//!
//! It is for a local socket that keeps the boundaries of messages and lets only its two ends write:
//! the carrier delimits and protects. Numbers are big-endian. There is no padding, so each message
//! has one form.
//!
//! A request:
//!
//! | octets | field |
//! | --- | --- |
//! | 1 | version (upper 4 bits, today 1) and kind (lower 4 bits): 1 ask once, 2 subscribe, 3 end the subscription, 4 subscribe to lost tags |
//! | 4 | number of the request: greater than those before it on the same connection |
//! | 4 | kind 2: time between two reports in milliseconds, 10 to 60 000 |
//! | 8 | kind 4: number of the first tag that is wanted; 2^64 - 1: from now on |
//! | 0 to 64 | kinds 1, 2 and 4: name of the link, UTF-8; empty for the link that the answerer takes for the asker's own |
//!
//! An answer:
//!
//! | octets | field |
//! | --- | --- |
//! | 1 | version, and kind: 8 report, 9 refusal, 10 lost tags |
//! | 4 | number of the request |
//! | 4 | number of the answer among those to the same request, from 0 |
//! | 8 | kind 8: when it was measured, in microseconds since the link began |
//! | 8 | kind 8: packets that the link's MAC has passed since then |
//! | 8 | kind 8: packets that it has lost since then |
//! | 8 | kind 8: rate in bits per second; 2^64 - 1: not limited |
//! | 13 | kind 8: the link's own report, p_w, d_w and handoffs, as a [message](crate::encode) with flag 1 |
//! | 1 | kind 9: why: 1 no such link, 2 nothing measured yet |
//! | 8 | kind 10: number of the first tag in this answer; of the next one to come, if there is none in it |
//! | 0 to 64 times 16 | kind 10: tags, in the order of the losses |
//!
//! A report has both the link's p_w over a window of the link's choice and the counts behind it,
//! from which the asker can compute the loss over a window of its own, with an interval.
//!
//! A *tag* stands for a datagram that the link's MAC lost: the last 16 octets of its UDP payload.
//! In QUIC these are an AEAD tag (RFC 9001, sec. 5.3), which differs from that of every other
//! datagram. A link numbers its tags from 0 and keeps the last ones. Kind 4 is answered at once,
//! even if there are no tags, and again whenever there are more. A gap between the numbers of two
//! answers stands for tags that were overwritten before they could be sent. A link that does not
//! know kind 4 ignores it, like anything that is no request; kind 10 is sent only to those who have
//! asked.
//!
//! ```
//! use atl_wire::link_query::{LinkName, Query, Request};
//!
//! let link = LinkName::new("air").expect("a short name");
//! let request = Request { number: 1, query: Query::Ask(link) };
//! let message = request.encode();
//! assert_eq!(message.as_ref(), b"\x11\0\0\0\x01air");
//! assert_eq!(Request::decode(message.as_ref()), Ok(request));
//! ```

mod answer;
mod error;
mod form;
mod name;
mod request;
mod tags;

pub use answer::{Answer, Body, LinkMeasurement, Refusal};
pub use error::QueryError;
pub use form::{
    LONGEST_INTERVAL, MAX_ANSWER, MAX_NAME, MAX_REQUEST, MAX_TAGS, SHORTEST_INTERVAL, VERSION,
};
pub use name::LinkName;
pub use request::{Query, Request};
pub use tags::{LostTags, Tag, tag};
