//! Changes that are found in sources, and what stays.

use atl_mutants::find::{find, test_modules};

/// The changes in a text, as `operator: before -> after`.
fn changes(text: &str) -> Vec<String> {
    let found = find(text).expect("Rust");
    let shown = found
        .changes
        .iter()
        .map(|change| format!("{}: {} -> {}", change.operator, change.before, change.after));
    shown.collect()
}

#[test]
fn a_condition_is_decided_both_ways_and_its_boundary_moved() {
    assert_eq!(
        changes("fn f(a: u8, b: u8) -> u8 { if a < b { a } else { b } }"),
        ["condition: a < b -> true", "condition: a < b -> false", "boundary: a < b -> (a) <= (b)"]
    );
}

#[test]
fn each_part_of_a_condition_is_left_out_once() {
    let mut all = changes("fn f(a: bool, b: bool, c: bool) -> bool { a && b && c }");
    all.sort();
    assert_eq!(all, ["condition: a -> true", "condition: b -> true", "condition: c -> true"]);
    let mut all = changes("fn f(a: bool, b: bool) -> u8 { if a || b { x } else { y } }");
    all.sort();
    assert_eq!(
        all,
        ["condition: a -> false", "condition: a || b -> true", "condition: b -> false"]
    );
}

#[test]
fn a_chain_with_let_loses_only_its_other_links() {
    assert_eq!(
        changes(
            "fn f(a: Option<u8>, b: bool) -> bool { if let Some(_) = a && b { b } else { b } }"
        ),
        ["condition: b -> true"]
    );
}

#[test]
fn a_comparison_that_is_a_value_is_negated() {
    assert_eq!(
        changes("fn f(a: u8, b: u8) -> bool { a >= b }"),
        ["boundary: a >= b -> (a) > (b)", "comparison: a >= b -> (a) < (b)"]
    );
    assert_eq!(
        changes("fn f(a: u8, b: u8) -> bool { a == b }"),
        ["comparison: a == b -> (a) != (b)"]
    );
}

#[test]
fn statements_and_assignments_are_left_out() {
    assert_eq!(
        changes("fn f(s: &mut S) { s.go(); s.x = y; s.x += y; }"),
        [
            "left out: s.go(); -> ",
            "left out: s.x = y -> ()",
            "arithmetic: s.x += y -> s.x -= y",
            "left out: s.x += y -> ()"
        ]
    );
}

#[test]
fn limits_are_exchanged_and_left_out_but_not_those_of_iterators() {
    assert_eq!(
        changes("fn f(a: u8, b: u8) -> u8 { a.min(b) }"),
        ["method: a.min(b) -> a.max(b)", "limit left out: a.min(b) -> a"]
    );
    assert_eq!(changes("fn f(a: &[u8]) -> Option<&u8> { a.iter().min() }"), [""; 0]);
}

#[test]
fn literals_become_others() {
    assert_eq!(
        changes("fn f() -> (u8, f64, f64, bool) { (3_u8, 0.5, 0.0, true) }"),
        [
            "constant: 3_u8 -> 4u8",
            "constant: 0.5 -> 1.0",
            "constant: 0.0 -> 1.0",
            "constant: true -> false"
        ]
    );
}

#[test]
fn a_constant_is_one_mutant_wherever_the_file_uses_it() {
    let text = "const GAIN: f64 = 16.0;\nconst UNUSED: f64 = 1.0;\nconst NAME: &str = \"x\";\n\
                fn f(a: f64) -> f64 { a / GAIN }\nfn g(a: f64) -> f64 { a - GAIN }\n";
    let found = find(text).expect("Rust");
    let twice: Vec<_> = found.changes.iter().filter(|c| c.operator == "constant doubled").collect();
    assert_eq!(twice.len(), 1);
    assert_eq!((twice[0].before.as_str(), twice[0].lines), ("const GAIN = 16.0;", (1, 1)));
    let number = found.changes.iter().position(|c| c.operator == "constant doubled");
    let places = found.places.iter().flat_map(|place| &place.variants);
    assert_eq!(places.filter(|(of, _)| Some(*of) == number).count(), 2);
}

#[test]
fn what_is_known_before_the_program_runs_stays_and_is_counted() {
    let text = "const fn f(a: u8) -> u8 { a + 1 }\n\
                fn g(a: [u8; 1 + 2]) -> bool { matches!(a, [1, ..]) }\n\
                fn h(a: u8) -> bool { match a { 1..=3 => b, _ => c } }\n";
    let found = find(text).expect("Rust");
    assert_eq!(found.changes, []);
    assert_eq!(found.left_out.in_const_functions, 2);
    assert_eq!(found.left_out.macros, 1);
}

#[test]
fn tests_and_what_shows_values_stay() {
    let text = "#[cfg(test)] mod tests { fn f() -> u8 { 1 } }\n\
                #[test] fn g() { h(1); }\n\
                impl fmt::Display for X { fn fmt(&self) -> u8 { 1 } }\n\
                fn h() -> Vec<u8> { Vec::with_capacity(1) }\n";
    assert_eq!(changes(text), [""; 0]);
    assert_eq!(
        test_modules("#[cfg(test)]\nmod tests;\nmod other;\n#[cfg(doctest)]\nmod pages;")
            .expect("Rust"),
        ["tests", "pages"]
    );
}

#[test]
fn a_change_tells_its_function_and_lines() {
    let found = find("impl Evidence {\n    fn share(&self) -> f64 {\n        self.a\n            - self.b\n    }\n}\n")
        .expect("Rust");
    let change = &found.changes[0];
    assert_eq!((change.function.as_str(), change.lines), ("Evidence::share", (3, 4)));
    assert_eq!(change.before, "self.a - self.b");
}
