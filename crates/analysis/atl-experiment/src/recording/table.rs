//! Tables as text: RFC 4180, with commas, semicolons, tabs or blanks between the cells.

use std::borrow::Cow;

/// A row of a table.
pub(super) struct Row<'a> {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its cells, without the blanks and quotation marks around them.
    pub cells: Vec<Cow<'a, str>>,
}

/// The rows of a table. Blank lines, and lines that begin with `#`, are skipped.
pub(super) struct Rows<'a> {
    rest: &'a str,
    /// Lines before `rest`.
    passed: usize,
    /// `None`: any number of blanks.
    separator: Option<char>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(text: &'a str) -> Rows<'a> {
        Rows { rest: text, passed: 0, separator: separator(text) }
    }

    /// False if there is nothing but blanks between the cells.
    pub(super) fn has_separators(&self) -> bool {
        self.separator.is_some()
    }

    /// A row that has quotation marks, from the beginning of `rest`: its cells, and its length.
    fn quoted(&self, separator: char) -> (Vec<Cow<'a, str>>, usize) {
        let mut cells = Vec::new();
        let mut cell = String::new();
        let mut inside = false;
        let mut chars = self.rest.char_indices().peekable();
        let mut end = self.rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if inside && chars.peek().is_some_and(|(_, next)| *next == '"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' => inside = !inside,
                '\n' if !inside => {
                    end = at + 1;
                    break;
                }
                c if c == separator && !inside => cells.push(trimmed(&mut cell)),
                c => cell.push(c),
            }
        }
        cells.push(trimmed(&mut cell));
        (cells, end)
    }
}

fn trimmed(cell: &mut String) -> Cow<'static, str> {
    let whole = std::mem::take(cell);
    Cow::Owned(if whole.trim().len() == whole.len() { whole } else { whole.trim().to_owned() })
}

/// The separator of cells, by the first line that is no comment.
fn separator(text: &str) -> Option<char> {
    let first = text.lines().find(|line| !skipped(line)).unwrap_or("");
    let often = |c: &char| first.matches(*c).count();
    // The earlier of equals: `max_by_key` takes the last.
    [';', '\t', ','].into_iter().filter(|c| first.contains(*c)).max_by_key(often)
}

fn skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            let first = &self.rest[..end];
            let line = self.passed + 1;
            if skipped(first) {
                self.rest = &self.rest[end..];
                self.passed += 1;
                continue;
            }
            let (cells, end) = match self.separator {
                None => (first.split_whitespace().map(Cow::Borrowed).collect(), end),
                Some(separator) if first.contains('"') => self.quoted(separator),
                Some(separator) => {
                    (first.split(separator).map(|cell| Cow::Borrowed(cell.trim())).collect(), end)
                }
            };
            self.passed += self.rest[..end].matches('\n').count();
            self.rest = &self.rest[end..];
            return Some(Row { line, cells });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Rows;

    fn rows(text: &str) -> Vec<(usize, Vec<String>)> {
        let cells = |row: super::Row<'_>| {
            (row.line, row.cells.iter().map(|cell| cell.to_string()).collect())
        };
        Rows::of(text).map(cells).collect()
    }

    #[test]
    fn cells_have_no_quotation_marks_and_lines_keep_their_numbers() {
        let text = "# a comment\na, b ,c\r\n1,\"2,\n\"\"x\"\"\",3\r\n\n4,5\n";
        let expected =
            [(2, vec!["a", "b", "c"]), (3, vec!["1", "2,\n\"x\"", "3"]), (6, vec!["4", "5"])];
        let expected =
            expected.map(|(line, cells)| (line, cells.into_iter().map(str::to_owned).collect()));
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn the_first_line_says_what_stands_between_cells() {
        for text in ["a;b\n1;2,5", "a\tb\n1\t2,5", "a  b\n 1 2,5"] {
            assert_eq!(rows(text)[1].1, ["1", "2,5"], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_no_row_is_without_cells(text in "[a,;\"\\r\\n#1 \\PC]{0,80}") {
            prop_assert!(Rows::of(&text).all(|row| !row.cells.is_empty() && row.line > 0));
        }
    }
}
