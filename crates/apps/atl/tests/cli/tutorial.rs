//! The commands of docs/tutorial.md, one after the other.

use crate::{fine, path_text};

const PAGE: &str = include_str!("../../../../../docs/tutorial.md");

/// The contents of the code blocks in a language.
fn blocks<'a>(language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    let found = PAGE.split("```").skip(1).step_by(2);
    let begin = opening.trim_start_matches('`').to_owned();
    found.filter_map(|block| block.strip_prefix(begin.as_str())).collect()
}

#[test]
fn every_command_of_the_tutorial_works_where_the_one_before_has_left_off() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut outputs = Vec::new();
    for command in blocks("sh").iter().flat_map(|block| block.lines()) {
        let mut words = command.split(' ').filter(|word| !word.is_empty());
        assert_eq!(words.next(), Some("atl"), "{command}");
        let words: Vec<&str> = words.collect();
        let told = if words[0] == "path" { path_text } else { fine };
        outputs.push(told(dir.path(), &words));
    }
    assert!(outputs.len() > 7, "the page has {} commands", outputs.len());
    let shown = blocks("text");
    assert_eq!(shown.len(), 1);
    // The numbers may move with the controllers; the order and the form may not.
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let opening = shown[0].lines().next().expect("a line");
    let told: Vec<&str> = outputs[0].lines().skip_while(|line| *line != opening).collect();
    assert!(told.len() > shown[0].lines().count(), "no line is `{opening}`: {}", outputs[0]);
    for (shown, told) in shown[0].lines().zip(told) {
        assert_eq!(first(shown), first(told), "{shown} is {told}");
    }
    for folder in ["out/mine", "out/mine+network.wifi.loss=0", "out/mine+without=link-reports"] {
        assert!(dir.path().join(folder).join("report.html").is_file(), "{folder}");
    }
}
