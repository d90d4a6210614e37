//! Names in the metadata of data files, and of columns that several files have.

/// Key of the scenario's text in a Parquet file's metadata.
pub const SCENARIO_TEXT: &str = "atl.scenario";

/// Key of the command that repeats the runs, in a Parquet file's metadata.
pub const COMMAND: &str = "atl.command";

/// Key of the columns' descriptions in a Parquet file's metadata: a JSON object with a
/// `description` and, where there is one, a `unit` for each column by name.
pub const COLUMNS: &str = "atl.columns";

/// Name of the column for the ablation of a run; present only where some runs have one.
pub const WITHOUT: &str = "without";
/// Column of the flows that says whether a flow that ends by itself did.
pub(crate) const FINISHED: &str = "finished";
/// Column of the flows with the time that such a flow had.
pub(crate) const IN_RUN: &str = "in_run_s";
/// Column of the flows that says whether a disturbed flow recovered.
pub(crate) const RECOVERED: &str = "recovered";
