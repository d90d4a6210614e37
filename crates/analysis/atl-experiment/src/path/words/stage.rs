//! The words of one network.

use atl_core::path::MAX_LOSS;
use atl_core::time::Span;
use atl_core::units::Probability;

use super::labels::{self, Role};
use super::names::{self, Said as Number};
use super::rates::{Mark, rates};
use super::said::{Said, Stage};
use super::times::{LONGEST_RTT, LONGEST_STAY, one_time, span};
use super::token::{Kind, Token, shown};
use super::unit::Quantity;
use super::vocabulary::{
    AT, DELAY, DOWN, EACH, ELSEWHERE, FILLERS, FOR, JITTER, LOSS, MOVES, NEIGHBOURS, NO, ONE_WAY,
    OTHER, QUEUE, ROUND_TRIP, SIZES, STATIONS, TASKS, UP, WAY,
};
use crate::path::direction::Direction;
use crate::path::network::listed;
use crate::path::queue::{BYTES, LONGEST, PACKETS, Queue};

/// Most CUBIC flows in the same queue.
pub const MOST_NEIGHBOURS: u32 = 100;
/// Most stations of a Wi-Fi; the way up counts one more, and a scenario takes 256.
const MOST_STATIONS: u32 = 255;

/// Reads one network's words. What they say of the whole path goes to `all`; `alone` tells that the
/// path has no other network.
pub(super) fn read(tokens: &[Token], alone: bool, all: &mut Said) -> Result<Stage, String> {
    let mut found = Found { roles: labels::roles(tokens)?, ..Found::default() };
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        i += match &token.kind {
            Kind::Comma | Kind::Slash => 1,
            Kind::Pair(down, up) => {
                if found.pair.replace((*down, *up)).is_some() {
                    return Err(format!("`{}`: one pair of rates for each network", shown(tokens)));
                }
                1
            }
            Kind::Number(quantity) => found.number(*quantity, tokens, i, all)?,
            Kind::Word(word) => found.word(word, tokens, i, all)?,
        };
    }
    let Found { mut stage, marks, times, shares, pair, others, roles } = found;
    one_time(&times, &roles, tokens, &mut stage)?;
    stage.stated.loss = one_loss(&shares, tokens)?;
    rates(&marks, pair, tokens, &mut stage, all)?;
    for token in others {
        other(token, tokens, alone, &stage, all)?;
    }
    Ok(stage)
}

