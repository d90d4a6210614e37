//! The words of one network, and where one network's words end.

use atl_core::path::MAX_LOSS;
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use super::token::{Kind, Token};
use super::unit::Quantity;
use super::{network, shown};
use crate::path::network::Network;
use crate::path::stages::Direction;

/// Limits on a round-trip time and on how long a network lasts, in seconds.
const LONGEST_RTT: f64 = 3600.0;
const LONGEST_STAY: f64 = 86_400.0;

const THEN: &[&str] = &["then", "afterwards", "later", "followed", "next"];
const TO: &[&str] = &["to", "into", "onto", "till", "until"];
const AT: &[&str] = &["at", "after"];
const FOR: &[&str] = &["for", "lasting", "during", "duration", "lasts"];
const LOSS: &[&str] = &[
    "loss",
    "losses",
    "lost",
    "lose",
    "loses",
    "losing",
    "drop",
    "drops",
    "plr",
    "dropped",
    "packetloss",
];
const NO: &[&str] = &["no", "without", "zero"];
const ROUND_TRIP: &[&str] =
    &["rtt", "ping", "latency", "lag", "round-trip", "roundtrip", "round", "trip", "pings"];
const ONE_WAY: &[&str] = &["one-way", "oneway", "owd", "one"];
const DELAY: &[&str] = &["delay", "delays", "delayed"];
const QUEUE: &[&str] = &["queue", "buffer", "queues", "buffers", "qlen"];
const DOWN: &[&str] =
    &["down", "downlink", "downstream", "download", "dl", "downloading", "downloads"];
const UP: &[&str] = &["up", "uplink", "upstream", "upload", "ul", "uploading", "uploads"];
/// Those that may also say which way data goes.
const TASKS: &[&str] = &["download", "upload", "downloading", "uploading", "downloads", "uploads"];
const JOINED: &[&str] = &["and", "or", "vs", "versus", "plus", "with", "against"];
const EACH: &[&str] = &["each", "both"];
const WAY: &[&str] = &["way", "ways", "direction", "directions"];
/// Words that add nothing to a path.
const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "with",
    "on",
    "over",
    "in",
    "of",
    "my",
    "our",
    "your",
    "is",
    "has",
    "have",
    "and",
    "to",
    "from",
    "by",
    "via",
    "per",
    "about",
    "around",
    "roughly",
    "circa",
    "using",
    "use",
    "link",
    "network",
    "networks",
    "connection",
    "line",
    "path",
    "net",
    "home",
    "office",
    "cafe",
    "café",
    "internet",
    "packet",
    "packets",
    "bandwidth",
    "bw",
    "rate",
    "speed",
    "throughput",
    "capacity",
    "data",
    "time",
    "way",
    "ways",
    "each",
    "both",
    "direction",
    "directions",
    "symmetric",
    "typical",
    "normal",
    "plain",
    "standard",
    "roam",
    "roaming",
    "switch",
    "move",
    "moves",
    "handoff",
    "handover",
    "change",
    "wireless",
    "what",
    "which",
    "best",
    "for",
    "i",
    "it",
    "that",
    "was",
    "are",
    "random",
    "please",
    "show",
    "test",
    "try",
    "me",
    "send",
    "sending",
    "some",
    "only",
    "just",
    "but",
    "vs",
    "versus",
    "against",
    "compare",
    "at",
    "radio",
    "access",
    "mean",
    "average",
    "avg",
    "total",
    "orbit",
    "low",
    "as",
    "like",
    "seconds",
];
/// What links do that these words cannot say, with what can.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &["jitter", "jittery"],
        "no key of a link varies delays by chance: record them as a `delay-trace` in a scenario (docs/scenarios.md)",
    ),
    (
        &[
            "reorder",
            "reordering",
            "duplicate",
            "duplication",
            "corrupt",
            "corruption",
            "burst",
            "bursty",
            "bursts",
            "blackout",
            "blackouts",
            "outage",
            "outages",
            "gilbert",
            "gilbert-elliott",
        ],
        "is not said in words: `--save FILE` writes the scenario, whose link takes it as a key (docs/scenarios.md lists them)",
    ),
    (
        &["ecn", "codel", "fq_codel", "red", "pie", "bufferbloat", "shallow", "deep"],
        "is a matter of the queue: say its length, as in `100 packets queue`, or `--save FILE` and change the scenario's queue",
    ),
    (
        &["neighbour", "neighbours", "neighbor", "neighbors", "cross", "traffic", "users", "flows"],
        "needs no words: each transport is also run beside a CUBIC flow in the same queue",
    ),
    (&["seed", "seeds"], "is an option: `--seeds 5`"),
    (
        &["bbr", "bbrv1"],
        "has several readings: the transports are `bbr2` and `bbr3`, among others (`atl list`)",
    ),
];

