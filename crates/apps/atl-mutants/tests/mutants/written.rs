//! Sources with their mutants in them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use atl_mutants::find::find;
use atl_mutants::rewrite::{MODULE, rewrite};

/// A program that shows what some functions return.
const PROGRAM: &str = r#"
const GAIN: u32 = 5;

fn sum(a: u32, b: u32) -> u32 {
    let mut total = 1;
    total += a;
    if a < b && b != 7 {
        total = total.saturating_sub(b).max(2);
    }
    let pair = [total, a * b];
    pair[1] - pair[0] / GAIN
}

fn main() {
    println!("{}", sum(6, 8));
}
"#;

#[test]
fn all_mutants_are_in_one_program_and_one_is_chosen_as_it_runs() {
    let found = find(PROGRAM).expect("Rust");
    let numbers: BTreeMap<usize, u32> =
        (0..found.changes.len()).map(|at| (at, u32::try_from(at).expect("few") + 1)).collect();
    let written = rewrite(PROGRAM, &found, &numbers);
    let last = format!("={}", found.changes.len());
    let folder = tempfile::tempdir().expect("a folder");
    let (source, program) = (folder.path().join("main.rs"), folder.path().join("program"));
    fs::write(&source, written.text + &MODULE.replace("=LAST", &last)).expect("written");
    let built = Command::new("rustc")
        .args(["--edition=2024", "--cap-lints=allow", "-o"])
        .args([&program, &source])
        .output()
        .expect("rustc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = |mutant: Option<u32>, record: Option<&str>| {
        let mut command = Command::new(&program);
        command.env_remove("ATL_MUTANT").env_remove("ATL_MUTANT_REACHED");
        if let Some(number) = mutant {
            command.env("ATL_MUTANT", number.to_string());
        }
        if let Some(name) = record {
            command.env("ATL_MUTANT_REACHED", folder.path().join(name));
        }
        let output = command.output().expect("it runs");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    // total = 7, then max(7 - 8, 2) = 2; 48 - 2 / 5.
    assert_eq!(run(None, None), "48");
    let of = |before: &str, after: &str| {
        let same =
            |change: &atl_mutants::place::Change| change.before == before && change.after == after;
        let at = found.changes.iter().position(same);
        numbers[&at.unwrap_or_else(|| panic!("{before} -> {after} in {:?}", found.changes))]
    };
    for (before, after, shown) in [
        // 48 - 7 / 5
        ("a < b && b != 7", "false", "47"),
        ("b != 7", "true", "48"),
        // 6 / 8 - 0
        ("a * b", "(a) / (b)", "0"),
        // 48 - (7 + 8) / 5
        ("total.saturating_sub(b)", "total.saturating_add(b)", "45"),
        ("total += a", "()", "48"),
        // 48 - 2 * 5
        ("pair[0] / GAIN", "(pair[0]) * (GAIN)", "38"),
        ("const GAIN = 5;", "(GAIN + GAIN)", "48"),
    ] {
        assert_eq!(run(Some(of(before, after)), None), shown, "{before} -> {after}");
    }
    // It meets all but `main`'s arguments, which are in a macro.
    assert_eq!(run(None, Some("met")), "48");
    let met = fs::read(folder.path().join("met")).expect("a record");
    let mut met: Vec<u32> =
        met.chunks_exact(4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]])).collect();
    met.sort_unstable();
    assert_eq!(met, numbers.values().copied().collect::<Vec<_>>());
}

#[test]
fn a_place_in_the_new_text_leads_to_its_change_or_to_the_sound_text() {
    let found = find(PROGRAM).expect("Rust");
    let numbers = BTreeMap::from([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    let written = rewrite(PROGRAM, &found, &numbers);
    for (change, number) in &numbers {
        let text = format!("__mutant::on({number}) {{ ");
        let at = written.text.find(&text).expect("it is there") + text.len();
        assert_eq!(written.change_at(&(at..at + 1)), Some(*change));
    }
    let (new, old) = (written.text.find("let pair"), PROGRAM.find("let pair"));
    assert_eq!(new.and_then(|at| written.sound_at(at)), old);
    let choice = written.text.find("crate::__mutant").expect("it is there");
    assert_eq!((written.sound_at(choice), written.change_at(&(choice..choice + 1))), (None, None));
}

#[test]
fn without_a_mutant_the_text_stays() {
    let found = find(PROGRAM).expect("Rust");
    assert_eq!(rewrite(PROGRAM, &found, &BTreeMap::new()).text, PROGRAM);
}
