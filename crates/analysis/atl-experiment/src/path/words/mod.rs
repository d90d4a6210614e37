//! A path in people's words, such as `2% loss 50ms 10mbit` or `wifi, then 4g at 30s`.
//!
//! Words come in any order. A rule decides what people write in two ways, and [`Path::told`] says
//! what came of it; what has two readings without a rule is refused with both:
//!
//! - a time without a label is a round trip if it is below a second, and so are `ping`, `rtt` and
//!   `latency`; `one-way` is half of it; `delay` alone is refused;
//! - a share is loss; a number without a unit is refused, but for `ping 80` (in ms) and `20 down 5
//!   up` (in Mb/s);
//! - `mbit`, `Mbps`, `mb/s` and `10M` are Mb/s, `MB/s` are megabytes per second; `10mb` is refused;
//! - `each way` is about the number before it, a queue's length and a jitter about the number
//!   beside them; `1.000 kbit` is refused;
//! - one rate is that of both directions, `50/10 Mb/s` are down and up;
//! - neighbours are CUBIC flows in the same queue, stations share the airtime of a Wi-Fi;
//! - a comma between two networks is `then`; without a time, each network lasts 20 s;
//! - `15s each` is how long each network lasts, and `wifi on a train` is the network `train`;
//! - of the names that stand in the words, the longest: `hotel wifi` is not `wifi`.
//!
//! [`Path::told`]: crate::path::Path::told

mod aboard;
mod decimals;
mod joined;
mod labels;
mod names;
mod numerals;
mod parts;
mod phrases;
mod piece;
mod rates;
mod said;
mod stage;
mod stays;
mod times;
mod token;
mod unit;
mod vocabulary;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::path::description::Description;
use crate::path::direction::Direction;
use crate::path::network::{Network, Stated};
use crate::path::queue::Queue;
use said::{Said, Stage};
use token::{Kind, Token};
use unit::Quantity;

pub use stage::MOST_NEIGHBOURS;

/// Longest text in bytes; no path needs a tenth of it.
const LONGEST: usize = 2000;
/// Stay in a network whose words give no time.
const STAY: Span = Span::from_secs(20);

/// A path as words describe it; `None` where they leave a value open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    network: Option<Network>,
    stated: Stated,
    then: Vec<(Network, Time)>,
    send: Option<Direction>,
    queue: Option<Queue>,
    neighbours: Option<u32>,
    duration: Option<Span>,
    protocols: Vec<String>,
}

impl Words {
    /// Reads a path's words. No words say nothing.
    ///
    /// # Errors
    /// A message with the words that have no reading or several, and with what to write instead.
    pub fn read(text: &str) -> Result<Words, String> {
        if text.len() > LONGEST {
            return Err(format!(
                "a path's words have at most {LONGEST} bytes, and these have {}: `atl run` takes a scenario file",
                text.len()
            ));
        }
        let tokens = phrases::phrases(joined::joined(token::tokens(text)?));
        let (tokens, each) = stays::each(aboard::aboard(tokens))?;
        let mut all = Said::default();
        let mut stages: Vec<Stage> = Vec::new();
        let parts = parts::split(tokens)?;
        for part in &parts {
            let stage = stage::read(part, parts.len() == 1, &mut all)?;
            stages.push(Stage { lasts: stage.lasts.or(each), ..stage });
        }
        let Some(first) = stages.first().cloned() else { return Ok(Words::default()) };
        if first.at.is_some() {
            return Err("the first network begins at 0s; write `for 20s` for how long it lasts, or `20s rtt`".to_owned());
        }
        // Its numbers are said apart, as options may replace them.
        let stations = Stated { stations: first.stated.stations, ..Stated::default() };
        first.check(None)?;
        let mut words = Words {
            network: first.network.as_ref().map(|network| stations.over(Some(network))),
            stated: Stated { stations: None, ..first.stated },
            send: all.send,
            queue: all.queue,
            neighbours: all.neighbours,
            protocols: all.protocols,
            ..Words::default()
        };
        let several = stages.len() > 1;
        if several
            && first.network.is_none()
            && (first.stated.rtt.is_none() || first.rate().is_none())
        {
            return Err("the first network before `then` needs a name, or a rate and a round-trip time, such as `10Mb/s 50ms then 4g`".to_owned());
        }
        let mut before = first.over(None);
        let (mut from, mut lasts) = (Time::ZERO, first.lasts);
        for (i, stage) in stages.iter().enumerate().skip(1) {
            if stage.says_nothing() {
                return Err("`then` needs a network after it, such as `wifi then 4g`".to_owned());
            }
            if i > 1 && stage.after {
                return Err("`after` counts from the start or from the network before: write `at 40s`, from the start, or `for 20s` behind each network".to_owned());
            }
            from = match stage.at {
                Some(at) => Time::ZERO + at,
                None => from.saturating_add(lasts.unwrap_or(STAY)),
            };
            lasts = stage.lasts;
            stage.check(Some(&before))?;
            before = stage.over(Some(&before));
            words.then.push((before.clone(), from));
        }
        words.duration = lasts.map(|lasts| from.saturating_add(lasts).since(Time::ZERO));
        Ok(words)
    }

