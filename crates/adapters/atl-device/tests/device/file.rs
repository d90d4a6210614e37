//! Files as sources, and files that are none.

use std::fs;
use std::time::{Duration, SystemTime};

use atl_core::time::{Span, Time};
use atl_device::{FileSource, LinkInfo, LinkSource, NoSource, SourceError};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::tempdir;

#[test]
fn each_call_reads_the_file_as_it_is() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("link");
    let mut source = FileSource::new(&path);
    let absent = source.read(Time::ZERO).unwrap_err().to_string();
    assert!(absent.contains("link: No such file"), "{absent}");
    fs::write(&path, "{\"p_w\": 0.25, \"d_w_s\": 0.1}\n").unwrap();
    assert!((source.read(Time::ZERO).unwrap().report().unwrap().loss.get() - 0.25).abs() < 1e-15);
    fs::write(&path, "{\"p_w\": 0.5, \"d_w_s\": 0.1}\n").unwrap();
    assert!((source.read(Time::ZERO).unwrap().report().unwrap().loss.get() - 0.5).abs() < 1e-15);
    fs::write(&path, "{\"p_w\": 0.5, \"d_w").unwrap();
    let error = source.read(Time::ZERO).unwrap_err();
    assert!(matches!(error, SourceError::Text { .. }), "{error}");
    assert!(error.to_string().ends_with("link: the line does not end in a newline"), "{error}");
}

#[test]
fn an_old_text_is_not_known_any_more() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("link");
    fs::write(&path, "{\"p_w\": 0.25}\n").unwrap();
    let mut source = FileSource::new(&path).valid_for(Span::from_secs(60));
    assert!(source.read(Time::ZERO).unwrap().loss.is_some());
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(61)).unwrap();
    assert_eq!(source.read(Time::ZERO).unwrap(), LinkInfo::UNKNOWN);
}

#[test]
fn a_fifo_or_a_folder_is_refused_at_once() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("fifo");
    mkfifo(&path, Mode::S_IRWXU).unwrap();
    // Without a writer, an ordinary open would wait forever.
    let error = FileSource::new(&path).read(Time::ZERO).unwrap_err().to_string();
    assert!(error.ends_with("fifo is not a regular file"), "{error}");
    let error = FileSource::new(folder.path()).read(Time::ZERO).unwrap_err().to_string();
    assert!(error.ends_with("is not a regular file"), "{error}");
}

#[test]
fn nobody_knows_nothing() {
    assert_eq!(NoSource.read(Time::ZERO).unwrap(), LinkInfo::UNKNOWN);
}
