//! Output to standard output and standard error; nothing else writes there.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use atl_report::table::{self, Style, Table};
use serde::Serialize;

use crate::document::{Format, Named};
use crate::failure::Failure;
use crate::status::Status;

/// Width of lines without a terminal.
const WIDE: usize = 100;

/// Writes to standard output. A closed pipe (`atl list | head`) is no error, since its reader has
/// enough.
///
/// # Errors
/// Any other failure to write.
pub(crate) fn bytes(bytes: &[u8]) -> Result<Status, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Runtime(format!("cannot write to standard output: {e}")))
        }
        _ => Ok(Status::Success),
    }
}

/// Writes text as [`bytes`] does.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn text(text: &str) -> Result<Status, Failure> {
    bytes(text.as_bytes())
}

/// Writes one JSON document of a format, indented, to standard output.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn json(format: Format, value: &impl Serialize) -> Result<Status, Failure> {
    json_list(&Named::new(format, value))
}

/// Writes a JSON list, indented, to standard output. It has no format, since only objects do.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn json_list(value: &impl Serialize) -> Result<Status, Failure> {
    let mut document = serde_json::to_string_pretty(value)
        .map_err(|e| Failure::Runtime(format!("cannot write JSON: {e}")))?;
    document.push('\n');
    text(&document)
}

/// Writes one JSON document on one line to standard output.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn json_line(value: &serde_json::Value) -> Result<Status, Failure> {
    text(&format!("{value}\n"))
}

/// Writes a message to standard error. There is nowhere to report a failure of that.
pub(crate) fn error(message: &str) {
    let _ = io::stderr().lock().write_all(message.as_bytes());
}

/// False if `NO_COLOR` (<https://no-color.org>) or the type of terminal excludes colours.
fn colours_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// Width in the variable `COLUMNS`, which shells export on request.
fn columns() -> Option<u16> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0)
}

/// True if messages on standard error are coloured.
pub(crate) fn stderr_colour() -> bool {
    io::stderr().is_terminal() && colours_wanted()
}

/// Width and colouring of standard output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Width in characters; `None` if it is unknown, as in a file.
    pub width: Option<u16>,
    /// True if it is a terminal; a pipe has a width too, where `COLUMNS` says so.
    pub terminal: bool,
    /// True to use colours.
    pub colour: bool,
}

impl Look {
    /// Width and colouring that suit standard output. The width is that of its terminal, otherwise
    /// `COLUMNS`, otherwise that of the terminal of standard error, where a pipe to `tee` or
    /// `less` probably ends.
    pub(crate) fn of_stdout() -> Look {
        let terminal = io::stdout().is_terminal();
        let own = terminal.then(|| terminal_size::terminal_size_of(io::stdout())).flatten();
        let width = own.map(|(width, _)| width.0).or_else(columns).or_else(|| {
            let other = io::stderr().is_terminal();
            let size = other.then(|| terminal_size::terminal_size_of(io::stderr())).flatten();
            size.map(|(width, _)| width.0)
        });
        let colour = terminal && colours_wanted();
        Look { width: width.map(|w| w.max(40)), terminal, colour }
    }

    /// Bold text if colours are used.
    pub(crate) fn bold(self, text: &str) -> String {
        self.painted(text, "1")
    }

    /// Text with an SGR code if colours are used.
    pub(crate) fn painted(self, text: &str, code: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Wraps `text` to the width. The first line begins with `lead`, the others are indented by as
    /// much. Line breaks in `text` count as spaces.
    pub(crate) fn paragraph(self, lead: &str, text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let indent = " ".repeat(textwrap::core::display_width(lead));
        let width = self.width.map_or(WIDE, usize::from);
        let options = textwrap::Options::new(width)
            .initial_indent(lead)
            .subsequent_indent(&indent)
            .break_words(false);
        textwrap::fill(&words.join(" "), options) + "\n"
    }

    /// A line such as `name: what it is`, wrapped to the width, with the name in bold.
    pub(crate) fn titled(self, name: &str, text: &str) -> String {
        let line = self.paragraph("", &format!("{name}: {text}"));
        line.replacen(name, &self.bold(name), 1)
    }

    /// A table whose cells may wrap.
    pub(crate) fn table(self, table: &Table) -> String {
        let style = Style { width: self.width, colour: self.colour };
        table::terminal(table, style) + "\n"
    }

    /// A table of numbers. If it is too wide, it is split into parts below each other, each with
    /// the leading text columns, so that a number and its interval stay on one line.
    pub(crate) fn numbers(self, table: &Table) -> String {
        let style = Style { width: None, colour: self.colour };
        let plain = Style { colour: false, ..style };
        let limit = self.width.map_or(usize::MAX, usize::from);
        let fits = |columns: &[usize]| {
            let lines = table::terminal(&part(table, columns), plain);
            let widest = lines.lines().map(textwrap::core::display_width).max();
            widest.unwrap_or(0) <= limit
        };
        let words = table.columns.iter().take_while(|c| c.quantity.is_none());
        let keyed: Vec<usize> = (0..words.count()).collect();
        let mut parts = vec![keyed.clone()];
        for column in keyed.len()..table.columns.len() {
            let last = parts.len() - 1;
            parts[last].push(column);
            if parts[last].len() > keyed.len() + 1 && !fits(&parts[last]) {
                parts[last].pop();
                parts.push(keyed.iter().copied().chain([column]).collect());
            }
        }
        parts
            .iter()
            .map(|columns| {
                let style = Style {
                    // Even one column of numbers is too wide, so cells must wrap.
                    width: self.width.filter(|_| !fits(columns)),
                    ..style
                };
                table::terminal(&part(table, columns), style) + "\n"
            })
            .collect()
    }
}

fn part(table: &Table, columns: &[usize]) -> Table {
    Table {
        columns: columns.iter().map(|&i| table.columns[i].clone()).collect(),
        rows: table
            .rows
            .iter()
            .map(|row| columns.iter().map(|&i| row[i].clone()).collect())
            .collect(),
    }
}