/// What stands for the whole path, wherever it is said.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) send: Option<Direction>,
    pub(super) queue: Option<u32>,
    pub(super) protocols: Vec<String>,
}

/// What is said of one network.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    pub(super) network: Option<Network>,
    pub(super) rtt: Option<Span>,
    pub(super) down: Option<Rate>,
    pub(super) up: Option<Rate>,
    pub(super) loss: Option<Probability>,
    /// When it begins, and whether `after` says so.
    pub(super) at: Option<Span>,
    pub(super) after: bool,
    pub(super) lasts: Option<Span>,
}

impl Stage {
    pub(super) fn rate(&self) -> Option<Rate> {
        self.down.or(self.up)
    }

    pub(super) fn says_nothing(&self) -> bool {
        self.network.is_none() && self.rtt.is_none() && self.rate().is_none() && self.loss.is_none()
    }

    /// The network with all its numbers: those said, those of its name, or those `before` it.
    pub(super) fn over(&self, before: Option<&Network>) -> Network {
        let base = self.network.as_ref().or(before);
        let none = Rate::from_bps(0.0);
        let rate = |own: Option<Rate>, base: Option<Rate>| own.or(base).or(self.rate());
        Network {
            name: base.map_or("path".into(), |base| base.name.clone()),
            down: rate(self.down, base.map(|base| base.down)).unwrap_or(none),
            up: rate(self.up, base.map(|base| base.up)).unwrap_or(none),
            rtt: self.rtt.or(base.map(|base| base.rtt)).unwrap_or(Span::ZERO),
            loss: self.loss.or(base.map(|base| base.loss)).unwrap_or(Probability::ZERO),
        }
    }
}

fn name_of(token: &Token) -> Option<Network> {
    match &token.kind {
        Kind::Word(word) => network::known(word),
        _ => None,
    }
}

/// Splits tokens into those of each network in turn.
pub(super) fn split(tokens: Vec<Token>) -> Result<Vec<Vec<Token>>, String> {
    let mut out = Vec::new();
    if tokens.is_empty() {
        return Ok(out);
    }
    let mut pieces: Vec<Vec<Token>> = vec![Vec::new()];
    let mut skip_by = false;
    for token in tokens {
        let by = std::mem::take(&mut skip_by) && token.is(&["by"]);
        if token.is(THEN) {
            skip_by = token.is(&["followed"]);
            pieces.push(Vec::new());
        } else if let Some(last) = pieces.last_mut()
            && !by
        {
            last.push(token);
        }
    }
    for piece in pieces {
        names_apart(piece, &mut out)?;
    }
    let blank = |part: &Vec<Token>| part.iter().all(|token| token.kind == Kind::Comma);
    if out.len() > 1 && out.iter().any(blank) {
        return Err("`then` is between two networks, as in `wifi then 4g at 20s`".to_owned());
    }
    Ok(out)
}

/// Splits a piece without `then` between the names in it.
fn names_apart(mut piece: Vec<Token>, out: &mut Vec<Vec<Token>>) -> Result<(), String> {
    loop {
        let named: Vec<(usize, String)> = piece
            .iter()
            .enumerate()
            .filter_map(|(i, token)| Some((i, name_of(token)?.name.to_string())))
            .collect();
        let Some(pair) = named.windows(2).find(|pair| {
            pair[0].1 != pair[1].1 || piece[pair[0].0..pair[1].0].iter().any(|token| token.is(TO))
        }) else {
            out.push(piece);
            return Ok(());
        };
        let (first, second) = (pair[0].0, pair[1].0);
        let between = |wanted: &dyn Fn(&Token) -> bool| {
            (first + 1..second).rev().find(|i| piece[*i..].first().is_some_and(wanted))
        };
        let to = between(&|token| token.is(TO));
        let comma = between(&|token| token.kind == Kind::Comma);
        let at = between(&|token| token.is(AT));
        let joined = between(&|token| token.is(JOINED) || token.kind == Kind::Slash);
        let cut = match (to, comma, at, joined) {
            (Some(cut), ..) | (None, Some(cut), ..) | (None, None, Some(cut), None) => cut,
            _ => {
                let (a, b) = (&piece[first].text, &piece[second].text);
                return Err(format!(
                    "`{}` has two networks: one after the other is `{a} then {b}`; for one beside the other, run `atl path {a}` and `atl path {b}`",
                    shown(&piece[first..=second])
                ));
            }
        };
        let mut rest = piece.split_off(cut);
        if to.is_some() || comma.is_some() {
            rest.remove(0);
        }
        out.push(piece);
        piece = rest;
    }
}

