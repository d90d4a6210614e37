//! Atomic writing of files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::Builder;

/// Writes a file atomically: `fill` writes to a temporary file in the same directory, which then
/// replaces `path`. Readers of `path` see either the old file or the complete new one, even after a
/// crash. A missing directory is created.
///
/// # Errors
/// Those of the file system and of `fill`. In that case the temporary file is removed, and `path`
/// is unchanged.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(dir)?;
    let mut builder = Builder::new();
    builder.prefix(".atl-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of any new file (subject to the umask), not 0600 as of temporary files.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(dir)?;
    let mut writer = BufWriter::new(temporary.as_file());
    fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Writes `text` to a file atomically.
///
/// # Errors
/// Those of [`write_with`].
pub fn write_text(path: &Path, text: &str) -> io::Result<()> {
    write_bytes(path, text.as_bytes())
}

/// Writes `bytes` to a file atomically.
///
/// # Errors
/// Those of [`write_with`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}
