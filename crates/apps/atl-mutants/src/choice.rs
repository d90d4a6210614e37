//! Which mutants take part: those of changed lines, a part of all, a sample.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of files that differ from an earlier commit, as they are today.
///
/// # Errors
///
/// Git does not know the commit.
pub fn changed_lines(
    root: &Path,
    since: &str,
) -> Result<BTreeMap<PathBuf, Vec<RangeInclusive<usize>>>, String> {
    let output = Command::new("git")
        .args(["diff", "--no-ext-diff", "--no-color", "-U0", since, "--", "crates"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("git: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(of_diff(&String::from_utf8_lossy(&output.stdout)))
}

/// The new lines of a unified diff without context.
#[must_use]
pub fn of_diff(diff: &str) -> BTreeMap<PathBuf, Vec<RangeInclusive<usize>>> {
    let mut out: BTreeMap<PathBuf, Vec<RangeInclusive<usize>>> = BTreeMap::new();
    let mut file = PathBuf::new();
    for line in diff.lines() {
        if let Some(name) = line.strip_prefix("+++ ") {
            file = name.strip_prefix("b/").unwrap_or(name).into();
        } else if let Some(rest) = line.strip_prefix("@@ -")
            && let Some((_, new)) = rest.split_once(" +")
            && let Some((new, _)) = new.split_once(" @@")
        {
            let (start, count) = new.split_once(',').unwrap_or((new, "1"));
            if let (Ok(start), Ok(count)) = (start.parse::<usize>(), count.parse::<usize>())
                && count > 0
            {
                out.entry(file.clone()).or_default().push(start..=start + count - 1);
            }
        }
    }
    out
}

/// One of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub part: u64,
    /// Number of parts.
    pub of: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let whole = |text: &str| text.parse::<u64>().ok();
        let parts = text.split_once('/').and_then(|(part, of)| Some((whole(part)?, whole(of)?)));
        match parts {
            Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
            _ => Err("allowed is PART/PARTS, from 1/PARTS to PARTS/PARTS".to_owned()),
        }
    }
}

/// A number that looks random, the same each time for a seed and a number (Steele et al. 2014,
/// SplitMix64).
#[must_use]
pub fn drawn(seed: u64, number: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0xD1B5_4A32_D192_ED03)
        .wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// `count` of the numbers 0 to `of` - 1, by their draws.
#[must_use]
pub fn sample(seed: u64, of: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    all.sort_by_key(|number| (drawn(seed, *number as u64), *number));
    all.truncate(count);
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_tells_new_lines_by_file() {
        let diff = "--- a/crates/a.rs\n+++ b/crates/a.rs\n@@ -3,2 +4 @@ fn f() {\n-x\n-y\n+z\n\
                    @@ -9,0 +11,3 @@\n+1\n+2\n+3\n@@ -20,2 +24,0 @@\n-p\n-q\n";
        let lines = of_diff(diff);
        assert_eq!(lines[Path::new("crates/a.rs")], [4..=4, 11..=13]);
    }

    #[test]
    fn shards_are_read_and_bounded() {
        assert_eq!("2/5".parse(), Ok(Shard { part: 2, of: 5 }));
        for wrong in ["0/5", "6/5", "x/5", "5", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_sample_is_a_part_of_all_and_another_seed_another_part() {
        let one = sample(1, 1000, 100);
        assert_eq!(one.len(), 100);
        assert!(one.windows(2).all(|pair| pair[0] < pair[1]) && one[99] < 1000);
        assert_eq!(one, sample(1, 1000, 100));
        assert_ne!(one, sample(2, 1000, 100));
        assert_eq!(sample(1, 5, 10), [0, 1, 2, 3, 4]);
    }
}
