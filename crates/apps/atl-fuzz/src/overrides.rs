//! Changes of a scenario on the command line.

use std::path::Path;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, no_files, parse};

/// The file that is changed: a sweep, variables, a network that a phone moves to, and a protocol
/// with options.
const BASE: &str = include_str!("overrides/base.toml");
/// Most lines that are taken.
const MOST: usize = 8;

/// Each line is an option: `--seeds N`, `--duration TIME`, `--quick`, or the argument of a `--set`.
/// Every refusal shows a place. What is accepted has runs, and setting the same
/// once more changes nothing.
pub fn overrides(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let mut given = Overrides::default();
    for line in text.lines().take(MOST) {
        match line.split_once(' ') {
            Some(("--seeds", value)) => given.seeds = Some(value.to_owned()),
            Some(("--duration", value)) => given.duration = Some(value.to_owned()),
            _ if line == "--quick" => given.quick = true,
            _ => given.set.extend(
                line.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())),
            ),
        }
    }
    let read = read(&given);
    let set = [&given.set[..], &given.set].concat();
    let twice = Overrides { set, ..given.clone() };
    match (&read, self::read(&twice)) {
        (Ok(scenario), again) => {
            assert!(!scenario.points.is_empty() && !scenario.seeds.is_empty());
            let setups = scenario.points.iter().map(|point| &point.setup);
            assert!(setups.clone().all(|setup| setup.warmup < setup.duration), "{given:?}");
            let again = again.unwrap_or_else(|errors| panic!("{given:?} once more: {errors}"));
            assert_eq!(scenario.hash, again.hash, "{given:?} once more");
            assert_eq!(scenario.points.len(), again.points.len(), "{given:?} once more");
        }
        (Err(errors), again) => {
            let message = errors.to_string();
            assert!(!message.is_empty());
            assert!(again.is_err(), "{given:?} is refused once, and not twice");
            // A mistake that is nobody's alone, such as a file without flows, is shown in the file.
            let places = ["command line", "base.toml:"];
            assert!(places.iter().any(|place| message.contains(place)), "{given:?}: {message}");
        }
    }
    if given.set.is_empty() && given.seeds.is_none() && !given.quick {
        // A duration means the same wherever it stands.
        if let (Some(duration), Ok(scenario)) = (&given.duration, &read) {
            let plain = atl_scenario::units::time(duration);
            if let Ok(plain) = plain {
                assert_eq!(scenario.points[0].setup.duration, plain, "{duration}");
            }
        }
    }
}

fn read(overrides: &Overrides) -> Result<Scenario, Errors> {
    parse("base", BASE, Path::new("base.toml"), &no_files, overrides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_alone_has_no_mistake() {
        read(&Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    }
}
