//! Tables of results as Arrow arrays, which readers access without a copy.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringViewArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Metadata, Schema, SchemaRef};
use atl_report::data::{self, Kind, Values};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors;

/// A table of results with the columns of the data file.
///
/// Everything that supports the Arrow PyCapsule interface reads it without a copy:
/// `polars.DataFrame(table)`, `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`,
/// `duckdb`.
#[pyclass(frozen, module = "atl")]
#[derive(Debug)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// Converts a table to Arrow arrays.
    pub(crate) fn of(table: data::Table) -> Result<Table, ArrowError> {
        let fields: Vec<Field> = table
            .columns
            .iter()
            .map(|(name, kind)| {
                let kind = match kind {
                    Kind::Text => DataType::Utf8View,
                    Kind::Int => DataType::Int64,
                    Kind::Float => DataType::Float64,
                };
                Field::new(name, kind, true)
            })
            .collect();
        let about = table.about.into_iter().map(|(key, text)| (key.to_owned(), text));
        let schema = Arc::new(Schema::new_with_metadata(fields, about.collect::<Metadata>()));
        let array = |values: Values| -> ArrayRef {
            match values {
                Values::Text(texts) => Arc::new(StringViewArray::from_iter(texts)),
                Values::Int(ints) => Arc::new(Int64Array::from(ints)),
                Values::Float(floats) => Arc::new(Float64Array::from(floats)),
            }
        };
        let batches = table.chunks.into_iter().map(|columns| {
            RecordBatch::try_new(Arc::clone(&schema), columns.into_iter().map(array).collect())
        });
        let batches = batches.collect::<Result<_, _>>()?;
        Ok(Table { schema, batches })
    }
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Metadata as in its Parquet file: the scenario's text, the command that repeats the runs.
    #[getter]
    fn metadata(&self) -> Vec<(String, String)> {
        let mut all: Vec<_> =
            self.schema.metadata().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        all.sort();
        all
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<atl.Table: {} rows, {} columns>", self.__len__(), self.schema.fields().len())
    }

    /// Schema for the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| errors::failed(py, error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Rows for the Arrow PyCapsule interface. A request for another schema is ignored, as the
    /// interface permits.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
