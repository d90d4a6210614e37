//! Networks of a path: the named ones, with what a description says of them.

use std::borrow::Cow;
use std::sync::LazyLock;

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_link::{Delay, Loss, Service};
use atl_scenario::{NamedNetwork, named_networks, network_named};

use crate::path::direction::Direction;
use crate::path::effects::Effects;
use crate::path::written;

/// Name of a network that has none.
pub(crate) const UNNAMED: &str = "path";
/// The beginning of the names of another program's networks; lists of names leave these out.
const PLAYED: &str = "quicly-";

/// A wireless network and the wired path behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Lower-case letters, digits and hyphens.
    pub name: Cow<'static, str>,
    /// Rate towards the phone; while nothing blocks the line of sight, where something may.
    pub down: Rate,
    /// Rate from the phone.
    pub up: Rate,
    /// Round-trip time between the phone and the server without queueing.
    pub rtt: Span,
    /// Probability that the wireless link loses a packet after its own retransmissions, in each
    /// direction; the mean where `effects` have losses of their own.
    pub loss: Probability,
    /// Effects of its link beside these numbers.
    pub effects: Effects,
}

/// Numbers that somebody states: they replace those of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stated {
    pub(crate) rtt: Option<Span>,
    pub(crate) down: Option<Rate>,
    pub(crate) up: Option<Rate>,
    pub(crate) loss: Option<Probability>,
    /// Size of the jitter; zero for none.
    pub(crate) jitter: Option<Span>,
    /// Stations that share the airtime of a Wi-Fi.
    pub(crate) stations: Option<u32>,
}

impl Stated {
    /// The network with these numbers instead of its own. A rate or an RTT that neither has is
    /// zero; a rate of one direction only is that of both, without a network.
    pub(crate) fn over(&self, base: Option<&Network>) -> Network {
        let Some(base) = base else {
            let rate = |own: Option<Rate>| own.or(self.down).or(self.up);
            let none = Rate::from_bps(0.0);
            let mut effects = Effects::default();
            effects.jitter(self.jitter.unwrap_or(Span::ZERO));
            return Network {
                name: UNNAMED.into(),
                down: rate(self.down).unwrap_or(none),
                up: rate(self.up).unwrap_or(none),
                rtt: self.rtt.unwrap_or(Span::ZERO),
                loss: self.loss.unwrap_or(Probability::ZERO),
                effects,
            };
        };
        let mut network = base.clone();
        if let Some(stations) = self.stations {
            let [down, up] = network.effects.share(stations);
            network.down = down.unwrap_or(network.down);
            network.up = up.unwrap_or(network.up);
        }
        for (way, stated, own) in [
            (Direction::Down, self.down, &mut network.down),
            (Direction::Up, self.up, &mut network.up),
        ] {
            if let Some(stated) = stated {
                network.effects.scale(way, *own, stated);
                *own = stated;
            }
        }
        network.rtt = self.rtt.unwrap_or(network.rtt);
        if let Some(loss) = self.loss {
            network.loss = loss;
            network.effects.take("loss");
        }
        if let Some(jitter) = self.jitter {
            network.effects.jitter(jitter);
        }
        network
    }
}

impl Network {
    /// The words that give it back: its name, and what a named network has otherwise.
    pub(crate) fn words(&self) -> String {
        let numbers = |down: bool, up: bool, rtt: bool, loss: bool| {
            let mut out = Vec::new();
            if down {
                out.push(format!("{}Mb/s down", self.down.mbps()));
            }
            if up {
                out.push(format!("{}Mb/s up", self.up.mbps()));
            }
            if rtt {
                out.push(format!("{}ms rtt", self.rtt.secs() * 1e3));
            }
            if loss {
                out.push(format!("{}% loss", self.loss.get() * 1e2));
            }
            out
        };
        let jitter = |words: &mut Vec<String>| match self.effects.spread() {
            Some(spread) => words.push(format!("{} jitter", written::time(spread))),
            None => words.push("no jitter".to_owned()),
        };
        let Ok(known) = named(&self.name) else {
            let mut words = numbers(true, true, true, true);
            if self.effects.has("jitter") {
                jitter(&mut words);
            }
            return words.join(" ");
        };
        let has = |network: &Network, way| network.effects.get("wifi", way).is_some();
        let aired = |way| has(&known, way) && !has(self, way);
        let mut words = vec![self.name.to_string()];
        if let Some(stations) = self.effects.stations()
            && known.effects.stations() != Some(stations)
        {
            words.push(format!("{stations} stations"));
        }
        // The part that stations share follows from their number.
        let other = |way| match self.effects.get("wifi", way) {
            Some(_) => false,
            None => known.rate(way) != self.rate(way) || aired(way),
        };
        words.extend(numbers(
            other(Direction::Down),
            other(Direction::Up),
            known.rtt != self.rtt,
            known.loss != self.loss || known.effects.has("loss") && !self.effects.has("loss"),
        ));
        let ways = [Direction::Down, Direction::Up];
        if ways
            .iter()
            .any(|way| known.effects.get("jitter", *way) != self.effects.get("jitter", *way))
        {
            jitter(&mut words);
        }
        words.join(" ")
    }

