//! The search: cases at random, and more like those that paid most.

use std::num::NonZeroUsize;

use atl_engine::{Cancel, Engine};
use atl_link::random::Stream;

use super::case::Case;
use super::judge::{Failure, Gain, judge};
use super::seeds::{PICKED, SEARCHED, TOLD};
use super::shrink::shrunk;

/// Cases that are kept of each law and medium, to be changed.
const KEPT: usize = 4;
/// Share of cases that are new and not a change of one that was kept.
const NEW: f64 = 0.5;

/// A law's cases with one medium.
#[derive(Debug)]
struct Niche {
    law: String,
    wire: bool,
    /// The worst cases so far, the worst first.
    worst: Vec<(Case, Gain)>,
}

/// A search under way.
#[derive(Debug)]
pub struct Search<'a> {
    engine: &'a dyn Engine,
    jobs: Option<NonZeroUsize>,
    cancel: &'a Cancel,
    seed: u64,
    tried: u64,
    niches: Vec<Niche>,
}

/// The worst case of a law and a medium, made small and run again.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// Law, network and lie, as small as they could be made.
    pub case: Case,
    /// The gain of its lie with these seeds.
    pub gain: Gain,
    /// Seeds that had no part in finding the case.
    pub seeds: &'static [u64],
}

impl<'a> Search<'a> {
    /// A search over these laws, with a wire at the end of the path, a wireless link, or both.
    pub fn new(
        (laws, media): (&[String], &[bool]),
        seed: u64,
        engine: &'a dyn Engine,
        jobs: Option<NonZeroUsize>,
        cancel: &'a Cancel,
    ) -> Self {
        let niche = |law: &String, wire: bool| Niche { law: law.clone(), wire, worst: Vec::new() };
        let niches =
            laws.iter().flat_map(|law| media.iter().map(move |wire| niche(law, *wire))).collect();
        Search { engine, jobs, cancel, seed, tried: 0, niches }
    }

    /// Cases tried so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The worst case so far: how many times its bound it got.
    pub fn worst(&self) -> Option<(&Case, &Gain)> {
        let all = self.niches.iter().filter_map(|niche| niche.worst.first());
        all.max_by(|a, b| a.1.excess.total_cmp(&b.1.excess)).map(|(case, gain)| (case, gain))
    }

    /// Tries one more case.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn step(&mut self) -> Result<(), Failure> {
        let turn = (self.tried % self.niches.len() as u64) as usize;
        let mut stream = Stream::new(self.seed, &format!("attack/{}", self.tried));
        self.tried += 1;
        let niche = &mut self.niches[turn];
        let case = if niche.worst.is_empty() || stream.chance(NEW) {
            Case::draw(&niche.law, niche.wire, &mut stream)
        } else {
            let kept = stream.below(niche.worst.len() as u64) as usize;
            niche.worst[kept].0.near(&mut stream)
        };
        let gain = judge(&case, SEARCHED, self.engine, self.jobs, self.cancel)?;
        let place = niche.worst.partition_point(|(_, other)| other.excess >= gain.excess);
        niche.worst.insert(place, (case, gain));
        niche.worst.truncate(KEPT);
        Ok(())
    }

    /// Runs the worst cases of each law and medium again, and makes the worst of them small.
    ///
    /// # Errors
    /// If one cannot be run.
    pub fn finish(&self) -> Result<Vec<Confirmed>, Failure> {
        let with = |case: &Case, seeds| judge(case, seeds, self.engine, self.jobs, self.cancel);
        let mut all = Vec::new();
        for niche in &self.niches {
            let mut worst: Option<(Case, Gain)> = None;
            for (case, _) in &niche.worst {
                let gain = with(case, PICKED)?;
                if worst.as_ref().is_none_or(|(_, other)| gain.excess > other.excess) {
                    worst = Some((case.clone(), gain));
                }
            }
            if let Some((case, gain)) = worst {
                let (case, _) = shrunk(case, gain, &mut |case| with(case, PICKED))?;
                let gain = with(&case, TOLD)?;
                all.push(Confirmed { case, gain, seeds: TOLD });
            }
        }
        Ok(all)
    }
}
