//! The search: cases at random, more like the worst, and crosses of these.

use std::num::NonZeroUsize;
use std::path::Path;

use atl_engine::{Cancel, Engine, Options, RunnerError, run_plans};
use atl_link::random::Stream;
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;

use super::case::PathCase;
use super::objective::Objective;
use super::score::score;
use super::shrink::shrunk;
use crate::attack::judge::Failure;
use crate::attack::seeds::{PICKED, SEARCHED, TOLD};
use crate::engines;

/// Cases that are kept of each protocol and objective.
const KEPT: usize = 12;
/// Cases of one step, which run together.
const BATCH: usize = 16;
/// Share of cases that are new, and of those that cross two.
const NEW: f64 = 0.25;
const CROSSED: f64 = 0.2;
/// Cases that run again.
const AGAIN: usize = 4;

/// The cases of one protocol and objective.
#[derive(Debug)]
struct Niche {
    law: String,
    objective: Objective,
    /// The worst so far, the worst first.
    worst: Vec<(PathCase, f64)>,
}

/// A search under way.
#[derive(Debug)]
pub struct PathSearch<'a> {
    engine: &'a dyn Engine,
    jobs: Option<NonZeroUsize>,
    cancel: &'a Cancel,
    seed: u64,
    steps: u64,
    tried: u64,
    niches: Vec<Niche>,
}

/// The worst case of a protocol and objective, made small and run again.
#[derive(Clone, Debug)]
pub struct PathFound {
    /// The path and the sender, as small as they could be made.
    pub case: PathCase,
    /// Its mean score with these seeds; [`Objective::words`] tells what it means.
    pub score: f64,
    /// Seeds that had no part in finding the case.
    pub seeds: &'static [u64],
}

impl<'a> PathSearch<'a> {
    /// A search over these protocols and objectives.
    pub fn new(
        (laws, objectives): (&[String], &[Objective]),
        seed: u64,
        engine: &'a dyn Engine,
        jobs: Option<NonZeroUsize>,
        cancel: &'a Cancel,
    ) -> Self {
        let niche =
            |law: &String, objective| Niche { law: law.clone(), objective, worst: Vec::new() };
        let niches = laws
            .iter()
            .flat_map(|law| objectives.iter().map(move |objective| niche(law, *objective)))
            .collect();
        PathSearch { engine, jobs, cancel, seed, steps: 0, tried: 0, niches }
    }

    /// Cases tried so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Tries a few more cases of the next protocol and objective.
    ///
    /// # Errors
    /// If they cannot be run.
    pub fn step(&mut self) -> Result<(), Failure> {
        let turn = (self.steps % self.niches.len() as u64) as usize;
        let mut stream = Stream::new(self.seed, &format!("attack/path/{}", self.steps));
        self.steps += 1;
        let niche = &self.niches[turn];
        let cases: Vec<PathCase> = (0..BATCH).map(|_| niche.next(&mut stream)).collect();
        let scores = self.scores(&cases, SEARCHED)?;
        self.tried += cases.len() as u64;
        let niche = &mut self.niches[turn];
        niche.worst.extend(cases.into_iter().zip(scores));
        niche.worst.sort_by(|a, b| b.1.total_cmp(&a.1));
        niche.worst.dedup_by(|a, b| a.0 == b.0);
        niche.worst.truncate(KEPT);
        Ok(())
    }

    /// Runs the worst of each protocol and objective again, and makes the worst of them small.
    ///
    /// # Errors
    /// If one cannot be run.
    pub fn finish(&self) -> Result<Vec<PathFound>, Failure> {
        let mut all = Vec::new();
        for niche in &self.niches {
            let cases: Vec<PathCase> =
                niche.worst.iter().take(AGAIN).map(|(case, _)| case.clone()).collect();
            let scores = self.scores(&cases, PICKED)?;
            let worst = cases.into_iter().zip(scores).max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((case, score)) = worst {
                let with = |case: &PathCase, seeds| -> Result<f64, Failure> {
                    Ok(self.scores(std::slice::from_ref(case), seeds)?[0])
                };
                let (case, _) = shrunk(case, score, &mut |case| with(case, PICKED))?;
                let score = with(&case, TOLD)?;
                all.push(PathFound { case, score, seeds: TOLD });
            }
        }
        Ok(all)
    }

