//! Mutations of a corpus: inputs that are nearly those that a target takes.
//!
//! A fuzzer that sees which code an input reaches finds more. This needs no other toolchain, and
//! the same seed gives the same input: CI runs a time-boxed round of it with each commit
//! (`examples/rounds.rs`).

use std::ops::Range;

use atl_link::random::Stream;

/// Most bytes of a mutated input: beyond the longest seeds, short enough for thousands of cases.
const LONGEST: usize = 1 << 16;
/// Bytes that a mutation inserts, repeats or takes from another input, at most.
const PIECE: u64 = 64;

/// Numbers around which arithmetic goes wrong: powers of two at the widths of fields, and 2^62,
/// where QUIC's variable-length integers end.
const EDGES: [u64; 12] =
    [0, 1, 2, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX];
/// Numbers of floating point that formulas rarely expect.
const FLOATS: [f64; 8] =
    [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
/// The same as a text has them.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-9",
    "1e9",
    "1e15",
    "1e300",
    "255",
    "65536",
    "4294967296",
    "4611686018427387904",
    "18446744073709551616",
    "nan",
    "inf",
];

/// The input of this seed: one of the corpus with up to eight mutations.
///
/// # Panics
/// Panics if the corpus is empty.
pub fn mutated(seed: u64, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut dice = Dice(Stream::new(seed, "mutations"));
    let mut data = dice.pick(corpus).clone();
    for _ in 0..=dice.below(8) {
        mutate(&mut data, corpus, &mut dice);
        data.truncate(LONGEST);
    }
    data
}

struct Dice(Stream);

impl Dice {
    /// Below this number, or 0.
    fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.below(n as u64) as usize }
    }

    fn byte(&mut self) -> u8 {
        self.0.below(256) as u8
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A short part of something that is this long.
    fn part(&mut self, length: usize) -> Range<usize> {
        let from = self.below(length + 1);
        let most = PIECE.min((length - from) as u64);
        from..from + self.0.below(most + 1) as usize
    }

    /// A number at an edge or next to it, or any.
    fn edge(&mut self) -> u64 {
        let near = self.0.below(3).wrapping_sub(1);
        if self.below(4) == 0 { self.0.next_u64() } else { self.pick(&EDGES).wrapping_add(near) }
    }
}

fn mutate(data: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let text = core::str::from_utf8(data).is_ok_and(|text| text.contains(' '));
    if text && dice.below(4) > 0 {
        return mutate_text(data, corpus, dice);
    }
    let at = dice.below(data.len());
    match dice.below(9) {
        0 if !data.is_empty() => data[at] = dice.byte(),
        1 if !data.is_empty() => data[at] ^= 1 << dice.below(8),
        2 => drop(data.drain(dice.part(data.len()))),
        3 => {
            let piece = data[dice.part(data.len())].to_vec();
            data.splice(at..at, piece);
        }
        4 => {
            let piece: Vec<u8> = (0..dice.below(9)).map(|_| dice.byte()).collect();
            data.splice(at..at, piece);
        }
        5 | 6 => write(data, at, dice),
        7 => data.truncate(at),
        _ => {
            let other = dice.pick(corpus);
            let piece = other[dice.part(other.len())].to_vec();
            let to = if dice.below(2) == 0 { at } else { (at + piece.len()).min(data.len()) };
            data.splice(at..to, piece);
        }
    }
}

/// Writes a number over the bytes at this place, in any width and order.
fn write(data: &mut [u8], at: usize, dice: &mut Dice) {
    let number = if dice.below(4) == 0 { dice.pick(&FLOATS).to_bits() } else { dice.edge() };
    let width = 1 << dice.below(4);
    let octets = match dice.below(2) {
        0 => number.to_le_bytes()[..width].to_vec(),
        _ => number.to_be_bytes()[8 - width..].to_vec(),
    };
    data[at..].iter_mut().zip(octets).for_each(|(to, from)| *to = from);
}

/// Mutations that leave a text one: its numbers, its lines, its words.
fn mutate_text(data: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let other = dice.pick(corpus);
    match dice.below(8) {
        0..=2 => {
            let places = numbers(data);
            if !places.is_empty() {
                let place = dice.pick(&places).clone();
                let near = data[place.clone()].to_vec();
                let number = match dice.below(3) {
                    0 => near.repeat(2),
                    1 => near[..near.len().div_ceil(2)].to_vec(),
                    _ => dice.pick(&NUMBERS).as_bytes().to_vec(),
                };
                data.splice(place, number);
            }
        }
        3 => drop(data.drain(dice.pick(&lines(data)).clone())),
        4 => {
            let line = data[dice.pick(&lines(data)).clone()].to_vec();
            let at = dice.pick(&lines(data)).start;
            data.splice(at..at, line);
        }
        5 | 6 => {
            let line = other[dice.pick(&lines(other)).clone()].to_vec();
            let place = dice.pick(&lines(data)).clone();
            let end = if dice.below(2) == 0 { place.start } else { place.end };
            data.splice(place.start..end, line);
        }
        _ => {
            let (from, to) = (words(other), words(data));
            if !from.is_empty() && !to.is_empty() {
                let word = other[dice.pick(&from).clone()].to_vec();
                data.splice(dice.pick(&to).clone(), word);
            }
        }
    }
}

/// The places of whole decimal numbers.
fn numbers(data: &[u8]) -> Vec<Range<usize>> {
    runs(data, |byte| byte.is_ascii_digit() || byte == b'.')
}

/// The places of words, quotation marks included, so that a value stays one.
fn words(data: &[u8]) -> Vec<Range<usize>> {
    runs(data, |byte| !byte.is_ascii_whitespace() && !matches!(byte, b',' | b'[' | b']' | b'='))
}

/// The places of lines with their ends; one that is empty if there are none.
fn lines(data: &[u8]) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut all: Vec<_> = data
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| {
            from += line.len();
            from - line.len()..from
        })
        .collect();
    if all.is_empty() {
        all.push(0..0);
    }
    all
}

/// The places of the longest runs of bytes for which this holds.
fn runs(data: &[u8], is: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (at, _) in data.iter().enumerate().filter(|(_, byte)| is(**byte)) {
        match all.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end = at + 1,
            None => all.push(at..at + 1),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_the_whole_input_and_others_are_others() {
        let corpus = [b"rate = 10\ndelay = \"5ms\"\n".to_vec(), (0..40).collect()];
        let all: Vec<_> = (0..400).map(|seed| mutated(seed, &corpus)).collect();
        assert!((0..400).all(|seed| mutated(seed, &corpus) == all[seed as usize]));
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 300, "{} of 400", distinct.len());
        let texts = all.iter().filter(|data| core::str::from_utf8(data).is_ok());
        assert!(texts.count() > 100, "texts mostly stay texts");
    }

    #[test]
    fn places_are_found_in_any_bytes() {
        assert_eq!(numbers(b"a 1.5 b22"), [2..5, 7..9]);
        assert_eq!(words(b" \"a\", b=[c]"), [1..4, 6..7, 9..10]);
        assert_eq!(lines(b"a\n\nbc"), [0..2, 2..3, 3..5]);
        assert!(lines(b"").len() == 1 && numbers(b"").is_empty());
    }

    #[test]
    fn the_smallest_corpus_can_be_mutated() {
        for seed in 0..2000 {
            mutated(seed, &[Vec::new()]);
            mutated(seed, &[b" ".to_vec(), b"x".to_vec()]);
        }
    }
}
