//! The voice of comments, as far as a program can hold it: the first word, the width, and that a
//! comment is more than its item's name. CONTRIBUTING.md ("Style") has the rest.

use std::fs;
use std::path::{Path, PathBuf};

/// A comment that begins so restates the code below it as a question.
const QUESTIONS: [&str; 5] = ["What", "How", "Whether", "Who", "Why"];
/// Words that add nothing to a name.
const EMPTY: [&str; 13] =
    ["a", "an", "the", "its", "of", "all", "this", "it", "is", "as", "in", "to", "by"];
const WIDEST: usize = 100;
/// Folders without sources of ours.
const OTHERS: [&str; 4] = ["target", "node_modules", "vendor", ".git"];

/// The `.rs` files below a folder.
pub(super) fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !OTHERS.contains(&name.as_str()) {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// Each complaint about the comments of a file: the line, from 1, and what to write instead.
pub(super) fn complaints(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut before = None;
    let mut fence = false;
    for (index, line) in lines.iter().enumerate() {
        let Some((mark, words)) = comment(line) else {
            if let Some((code, words)) = line.split_once("; // ").or(line.split_once(", // "))
                && code.matches('"').count().is_multiple_of(2)
            {
                out.extend(question(words).map(|what| (index + 1, what)));
            }
            (before, fence) = (None, false);
            continue;
        };
        let begins = before != Some(mark);
        before = Some(mark);
        fence ^= words.starts_with("```");
        let wide = line.chars().count();
        if wide > WIDEST && !fence && !words.starts_with(['|', '`']) {
            out.push((index + 1, format!("{wide} columns: wrap the comment at {WIDEST}")));
        }
        if !begins {
            continue;
        }
        out.extend(question(words).map(|what| (index + 1, what)));
        let next = lines.get(index + 1).and_then(|line| comment(line));
        if mark == "///" && next.is_none_or(|(mark, _)| mark != "///") {
            let item = lines[index + 1..].iter().find(|line| !line.trim_start().starts_with('#'));
            if let Some(name) = item.and_then(|line| name(line)).filter(|name| repeats(words, name))
            {
                let what = format!(
                    "`{words}` only repeats `{name}`: say its unit, range, source or reason, or \
                     delete the comment where it may be absent"
                );
                out.push((index + 1, what));
            }
        }
    }
    out
}

/// The mark and the text of a line that is a comment.
fn comment(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    let mark = ["///", "//!", "//"].into_iter().find(|mark| line.starts_with(mark))?;
    Some((mark, line[mark.len()..].trim()))
}

fn question(words: &str) -> Option<String> {
    let first = words.split(|c: char| !c.is_alphanumeric()).next()?;
    QUESTIONS.contains(&first).then(|| {
        format!(
            "the comment begins with `{first}`: begin with the thing itself, and say what the code \
             does not: the reason, the unit, the range, the source"
        )
    })
}

/// The name of the item, field or variant that a line declares.
fn name(line: &str) -> Option<&str> {
    const BEFORE: [&str; 12] = [
        "pub", "const", "async", "unsafe", "type", "static", "struct", "enum", "trait", "fn",
        "mod", "mut",
    ];
    let line = line.trim_start();
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line,
    };
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| !BEFORE.contains(word)).filter(|word| !word.is_empty())
}

/// True if a comment of at most three words has none that is not in the name.
fn repeats(comment: &str, name: &str) -> bool {
    let lower = name.replace('_', "").to_lowercase();
    let words = comment.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        word.replace('_', "")
    });
    let told: Vec<String> = words.filter(|word| !EMPTY.contains(&word.as_str())).collect();
    let stem = |word: &String| word.strip_suffix('s').unwrap_or(word).to_owned();
    comment.split_whitespace().count() <= 3
        && told.iter().map(stem).all(|word| lower.contains(&word))
}

#[test]
fn a_bad_comment_is_named_with_its_line() {
    let wide = format!("// {}", "x".repeat(98));
    let table = format!("//! | {} |", "x".repeat(98));
    let bad = [
        ("/// What it does.\nfn act() {}", 1),
        ("fn act() {}\n    // Why not.\n    act();", 2),
        ("let x = 1; // How many.", 1),
        ("//! Whether it is so.", 1),
        ("/// Who does it, and when.\n#[derive(Debug)]\nstruct Actor;", 1),
        ("/// The controller.\npub(crate) controller: Controller,", 1),
        ("/// All links.\n#[must_use]\npub fn links(&self) {}", 1),
        ("/// `CSS_ROUNDS`.\nconst CSS_ROUNDS: u32 = 5;", 1),
        (wide.as_str(), 1),
    ];
    for (text, line) in bad {
        let found: Vec<usize> = complaints(text).iter().map(|(line, _)| *line).collect();
        assert_eq!(found, [line], "{text}");
    }
    let good = [
        "/// Draws for every packet.\n/// What follows is no first word.\nfn draw() {}",
        "/// Bytes on the wire.\nbytes: u64,",
        "/// However long.\nfn wait() {}",
        "let text = \"// What\";",
        "//! ```\n//! // What a doctest says.\n//! ```",
        table.as_str(),
    ];
    for text in good {
        assert_eq!(complaints(text), [], "{text}");
    }
}
