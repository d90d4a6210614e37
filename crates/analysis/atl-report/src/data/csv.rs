//! CSV files (RFC 4180, but with plain line feeds).

use std::io::{self, Write};

use super::column::{Column, Field};
use crate::table::csv_field;

pub(super) fn write<R>(
    file: &mut dyn Write,
    columns: &[Column<R>],
    rows: impl Iterator<Item = R>,
) -> io::Result<()> {
    let header: Vec<String> = columns.iter().map(|c| csv_field(&c.name)).collect();
    writeln!(file, "{}", header.join(","))?;
    for row in rows {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                file.write_all(b",")?;
            }
            match column.field(&row) {
                Field::Text(text) => file.write_all(csv_field(&text).as_bytes())?,
                Field::Int(n) => write!(file, "{n}")?,
                Field::Float(x) => write!(file, "{x}")?,
                Field::Missing => {}
            }
        }
        file.write_all(b"\n")?;
    }
    Ok(())
}