    /// One network's words with all its numbers, as those before an `@`.
    ///
    /// # Errors
    /// As of [`Words::read`], and for words of a whole path.
    pub fn network(text: &str) -> Result<Network, String> {
        let words = Words::read(text)?;
        let whole = !words.then.is_empty()
            || words.send.is_some()
            || words.queue.is_some()
            || words.neighbours.is_some()
            || words.duration.is_some()
            || !words.protocols.is_empty();
        let Words { network, stated, .. } = words;
        let numbers = stated.rtt.is_some() && stated.down.or(stated.up).is_some();
        if whole || (network.is_none() && !numbers) {
            return Err(format!(
                "`{text}` is not one network: write a name, or a rate and a round-trip time"
            ));
        }
        Ok(stated.over(network.as_ref()))
    }

    /// A rate alone, such as `10mbit`, in any unit that words have.
    ///
    /// # Errors
    /// As of [`Words::read`], and for what is no rate.
    pub fn rate(text: &str) -> Result<Rate, String> {
        let Quantity::Rate(bps) = Words::quantity(text)? else {
            return Err("expected a rate, such as 10Mb/s".to_owned());
        };
        let fits = (1.0..=1e15).contains(&bps);
        fits.then(|| Rate::from_bps(bps)).ok_or("expected a rate from 1b/s to 1000Tb/s".to_owned())
    }

    /// A time alone, such as `50 msec`.
    ///
    /// # Errors
    /// As of [`Words::read`], and for what is no time.
    pub fn time(text: &str) -> Result<Span, String> {
        match Words::quantity(text)? {
            Quantity::Time(seconds) => Ok(Span::from_secs_f64(seconds)),
            _ => Err("expected a time, such as 50ms".to_owned()),
        }
    }

    /// A share alone, such as `5 percent` or `1 in 100`, as a number from 0 to 1.
    ///
    /// # Errors
    /// As of [`Words::read`], and for what is no share.
    pub fn share(text: &str) -> Result<f64, String> {
        match Words::quantity(text)? {
            Quantity::Percent(percent) => Ok(percent / 100.0),
            _ => Err("expected a share, such as 2%".to_owned()),
        }
    }

    /// A queue's length alone: packets, with or without that word, a time or a size in bytes.
    ///
    /// # Errors
    /// As of [`Words::read`], and for what no queue can hold.
    pub fn queue(text: &str) -> Result<Queue, String> {
        stage::length(Words::quantity(text)?, text)
    }

    /// One number with its unit.
    fn quantity(text: &str) -> Result<Quantity, String> {
        match &token::tokens(text)?[..] {
            [Token { kind: Kind::Number(quantity), .. }] => Ok(*quantity),
            _ => Err("expected a number and a unit".to_owned()),
        }
    }

    /// Adds to a description what it leaves open. Networks come before those that it moves to.
    pub fn complete(self, described: &mut Description) {
        described.network = described.network.take().or(self.network);
        described.rtt = described.rtt.or(self.stated.rtt);
        described.down = described.down.or(self.stated.down);
        described.up = described.up.or(self.stated.up);
        described.loss = described.loss.or(self.stated.loss);
        described.jitter = described.jitter.or(self.stated.jitter);
        described.queue = described.queue.or(self.queue);
        described.neighbours = described.neighbours.or(self.neighbours);
        described.duration = described.duration.or(self.duration);
        described.send = self.send.unwrap_or(described.send);
        if described.protocols.is_empty() {
            described.protocols = self.protocols;
        }
        described.then.splice(0..0, self.then);
    }
}

#[cfg(test)]
mod tests;
