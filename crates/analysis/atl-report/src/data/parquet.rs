//! Parquet files: row groups of equal length, compressed with Snappy; every column is optional.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::COLUMNS;
use super::column::{Column, ColumnType, Field, described};

/// Maker of the files in their metadata. The version is left out, so that an update does not change
/// the bytes.
pub(super) const PROGRAM: &str = "atl";

/// Rows in a group: enough to compress well, and few enough that all columns of a group fit in a
/// few megabytes.
const GROUP: usize = 8 * 1024;

/// Writes a table, with `about` in the file's metadata.
pub(super) fn write<R>(
    file: &mut (dyn io::Write + Send),
    record: &str,
    about: &[(&str, &str)],
    columns: &[Column<R>],
    rows: impl Iterator<Item = R>,
) -> io::Result<()> {
    fill(file, record, about, columns, rows).map_err(io_error)
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(io) => *io,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn schema<R>(record: &str, columns: &[Column<R>]) -> Result<TypePtr> {
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        let (physical, logical) = match column.kind {
            ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::Int => (Physical::INT64, None),
            ColumnType::Float => (Physical::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()?;
        fields.push(Arc::new(field));
    }
    Type::group_type_builder(record).with_fields(fields).build().map(Arc::new)
}

fn fill<R, W: io::Write + Send>(
    file: W,
    record: &str,
    about: &[(&str, &str)],
    columns: &[Column<R>],
    rows: impl Iterator<Item = R>,
) -> Result<()> {
    let described = described(columns).map_err(|e| ParquetError::External(e.into()))?;
    let about = about.iter().copied().chain([(COLUMNS, described.as_str())]);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(PROGRAM.to_owned())
        // Statistics of pages would stay in memory until the end. Those of row groups suffice to
        // skip.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(
            about.map(|(key, text)| KeyValue::new(key.to_owned(), text.to_owned())).collect(),
        ))
        .build();
    let mut writer =
        SerializedFileWriter::new(file, schema(record, columns)?, Arc::new(properties))?;
    let mut buffers: Vec<Buffer> = columns.iter().map(|column| Buffer::new(column.kind)).collect();
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        for row in rows.by_ref().take(GROUP) {
            for (column, buffer) in columns.iter().zip(&mut buffers) {
                buffer.push(column.field(&row));
            }
        }
        let mut group = writer.next_row_group()?;
        for buffer in &mut buffers {
            let Some(mut out) = group.next_column()? else {
                break;
            };
            buffer.write(&mut out)?;
            out.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

/// Values of a column until its row group is full.
struct Buffer {
    values: Values,
    /// Definition levels: 1 where a row has a value, 0 where it has none.
    levels: Vec<i16>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Ints(Vec<i64>),
    Floats(Vec<f64>),
}

impl Buffer {
    fn new(kind: ColumnType) -> Buffer {
        let values = match kind {
            ColumnType::Text => Values::Texts(Vec::new()),
            ColumnType::Int => Values::Ints(Vec::new()),
            ColumnType::Float => Values::Floats(Vec::new()),
        };
        Buffer { values, levels: Vec::new() }
    }

    fn push(&mut self, field: Field) {
        let present = match (&mut self.values, field) {
            (Values::Texts(texts), Field::Text(text)) => {
                let text = text.into_bytes();
                // Most texts repeat that of the row before, so share its memory.
                match texts.last() {
                    Some(last) if last.data() == text => texts.push(last.clone()),
                    _ => texts.push(ByteArray::from(text)),
                }
                true
            }
            (Values::Ints(ints), Field::Int(n)) => {
                ints.push(n);
                true
            }
            (Values::Floats(floats), Field::Float(x)) => {
                floats.push(x);
                true
            }
            _ => false,
        };
        self.levels.push(i16::from(present));
    }

    /// Writes the values and empties the buffer.
    fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let levels = Some(self.levels.as_slice());
        match &mut self.values {
            Values::Texts(texts) => {
                out.typed::<ByteArrayType>().write_batch(texts, levels, None)?;
                texts.clear();
            }
            Values::Ints(ints) => {
                out.typed::<Int64Type>().write_batch(ints, levels, None)?;
                ints.clear();
            }
            Values::Floats(floats) => {
                out.typed::<DoubleType>().write_batch(floats, levels, None)?;
                floats.clear();
            }
        }
        self.levels.clear();
        Ok(())
    }
}