    /// Mean scores of cases over these seeds.
    fn scores(&self, cases: &[PathCase], seeds: &[u64]) -> Result<Vec<f64>, Failure> {
        let scenarios: Vec<Scenario> =
            cases.iter().map(|case| read(case, seeds)).collect::<Result<_, _>>()?;
        let plans: Vec<&Scenario> = scenarios.iter().collect();
        let options = Options { jobs: self.jobs, cancel: self.cancel, progress: &|_| {} };
        let results = match run_plans(self.engine, &plans, options) {
            Ok(results) => results,
            Err(RunnerError::Cancelled) => return Err(Failure::Run(RunnerError::Cancelled)),
            // A connection that breaks is no result; the others have one.
            Err(_) if cases.len() > 1 => {
                let each = cases.iter().map(|case| self.scores(std::slice::from_ref(case), seeds));
                return each.map(|scores| scores.map(|scores| scores[0])).collect();
            }
            Err(_) => return Ok(vec![0.0]),
        };
        let mean = |case: &PathCase, points: &[Vec<_>]| {
            let runs = points.iter().flatten();
            let total: f64 = runs.map(|run| score(case, run)).sum();
            total / seeds.len() as f64
        };
        Ok(cases.iter().zip(&results).map(|(case, points)| mean(case, points)).collect())
    }
}

impl Niche {
    fn next(&self, stream: &mut Stream) -> PathCase {
        if self.worst.is_empty() || stream.chance(NEW) {
            return PathCase::draw(&self.law, self.objective, stream);
        }
        let mut pick = || {
            let of = self.worst.len() as u64;
            &self.worst[stream.below(of).min(stream.below(of)) as usize].0
        };
        let (one, other) = (pick(), pick());
        let case = if stream.chance(CROSSED) { one.crossed(other) } else { one.clone() };
        let mut case = case.near(stream);
        if stream.chance(0.3) {
            case = case.near(stream);
        }
        case
    }
}

/// The scenario of a case.
///
/// # Errors
/// If it is not valid.
pub(super) fn read(case: &PathCase, seeds: &[u64]) -> Result<Scenario, Failure> {
    let origin = Path::new("the case's scenario");
    atl_scenario::parse(
        "attack",
        &case.file(seeds, engines::DEFAULT),
        origin,
        &atl_scenario::no_files,
        &Overrides::default(),
    )
    .map_err(|errors| Failure::File(errors.to_string()))
}

/// The scenario of some case: what an engine must be able to run.
///
/// # Errors
/// If the protocol does not fit.
pub fn example(law: &str, objective: Objective) -> Result<Scenario, Failure> {
    let mut stream = Stream::new(0, "example");
    let mut case = PathCase::draw(law, objective, &mut stream);
    while objective.bursts() && case.bursts.is_empty() {
        case = PathCase::draw(law, objective, &mut stream);
    }
    read(&case, SEARCHED)
}

#[cfg(test)]
mod tests {
    use atl_sim::Sim;

    use super::super::OBJECTIVES;
    use super::*;

    #[test]
    fn every_case_is_a_valid_scenario_however_often_it_changes() {
        for objective in OBJECTIVES {
            let mut stream = Stream::new(3, objective.name());
            let other = PathCase::draw("reno", *objective, &mut stream);
            let mut case = other.clone();
            for nth in 0..60 {
                case = if nth % 7 == 0 { case.crossed(&other) } else { case.near(&mut stream) };
                let lasts: u64 = case.pieces.iter().map(|piece| piece.lasts).sum();
                assert_eq!(lasts, objective.hostile(), "{case:?}");
                read(&case, &[1]).unwrap_or_else(|error| {
                    panic!("{error}\n{}", case.file(&[1], engines::DEFAULT))
                });
            }
        }
    }

    #[test]
    fn the_same_seed_finds_the_same_on_any_number_of_threads() {
        let found = |jobs: usize| {
            let cancel = Cancel::default();
            let laws = ["reno".to_owned()];
            let objectives = [Objective::Utilisation];
            let jobs = NonZeroUsize::new(jobs);
            let mut search = PathSearch::new((&laws, &objectives), 5, &Sim, jobs, &cancel);
            search.step().and_then(|()| search.step()).expect("runs");
            assert_eq!(search.tried(), 2 * BATCH as u64);
            search.niches[0].worst.clone()
        };
        let (one, two) = (found(1), found(2));
        assert_eq!(one, two);
        assert!(one[0].1 > 0.0 && one.is_sorted_by(|a, b| a.1 >= b.1), "{one:?}");
    }
}
