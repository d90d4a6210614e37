//! Places in a source file, and what can be put there instead.

use std::ops::Range;

/// A change of a file: what a mutant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Byte range of what is changed; of its definition, where that is a constant.
    pub range: Range<usize>,
    /// First and last line of it, from 1.
    pub lines: (usize, usize),
    /// The function that it is in, with its type: `Evidence::share`.
    pub function: String,
    /// The kind of change.
    pub operator: &'static str,
    /// The sound text.
    pub before: String,
    /// The text in its place.
    pub after: String,
}

/// A place whose text depends on which mutant runs.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its byte range in the sound file.
    pub range: Range<usize>,
    /// It is a whole statement, with its semicolon, and has no value.
    pub statement: bool,
    /// Changes by their numbers in the file, with the text that stands here then.
    pub variants: Vec<(usize, String)>,
}

/// Parts that cannot hold a choice at run time, and so are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Changes in functions that are `const`.
    pub in_const_functions: usize,
    /// Calls of macros, whose tokens are not looked into.
    pub macros: usize,
}

/// All that can be changed in a file.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The changes, in the order in which they were found.
    pub changes: Vec<Change>,
    /// The places, in no order.
    pub places: Vec<Place>,
    /// Byte ranges of the functions.
    pub functions: Vec<Range<usize>>,
    /// Parts that were passed over.
    pub left_out: LeftOut,
}