/// A measure or a label in the order of the words.
enum Mark {
    Rate(f64),
    Way(Direction, bool),
}

/// Reads one network's words.
pub(super) fn read(tokens: &[Token], all: &mut Said) -> Result<Stage, String> {
    let mut stage = Stage::default();
    let mut marks: Vec<(usize, Mark)> = Vec::new();
    let mut times: Vec<(f64, &Token)> = Vec::new();
    let mut shares: Vec<(f64, &Token)> = Vec::new();
    let mut pair: Option<(f64, f64)> = None;
    let has = |words: &[&str]| tokens.iter().any(|token| token.is(words));
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let before = |words: &[&str]| i > 0 && tokens[i - 1].is(words);
        // The nearest word on a side, past words such as `of`.
        let thin = |t: &&Token| !t.is(&["of", "is", "about", "a", "around", "length", "size"]);
        let left = tokens[..i].iter().rev().find(thin);
        let right = tokens[i + 1..].iter().find(thin);
        let beside = |words: &[&str]| {
            left.is_some_and(|t| t.is(words)) || right.is_some_and(|t| t.is(words))
        };
        match &token.kind {
            Kind::Comma | Kind::Slash => {}
            Kind::Pair(down, up) => {
                if pair.replace((*down, *up)).is_some() {
                    return Err(format!("`{}`: one pair of rates for each network", shown(tokens)));
                }
            }
            Kind::Number(Quantity::Time(seconds)) => {
                if before(FOR) {
                    if stage.lasts.replace(span(*seconds, LONGEST_STAY, token)?).is_some() {
                        return Err(format!("`{}` has two durations", shown(tokens)));
                    }
                } else if before(AT) && *seconds >= 1.0 {
                    stage.after = tokens[i - 1].is(&["after"]);
                    if stage.at.replace(span(*seconds, LONGEST_STAY, token)?).is_some() {
                        return Err(format!("`{}` begins at two times", shown(tokens)));
                    }
                } else {
                    times.push((*seconds, token));
                }
            }
            Kind::Number(Quantity::Rate(bps)) => marks.push((i, Mark::Rate(*bps))),
            Kind::Number(Quantity::Percent(percent)) => shares.push((*percent, token)),
            Kind::Number(Quantity::Packets(number)) => queue(*number, token, all)?,
            Kind::Number(Quantity::Bare(number)) => {
                if beside(LOSS) && *number == 0.0 {
                    shares.push((0.0, token));
                } else if beside(LOSS) {
                    return Err(format!(
                        "`{}` has two readings: `{number}% loss` or `{}% loss`",
                        token.text,
                        number * 100.0
                    ));
                } else if beside(QUEUE) {
                    queue(*number, token, all)?;
                } else if beside(ROUND_TRIP) {
                    times.push((number / 1e3, token));
                } else {
                    let n = &token.text;
                    return Err(format!(
                        "`{n}` has no unit: a rate is `{n}Mb/s`, a round-trip time `{n}ms`, a loss `{n}%`"
                    ));
                }
            }
            Kind::Word(word) => {
                if let Some(known) = network::known(word) {
                    stage.network = Some(known);
                } else if token.is(DOWN) {
                    marks.push((i, Mark::Way(Direction::Down, token.is(TASKS))));
                } else if token.is(UP) {
                    marks.push((i, Mark::Way(Direction::Up, token.is(TASKS))));
                } else if token.is(NO) && right.is_some_and(|t| t.is(LOSS) || t.is(&["packet"])) {
                    shares.push((0.0, token));
                } else if token.is(&["lossless", "loss-free", "lossfree"]) {
                    shares.push((0.0, token));
                } else if token.is(NO) {
                    i += 1;
                    if tokens.get(i).is_none_or(|t| !t.is(&["jitter", "blackouts", "reordering"])) {
                        return Err(format!("`{word}`: only `no loss` can be said, or no jitter"));
                    }
                } else {
                    self::word(word, token, tokens, all)?;
                }
            }
        }
        i += 1;
    }
    one_time(&times, tokens, &mut stage)?;
    match shares[..] {
        [] if has(LOSS) => {
            return Err("`loss` has no number: say how much, as in `2% loss`".to_owned());
        }
        [] => {}
        [(percent, token)] => {
            let loss = Probability::new(percent / 100.0).filter(|p| p.get() <= MAX_LOSS);
            stage.loss = Some(loss.ok_or_else(|| {
                format!("`{}`: a loss is from 0% to {}%", token.text, MAX_LOSS * 100.0)
            })?);
        }
        _ => return Err(format!("`{}` has two losses: a link has one, each way", shown(tokens))),
    }
    rates(&marks, pair, tokens, &mut stage, all)?;
    Ok(stage)
}

