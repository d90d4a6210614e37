//! The command that repeats a run, for reports and data files.

use crate::ablation::Ablation;
use crate::overrides::Overrides;

/// Name of the engine without `--on`.
pub const USUAL_ENGINE: &str = "sim";

/// `atl COMMAND SPEC` with all options that affect results; those for output and threads are left
/// out.
pub fn command(
    command: &str,
    spec: &str,
    changes: &Overrides,
    on: &[String],
    ablate: &[Ablation],
) -> String {
    let mut words = vec!["atl".to_owned(), command.to_owned(), quoted(spec)];
    if on != [USUAL_ENGINE] {
        words.extend(["--on".to_owned(), quoted(&on.join(","))]);
    }
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
    if !ablate.is_empty() {
        let names: Vec<&str> = ablate.iter().map(|ablation| ablation.name()).collect();
        words.extend(["--ablate".to_owned(), names.join(",")]);
    }
    words.join(" ")
}

/// The scenario of such a command, as it was named; `None` for other texts.
pub fn subject(command: &str) -> Option<String> {
    let mut words = vec![String::new()];
    let (mut within, mut escaped) = (false, false);
    for c in command.chars() {
        match c {
            c if escaped => {
                escaped = false;
                words.last_mut()?.push(c);
            }
            '\\' if !within => escaped = true,
            '\'' => within = !within,
            ' ' if !within && words.len() == 3 => break,
            ' ' if !within => words.push(String::new()),
            c => words.last_mut()?.push(c),
        }
    }
    match &mut words[..] {
        [atl, _, subject] if *atl == "atl" => Some(std::mem::take(subject)),
        _ => None,
    }
}

/// Quotes a word if a POSIX shell would change it.
pub fn quoted(word: &str) -> String {
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
    fn a_shell_reads_back_the_same_words() {
        let changes = Overrides {
            set: vec![("loss".into(), "{ p = 1e-3 }".into()), ("a".into(), "it's".into())],
            seeds: Some("1,2".into()),
            duration: Some("5s".into()),
            quick: true,
            options: Vec::new(),
        };
        assert_eq!(
            command("run", "my file.toml", &changes, &["sim".to_owned()], &[Ablation::Probing]),
            r"atl run 'my file.toml' --quick --seeds 1,2 --duration 5s --set 'loss={ p = 1e-3 }' --set 'a=it'\''s' --ablate probing"
        );
    }

    #[test]
    fn the_scenario_is_read_back_from_its_command() {
        for spec in ["a", "my file.toml", "it's", r"back\slash", "sub/x.toml", "-", ""] {
            for on in ["sim", "udp"] {
                let command = command("run", spec, &Overrides::default(), &[on.to_owned()], &[]);
                assert_eq!(subject(&command).as_deref(), Some(spec), "{command}");
            }
        }
        assert_eq!(subject("atl path wifi").as_deref(), Some("wifi"));
        assert_eq!(subject("ls -l a b"), None);
        assert_eq!(subject("atl"), None);
    }

    #[test]
    fn engines_are_named_unless_they_are_the_default() {
        let on = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            command("run", "a", &Overrides::default(), &names, &[])
        };
        assert_eq!(on(&["sim"]), "atl run a");
        assert_eq!(on(&["udp"]), "atl run a --on udp");
        assert_eq!(on(&["sim", "udp"]), "atl run a --on sim,udp");
    }
}