    /// The same network under another of its names.
    pub(crate) fn called(mut self, name: &str) -> Network {
        self.name = Cow::Owned(name.to_owned());
        self
    }

    /// Its rate in a direction.
    pub(crate) fn rate(&self, way: Direction) -> Rate {
        match way {
            Direction::Down => self.down,
            Direction::Up => self.up,
        }
    }
}

/// The numbers and effects of a network of the list.
fn numbers(known: &NamedNetwork) -> Network {
    let none = Rate::from_bps(0.0);
    let [rates, delays, losses] = match known.conditions() {
        Ok(conditions) => {
            let rates = conditions.each_ref().map(|way| match &way.service {
                Service::Constant(rate) => rate.bps(),
                Service::Wifi(wifi) => wifi.mean_rate().bps(),
                Service::Blocked(sight) => sight.clear.bps(),
                _ => none.bps(),
            });
            let delays = conditions.each_ref().map(|way| match way.delay {
                Delay::Constant(delay) => delay.secs(),
                Delay::Trace(_) => 0.0,
            });
            [rates, delays, conditions.each_ref().map(|way| mean_loss(&way.loss))]
        }
        // A test reads each of them.
        Err(_) => [[0.0; 2]; 3],
    };
    Network {
        name: Cow::Borrowed(known.name),
        down: Rate::from_bps(rates[0]),
        up: Rate::from_bps(rates[1]),
        rtt: Span::from_secs_f64(delays[0] + delays[1]),
        loss: Probability::clamped(losses[0]),
        effects: Effects::of(known.keys()),
    }
}

/// The share of packets that a process loses; of the named networks' processes.
fn mean_loss(loss: &Loss) -> f64 {
    match *loss {
        Loss::Bernoulli(p) => p.get(),
        Loss::Bursts { good, bad, loss_good, loss_bad } => {
            let [good, bad] = [good, bad].map(Span::secs);
            (loss_good.get() * good + loss_bad.get() * bad) / (good + bad)
        }
        _ => 0.0,
    }
}

/// The named networks, in the order of their page, each under its own name.
static NAMED: LazyLock<Vec<Network>> =
    LazyLock::new(|| named_networks().iter().map(numbers).collect());

/// The named networks that a path may go over: those of scenarios, in the order of their page.
///
/// The numbers are round ones in the range of the sources' measurements: examples to start from,
/// not models. No source separates what a link loses after its own retransmissions from what queues
/// drop, so the losses are chosen; `--loss` replaces them.
pub fn networks() -> impl Iterator<Item = (&'static NamedNetwork, &'static Network)> {
    named_networks().iter().zip(NAMED.iter())
}

/// True for the network of another program's tests, of which there are many.
pub fn is_played(known: &NamedNetwork) -> bool {
    known.name.starts_with(PLAYED)
}

/// The network with this name, its own or another. It keeps the name if a file may have it as a
/// key.
///
/// # Errors
/// A message that lists the names, the most similar first.
pub fn named(name: &str) -> Result<Network, String> {
    let Some(known) = network_named(name) else {
        let mut near = named_networks().iter().flat_map(NamedNetwork::names);
        let near = near.find(|known| strsim::damerau_levenshtein(name, known) <= 1);
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("there is no network `{name}`: use one of {}{near}", listed()));
    };
    let own = NAMED.iter().find(|network| network.name == known.name);
    let own = own.cloned().unwrap_or_else(|| numbers(known));
    Ok(if known.spoken.contains(&name) { own } else { own.called(name) })
}