/// Findings in the words of a network, in their order.
#[derive(Default)]
struct Found<'a> {
    stage: Stage,
    roles: Vec<Option<Role>>,
    marks: Vec<(usize, Mark)>,
    /// Seconds.
    times: Vec<(f64, &'a Token)>,
    /// Percent.
    shares: Vec<(f64, &'a Token)>,
    pair: Option<(f64, f64)>,
    /// Words that are no network, direction or loss.
    others: Vec<&'a Token>,
}

/// The nearest words to the left and to the right, past such as `of`.
fn beside(tokens: &[Token], i: usize) -> [Option<&Token>; 2] {
    let thin = |t: &&Token| !t.is(&["of", "is", "about", "a", "around", "length", "size"]);
    [tokens[..i].iter().rev().find(thin), tokens[i + 1..].iter().find(thin)]
}

impl<'a> Found<'a> {
    /// A number with what it counts: tells how many tokens were read.
    fn number(
        &mut self,
        quantity: Quantity,
        tokens: &'a [Token],
        i: usize,
        all: &mut Said,
    ) -> Result<usize, String> {
        let token = &tokens[i];
        let before = |words: &[&str]| i > 0 && tokens[i - 1].is(words);
        match (self.roles[i], quantity) {
            (Some(Role::Queue), _) => queue(length(quantity, &token.text)?, token, all)?,
            (Some(Role::Jitter), Quantity::Time(seconds)) => self.jitter(seconds, tokens, token)?,
            (Some(Role::Jitter), Quantity::Bare(millis)) => {
                self.jitter(millis / 1e3, tokens, token)?;
            }
            (_, Quantity::Time(seconds)) if before(FOR) => {
                let lasts = span(seconds, LONGEST_STAY, token)?;
                if self.stage.lasts.replace(lasts).is_some() {
                    return Err(format!("`{}` has two durations", shown(tokens)));
                }
            }
            (_, Quantity::Time(seconds)) if before(AT) && seconds >= 1.0 => {
                self.stage.after = tokens[i - 1].is(&["after"]);
                let at = span(seconds, LONGEST_STAY, token)?;
                if self.stage.at.replace(at).is_some() {
                    return Err(format!("`{}` begins at two times", shown(tokens)));
                }
            }
            (_, Quantity::Time(seconds)) => self.times.push((seconds, token)),
            (_, Quantity::Rate(_)) if i > 1 && before(&["of"]) && tokens[i - 2].is(JITTER) => {
                return Err(format!(
                    "`{0}`: in words only a delay has jitter, not a rate: say its mean; one that changes is `wifi then {0} at 10s`",
                    token.text
                ));
            }
            (_, Quantity::Rate(bps)) => self.marks.push((i, Mark::Rate(bps))),
            (_, Quantity::Percent(percent)) => self.shares.push((percent, token)),
            (_, Quantity::Packets(_)) => queue(length(quantity, &token.text)?, token, all)?,
            (_, Quantity::Bytes(_)) => {
                return Err(format!(
                    "`{0}` is a size: a queue is `a queue of {0}`, and data is sent for a time, as in `for 20s`",
                    token.text
                ));
            }
            (_, Quantity::Bare(number)) => return self.bare(number, tokens, i, all),
        }
        Ok(1)
    }

    fn jitter(&mut self, seconds: f64, tokens: &[Token], token: &Token) -> Result<(), String> {
        let jitter = match seconds {
            0.0 => Span::ZERO,
            seconds => span(seconds, LONGEST_RTT, token)?,
        };
        match self.stage.stated.jitter.replace(jitter) {
            None => Ok(()),
            Some(_) => Err(format!("`{}` has two jitters", shown(tokens))),
        }
    }

    /// A number whose unit only the words beside it can tell: tells how many tokens were read.
    fn bare(
        &mut self,
        number: f64,
        tokens: &'a [Token],
        i: usize,
        all: &mut Said,
    ) -> Result<usize, String> {
        let token = &tokens[i];
        if let Some(read) = self.counted(number, tokens, i, all)? {
            return Ok(read);
        }
        let near = beside(tokens, i);
        let beside = |words: &[&str]| near.iter().flatten().any(|t| t.is(words));
        if beside(LOSS) && number == 0.0 {
            self.shares.push((0.0, token));
        } else if beside(LOSS) {
            return Err(format!(
                "`{}` has two readings: `{number}% loss` or `{}% loss`",
                token.text,
                number * 100.0
            ));
        } else if beside(QUEUE) {
            queue(length(Quantity::Bare(number), &token.text)?, token, all)?;
        } else if beside(ROUND_TRIP) {
            self.times.push((number / 1e3, token));
        } else if beside(DOWN) || beside(UP) {
            self.marks.push((i, Mark::Rate(number * 1e6)));
        } else {
            let n = &token.text;
            return Err(format!(
                "`{n}` has no unit: a rate is `{n}Mb/s`, a round-trip time `{n}ms`, a loss `{n}%`"
            ));
        }
        Ok(1)
    }

    /// A number of neighbours or stations, as in `5 other flows` or `stations: 10`: tells how many
    /// tokens were read.
    fn counted(
        &mut self,
        number: f64,
        tokens: &[Token],
        i: usize,
        all: &mut Said,
    ) -> Result<Option<usize>, String> {
        let others = tokens[i + 1..].iter().take_while(|token| token.is(OTHER)).count();
        let noun = i + 1 + others;
        let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is(words));
        let before = |words: &[&str]| i > 0 && is(i - 1, words);
        let text = &tokens[i].text;
        if others == 0 && is(noun, &["flow", "flows"]) {
            return Err(format!(
                "`{}` has two readings: `{number} other flows` (beside the path's own) or `{} other flows`",
                shown(&tokens[i..=noun]),
                (number - 1.0).max(0.0)
            ));
        }
        if is(noun, NEIGHBOURS) || before(NEIGHBOURS) {
            let whole =
                number.fract() == 0.0 && (0.0..=f64::from(MOST_NEIGHBOURS)).contains(&number);
            if !whole {
                return Err(format!("`{text}`: there are from 0 to {MOST_NEIGHBOURS} neighbours"));
            }
            if all.neighbours.replace(number as u32).is_some() {
                return Err(format!("`{text}`: the number of neighbours is said twice"));
            }
            return Ok(Some(if is(noun, NEIGHBOURS) { others + 2 } else { 1 }));
        }
        if is(noun, STATIONS) || before(STATIONS) {
            let whole = number.fract() == 0.0 && (1.0..=f64::from(MOST_STATIONS)).contains(&number);
            if !whole {
                return Err(format!(
                    "`{text}`: from 1 to {MOST_STATIONS} stations share a Wi-Fi, the phone included"
                ));
            }
            if self.stage.stated.stations.replace(number as u32).is_some() {
                return Err(format!("`{text}`: the number of stations is said twice"));
            }
            return Ok(Some(if is(noun, STATIONS) { others + 2 } else { 1 }));
        }
        match tokens.get(noun).and_then(elsewhere) {
            Some(wrong) => Err(wrong),
            None => Ok(None),
        }
    }

    /// A word, or two where the first is `no`: tells how many were read.
    fn word(
        &mut self,
        word: &str,
        tokens: &'a [Token],
        i: usize,
        all: &mut Said,
    ) -> Result<usize, String> {
        let token = &tokens[i];
        if let Some(known) = token.network() {
            // `4g lte` are two names of one network.
            self.stage.network.get_or_insert(known);
        } else if token.is(DOWN) {
            self.marks.push((i, Mark::Way(Direction::Down, token.is(TASKS))));
        } else if token.is(UP) {
            self.marks.push((i, Mark::Way(Direction::Up, token.is(TASKS))));
        } else if token.is(&["lossless", "loss-free", "lossfree"]) {
            self.shares.push((0.0, token));
        } else if token.is(NO) {
            let [_, right] = beside(tokens, i);
            if right.is_some_and(|t| t.is(LOSS) || t.is(&["packet"])) {
                self.shares.push((0.0, token));
            } else if right.is_some_and(|t| t.is(JITTER)) {
                self.jitter(0.0, tokens, token)?;
                return Ok(2);
            } else if right.is_some_and(|t| t.is(NEIGHBOURS)) {
                if all.neighbours.replace(0).is_some() {
                    return Err(format!("`{}` has two numbers of neighbours", shown(tokens)));
                }
                return Ok(2);
            } else if right.is_some_and(|t| t.is(&["blackouts", "reordering"])) {
                return Ok(2);
            } else {
                return Err(format!(
                    "`{word}`: only `no loss`, `no jitter` or `no neighbours` can be said"
                ));
            }
        } else if let Some(wrong) = elsewhere(token) {
            return Err(wrong);
        } else {
            self.others.push(token);
        }
        Ok(1)
    }
}

