//! Options that a protocol, a queue discipline or an application reads itself.

use crate::errors::{Problem, list};
use crate::options::OptionError;
use crate::table::{Field, join};
use crate::tree::{Entry, Kind};

/// Hands the options in the table `field` to their reader. `label` is the owner's name in messages,
/// `keys` are those that the table has besides.
pub(super) fn read<T>(
    field: &Field<'_>,
    (label, keys): (&str, &[&str]),
    options: &[&Entry],
    read: impl Fn(&[&Entry]) -> Result<T, OptionError>,
) -> Option<T> {
    match read(options) {
        Ok(value) => Some(value),
        Err(error) => {
            report(field, (label, keys), options, &error, |one| read(one).map(drop));
            None
        }
    }
}

/// Reports options that cannot be read: each wrong one at its own place, or, if each alone is
/// right, that they contradict each other (`together`).
fn report(
    field: &Field<'_>,
    (label, keys): (&str, &[&str]),
    options: &[&Entry],
    together: &OptionError,
    read: impl Fn(&[&Entry]) -> Result<(), OptionError>,
) {
    let mut fine = true;
    for entry in options {
        if matches!(entry.node.kind, Kind::Poison) {
            fine = false;
            continue;
        }
        let Err(error) = read(&[entry]) else {
            continue;
        };
        fine = false;
        let path = join(&field.path, &entry.key);
        let value = Field { path: path.clone(), node: &entry.node, ..field.clone() };
        field.report(match error {
            OptionError::Unknown(names) => {
                let known: Vec<&str> = keys.iter().chain(names).copied().collect();
                Problem::new(format!("{label} has no option `{}`", entry.key))
                    .at(entry.key_at)
                    .key(path)
                    .label("unknown option")
                    .suggest(&entry.key, &known)
                    .help(format!("its options are {}", list(names)))
            }
            OptionError::Value(message) => {
                value.problem(format!("`{path}` cannot be {}", entry.node.what()), message)
            }
        });
    }
    if fine {
        let problem = if options.is_empty() {
            format!("`{}` lacks an option", field.path)
        } else {
            format!("options of `{}` contradict each other", field.path)
        };
        field.report(field.problem(problem, together.to_string()));
    }
}
