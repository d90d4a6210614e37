//! Names for typical networks.

use std::borrow::Cow;

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

/// A wireless network and the wired path behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Lower-case letters, digits and hyphens.
    pub name: Cow<'static, str>,
    /// Rate towards the phone.
    pub down: Rate,
    /// Rate from the phone.
    pub up: Rate,
    /// Round-trip time between the phone and the server without queueing.
    pub rtt: Span,
    /// Probability that the wireless link loses a packet after its own retransmissions, in each
    /// direction.
    pub loss: Probability,
}

impl Network {
    /// The words that give it back: its name if it has that name's numbers, otherwise all of them.
    pub(crate) fn words(&self) -> String {
        let known = NAMED.iter().find(|known| known.network.name == self.name);
        if known.is_some_and(|known| known.network == *self) {
            return self.name.to_string();
        }
        let name = known.map(|_| format!("{} ", self.name)).unwrap_or_default();
        format!(
            "{name}{}Mb/s down {}Mb/s up {}ms rtt {}% loss",
            self.down.mbps(),
            self.up.mbps(),
            self.rtt.secs() * 1e3,
            self.loss.get() * 1e2
        )
    }
}

/// A network of the list, with its source.
#[derive(Clone, Debug)]
pub struct Named {
    /// The rates, RTT and loss that the name stands for.
    pub network: Network,
    /// Other names that people have for it, in lower case.
    pub others: &'static [&'static str],
    /// A few words on the kind of network, for lists.
    pub title: &'static str,
    /// Publication of the numbers, and which of them are our choice.
    pub source: &'static str,
}

impl Named {
    /// Its own name and the others.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.network.name).chain(self.others.iter().copied())
    }

    /// True if this is one of its names.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }
}

/// Its name and other names, rates down and up in Mb/s, the RTT in ms, the loss as a probability,
/// the title, the source.
fn network(
    name: &'static str,
    others: &'static [&'static str],
    [down, up]: [f64; 2],
    rtt_ms: u64,
    loss: f64,
    title: &'static str,
    source: &'static str,
) -> Named {
    let network = Network {
        name: Cow::Borrowed(name),
        down: Rate::from_mbps(down),
        up: Rate::from_mbps(up),
        rtt: Span::from_millis(rtt_ms),
        loss: Probability::clamped(loss),
    };
    Named { network, others, title, source }
}

/// The named networks, by increasing RTT.
///
/// The numbers are round ones in the range of the sources' measurements: examples to start from,
/// not models. No source separates what a link loses after its own retransmissions from what queues
/// drop, so the losses are chosen; `--loss` replaces them.
pub static NAMED: std::sync::LazyLock<Vec<Named>> = std::sync::LazyLock::new(|| {
    vec![
        network(
            "wifi",
            &["wi-fi", "wlan", "802.11", "802.11n", "802.11ac", "802.11ax", "wifi5", "wifi6"],
            [50.0, 20.0],
            25,
            0.001,
            "Wi-Fi at home or in a café",
            "rates and loss chosen, a busy 802.11n/ac cell behind DSL or cable; RTT of 20 ms to a nearby server and 5 ms of air",
        ),
        network(
            "5g",
            &["nr", "5gnr", "5g-nr"],
            [100.0, 20.0],
            30,
            0.0005,
            "5G below 6 GHz",
            "latency and throughput of mobile clients at a CDN: a few below 20 ms, most below 100 Mb/s (arXiv 2507.18834, 2025); loss chosen",
        ),
        network(
            "4g",
            &["lte", "4g-lte", "lte-a"],
            [30.0, 10.0],
            50,
            0.0005,
            "4G (LTE)",
            "three fifths of mobile clients have less than 50 Mb/s (arXiv 2507.18834, 2025); RTT and loss chosen",
        ),
        network(
            "train",
            &["railway", "trains"],
            [15.0, 5.0],
            80,
            0.005,
            "4G in a train, without its tunnels",
            "as the built-in `showcase/train`; loss chosen. For handovers and tunnels run that scenario",
        ),
        network(
            "leo",
            &["starlink", "low-orbit"],
            [100.0, 15.0],
            50,
            0.005,
            "a low-orbit satellite network such as Starlink",
            "RTT: median of 50 ms to European anchors, 100 to 200 Mb/s advertised and reached (Michel et al., A First Look at Starlink Performance, IMC 2022); loss chosen, bursts at the 15-second handovers left out",
        ),
        network(
            "3g",
            &["umts", "hspa", "hspa+", "wcdma"],
            [3.0, 1.0],
            150,
            0.003,
            "3G (UMTS)",
            "the order of the ATL paper's wireless WAN, and of `tmobile-umts-driving` among recorded traces; loss chosen",
        ),
        network(
            "geo",
            &["geostationary", "gso", "viasat", "hughesnet"],
            [50.0, 5.0],
            600,
            0.001,
            "a geostationary satellite",
            "RTT of about 600 ms, at least 477 ms of it propagation (Huston, Testing LEO and GEO satellite services, APNIC 2022); a plan of half the 100/10 Mb/s of Michel et al., IMC 2022; no proxies; loss chosen",
        ),
    ]
});

/// The network with this name, its own or another.
///
/// # Errors
/// A message that lists the names, the most similar first.
pub fn named(name: &str) -> Result<&'static Named, String> {
    if let Some(found) = NAMED.iter().find(|known| known.is_called(name)) {
        return Ok(found);
    }
    let names: Vec<&str> = NAMED.iter().map(|known| &*known.network.name).collect();
    let near = names.iter().find(|known| strsim::damerau_levenshtein(name, known) <= 1);
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(format!("there is no network `{name}`: use one of {}{near}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fit_a_file() {
        for (i, known) in NAMED.iter().enumerate() {
            let name = &known.network.name;
            assert!(NAMED[..i].iter().all(|other| other.network.name != *name), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{name}");
            let again = |other: &&&str| NAMED.iter().filter(|any| any.is_called(other)).count() > 1;
            assert_eq!(known.others.iter().find(again), None, "stands for two networks");
            assert!(!known.source.is_empty() && !known.title.is_empty());
        }
    }

    #[test]
    fn an_unknown_name_says_which_there_are() {
        let error = named("wfi").unwrap_err();
        assert!(
            error.contains("wifi, 5g, 4g") && error.ends_with("did you mean `wifi`?"),
            "{error}"
        );
        assert!(!named("moon").unwrap_err().contains("did you mean"));
    }
}
