//! The options of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::builder::RangedU64ValueParser;

use crate::choice::Shard;

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

/// Change one place of the sources at a time, and tell which changes no test notices
///
/// Or: `make mutants ARGS='[OPTIONS]'`. See docs/testing.md.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "atl-mutants",
    after_help = "Exit status: 0 if at most --allow percent are alive and not explained, 1 if more are, \
                  2 if it could not run."
)]
pub struct Args {
    /// Files or folders of crates' sources [default: the rooms in docs/testing.md]
    #[arg(long, value_name = "PATH[,PATH]", value_delimiter = ',', default_values = ROOMS)]
    #[arg(hide_default_value = true)]
    pub files: Vec<PathBuf>,
    /// Judge only the mutants of these of the files: the build holds all, and can be used again
    #[arg(long, value_name = "PATH[,PATH]", value_delimiter = ',')]
    pub only: Option<Vec<PathBuf>>,
    /// Only mutants in lines that differ from that commit
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// Only what nothing killed in an earlier table.tsv
    #[arg(long, value_name = "TABLE")]
    pub survivors: Option<PathBuf>,
    /// A part of the mutants, from 1/PARTS to PARTS/PARTS
    #[arg(long, value_name = "PART/PARTS", value_parser = str::parse::<Shard>)]
    pub shard: Option<Shard>,
    /// Number of mutants, drawn by --seed
    #[arg(long, value_name = "COUNT")]
    pub sample: Option<usize>,
    /// Seed of the sample, and of the order in which mutants are judged
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Integration tests of other crates for what the crate's own tests let live, or `none`
    #[arg(long, value_name = "TEST[,TEST]", value_delimiter = ',', default_value = "endpoint,sim")]
    pub beyond: Vec<String>,
    /// Seconds of them for a mutant at most, quick ones first
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    #[arg(allow_negative_numbers = true)]
    pub beyond_time: Duration,
    /// Leave out tests whose names hold one of these words
    #[arg(long, value_name = "WORD[,WORD]", value_delimiter = ',')]
    pub skip_tests: Vec<String>,
    /// Seconds to judge for, after the build; mutants that did not run are counted
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Test programs at a time
    #[arg(long, value_parser = jobs(), default_value_t = half(), value_name = "JOBS")]
    pub jobs: usize,
    /// Percent that may be alive and not explained
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value_t = 5.0)]
    #[arg(allow_negative_numbers = true)]
    pub allow: f64,
    /// Folder for table.tsv and summary.txt
    #[arg(long, value_name = "FOLDER", default_value = "out/mutants")]
    pub out: PathBuf,
    /// Only list the mutants
    #[arg(long)]
    pub list: bool,
}

/// Half of the processors, at least one.
fn half() -> usize {
    (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1)
}

fn jobs() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(value).map_err(|_| "allowed are seconds from 0".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let allowed = (0.0..=100.0).contains(&value);
    allowed.then_some(value).ok_or_else(|| "allowed are 0 to 100".to_owned())
}

impl Args {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    ///
    /// An unknown option, a value that it does not allow, or a wish for help.
    pub fn read(given: impl IntoIterator<Item = String>) -> Result<Args, clap::Error> {
        let mut args = Args::try_parse_from(given)?;
        if args.beyond == ["none"] {
            args.beyond.clear();
        }
        for words in [&mut args.beyond, &mut args.skip_tests] {
            words.retain(|word| !word.is_empty());
        }
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn read(text: &str) -> Result<Args, clap::Error> {
        Args::read(format!("atl-mutants {text}").split_whitespace().map(str::to_owned))
    }

    #[test]
    fn every_option_is_read() {
        Args::command().debug_assert();
        let all = "--files a,b --only b --changed-since HEAD~1 --survivors t.tsv --shard 1/2 --sample 9 --seed 3 \
                   --beyond sim --beyond-time 2.5 --skip-tests slow --time 90 --jobs 3 --allow 10 --out o \
                   --list";
        let args = read(all).expect("allowed");
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
        for option in Args::command().get_arguments().filter_map(clap::Arg::get_long) {
            assert!(all.contains(option), "--{option} is read above");
        }
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let args = read("").expect("allowed");
        assert_eq!(args.files, ROOMS.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(args.beyond, ["endpoint", "sim"]);
        assert!(args.jobs >= 1 && !args.list && args.only.is_none());
        assert!(read("--beyond none").expect("allowed").beyond.is_empty());
        assert_eq!(read("--skip-tests slow,").expect("allowed").skip_tests, ["slow"]);
    }

    #[test]
    fn mistakes_name_the_option_and_what_is_allowed() {
        for (wrong, told) in [
            ("--fast", "'--fast'"),
            ("--seed", "'--seed <SEED>'"),
            ("--seed x", "'--seed <SEED>'"),
            ("--jobs 0", "1.."),
            ("--allow 101", "0 to 100"),
            ("--time -1", "seconds from 0"),
            ("--shard 3/2", "PART/PARTS"),
        ] {
            let error = read(wrong).expect_err(wrong);
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(told), "{wrong}: {error}");
        }
        assert_eq!(read("--list --help").expect_err("help").exit_code(), 0);
    }
}
