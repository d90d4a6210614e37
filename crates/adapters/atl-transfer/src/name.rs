//! Checks of the names that a peer gives to files.
//!
//! A name is refused, never changed: two names that became one would overwrite each other.

use std::fmt;

use crate::wire::{MAX_NAMES, MAX_TEXT};

/// The folder in which a receiver keeps unfinished files, within the folder that it receives into.
pub const STATE_FOLDER: &str = ".atl-recv";

/// The rules of an operating system for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Forbids `/` and NUL.
    Unix,
    /// Also forbids the names of devices, and some characters.
    Windows,
}

impl System {
    /// The system that this program runs on.
    pub const HERE: System = if cfg!(windows) { System::Windows } else { System::Unix };
}

/// The reason why a path is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The path has no name, or too many.
    Depth {
        /// The number of its names.
        names: usize,
    },
    /// A name without a character.
    Empty,
    /// The name `.` or `..`.
    Dots,
    /// A separator or a NUL, a control character, or one that the system forbids.
    Character {
        /// The first such character.
        character: char,
    },
    /// Longer than file systems allow.
    Long {
        /// Its length in octets.
        octets: usize,
    },
    /// A name that the receiver or the system uses for something else.
    Reserved,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Depth { names } => {
                write!(f, "a path of {names} names, where 1 to {MAX_NAMES} are allowed")
            }
            NameError::Empty => f.write_str("a name is empty"),
            NameError::Dots => f.write_str("`.` and `..` are no names of files"),
            NameError::Character { character } => {
                write!(f, "a name holds the character {character:?}, which is not allowed")
            }
            NameError::Long { octets } => {
                write!(f, "a name of {octets} octets, where {MAX_TEXT} are allowed")
            }
            NameError::Reserved => {
                f.write_str("the name is reserved on this system or by the receiver")
            }
        }
    }
}

impl std::error::Error for NameError {}

/// Checks the names of a path below the receiver's folder.
///
/// # Errors
/// If one of them leaves the folder, is not a file's name on `system`, or could deceive the reader
/// of a terminal.
pub fn check<'a, I>(path: I, system: System) -> Result<(), NameError>
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: ExactSizeIterator,
{
    let path = path.into_iter();
    if !(1..=MAX_NAMES).contains(&path.len()) {
        return Err(NameError::Depth { names: path.len() });
    }
    for (depth, name) in path.enumerate() {
        one(name, system)?;
        if depth == 0 && name.eq_ignore_ascii_case(STATE_FOLDER) {
            return Err(NameError::Reserved);
        }
    }
    Ok(())
}

fn one(name: &str, system: System) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if matches!(name, "." | "..") {
        return Err(NameError::Dots);
    }
    if name.len() > MAX_TEXT {
        return Err(NameError::Long { octets: name.len() });
    }
    // A backslash separates names on some file systems, on whatever system they are mounted.
    let bad = |c: &char| matches!(c, '/' | '\\') || c.is_control() || is_direction(*c);
    if let Some(character) = name.chars().find(bad) {
        return Err(NameError::Character { character });
    }
    match system {
        System::Unix => Ok(()),
        System::Windows => on_windows(name),
    }
}

/// Characters that reverse the direction of a text: they can make `exe.txt` look like `txt.exe`.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn on_windows(name: &str) -> Result<(), NameError> {
    let bad = |c: &char| matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*');
    if let Some(character) = name.chars().find(bad) {
        return Err(NameError::Character { character });
    }
    // Windows drops them at the end, and opens another file.
    if let Some(character) = name.chars().last().filter(|c| matches!(c, '.' | ' ')) {
        return Err(NameError::Character { character });
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    let numbered = |prefix: &str| {
        let number = stem.get(prefix.len()..).unwrap_or("");
        let digit = matches!(number, "\u{b9}" | "\u{b2}" | "\u{b3}")
            || number.len() == 1 && number.as_bytes()[0].is_ascii_digit();
        digit && stem.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].into_iter().any(is);
    if device || numbered("COM") || numbered("LPT") {
        return Err(NameError::Reserved);
    }
    Ok(())
}

/// A path that is safe to show in a terminal.
pub fn shown(path: &[String]) -> String {
    path.iter().map(|name| name.escape_debug().to_string()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(system: System, path: &[&str]) -> Result<(), NameError> {
        check(path.iter().copied(), system)
    }

    #[test]
    fn ordinary_names_pass() {
        let long = "x".repeat(255);
        for path in [
            &["a"][..],
            &["a", "b c", "ü.tar.gz"],
            &["..."],
            &[".hidden"],
            &[&long],
            &["x", STATE_FOLDER],
        ] {
            assert_eq!(on(System::Unix, path), Ok(()), "{path:?}");
        }
        assert_eq!(on(System::Unix, &["aux.c"]), Ok(()));
        assert_eq!(on(System::Windows, &["auxiliary", "COM10", "com", "console.txt"]), Ok(()));
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let long = "x".repeat(256);
        let cases = [
            &[][..],
            &[""],
            &["."],
            &[".."],
            &["a", "..", "b"],
            &["/etc/passwd"],
            &["a/b"],
            &["a\\b"],
            &["a\0"],
            &["a\n"],
            &["\u{1b}[2J"],
            &["gnp\u{202e}exe"],
            &[&long],
            &[".ATL-recv"],
            &["", "etc"],
            &["a"; 65],
        ];
        for path in cases {
            assert!(on(System::Unix, path).is_err(), "{path:?}");
            assert!(on(System::Windows, path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn windows_reserves_devices() {
        for name in [
            "con",
            "NUL.txt",
            "aux",
            "Com1",
            "lpt9.x",
            "COM\u{b2}",
            "a.",
            "a ",
            "a:b",
            "nul .txt",
            "CONIN$",
        ] {
            assert!(on(System::Windows, &[name]).is_err(), "{name}");
        }
    }
}
