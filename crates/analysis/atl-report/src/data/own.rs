//! Recognising data files by their content, so that a file of the same name that somebody else made
//! is not taken for one of ours.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use parquet::file::reader::{FileReader as _, SerializedFileReader};

use super::{COMMAND, parquet::PROGRAM};

/// Beginning of the first line of our CSV files.
const HEADER: &[u8] = b"scenario,scenario_hash,engine,version,";

/// True for a data file that [`write`](super::write()) made: a Parquet file that names this program
/// as its maker, or a CSV file with the columns that identify a run. The path's ending says which
/// of the two the file has to be.
///
/// # Errors
/// Those of the file system.
pub fn is_own(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    if path.extension().is_some_and(|ending| ending == "csv") {
        let mut begun = Vec::new();
        file.take(HEADER.len() as u64).read_to_end(&mut begun)?;
        return Ok(begun == HEADER);
    }
    let maker = SerializedFileReader::new(file).ok().and_then(|reader| {
        reader.metadata().file_metadata().created_by().map(|maker| maker == PROGRAM)
    });
    Ok(maker.unwrap_or(false))
}

/// The command that repeats the runs in a Parquet file of ours; `None` if it cannot be read.
pub fn command(path: &Path) -> Option<String> {
    let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
    let about = reader.metadata().file_metadata().key_value_metadata()?;
    about.iter().find(|entry| entry.key == COMMAND)?.value.clone()
}
