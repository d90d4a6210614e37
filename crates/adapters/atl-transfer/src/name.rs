//! Checks of the names that a peer gives to files.
//!
//! A name is refused, never changed: two names that became one would overwrite each other.

use std::ffi::{OsStr, OsString};
use std::fmt;

pub use crate::wire::Limits;
use crate::wire::{MAX_NAMES, MAX_TEXT, Name};

/// The folder in which a receiver keeps unfinished files, within the folder that it receives into.
pub const STATE_FOLDER: &str = ".atl-recv";

/// A name of this system, as it travels: its octets, which are UTF-8 where the system has text.
/// (Windows permits a lone surrogate, which is not, so that receivers there refuse it.)
pub fn of(name: &OsStr) -> Name {
    name.as_encoded_bytes().to_vec()
}

/// A name as this system has it. Where names are text, octets that are not UTF-8 are replaced.
pub fn to_system(name: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        OsStr::from_bytes(name).to_owned()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(name).into_owned().into()
    }
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
    /// A separator or a NUL, or a character that the file system cannot hold.
    Character {
        /// The first such character.
        character: char,
    },
    /// Octets that are no UTF-8, where the file system wants that.
    NotUtf8,
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
            NameError::NotUtf8 => f.write_str("a name is not UTF-8"),
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
/// If one of them leaves the folder, or is not a file's name within these limits.
pub fn check(path: &[Name], limits: Limits) -> Result<(), NameError> {
    if !(1..=MAX_NAMES).contains(&path.len()) {
        return Err(NameError::Depth { names: path.len() });
    }
    for (depth, name) in path.iter().enumerate() {
        one(name, limits)?;
        if depth == 0 && name.eq_ignore_ascii_case(STATE_FOLDER.as_bytes()) {
            return Err(NameError::Reserved);
        }
    }
    Ok(())
}

fn one(name: &[u8], limits: Limits) -> Result<(), NameError> {
    match name {
        b"" => return Err(NameError::Empty),
        b"." | b".." => return Err(NameError::Dots),
        long if long.len() > MAX_TEXT => return Err(NameError::Long { octets: long.len() }),
        _ => {}
    }
    if let Some(octet) = name.iter().find(|octet| matches!(octet, b'/' | 0)) {
        return Err(NameError::Character { character: char::from(*octet) });
    }
    let text = String::from_utf8_lossy(name);
    if limits.has(Limits::UTF8) && matches!(text, std::borrow::Cow::Owned(_)) {
        return Err(NameError::NotUtf8);
    }
    let bad = |c: &char| match c {
        '\\' => limits.has(Limits::BACKSLASH),
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => limits.has(Limits::PUNCTUATION),
        c => c.is_control() && limits.has(Limits::CONTROLS),
    };
    // Windows drops full stops and spaces at the end, and opens another file.
    let end = text.chars().last();
    let end = end.filter(|c| limits.has(Limits::ENDS) && matches!(c, '.' | ' '));
    if let Some(character) = text.chars().find(bad).or(end) {
        return Err(NameError::Character { character });
    }
    match limits.has(Limits::DEVICES) && is_device(&text) {
        true => Err(NameError::Reserved),
        false => Ok(()),
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    let numbered = |prefix: &str| {
        let number = stem.get(prefix.len()..).unwrap_or("");
        let digit = matches!(number, "\u{b9}" | "\u{b2}" | "\u{b3}")
            || number.len() == 1 && number.as_bytes()[0].is_ascii_digit();
        digit && stem.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].into_iter().any(is);
    device || numbered("COM") || numbered("LPT")
}

/// A path that is safe to show in a terminal.
pub fn shown(path: &[Name]) -> String {
    path.iter().map(|name| shown_name(name)).collect::<Vec<_>>().join("/")
}

/// A name that is safe to show in a terminal: what is no printable character is escaped.
pub fn shown_name(name: &[u8]) -> String {
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.extend(chunk.valid().escape_debug());
        text.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02x}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: [&[u8]; 7] =
        [b"a\\b", b"a\n", b"\x1b[2J", "gnp\u{202e}exe".as_bytes(), b"\xff", b"a:b", b"a. "];

    fn on(limits: Limits, path: &[&[u8]]) -> Result<(), NameError> {
        check(&path.iter().map(|name| name.to_vec()).collect::<Vec<_>>(), limits)
    }

    #[test]
    fn ordinary_names_pass() {
        let long = [b'x'; 255];
        for path in [
            &[&b"a"[..]][..],
            &[b"a", b"b c", "ü.tar.gz".as_bytes()],
            &[b"..."],
            &[b".hidden"],
            &[&long],
            &[b"x", STATE_FOLDER.as_bytes()],
        ] {
            assert_eq!(on(Limits::NONE, path), Ok(()), "{path:?}");
        }
        assert_eq!(on(Limits::NONE, &[b"aux.c"]), Ok(()));
        let names: [&[u8]; 4] = [b"auxiliary", b"COM10", b"com", b"console.txt"];
        assert_eq!(on(Limits::WINDOWS, &names), Ok(()));
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let long = [b'x'; 256];
        let cases: [&[&[u8]]; 12] = [
            &[],
            &[b""],
            &[b"."],
            &[b".."],
            &[b"a", b"..", b"b"],
            &[b"/etc/passwd"],
            &[b"a/b"],
            &[b"a\0"],
            &[&long],
            &[b".ATL-recv"],
            &[b"", b"etc"],
            &[&b"a"[..]; 65],
        ];
        for path in cases {
            assert!(on(Limits::NONE, path).is_err(), "{path:?}");
            assert!(on(Limits::WINDOWS, path).is_err(), "{path:?}");
        }
    }

    /// A file system of Unix holds them; each limit is about some of them.
    #[test]
    fn a_limit_is_about_the_names_that_it_names() {
        for name in HOSTILE {
            assert_eq!(on(Limits::NONE, &[name]), Ok(()), "{name:?}");
        }
        let refused = |limits: Limits| {
            let refused = |name: &&[u8]| on(limits, &[*name]).is_err();
            HOSTILE.iter().filter(|name| refused(name)).copied().collect::<Vec<_>>()
        };
        assert_eq!(refused(Limits::BACKSLASH), HOSTILE[..1]);
        assert_eq!(refused(Limits::CONTROLS), HOSTILE[1..3]);
        assert_eq!(refused(Limits::UTF8), HOSTILE[4..5]);
        assert_eq!(refused(Limits::PUNCTUATION), HOSTILE[5..6]);
        assert_eq!(refused(Limits::ENDS), HOSTILE[6..]);
    }

    #[test]
    fn what_is_shown_moves_no_cursor() {
        let shown: Vec<String> = HOSTILE.iter().map(|name| shown_name(name)).collect();
        let expected = ["a\\\\b", "a\\n", "\\u{1b}[2J", "gnp\\u{202e}exe", "\\xff", "a:b", "a. "];
        assert_eq!(shown, expected);
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
            assert!(on(Limits::WINDOWS, &[name.as_bytes()]).is_err(), "{name}");
        }
    }
}
