"""Tables are passed on without a copy: the addresses of their buffers stay the same."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

import atl


def addresses(table: pa.Table, column: str) -> list[int]:
    """Addresses of a column's buffers."""
    return [chunk.buffers()[1].address for chunk in table[column].chunks]


def numbers(table: pa.Table) -> list[str]:
    return [f.name for f in table.schema if pa.types.is_float64(f.type) or pa.types.is_int64(f.type)]


def test_pyarrow_reads_the_same_memory_each_time(phone: dict[str, Any]) -> None:
    result = atl.run(phone, seeds=1)
    first, second = pa.table(result.samples), pa.table(result.samples)
    assert len(first) == len(result.samples) > 100
    for name in first.column_names:
        assert addresses(first, name) == addresses(second, name), name


def test_polars_reads_that_memory_too(phone: dict[str, Any]) -> None:
    result = atl.run(phone, seeds=1)
    arrow, frame = pa.table(result.samples), pl.DataFrame(result.samples)
    checked = 0
    for name in numbers(arrow):
        # For numbers in a single chunk polars exposes its own memory.
        assert frame[name].to_arrow().buffers()[1].address == addresses(arrow, name)[0], name
        checked += 1
    assert checked > 5
    assert frame["time_s"].to_list() == arrow["time_s"].to_pylist()
    assert frame["flow_name"].to_list() == arrow["flow_name"].to_pylist()


def test_pandas_reads_that_memory_too(phone: dict[str, Any]) -> None:
    result = atl.run(phone, seeds=1)
    arrow = pa.table(result.samples)
    frame = arrow.to_pandas(types_mapper=pd.ArrowDtype)
    for name in numbers(arrow):
        held = pa.chunked_array(frame[name].array._pa_array)
        assert [chunk.buffers()[1].address for chunk in held.chunks] == addresses(arrow, name), name


def test_tables_outlive_their_result(phone: dict[str, Any]) -> None:
    frame = pl.DataFrame(atl.run(phone, seeds=1).samples)
    assert frame["cwnd"].max() > 1.0


def test_missing_values_are_null(phone: dict[str, Any]) -> None:
    samples = pa.table(atl.run(phone, seeds=1).samples)
    assert samples["ssthresh"].null_count > 0 and samples["time_s"].null_count == 0


def test_columns_are_described_with_their_units(phone: dict[str, Any]) -> None:
    result = atl.run(phone, seeds=1)
    for table in result.tables.values():
        described = json.loads(dict(table.metadata)["atl.columns"])
        assert set(described) == set(table.columns)
        assert all(column["description"] for column in described.values())
        assert json.loads(pa.table(table).schema.metadata[b"atl.columns"]) == described
    assert json.loads(dict(result.samples.metadata)["atl.columns"])["time_s"]["unit"] == "s"