/// The refusal of a word for what a path's words cannot say.
fn elsewhere(token: &Token) -> Option<String> {
    let Kind::Word(word) = &token.kind else { return None };
    let (_, why) = ELSEWHERE.iter().find(|(words, _)| words.contains(&word.as_str()))?;
    Some(format!("`{}` {why}", token.text))
}

/// The loss, unless no word speaks of one.
fn one_loss(shares: &[(f64, &Token)], tokens: &[Token]) -> Result<Option<Probability>, String> {
    match shares {
        [] if tokens.iter().any(|token| token.is(LOSS)) => {
            Err("`loss` has no number: say how much, as in `2% loss`".to_owned())
        }
        [] => Ok(None),
        [(percent, token)] => {
            let loss = Probability::new(percent / 100.0).filter(|p| p.get() <= MAX_LOSS);
            loss.map(Some).ok_or_else(|| {
                format!("`{}`: a loss is from 0% to {}%", token.text, MAX_LOSS * 100.0)
            })
        }
        _ => Err(format!("`{}` has two losses: a link has one, each way", shown(tokens))),
    }
}

/// A word that is no network, direction or loss: a transport, a filler or a mistake.
fn other(
    token: &Token,
    tokens: &[Token],
    alone: bool,
    stage: &Stage,
    all: &mut Said,
) -> Result<(), String> {
    let Kind::Word(word) = &token.kind else { return Ok(()) };
    let word = word.as_str();
    if let Some(other) = names::other(word) {
        let has = |number| match number {
            Number::Loss => stage.stated.loss.is_some(),
            Number::Rate => stage.rate().is_some(),
            Number::RoundTrip => stage.stated.rtt.is_some(),
            Number::Jitter => stage.stated.jitter.is_some(),
            Number::Others => {
                all.neighbours.is_some() || all.queue.is_some() || stage.stated.stations.is_some()
            }
        };
        let said = tokens.iter().filter_map(Token::named).any(|n| other.is_said_by(n.name));
        return if said || other.is_left_to(has) {
            Ok(())
        } else if stage.network.is_some() && other.is_unmeasured() {
            let rest = without(tokens, token);
            Err(format!(
                "`{word}` has no numbers here, and the path is complete without it: write `{rest}`, with what it changes, as in `{rest} 5% loss`"
            ))
        } else {
            Err(format!("`{word}` {}", other.instead()))
        };
    }
    if alone && token.is(MOVES) {
        let first = tokens.iter().find(|token| token.named().is_some());
        let first = first.map_or("wifi", |token| &token.text);
        let second = if first == "4g" { "wifi" } else { "4g" };
        return Err(format!(
            "`{word}` needs a second network, and when it begins, as in `{first} then {second} at 20s`"
        ));
    }
    if token.is(QUEUE) || token.is(SIZES) && tokens.iter().any(|token| token.is(QUEUE)) {
        return match all.queue {
            Some(_) => Ok(()),
            None => Err(format!(
                "`{word}` has no number: say how much the queue holds, as in `200ms queue`, `100 packets queue` or `64kB queue`"
            )),
        };
    }
    if token.is(JITTER) {
        return match stage.stated.jitter {
            Some(_) => Ok(()),
            None => Err(format!(
                "`{word}` has no number: say how much, as in `5ms jitter`; a network has its own, which `no jitter` takes away"
            )),
        };
    }
    if token.is(NEIGHBOURS) && all.neighbours.is_none() {
        return Err(format!(
            "`{word}` has no number: each transport is also run beside a CUBIC flow in the same queue; `5 neighbours` are more of them"
        ));
    }
    if token.is(STATIONS) && stage.stated.stations.is_none() {
        return Err(format!(
            "`{word}` has no number: say how many share the Wi-Fi, as in `wifi 6 with 10 stations`"
        ));
    }
    let lists: [&[&'static str]; 14] = [
        FILLERS, LOSS, ROUND_TRIP, ONE_WAY, DELAY, QUEUE, FOR, AT, EACH, WAY, JITTER, NEIGHBOURS,
        STATIONS, MOVES,
    ];
    if lists.iter().any(|words| token.is(words)) {
        return Ok(());
    }
    let protocol = match word {
        "bbrv3" => "bbr3",
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
    let near = names::near(word, &words);
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let whole = stage.network.is_some() || stage.stated.rtt.is_some() && stage.rate().is_some();
    let without = match whole && near.is_empty() {
        true => {
            format!(", and the path is complete without it: write `{}`, or", without(tokens, token))
        }
        false => ":".to_owned(),
    };
    Err(format!(
        "there is no network `{word}`{without} use one of {}, and numbers as in `wifi 5% loss` or `10Mb/s 50ms`{near}",
        listed()
    ))
}

/// The words without one of them, and without what adds nothing around the rest.
fn without(tokens: &[Token], token: &Token) -> String {
    let rest: Vec<Token> =
        tokens.iter().filter(|other| !std::ptr::eq(*other, token)).cloned().collect();
    let says = |token: &Token| token.kind != Kind::Comma && !token.is(FILLERS);
    let begin = rest.iter().position(says).unwrap_or(0);
    let end = rest.iter().rposition(says).map_or(rest.len(), |last| last + 1);
    shown(&rest[begin..end])
}

/// The length of a queue. `text` is the number with its unit.
pub(super) fn length(quantity: Quantity, text: &str) -> Result<Queue, String> {
    let wrong = || {
        format!(
            "`{text}`: a queue has from {} to {} packets, or from {} bytes to {} GB, or what is sent in up to {} s",
            PACKETS.start(),
            PACKETS.end(),
            BYTES.start(),
            BYTES.end() / 1_000_000_000,
            LONGEST.secs()
        )
    };
    let whole = |number: f64| number.fract() == 0.0;
    match quantity {
        Quantity::Packets(n) | Quantity::Bare(n) => {
            let fits =
                whole(n) && (f64::from(*PACKETS.start())..=f64::from(*PACKETS.end())).contains(&n);
            fits.then_some(Queue::Packets(n as u32)).ok_or_else(wrong)
        }
        Quantity::Bytes(n) => {
            let fits = whole(n) && (*BYTES.start() as f64..=*BYTES.end() as f64).contains(&n);
            fits.then_some(Queue::Bytes(n as u64)).ok_or_else(wrong)
        }
        Quantity::Time(seconds) => {
            let time = Span::from_secs_f64(seconds.min(LONGEST.secs() + 1.0));
            let fits = !time.is_zero() && time <= LONGEST;
            fits.then_some(Queue::Time(time)).ok_or_else(wrong)
        }
        Quantity::Rate(_) | Quantity::Percent(_) => Err(wrong()),
    }
}

fn queue(length: Queue, token: &Token, all: &mut Said) -> Result<(), String> {
    match all.queue.replace(length) {
        None => Ok(()),
        Some(_) => Err(format!("`{}`: the queue's length is said twice", token.text)),
    }
}
