//! The command that repeats a run.

use crate::args::Changes;

/// `atl COMMAND SPEC` with what changes its results. Where files go and how many threads there were does not.
pub fn command(command: &str, spec: &str, changes: &Changes) -> String {
    let mut words = vec!["atl".to_owned(), command.to_owned(), quoted(spec)];
    if changes.quick {
        words.push("--quick".to_owned());
    }
    let with_value = [("--seeds", &changes.seeds), ("--duration", &changes.duration)];
    for (option, value) in with_value {
        if let Some(value) = value {
            words.extend([option.to_owned(), quoted(value)]);
        }
    }
    for (key, value) in &changes.set {
        words.extend(["--set".to_owned(), quoted(&format!("{key}={value}"))]);
    }
    words.join(" ")
}

/// A word that a POSIX shell reads as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:%+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_typed() {
        let changes = Changes {
            set: vec![("loss".into(), "{ p = 1e-3 }".into()), ("a".into(), "it's".into())],
            seeds: Some("1,2".into()),
            duration: Some("5s".into()),
            quick: true,
        };
        assert_eq!(
            command("run", "my file.toml", &changes),
            r"atl run 'my file.toml' --quick --seeds 1,2 --duration 5s --set 'loss={ p = 1e-3 }' --set 'a=it'\''s'"
        );
    }
}
