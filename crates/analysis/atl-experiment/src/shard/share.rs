//! The split of a scenario's runs into parts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A part of a scenario's runs: the third of a hundred is written `3/100`.
///
/// Runs are numbered by point of the sweep, then by seed. Part k of n has every n-th of them, from
/// the k-th on: neighbouring points take about equally long, so all parts do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Limit on the number of parts.
    pub const MOST: u32 = 1_000_000;

    /// Part `number` of `of`, counted from 1; `None` if `number` is 0 or above `of`, or `of` above
    /// [`Shard::MOST`].
    pub fn new(number: u32, of: u32) -> Option<Shard> {
        ((1..=of).contains(&number) && of <= Shard::MOST).then_some(Shard { number, of })
    }

    /// Number of the part, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Number of parts of the whole.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Indices of its runs among `total`. Empty for the last parts if there are more parts than
    /// runs.
    pub fn runs(self, total: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
        (self.number as usize - 1..total.max(self.number as usize - 1)).step_by(self.of as usize)
    }

    /// The part of the same split that has this run.
    pub fn with_run(self, run: usize) -> Shard {
        let number = run % self.of as usize + 1;
        // Fits, since it is at most `of`.
        Shard { number: number as u32, of: self.of }
    }

    /// False if the values were read from a file and [`Shard::new`] would refuse them.
    pub(crate) fn exists(self) -> bool {
        Shard::new(self.number, self.of).is_some()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The error of a text that is not `K/N` with K from 1 to N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongShard(String);

impl fmt::Display for WrongShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no part of a sweep: write K/N, such as 3/100 for the third of a hundred, with K from 1 to N and N up to {}",
            self.0,
            Shard::MOST
        )
    }
}

impl std::error::Error for WrongShard {}

impl FromStr for Shard {
    type Err = WrongShard;

    fn from_str(text: &str) -> Result<Shard, WrongShard> {
        let parse = |text: &str| text.parse::<u32>().ok();
        text.split_once('/')
            .and_then(|(number, of)| Shard::new(parse(number)?, parse(of)?))
            .ok_or_else(|| WrongShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_is_written_as_it_is_read() {
        let shard: Shard = "3/100".parse().expect("a part");
        assert_eq!((shard.number(), shard.of()), (3, 100));
        assert_eq!(shard.to_string(), "3/100");
        for wrong in ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/1000001", "a/b", "1/2/3", " 1/2"] {
            let error = wrong.parse::<Shard>().expect_err(wrong);
            assert!(error.to_string().contains("K/N"), "{error}");
        }
    }

    #[test]
    fn parts_beyond_the_runs_are_empty() {
        let runs =
            |shard: &str| shard.parse::<Shard>().expect("a part").runs(2).collect::<Vec<_>>();
        assert_eq!(runs("1/3"), [0]);
        assert_eq!(runs("2/3"), [1]);
        assert_eq!(runs("3/3"), [0_usize; 0]);
        assert_eq!(runs("900000/1000000"), [0_usize; 0]);
    }

    proptest! {
        #[test]
        fn every_run_is_in_one_part(total in 0_usize..200, of in 1_u32..50) {
            let mut owner = vec![0; total];
            for number in 1..=of {
                let shard = Shard::new(number, of).expect("a part");
                let runs = shard.runs(total);
                let count = runs.len();
                let expected = total / of as usize;
                prop_assert!(count == expected || count == expected + 1);
                for run in runs {
                    prop_assert_eq!(owner[run], 0);
                    owner[run] = number;
                    prop_assert_eq!(Shard::new(1, of).expect("a part").with_run(run), shard);
                }
            }
            prop_assert!(owner.iter().all(|number| *number > 0));
        }
    }
}