/// A word that is no network, direction or loss.
fn word(word: &str, token: &Token, tokens: &[Token], all: &mut Said) -> Result<(), String> {
    if let Some(instead) = network::instead(word) {
        // `geo satellite` says which.
        let orbit = tokens.iter().filter_map(name_of).any(|n| n.name == "geo" || n.name == "leo");
        let mobile = tokens.iter().filter_map(name_of).any(|n| n.name.ends_with('g'));
        let said = word.starts_with("sat") && orbit
            || ["mobile", "cellular", "phone", "cell"].contains(&word) && (mobile || orbit);
        return if said { Ok(()) } else { Err(format!("`{word}` {instead}")) };
    }
    if let Some((_, why)) = ELSEWHERE.iter().find(|(words, _)| words.contains(&word)) {
        return Err(format!("`{word}`: {why}"));
    }
    let lists: [&[&'static str]; 8] = [FILLERS, LOSS, ROUND_TRIP, ONE_WAY, DELAY, QUEUE, FOR, AT];
    if lists.iter().any(|words| token.is(words)) || token.is(EACH) || token.is(WAY) {
        return Ok(());
    }
    let protocol = match word {
        "bbrv3" => "bbr3",
        "bbrv2" => "bbr2",
        word => word,
    };
    if atl_scenario::protocol::named(protocol).is_some() {
        if !all.protocols.iter().any(|named| named == protocol) {
            all.protocols.push(protocol.to_owned());
        }
        return Ok(());
    }
    let words: Vec<&'static str> =
        lists[1..].iter().flat_map(|words| words.iter().copied()).collect();
    let names: Vec<String> =
        crate::path::NAMED.iter().map(|known| known.network.name.to_string()).collect();
    let near = network::near(word, &words);
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(format!(
        "there is no network `{word}`: use one of {}, and numbers as in `wifi 5% loss` or `10Mb/s 50ms`{near}",
        names.join(", ")
    ))
}

fn queue(number: f64, token: &Token, all: &mut Said) -> Result<(), String> {
    let whole = number.fract() == 0.0 && (1.0..=1e6).contains(&number);
    if !whole {
        return Err(format!("`{}`: a queue has from 1 to 1000000 packets", token.text));
    }
    match all.queue.replace(number as u32) {
        None => Ok(()),
        Some(_) => Err(format!("`{}`: the queue's length is said twice", token.text)),
    }
}

/// A time greater than zero and not beyond `longest` seconds.
fn span(seconds: f64, longest: f64, token: &Token) -> Result<Span, String> {
    let span = Span::from_nanos((seconds.min(longest) * 1e9).round() as u64);
    if span.is_zero() || seconds > longest {
        return Err(format!(
            "`{}`: a time here is more than 0s and at most {longest}s",
            token.text
        ));
    }
    Ok(span)
}

fn one_time(times: &[(f64, &Token)], tokens: &[Token], stage: &mut Stage) -> Result<(), String> {
    let has = |words: &[&str]| tokens.iter().any(|token| token.is(words));
    let rate = tokens.iter().any(|token| matches!(token.kind, Kind::Number(Quantity::Rate(_))));
    let each = has(EACH) && has(WAY) && !rate;
    let round = has(ROUND_TRIP);
    let one_way = has(ONE_WAY) && (has(WAY) || has(&["one-way", "oneway", "owd"]));
    match times {
        [] if round || has(DELAY) || one_way => {
            Err("a delay needs its number: `50ms rtt`, or `25ms one-way`".to_owned())
        }
        [] => Ok(()),
        [(seconds, token)] => {
            let text = &token.text;
            let factor = if one_way || (each && has(DELAY)) {
                2.0
            } else if round {
                1.0
            } else if has(DELAY) {
                return Err(format!(
                    "`{text}` of delay has two readings: `{text} rtt` (there and back) or `{text} one-way`"
                ));
            } else if *seconds >= 1.0 {
                return Err(format!(
                    "`{text}` has several readings: `for {text}` (how long it lasts), `then NETWORK at {text}` or `{text} rtt`"
                ));
            } else if stage_begins(tokens, token) {
                return Err(format!(
                    "`at {text}` has two readings: `{text} rtt`, or when the network begins, in steps of 0.5s from 1s on: `at 20s`"
                ));
            } else {
                1.0
            };
            stage.rtt = Some(span(seconds * factor, LONGEST_RTT, token)?);
            Ok(())
        }
        [(_, a), (_, b), ..] => Err(format!(
            "`{}` and `{}` are two times: one is the round trip, as in `50ms rtt`; say what the other is, as in `for 20s`",
            a.text, b.text
        )),
    }
}

/// True for `at` before a time right behind the name of a network, as in `4g at 50ms`.
fn stage_begins(tokens: &[Token], time: &Token) -> bool {
    tokens.windows(3).any(|three| {
        name_of(&three[0]).is_some() && three[1].is(AT) && std::ptr::eq(&three[2], time)
    })
}

/// Rates with the directions beside them.
fn rates(
    marks: &[(usize, Mark)],
    pair: Option<(f64, f64)>,
    tokens: &[Token],
    stage: &mut Stage,
    all: &mut Said,
) -> Result<(), String> {
    let mut given: Vec<(usize, f64)> = Vec::new();
    let mut ways: Vec<(usize, Direction, bool)> = Vec::new();
    for (i, mark) in marks {
        match mark {
            Mark::Rate(bps) => given.push((*i, *bps)),
            Mark::Way(way, task) => ways.push((*i, *way, *task)),
        }
    }
    let text = || shown(tokens);
    let several = || {
        Err(format!(
            "`{}` has several rates: say which is which, as in `50Mb/s down 10Mb/s up` or `50/10Mb/s`",
            text()
        ))
    };
    let rate = |bps: f64| {
        let fits = (1.0..=1e15).contains(&bps);
        let wrong = || format!("`{}`: a rate is from 1b/s to 1000Tb/s", text());
        fits.then(|| Rate::from_bps(bps)).ok_or_else(wrong)
    };
    let mut task = |way: Direction| match all.send.replace(way) {
        Some(other) if other != way => Err(format!(
            "`{}` sends both ways: data goes `down` or `up`; rates are `50Mb/s down 10Mb/s up`",
            text()
        )),
        _ => Ok(()),
    };
    if let Some((first, second)) = pair {
        if !given.is_empty() {
            return several();
        }
        let (down, up) = match ways[..] {
            [(_, Direction::Up, false), (_, Direction::Down, _)] => (second, first),
            _ => (first, second),
        };
        if let [(_, way, _)] = ways[..] {
            task(way)?;
        }
        (stage.down, stage.up) = (Some(rate(down)?), Some(rate(up)?));
        return Ok(());
    }
    match (&given[..], &ways[..]) {
        ([], ways) => {
            for (_, way, _) in ways {
                task(*way)?;
            }
        }
        ([(_, bps)], []) => (stage.down, stage.up) = (Some(rate(*bps)?), Some(rate(*bps)?)),
        ([(at, bps)], [(there, way, is_task)]) if *is_task && at.abs_diff(*there) > 1 => {
            task(*way)?;
            (stage.down, stage.up) = (Some(rate(*bps)?), Some(rate(*bps)?));
        }
        ([(_, bps)], [(_, Direction::Down, _)]) => stage.down = Some(rate(*bps)?),
        ([(_, bps)], [(_, Direction::Up, _)]) => stage.up = Some(rate(*bps)?),
        // `10Mb/s up and down`.
        ([(_, bps)], [(_, a, _), (_, b, _)]) if a != b => {
            (stage.down, stage.up) = (Some(rate(*bps)?), Some(rate(*bps)?));
        }
        ([(a, first), (b, second)], [(x, one, _), (y, other, _)]) if one != other => {
            // Labels all precede their rates, or all follow them.
            let apart = (x < a && a < y && y < b) || (a < x && x < b && b < y);
            if !apart {
                return several();
            }
            let (down, up) = match one {
                Direction::Down => (first, second),
                Direction::Up => (second, first),
            };
            (stage.down, stage.up) = (Some(rate(*down)?), Some(rate(*up)?));
        }
        _ => return several(),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_hide_no_label() {
        for list in [THEN, LOSS, ROUND_TRIP, DELAY, QUEUE, DOWN, UP, NO] {
            assert!(list.iter().all(|word| !FILLERS.contains(word)), "{list:?}");
        }
    }
}
