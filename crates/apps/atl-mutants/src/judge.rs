//! Which tests notice which mutant.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::compile::Program;
use crate::suite::{self, Ended, Test};

/// The fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test failed: its program and its name.
    Killed {
        /// The test program.
        by: String,
        /// Its path in the program: `module::name`.
        test: String,
    },
    /// A test did not end.
    TimedOut {
        /// The test program.
        by: String,
    },
    /// All tests that meet it passed.
    Survived {
        /// Number of tests that meet it.
        meet: usize,
        /// Those of them that ran: the rest takes too long.
        ran: usize,
    },
    /// No test meets it.
    Unreached,
    /// The time was up before.
    NotRun,
}

/// The tests that meet each mutant.
#[derive(Debug)]
pub struct Judge<'a> {
    /// The programs: first those of the mutant's crate.
    pub programs: &'a [Program],
    /// Number of programs that are the crates' own.
    pub own: usize,
    /// Those of all programs that pass without a mutant.
    pub tests: &'a [Test],
    /// Time of the tests of other crates for a mutant, as sound programs.
    pub beyond: Duration,
    /// When to stop.
    pub until: Option<Instant>,
}

impl Judge<'_> {
    /// Judges mutants, several at a time. `told` hears of each as it is done.
    ///
    /// # Errors
    ///
    /// A program cannot be run.
    pub fn all(
        &self,
        mutants: &[u32],
        jobs: usize,
        told: &(dyn Fn(u32, &Verdict) + Sync),
    ) -> Result<BTreeMap<u32, Verdict>, String> {
        let mut meeting: BTreeMap<u32, Vec<&Test>> = BTreeMap::new();
        for test in self.tests {
            for number in &test.meets {
                meeting.entry(*number).or_default().push(test);
            }
        }
        for tests in meeting.values_mut() {
            tests.sort_by_key(|test| (test.program >= self.own, test.time));
        }
        let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let failed: Mutex<Option<String>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some(number) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let tests = meeting.get(number).map(Vec::as_slice).unwrap_or_default();
                        let verdict = if self.until.is_some_and(|end| Instant::now() >= end) {
                            Ok(Verdict::NotRun)
                        } else {
                            self.one(*number, tests)
                        };
                        match verdict {
                            Ok(verdict) => {
                                told(*number, &verdict);
                                done.lock().expect("no panic").insert(*number, verdict);
                            }
                            Err(error) => *failed.lock().expect("no panic") = Some(error),
                        }
                    }
                });
            }
        });
        match failed.into_inner().expect("no panic") {
            Some(error) => Err(error),
            None => Ok(done.into_inner().expect("no panic")),
        }
    }

    fn one(&self, mutant: u32, tests: &[&Test]) -> Result<Verdict, String> {
        if tests.is_empty() {
            return Ok(Verdict::Unreached);
        }
        let (mut ran, mut left) = (0, self.beyond);
        for group in groups(tests) {
            let beyond = group[0].program >= self.own;
            let time: Duration = group.iter().map(|test| test.time).sum();
            if beyond && time > left {
                continue;
            }
            if beyond {
                left -= time;
            }
            if self.until.is_some_and(|end| Instant::now() >= end) {
                return Ok(Verdict::NotRun);
            }
            let program = &self.programs[group[0].program];
            let by = || program.name.clone();
            match suite::run(program, &group, mutant)? {
                Ended::Passed => ran += group.len(),
                Ended::Failed(test) => return Ok(Verdict::Killed { by: by(), test }),
                Ended::TooLong => return Ok(Verdict::TimedOut { by: by() }),
            }
        }
        Ok(Verdict::Survived { meet: tests.len(), ran })
    }
}

/// Tests of one program each, quick ones first: a group takes at most about three times what all
/// groups before it took.
fn groups<'a>(tests: &[&'a Test]) -> Vec<Vec<&'a Test>> {
    const FIRST: Duration = Duration::from_millis(100);
    /// Names fit into a command line.
    const MOST: usize = 400;
    let mut out: Vec<Vec<&Test>> = Vec::new();
    let mut open: Vec<&Test> = Vec::new();
    let (mut room, mut taken) = (FIRST, Duration::ZERO);
    for test in tests {
        let full = taken + test.time > room || open.len() >= MOST;
        if let Some(first) = open.first()
            && (full || first.program != test.program)
        {
            out.push(std::mem::take(&mut open));
            if full {
                room = (3 * room).min(Duration::from_secs(2));
            }
            taken = Duration::ZERO;
        }
        open.push(test);
        taken += test.time;
    }
    if !open.is_empty() {
        out.push(open);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(program: usize, name: &str, millis: u64) -> Test {
        let time = Duration::from_millis(millis);
        Test { program, name: name.to_owned(), time, meets: Vec::new() }
    }

    #[test]
    fn groups_hold_one_program_and_grow() {
        let tests = [
            test(0, "a", 40),
            test(0, "b", 50),
            test(0, "c", 60),
            test(0, "d", 200),
            test(1, "e", 10),
            test(1, "f", 5000),
        ];
        let all: Vec<&Test> = tests.iter().collect();
        let names: Vec<Vec<&str>> = groups(&all)
            .iter()
            .map(|group| group.iter().map(|test| test.name.as_str()).collect())
            .collect();
        assert_eq!(names, [vec!["a", "b"], vec!["c", "d"], vec!["e"], vec!["f"]]);
    }
}
