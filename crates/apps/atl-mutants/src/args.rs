//! The options of the command line.

use std::path::PathBuf;
use std::time::Duration;

use crate::choice::Shard;

/// Text of `--help`, from which the names of the options are read, too.
pub const HELP: &str = "\
Changes one place of the sources at a time, and tells which changes no test notices (docs/testing.md).

Usage: atl-mutants [OPTIONS]          or: make mutants ARGS='[OPTIONS]'

  --files PATHS         files or folders of crates' sources, separated by commas (default: the rooms in docs/testing.md)
  --only PATHS          judge only the mutants of these of the files: the build holds all, and can be used again
  --changed-since REV   only mutants in lines that differ from that commit
  --survivors TABLE     only what nothing killed in an earlier table.tsv
  --shard PART/PARTS    a part of the mutants, from 1/PARTS to PARTS/PARTS
  --sample COUNT        number of mutants, drawn by --seed
  --seed SEED           of the sample, and of the order in which mutants are judged (default 1)
  --beyond TESTS        integration tests of other crates for what the crate's own tests let live, separated by
                        commas, or `none` (default endpoint,sim)
  --beyond-time SECONDS seconds of them for a mutant at most, quick ones first (default 5)
  --skip-tests WORDS    leave out tests whose names hold one of these words, separated by commas
  --time SECONDS        seconds to judge for, after the build; mutants that did not run are counted
  --jobs JOBS           test programs at a time (default: half of the processors, at least 1)
  --allow PERCENT       of the mutants may be alive and not explained (default 5)
  --out FOLDER          for table.tsv and summary.txt (default out/mutants)
  --list                only list the mutants

Exit status: 0 if at most --allow percent are alive and not explained, 1 if more are, 2 if it could not run.
";

/// The rooms that the project holds to its bound.
pub const ROOMS: &[&str] = &[
    "crates/control/atl-core/src/window",
    "crates/control/atl-core/src/rate",
    "crates/control/atl-core/src/path",
    "crates/control/atl-core/src/model",
    "crates/control/atl-core/src/roaming.rs",
    "crates/control/atl-core/src/probe",
    "crates/network/atl-endpoint/src/tcp/scoreboard.rs",
    "crates/network/atl-endpoint/src/tcp/scoreboard",
    "crates/network/atl-endpoint/src/tcp/roaming",
    "crates/network/atl-link/src/queue.rs",
    "crates/network/atl-link/src/queue",
    "crates/analysis/atl-report/src/verdict",
];

/// Options with their defaults filled in; [`HELP`] says what each does.
#[derive(Clone, Debug)]
pub struct Args {
    /// Sources to change, below the workspace's root; [`ROOMS`] by default.
    pub files: Vec<PathBuf>,
    /// Those of them whose mutants are judged; `None` for all.
    pub only: Option<Vec<PathBuf>>,
    /// Commit since which a line must have changed for its mutants to be judged.
    pub changed_since: Option<String>,
    /// A table of an earlier run.
    pub survivors: Option<PathBuf>,
    /// Part of the mutants to judge, for runs on several machines.
    pub shard: Option<Shard>,
    /// Number of mutants to draw.
    pub sample: Option<usize>,
    /// The seed of the draw.
    pub seed: u64,
    /// Integration tests of other crates.
    pub beyond: Vec<String>,
    /// Their time for a mutant, at most.
    pub beyond_time: Duration,
    /// Parts of names of tests that do not run.
    pub skip_tests: Vec<String>,
    /// When to stop.
    pub time: Option<Duration>,
    /// Programs at a time.
    pub jobs: usize,
    /// Percent that may be alive.
    pub allow: f64,
    /// Where the table goes.
    pub out: PathBuf,
    /// Lists the mutants that would be judged, and builds nothing.
    pub list: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(value).map_err(|_| "allowed are seconds from 0".to_owned())
}

fn whole<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "not a whole number".to_owned())
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

