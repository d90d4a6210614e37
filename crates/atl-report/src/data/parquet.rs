//! Parquet files: one row group for each chunk, compressed with Snappy; every column is optional.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::columns::{Column, ColumnType, Field};

/// Writes a table, and beside it texts under these names in the file's metadata.
pub(super) fn write<R>(
    file: &mut (dyn io::Write + Send),
    record: &str,
    about: &[(&str, &str)],
    columns: &[Column<R>],
    chunks: impl Iterator<Item = Vec<R>>,
) -> io::Result<()> {
    fill(file, record, about, columns, chunks).map_err(io_error)
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
    chunks: impl Iterator<Item = Vec<R>>,
) -> Result<()> {
    // The file does not name the version of the library, so that an update does not change its bytes.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("atl".to_owned())
        .set_key_value_metadata(Some(
            about
                .iter()
                .map(|(key, text)| KeyValue::new((*key).to_owned(), (*text).to_owned()))
                .collect(),
        ))
        .build();
    let mut writer =
        SerializedFileWriter::new(file, schema(record, columns)?, Arc::new(properties))?;
    for chunk in chunks {
        let mut group = writer.next_row_group()?;
        for column in columns {
            let Some(mut out) = group.next_column()? else {
                break;
            };
            write_column(&mut out, column, &chunk)?;
            out.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn write_column<R>(
    out: &mut SerializedColumnWriter<'_>,
    column: &Column<R>,
    rows: &[R],
) -> Result<()> {
    let mut texts = Vec::new();
    let mut ints = Vec::new();
    let mut floats = Vec::new();
    let mut levels = Vec::with_capacity(rows.len());
    for row in rows {
        let present = match (column.kind, column.field(row)) {
            (ColumnType::Text, Field::Text(text)) => {
                texts.push(ByteArray::from(text.into_bytes()));
                true
            }
            (ColumnType::Int, Field::Int(n)) => {
                ints.push(n);
                true
            }
            (ColumnType::Float, Field::Float(x)) => {
                floats.push(x);
                true
            }
            _ => false,
        };
        levels.push(i16::from(present));
    }
    match column.kind {
        ColumnType::Text => {
            out.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None)?
        }
        ColumnType::Int => out.typed::<Int64Type>().write_batch(&ints, Some(&levels), None)?,
        ColumnType::Float => out.typed::<DoubleType>().write_batch(&floats, Some(&levels), None)?,
    };
    Ok(())
}
