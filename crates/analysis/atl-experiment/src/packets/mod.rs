//! The packets of one run as files: a qlog for each flow, and a capture (pcap) at each end of each
//! link.
//!
//! An engine tells of its packets ([`Engine::witnessed`]); [`record`] writes them down. A qlog is
//! that of the flow's sender, in version 0.3 (draft-ietf-quic-qlog-main-schema-02 and
//! draft-ietf-quic-qlog-quic-events-01), which qvis reads. Packets of the simulator have no bytes:
//! captures show headers of IP, TCP and UDP made from their fields, with their true lengths. QUIC
//! datagrams are there as they are.

mod captures;
mod flow;
mod headers;
mod library;
mod qlog;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::setup::Setup;
use atl_engine::witness::{Content, Seen, Witness};
use atl_engine::{Engine, Stopped, Watch};

use self::captures::Captures;
use self::flow::Numbers;
use self::library::{Failed, Library};
use self::qlog::Qlog;
use crate::error::Error;

/// Files that one run may write: each is open while it lasts.
const MOST_FILES: usize = 500;

/// The folders that files go to; `None`: there are none of that kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// For a qlog of each flow, `FLOW.sqlog`.
    pub qlog: Option<PathBuf>,
    /// For a capture at each end of each link, `LINK-NODE.pcap`.
    pub pcap: Option<PathBuf>,
}

/// Carries out one run and writes down its packets; returns the files. Those of an earlier run in
/// the same folders are replaced.
///
/// # Errors
/// If the engine cannot tell of packets, the run fails, or a file cannot be written.
pub fn record(
    engine: &dyn Engine,
    setup: &Setup,
    seed: u64,
    folders: &Folders,
    watch: &Watch<'_>,
) -> Result<Vec<PathBuf>, Error> {
    let mut recorder = Recorder::new(setup, folders)?;
    let Some(result) = engine.witnessed(setup, seed, watch, &mut recorder) else {
        return Err(Error::Usage(format!(
            "--qlog and --pcap: engine `{}` cannot tell of its packets; `sim`, `quic-sim` and \
             `quic-sim-tls` can",
            engine.name()
        )));
    };
    match result {
        Ok(_) => recorder.finish(),
        Err(Stopped::Cancelled) => Err(Error::Failed("the run was cancelled".to_owned())),
        Err(Stopped::Failed(error)) => Err(Error::Failed(error.to_string())),
    }
}

/// Where the packets of a run go.
struct Recorder {
    numbers: Vec<Numbers>,
    qlogs: Vec<Option<Qlog>>,
    captures: Option<Captures>,
    files: Vec<PathBuf>,
    /// The first error of a writer that has nobody to tell.
    failed: Failed,
}

impl Recorder {
    fn new(setup: &Setup, folders: &Folders) -> Result<Recorder, Error> {
        let mut files = Vec::new();
        let mut qlogs = Vec::new();
        if let Some(folder) = &folders.qlog {
            few_enough("--qlog", "flows", setup.flows.len())?;
            let mut used = Vec::new();
            for flow in &setup.flows {
                let path = folder.join(format!("{}.sqlog", plain(&flow.name, &mut used)));
                qlogs.push(Some(Qlog::new(create(&path)?, setup, flow)));
                files.push(path);
            }
        }
        let captures = match &folders.pcap {
            None => None,
            Some(folder) => {
                few_enough("--pcap", "ends of links", Captures::files(setup).len())?;
                let mut open = Vec::new();
                let mut used = Vec::new();
                for name in Captures::files(setup) {
                    let path = folder.join(format!("{}.pcap", plain(&name, &mut used)));
                    open.push(create(&path)?);
                    files.push(path);
                }
                let captures = Captures::new(setup, open);
                Some(captures.map_err(|error| Error::file("write", folder, &error))?)
            }
        };
        let numbers = setup.flows.iter().map(Numbers::new).collect();
        Ok(Recorder { numbers, qlogs, captures, files, failed: Failed::default() })
    }

    fn finish(self) -> Result<Vec<PathBuf>, Error> {
        let wrong = |error: io::Error| Error::Failed(format!("cannot write packets: {error}"));
        self.qlogs.into_iter().flatten().try_for_each(Qlog::finish).map_err(wrong)?;
        if let Some(captures) = self.captures {
            captures.finish().map_err(wrong)?;
        }
        self.failed.take().map_or(Ok(self.files), |error| Err(wrong(error)))
    }
}

impl Witness for Recorder {
    fn packet(&mut self, seen: &Seen<'_>) {
        let numbers = &mut self.numbers[seen.flow];
        if let Content::Fields(fields) = &seen.content {
            numbers.note(seen, fields);
            if let Some(Some(qlog)) = self.qlogs.get_mut(seen.flow) {
                qlog.packet(seen, fields, numbers);
            }
        }
        if let Some(captures) = &mut self.captures {
            captures.packet(seen, numbers);
        }
    }

    fn state(&mut self, at: Time, flow: usize, state: &State) {
        if let Some(Some(qlog)) = self.qlogs.get_mut(flow) {
            qlog.state(at, state);
        }
    }

    fn log(&mut self, flow: usize) -> Option<Box<dyn io::Write + Send + Sync>> {
        let file = self.qlogs.get_mut(flow)?.take()?.into_file();
        Some(Box::new(Library::new(file, self.failed.clone())))
    }
}

fn few_enough(option: &str, what: &str, count: usize) -> Result<(), Error> {
    if count <= MOST_FILES {
        return Ok(());
    }
    Err(Error::Usage(format!("{option}: the run has {count} {what}; at most {MOST_FILES} may be")))
}

fn create(path: &Path) -> Result<BufWriter<File>, Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Error::file("create", folder, &error))?;
    }
    let file = File::create(path).map_err(|error| Error::file("create", path, &error))?;
    Ok(BufWriter::new(file))
}

/// A name without what a file's name may not have; no two are the same.
fn plain(name: &str, used: &mut Vec<String>) -> String {
    let of = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let mut plain: String = name.chars().map(of).collect();
    if plain.starts_with('.') {
        plain.insert(0, '_');
    }
    while used.contains(&plain) {
        plain.push('_');
    }
    used.push(plain.clone());
    plain
}
