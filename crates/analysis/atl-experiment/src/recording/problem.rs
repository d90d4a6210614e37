use core::fmt;

/// A recording that cannot be used: its line, the value found there, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line number, from 1; 0 if the problem concerns the file as a whole, or the message names it.
    pub line: usize,
    /// The mistake, with the value found, and what is allowed.
    pub message: String,
}

impl Problem {
    pub(super) fn whole(message: impl Into<String>) -> Problem {
        Problem { line: 0, message: message.into() }
    }

    pub(super) fn at(line: usize, message: impl Into<String>) -> Problem {
        Problem { line, message: message.into() }
    }

    /// A value that is not `allowed`; `place` says where on its line it stands, such as ` in column
    /// x`.
    pub(super) fn value(line: usize, value: &str, place: &str, allowed: &str) -> Problem {
        Problem::at(line, format!("`{}`{place} is not {allowed}", shown(value)))
    }
}

/// The text as it can stand in a message: on one line, and no longer than that.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let cut: String = text.chars().take(LONGEST).collect();
    let rest = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    format!("{}{rest}", cut.escape_debug())
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl core::error::Error for Problem {}
