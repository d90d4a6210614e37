//! The words of one network.

use atl_core::path::MAX_LOSS;
use atl_core::units::Probability;

use super::names;
use super::rates::{Mark, rates};
use super::said::{Said, Stage};
use super::times::{LONGEST_STAY, one_time, span};
use super::token::{Kind, Token, shown};
use super::unit::Quantity;
use super::vocabulary::{
    AT, DELAY, DOWN, EACH, ELSEWHERE, FILLERS, FOR, LOSS, NO, ONE_WAY, QUEUE, ROUND_TRIP, TASKS,
    UP, WAY,
};
use crate::path::direction::Direction;
use crate::path::network::listed;

/// Reads one network's words. What they say of the whole path goes to `all`.
pub(super) fn read(tokens: &[Token], all: &mut Said) -> Result<Stage, String> {
    let mut found = Found::default();
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
            Kind::Number(quantity) => {
                found.number(*quantity, tokens, i, all)?;
                1
            }
            Kind::Word(word) => found.word(word, tokens, i)?,
        };
    }
    let Found { mut stage, marks, times, shares, pair, others } = found;
    one_time(&times, tokens, &mut stage)?;
    stage.loss = one_loss(&shares, tokens)?;
    rates(&marks, pair, tokens, &mut stage, all)?;
    for token in others {
        other(token, tokens, &stage, all)?;
    }
    Ok(stage)
}

/// Findings in the words of a network, in their order.
#[derive(Default)]
struct Found<'a> {
    stage: Stage,
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
    fn number(
        &mut self,
        quantity: Quantity,
        tokens: &'a [Token],
        i: usize,
        all: &mut Said,
    ) -> Result<(), String> {
        let token = &tokens[i];
        let before = |words: &[&str]| i > 0 && tokens[i - 1].is(words);
        match quantity {
            Quantity::Time(seconds) if before(FOR) => {
                let lasts = span(seconds, LONGEST_STAY, token)?;
                if self.stage.lasts.replace(lasts).is_some() {
                    return Err(format!("`{}` has two durations", shown(tokens)));
                }
            }
            Quantity::Time(seconds) if before(AT) && seconds >= 1.0 => {
                self.stage.after = tokens[i - 1].is(&["after"]);
                let at = span(seconds, LONGEST_STAY, token)?;
                if self.stage.at.replace(at).is_some() {
                    return Err(format!("`{}` begins at two times", shown(tokens)));
                }
            }
            Quantity::Time(seconds) => self.times.push((seconds, token)),
            Quantity::Rate(bps) => self.marks.push((i, Mark::Rate(bps))),
            Quantity::Percent(percent) => self.shares.push((percent, token)),
            Quantity::Packets(number) => queue(number, token, all)?,
            Quantity::Bare(number) => self.bare(number, tokens, i, all)?,
        }
        Ok(())
    }

    /// A number whose unit only the word beside it can tell.
    fn bare(
        &mut self,
        number: f64,
        tokens: &'a [Token],
        i: usize,
        all: &mut Said,
    ) -> Result<(), String> {
        let token = &tokens[i];
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
            queue(number, token, all)?;
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
        Ok(())
    }

    /// A word, or two where the first is `no`: tells how many were read.
    fn word(&mut self, word: &str, tokens: &'a [Token], i: usize) -> Result<usize, String> {
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
            } else if right.is_some_and(|t| t.is(&["jitter"])) {
                self.stage.no_jitter = true;
                return Ok(2);
            } else if right.is_some_and(|t| t.is(&["blackouts", "reordering"])) {
                return Ok(2);
            } else {
                return Err(format!("`{word}`: only `no loss` can be said, or no jitter"));
            }
        } else {
            self.others.push(token);
        }
        Ok(1)
    }
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
fn other(token: &Token, tokens: &[Token], stage: &Stage, all: &mut Said) -> Result<(), String> {
    let Kind::Word(word) = &token.kind else { return Ok(()) };
    let word = word.as_str();
    if let Some(other) = names::other(word) {
        let own = stage.rtt.is_some() && stage.rate().is_some();
        let said = tokens.iter().filter_map(Token::named).any(|n| other.is_said_by(n.name));
        return if said || own && other.may_be_numbers() {
            Ok(())
        } else {
            Err(format!("`{word}` {}", other.instead()))
        };
    }
    if let Some((_, why)) = ELSEWHERE.iter().find(|(words, _)| words.contains(&word)) {
        return Err(format!("`{word}`: {why}"));
    }
    let lists: [&[&'static str]; 10] =
        [FILLERS, LOSS, ROUND_TRIP, ONE_WAY, DELAY, QUEUE, FOR, AT, EACH, WAY];
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
    Err(format!(
        "there is no network `{word}`: use one of {}, and numbers as in `wifi 5% loss` or `10Mb/s 50ms`{near}",
        listed()
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
