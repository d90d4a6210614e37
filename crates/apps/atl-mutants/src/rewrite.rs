//! A file with all its mutants in it: at each place a choice at run time.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::place::{Found, Place};

/// The module that each crate with mutants gets. `ATL_MUTANT` is the number of the mutant that
/// runs; where `ATL_MUTANT_REACHED` names a file, the sound program runs, and the file gets the
/// numbers of all mutants that it meets.
pub const MODULE: &str = r#"

#[doc(hidden)]
#[allow(warnings)]
pub mod __mutant {
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU8, Ordering};

    struct Mode {
        chosen: u32,
        reached: Option<(Vec<AtomicU8>, Mutex<std::fs::File>)>,
    }

    const LAST: u32 =LAST;
    static MODE: OnceLock<Mode> = OnceLock::new();

    #[cold]
    fn mode() -> Mode {
        let chosen = std::env::var("ATL_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
        let file = std::env::var_os("ATL_MUTANT_REACHED");
        let reached = file.map(|path| {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            let seen = (0..=LAST).map(|_| AtomicU8::new(0)).collect();
            (seen, Mutex::new(file))
        });
        Mode { chosen, reached }
    }

    #[inline]
    pub fn on(number: u32) -> bool {
        let mode = MODE.get_or_init(mode);
        mode.chosen == number || mode.reached.is_some() && note(mode, number)
    }

    #[inline(never)]
    fn note(mode: &Mode, number: u32) -> bool {
        let (seen, file) = mode.reached.as_ref().unwrap();
        let place = &seen[number as usize];
        if place.load(Ordering::Relaxed) == 0 && place.swap(1, Ordering::Relaxed) == 0 {
            file.lock().unwrap().write_all(&number.to_le_bytes()).unwrap();
        }
        false
    }
}
"#;

/// The text of a file with its mutants, and where they stand in it.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The new text.
    pub text: String,
    /// Ranges of the new text that belong to one change: its number in the file.
    changed: Vec<(Range<usize>, usize)>,
    /// Ranges of the new text that are the sound file's, with where they begin there.
    sound: Vec<(Range<usize>, usize)>,
}

impl Rewritten {
    /// The change whose text covers a range of the new text.
    #[must_use]
    pub fn change_at(&self, range: &Range<usize>) -> Option<usize> {
        let covers = |there: &Range<usize>| there.start <= range.start && range.end <= there.end;
        let around = self.changed.iter().filter(|(there, _)| covers(there));
        around.min_by_key(|(there, _)| there.len()).map(|(_, number)| *number)
    }

    /// Where a byte of the new text stands in the sound file, if it is that file's.
    #[must_use]
    pub fn sound_at(&self, at: usize) -> Option<usize> {
        let holds = |there: &&(Range<usize>, usize)| there.0.contains(&at);
        self.sound.iter().find(holds).map(|(there, from)| from + at - there.start)
    }

    fn copy(&mut self, text: &str, range: Range<usize>) {
        if !range.is_empty() {
            let start = self.text.len();
            self.text.push_str(&text[range.clone()]);
            self.sound.push((start..self.text.len(), range.start));
        }
    }
}

/// Writes the choices into a file's text. `numbers` holds those of the changes that take part.
#[must_use]
pub fn rewrite(text: &str, found: &Found, numbers: &BTreeMap<usize, u32>) -> Rewritten {
    let takes_part = |place: &&Place| place.variants.iter().any(|(of, _)| numbers.contains_key(of));
    let mut places: Vec<&Place> = found.places.iter().filter(takes_part).collect();
    // Outer places come before those in them; a statement before the expression that it is.
    places.sort_by_key(|place| {
        (place.range.start, std::cmp::Reverse(place.range.end), !place.statement)
    });
    let mut out = Rewritten::default();
    let mut rest = places.as_slice();
    write(text, 0..text.len(), &mut rest, numbers, &mut out);
    out
}

fn write(
    text: &str,
    range: Range<usize>,
    places: &mut &[&Place],
    numbers: &BTreeMap<usize, u32>,
    out: &mut Rewritten,
) {
    let mut at = range.start;
    while let Some((place, rest)) = places.split_first() {
        if place.range.start >= range.end {
            break;
        }
        *places = rest;
        out.copy(text, at..place.range.start);
        if !place.statement {
            out.text.push('(');
        }
        for (of, changed) in &place.variants {
            let Some(number) = numbers.get(of) else { continue };
            out.text.push_str(&format!("if crate::__mutant::on({number}) {{ "));
            let start = out.text.len();
            out.text.push_str(changed);
            out.changed.push((start..out.text.len(), *of));
            out.text.push_str(" } else ");
        }
        out.text.push_str("{ ");
        write(text, place.range.clone(), places, numbers, out);
        out.text.push_str(if place.statement { " }" } else { " })" });
        at = place.range.end;
    }
    out.copy(text, at..range.end);
}
