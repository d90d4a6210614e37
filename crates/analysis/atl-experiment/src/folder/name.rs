//! The default directory for results, named after the scenario and what was changed in it.

use std::path::{Component, Path, PathBuf};

use atl_scenario::Overrides;
use atl_scenario::ablation::Ablation;
use atl_scenario::repeat::USUAL_ENGINE;
use sha2::{Digest, Sha256};

/// Limit on the characters that the changes add to a name. File systems allow 255 bytes.
const MOST: usize = 80;
/// Hexadecimal digits that stand for what a name leaves out.
const DIGITS: usize = 8;

/// Default directory for a scenario's results: `out/` and its name, without components that lead
/// out of it, followed by what was changed in it: `out/showcase/roaming+quick+queue=400`.
///
/// Different changes give different names. A name consists of ASCII letters, digits and `-_.=,+`.
/// Where a change has other characters, or all of them together are too long, eight digits of their
/// SHA-256 follow. The order of `--set` counts only where two of them set the same key.
pub fn default_for(name: &str, changes: &Overrides, on: &[String], ablate: &[Ablation]) -> PathBuf {
    let mut dir = Path::new("out").join(inner(name)).into_os_string();
    dir.push(suffix(&words(changes, on, ablate)));
    dir.into()
}

/// A scenario's name as a relative path without `..` or a root.
pub fn inner(name: &str) -> PathBuf {
    let normal = |c: Component<'_>| match c {
        Component::Normal(part) => Some(part.to_owned()),
        _ => None,
    };
    Path::new(name).components().filter_map(normal).collect()
}

/// The changes, each in a word.
fn words(changes: &Overrides, on: &[String], ablate: &[Ablation]) -> Vec<String> {
    let mut words = Vec::new();
    if changes.quick {
        words.push("quick".to_owned());
    }
    for (option, value) in [("seeds", &changes.seeds), ("duration", &changes.duration)] {
        words.extend(value.as_ref().map(|value| format!("{option}={value}")));
    }
    let mut set: Vec<&(String, String)> = changes.set.iter().collect();
    set.sort_by_key(|(key, _)| key);
    words.extend(set.iter().map(|(key, value)| format!("{key}={value}")));
    if on != [USUAL_ENGINE] {
        words.push(format!("on={}", on.join(",")));
    }
    if !ablate.is_empty() {
        let names: Vec<&str> = ablate.iter().map(|ablation| ablation.name()).collect();
        words.push(format!("without={}", names.join(",")));
    }
    words
}

/// The words as the end of a name; empty without any.
fn suffix(words: &[String]) -> String {
    let mut text = String::new();
    let mut exact = true;
    for word in words {
        // Frequent, and no value is written the way they are replaced.
        let word = word.replace("b/s", "bps").replace('%', "pct");
        // Lists and tables are legible without brackets and quotes.
        let bare = word.chars().filter(|c| !"[]{}\"'".contains(*c));
        let plain: String = bare.map(|c| if is_plain(c) { c } else { ' ' }).collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain =
            plain.replace(" = ", "=").replace("= ", "=").replace(", ", ",").replace(' ', "-");
        exact &= plain == word;
        text.push('+');
        text.push_str(&plain);
    }
    // Windows drops a full stop at the end.
    exact &= !text.ends_with('.');
    if exact && text.len() <= MOST {
        return text;
    }
    text.truncate(MOST - DIGITS - 1);
    let sum = Sha256::digest(words.join("\0"));
    let digits: String = sum.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digits}", text.trim_end_matches(['.', '-', ',', '=', '+']))
}

const fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '=' | ',')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn sets(set: &[(&str, &str)]) -> Overrides {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Overrides { set: set.iter().map(owned).collect(), ..Overrides::default() }
    }

    fn named(changes: &Overrides) -> String {
        let dir = default_for("a/b", changes, &[USUAL_ENGINE.to_owned()], &[]);
        dir.into_os_string().into_string().expect("ASCII")
    }

    #[test]
    fn what_was_changed_can_be_read_in_the_name() {
        assert_eq!(named(&Overrides::default()), "out/a/b");
        let all = Overrides {
            quick: true,
            seeds: Some("1,4".to_owned()),
            duration: Some("60s".to_owned()),
            ..sets(&[("link.air.rate", "2Mb/s"), ("link.air.loss", "1%")])
        };
        assert_eq!(
            named(&all),
            "out/a/b+quick+seeds=1,4+duration=60s+link.air.loss=1pct+link.air.rate=2Mbps"
        );
        let table = named(&sets(&[("flow.up.protocol", r#"{ name = "cubic", beta = 0.9 }"#)]));
        let digits = table.strip_prefix("out/a/b+flow.up.protocol=name=cubic,beta=0.9-");
        assert!(digits.is_some_and(|digits| digits.len() == DIGITS), "{table}");
        let on = ["sim", "quic-sim"].map(str::to_owned);
        let dir = default_for("mine", &Overrides::default(), &on, &[Ablation::LinkReports]);
        assert_eq!(dir, Path::new("out/mine+on=sim,quic-sim+without=link-reports"));
        let dir = default_for("../../etc/x", &Overrides::default(), &on[..1], &[]);
        assert_eq!(dir, Path::new("out/etc/x"));
    }

    #[test]
    fn different_changes_have_different_names_and_the_same_ones_the_same() {
        assert_eq!(
            named(&sets(&[("a", "1"), ("b", "2")])),
            named(&sets(&[("b", "2"), ("a", "1")]))
        );
        let long = "x".repeat(300);
        let longer = "x".repeat(301);
        let cases: [&[(&str, &str)]; 14] = [
            &[],
            &[("a", "1")],
            &[("a", "1"), ("a", "2")],
            &[("a", "2"), ("a", "1")],
            &[("a", "1 2")],
            &[("a", "1-2")],
            &[("a", "1/2")],
            &[("a", "[1, 2]")],
            &[("a", "1.")],
            &[("a", "1+b=2")],
            &[("a", "1"), ("b", "2")],
            &[("a", "ä")],
            &[("a", &long)],
            &[("a", &longer)],
        ];
        let names: BTreeSet<String> = cases.iter().map(|set| named(&sets(set))).collect();
        assert_eq!(names.len(), cases.len(), "{names:?}");
        for name in names {
            let last = name.strip_prefix("out/a/").expect("below the scenario's folder");
            assert!(last.len() <= 1 + MOST && !last.ends_with('.'), "{name}");
            assert!(last.chars().all(|c| is_plain(c) || c == '+'), "{name}");
        }
    }
}