impl Args {
    /// Reads arguments; `None` if help is asked for.
    ///
    /// # Errors
    ///
    /// An unknown option, or a value that it does not allow.
    pub fn read(given: impl IntoIterator<Item = String>) -> Result<Option<Args>, String> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut args = Args {
            files: ROOMS.iter().map(PathBuf::from).collect(),
            only: None,
            changed_since: None,
            survivors: None,
            shard: None,
            sample: None,
            seed: 1,
            beyond: vec!["endpoint".to_owned(), "sim".to_owned()],
            beyond_time: Duration::from_secs(5),
            skip_tests: Vec::new(),
            time: None,
            jobs: (processors / 2).max(1),
            allow: 5.0,
            out: "out/mutants".into(),
            list: false,
        };
        let mut given = given.into_iter();
        while let Some(name) = given.next() {
            match name.as_str() {
                "--help" | "-h" => return Ok(None),
                "--list" => {
                    args.list = true;
                    continue;
                }
                _ => {}
            }
            let known = HELP
                .lines()
                .any(|line| line.split_whitespace().next().is_some_and(|word| word == name));
            if !known {
                return Err(format!("{name}: unknown; --help lists what is allowed"));
            }
            let value = given.next().ok_or_else(|| format!("{name}: a value is missing"))?;
            args.set(&name, &value).map_err(|e| format!("{name} {value}: {e}"))?;
        }
        Ok(Some(args))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--files" => self.files = words(value).into_iter().map(PathBuf::from).collect(),
            "--only" => self.only = Some(words(value).into_iter().map(PathBuf::from).collect()),
            "--changed-since" => self.changed_since = Some(value.to_owned()),
            "--survivors" => self.survivors = Some(value.into()),
            "--shard" => self.shard = Some(value.parse()?),
            "--sample" => self.sample = Some(whole(value)?),
            "--seed" => self.seed = whole(value)?,
            "--beyond" if value == "none" => self.beyond.clear(),
            "--beyond" => self.beyond = words(value),
            "--beyond-time" => self.beyond_time = seconds(value)?,
            "--skip-tests" => self.skip_tests = words(value),
            "--time" => self.time = Some(seconds(value)?),
            "--jobs" => {
                self.jobs = whole(value)?;
                if self.jobs == 0 {
                    return Err("allowed are whole numbers from 1".to_owned());
                }
            }
            "--allow" => {
                self.allow = value.parse().map_err(|_| "not a number".to_owned())?;
                if !(0.0..=100.0).contains(&self.allow) {
                    return Err("allowed are 0 to 100".to_owned());
                }
            }
            _ => self.out = value.into(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Args>, String> {
        Args::read(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn every_option_of_the_help_is_read() {
        let all = "--files a,b --only b --changed-since HEAD~1 --survivors t.tsv --shard 1/2 --sample 9 --seed 3 \
                   --beyond sim --beyond-time 2.5 --skip-tests slow --time 90 --jobs 3 --allow 10 --out o \
                   --list";
        let args = read(all).expect("allowed").expect("no help");
        assert_eq!(args.files, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(args.only, Some(vec![PathBuf::from("b")]));
        assert_eq!(args.changed_since.as_deref(), Some("HEAD~1"));
        assert_eq!(args.survivors, Some("t.tsv".into()));
        assert_eq!(args.shard, Some(Shard { part: 1, of: 2 }));
        assert_eq!((args.sample, args.seed, args.jobs), (Some(9), 3, 3));
        assert_eq!((args.beyond, args.skip_tests), (vec!["sim".into()], vec!["slow".into()]));
        assert_eq!(args.beyond_time, Duration::from_millis(2500));
        assert_eq!(args.time, Some(Duration::from_secs(90)));
        assert_eq!(
            (args.allow.to_bits(), args.out, args.list),
            (10_f64.to_bits(), "o".into(), true)
        );
        let options = HELP.lines().filter(|line| line.starts_with("  --"));
        for option in options.filter_map(|line| line.split_whitespace().next()) {
            assert!(all.contains(option), "{option} is read above");
        }
    }

    #[test]
    fn mistakes_name_the_option_and_what_is_allowed() {
        for (wrong, told) in [
            ("--fast", "--fast: unknown"),
            ("--seed", "--seed: a value is missing"),
            ("--seed x", "--seed x: not a whole number"),
            ("--jobs 0", "from 1"),
            ("--allow 101", "0 to 100"),
            ("--time -1", "seconds from 0"),
            ("--shard 3/2", "PART/PARTS"),
        ] {
            assert!(read(wrong).expect_err(wrong).contains(told), "{wrong}");
        }
        assert!(read("--list --help").expect("help").is_none());
    }
}
