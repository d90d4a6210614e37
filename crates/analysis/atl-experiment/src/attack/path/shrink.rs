//! Making a case small: fewer pieces and bursts, rounder numbers, as long as it hurts nearly as
//! much.

use atl_core::time::Span;

use super::case::PathCase;
use crate::attack::judge::Failure;
use crate::attack::shrink::digit;

/// Share of the score that a simpler case must keep.
const KEEPS: f64 = 0.95;
/// Rounds over all steps.
const ROUNDS: usize = 3;

/// The simplest case that still hurts nearly as much. `judge` gives the score of a case.
///
/// # Errors
/// If a case cannot be run.
pub(super) fn shrunk(
    case: PathCase,
    score: f64,
    judge: &mut dyn FnMut(&PathCase) -> Result<f64, Failure>,
) -> Result<(PathCase, f64), Failure> {
    let least = KEEPS * score;
    let (mut case, mut score) = (case, score);
    for _ in 0..ROUNDS {
        let before = case.clone();
        let mut nth = 0;
        while let Some(next) = simpler(&case, nth) {
            nth += 1;
            if next == case {
                continue;
            }
            let found = judge(&next)?;
            if found >= least {
                // The same step of what is left.
                nth -= 1;
                (case, score) = (next, found);
            }
        }
        if case == before {
            break;
        }
    }
    Ok((case, score))
}

/// Makes a case simpler in one respect.
type Step = Box<dyn Fn(&mut PathCase)>;

/// The case without the n-th thing that it could do without; `None` after the last.
fn simpler(case: &PathCase, nth: usize) -> Option<PathCase> {
    let (pieces, bursts, holds) = (case.pieces.len(), case.bursts.len(), case.holds.len());
    let mut all: Vec<Step> = Vec::new();
    for burst in 0..bursts {
        all.push(Box::new(move |case| _ = case.bursts.remove(burst)));
    }
    for hold in 0..holds {
        all.push(Box::new(move |case| _ = case.holds.remove(hold)));
    }
    for piece in 1..pieces {
        all.push(Box::new(move |case| {
            let lasts = case.pieces.remove(piece).lasts;
            case.pieces[piece - 1].lasts += lasts;
        }));
    }
    for piece in 1..pieces {
        all.push(Box::new(move |case| {
            let before = case.pieces.remove(piece - 1).lasts;
            case.pieces[piece - 1].lasts += before;
        }));
    }
    for way in 0..2 {
        all.push(Box::new(move |case| case.jitter[way] = Span::ZERO));
    }
    for piece in 0..pieces {
        all.push(Box::new(move |case| case.pieces[piece].rate = 1.0));
        all.push(Box::new(move |case| case.pieces[piece].loss = 0.0));
        for way in 0..2 {
            all.push(Box::new(move |case| case.pieces[piece].extra[way] = Span::ZERO));
        }
    }
    all.push(Box::new(|case| case.kbps = digit(case.kbps)));
    all.push(Box::new(|case| case.rtt = Span::from_micros(digit(case.rtt.nanos() / 1000))));
    for burst in 0..bursts {
        all.push(Box::new(move |case| case.bursts[burst].every = None));
    }
    for hold in 0..holds {
        all.push(Box::new(move |case| case.holds[hold].every = None));
        // A whole round trip is the most that a hold may last.
        all.push(Box::new(move |case| case.holds[hold].lasts = case.rtt));
    }
    let step = all.get(nth)?;
    let mut next = case.clone();
    step(&mut next);
    Some(next.lawful())
}

#[cfg(test)]
mod tests {
    use atl_link::random::Stream;

    use super::super::Objective;
    use super::*;

    #[test]
    fn what_does_not_matter_goes_and_what_hurts_stays() {
        let mut stream = Stream::new(2, "shrink");
        let mut case = PathCase::draw("bbr3", Objective::Stall, &mut stream);
        while case.pieces.len() < 4 || case.bursts.is_empty() {
            case = PathCase::draw("bbr3", Objective::Stall, &mut stream);
        }
        case.pieces[2].extra[1] = Span::from_millis(3).min(case.rtt);
        // Only an extra delay of acknowledgments hurts.
        let mut judge = |case: &PathCase| {
            Ok(f64::from(u8::from(case.pieces.iter().any(|p| !p.extra[1].is_zero()))))
        };
        let (small, score) = shrunk(case, 1.0, &mut judge).expect("runs");
        assert!((score - 1.0).abs() < 1e-12);
        assert_eq!((small.pieces.len(), small.bursts.len()), (1, 0));
        assert_eq!(small.jitter, [Span::ZERO; 2]);
        let piece = small.pieces[0];
        assert_eq!((piece.extra[0], piece.lasts), (Span::ZERO, 20_000));
        assert!(!piece.extra[1].is_zero());
    }
}