/// The names for messages.
pub(crate) fn listed() -> String {
    let names = named_networks().iter().filter(|known| !is_played(known));
    let names: Vec<&str> = names.map(|known| known.name).collect();
    format!("{}, or of quicly's (docs/networks.md)", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_those_that_are_shown_fit_a_file() {
        let mut names: Vec<&str> = named_networks().iter().flat_map(NamedNetwork::names).collect();
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        for name in &names {
            assert!(named(name).expect("a network").name.chars().all(fits), "{name}");
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "a name stands for two networks");
    }

    #[test]
    fn the_numbers_are_those_of_the_tables() {
        for (known, network) in networks() {
            let conditions = known.conditions().expect("readable");
            // A path says one delay and one loss of both directions.
            assert_eq!(conditions[0].delay, conditions[1].delay, "{}", known.name);
            assert_eq!(conditions[0].loss, conditions[1].loss, "{}", known.name);
            assert!(network.down.bps() > 0.0 && network.up.bps() > 0.0, "{}", known.name);
            assert!(!network.rtt.is_zero() && !known.title().is_empty(), "{}", known.name);
            let simple =
                matches!(conditions[0].loss, Loss::None | Loss::Bernoulli(_) | Loss::Bursts { .. });
            assert!(simple, "{}: its mean loss is not known", known.name);
            // Keys with a way back that `reverse` can take away are times.
            for key in known.keys() {
                let both = key.down.is_some() && key.up.is_some();
                assert!(both || ["jitter", "grants"].contains(&&*key.key), "{key:?}");
            }
        }
        let numbers = |name: &str| {
            let n = named(name).expect("a network");
            (n.down.mbps(), n.up.mbps(), n.rtt.secs() * 1e3, n.loss.get())
        };
        assert_eq!(numbers("wifi"), (50.0, 20.0, 25.0, 0.001));
        assert_eq!(numbers("802.11ac"), numbers("wlan"));
        assert_eq!(numbers("mmwave"), (800.0, 80.0, 20.0, 0.0005));
        // Half of the packets in 200 of 10200 ms.
        assert!((numbers("hotel-wifi").3 - 0.5 * 0.2 / 10.2).abs() < 1e-12);
        // Less than the PHY's rate, as several stations share it.
        let (down, up, ..) = numbers("wifi-6");
        assert!(5.0 < up && up < down && down < 143.4 / 2.0, "{down} {up}");
    }

    #[test]
    fn what_is_stated_replaces_what_the_network_has() {
        let of = |name: &str, stated: Stated| stated.over(Some(&named(name).expect("a network")));
        let rate = |mbps| Some(Rate::from_mbps(mbps));
        let loss = Some(Probability::clamped(0.02));
        // A loss, also where the network has them in bursts.
        let hotel = of("hotel-wifi", Stated { loss, ..Stated::default() });
        assert!(!hotel.effects.has("loss") && hotel.effects.has("jitter"));
        assert_eq!(Some(hotel.loss), loss);
        // A rate, also where airtime gives it; the other direction keeps that.
        let six = of("wifi-6", Stated { down: rate(30.0), ..Stated::default() });
        assert_eq!(six.effects.get("wifi", Direction::Down), None);
        assert!(six.effects.get("wifi", Direction::Up).is_some());
        let six = of("wifi-6", Stated { down: rate(30.0), up: rate(1.0), ..Stated::default() });
        assert_eq!(six.effects, Effects::default());
        // A blocked line of sight keeps its share: 40 of 800 Mb/s are 5 %.
        let wave = of("mmwave", Stated { down: rate(400.0), ..Stated::default() });
        let blocked = |way| wave.effects.get("blockage", way).and_then(|b| b.get("rate"));
        assert_eq!(blocked(Direction::Down), Some("\"20Mb/s\""));
        assert_eq!(blocked(Direction::Up), Some("\"8Mb/s\""));
        // (400 x 5 + 20 x .3) / 5.3
        let mean = wave.effects.mean(Direction::Down, wave.down).mbps();
        assert!((mean - 378.490_566).abs() < 1e-6, "{mean}");
        // An RTT leaves the rest alone.
        let far = of("4g", Stated { rtt: Some(Span::from_millis(90)), ..Stated::default() });
        assert_eq!((far.rtt, far.down.mbps()), (Span::from_millis(90), 30.0));
        assert_eq!(far.effects, named("lte").expect("a network").effects);
    }

    #[test]
    fn effects_are_told_in_words_and_written_for_each_way() {
        let effects = |name: &str| named(name).expect("a network").effects;
        assert_eq!(effects("5g").words(), ["jitter 4 ms harq"]);
        assert_eq!(effects("cable").words(), ["up jitter 3 ms"]);
        assert_eq!(
            effects("leo").words(),
            ["jitter 4 ms", "reconfiguration every 15 s step 8 ms outage 60 ms loss 0.7"]
        );
        assert_eq!(effects("3g").words(), [""; 0]);
        assert_eq!(effects("leo").below(), Span::from_millis(12));
        assert_eq!(effects("5g").below(), Span::ZERO, "it only adds");
        let (there, back) = effects("cable").written(Direction::Down);
        assert_eq!((there.as_str(), &back[..]), ("", &["jitter = \"3ms\"".to_owned()][..]));
        let (there, back) = effects("cable").written(Direction::Up);
        assert_eq!(
            (there.as_str(), &back[..]),
            ("jitter = \"3ms\"\n", &["jitter = \"0s\"".to_owned()][..])
        );
    }

    #[test]
    fn an_unknown_name_says_which_there_are() {
        let error = named("wfi").unwrap_err();
        assert!(
            error.contains("wlan, hotel-wifi, lte") && error.ends_with("did you mean `wifi`?"),
            "{error}"
        );
        assert!(!named("moon").unwrap_err().contains("did you mean"));
    }
}
