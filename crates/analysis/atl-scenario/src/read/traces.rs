//! Traces of recorded links.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use atl_link::trace::{DelayTrace, RateTrace};

use super::flow_list::FlowList;
use super::size_list::SizeList;
use crate::hash::Fingerprint;
use crate::table::Field;

/// Reads a file's text.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// Reads each trace once, however many points and links use it.
pub(crate) struct Traces<'a> {
    origin: &'a Path,
    read: ReadFile<'a>,
    texts: RefCell<BTreeMap<PathBuf, Arc<str>>>,
    rates: RefCell<BTreeMap<PathBuf, Arc<RateTrace>>>,
    delays: RefCell<BTreeMap<PathBuf, Arc<DelayTrace>>>,
    flows: RefCell<BTreeMap<PathBuf, Arc<FlowList>>>,
    sizes: RefCell<BTreeMap<PathBuf, Arc<SizeList>>>,
}

impl<'a> Traces<'a> {
    /// `origin` is the scenario file; relative paths in it start at its directory.
    pub(crate) fn new(origin: &'a Path, read: ReadFile<'a>) -> Self {
        Traces {
            origin,
            read,
            texts: RefCell::default(),
            rates: RefCell::default(),
            delays: RefCell::default(),
            flows: RefCell::default(),
            sizes: RefCell::default(),
        }
    }

    /// Reads the trace of delivery opportunities with the path in this field.
    pub(crate) fn rate(&self, field: &Field<'_>) -> Option<Arc<RateTrace>> {
        self.parsed(field, "trace", &self.rates, |text| {
            RateTrace::parse(text).map_err(|e| e.to_string())
        })
    }

    /// Reads the trace of delays with the path in this field.
    pub(crate) fn delay(&self, field: &Field<'_>) -> Option<Arc<DelayTrace>> {
        let parse = |text: &str| DelayTrace::parse(text).map_err(|e| e.to_string());
        self.parsed(field, "trace", &self.delays, parse)
    }

    /// Reads the list of flows with the path in this field.
    pub(super) fn flows(&self, field: &Field<'_>) -> Option<Arc<FlowList>> {
        self.parsed(field, "list of flows", &self.flows, FlowList::parse)
    }

    /// Reads the list of sizes with the path in this field.
    pub(super) fn sizes(&self, field: &Field<'_>) -> Option<Arc<SizeList>> {
        self.parsed(field, "list of sizes", &self.sizes, SizeList::parse)
    }

    fn parsed<T>(
        &self,
        field: &Field<'_>,
        what: &str,
        known: &RefCell<BTreeMap<PathBuf, Arc<T>>>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Arc<T>> {
        let written = field.text()?;
        // A relative path on the command line starts at the working directory instead.
        let path = match (field.node.at.source, self.origin.parent()) {
            (0, Some(directory)) => directory.join(written),
            _ => PathBuf::from(written),
        };
        if let Some(trace) = known.borrow().get(&path) {
            return Some(Arc::clone(trace));
        }
        let text = match (self.read)(&path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("cannot read the {what} {}", path.display());
                field.report(field.problem(message, error.to_string()));
                return None;
            }
        };
        match parse(&text) {
            Ok(trace) => {
                let trace = Arc::new(trace);
                self.texts.borrow_mut().insert(path.clone(), Arc::from(text));
                known.borrow_mut().insert(path, Arc::clone(&trace));
                Some(trace)
            }
            Err(error) => {
                let message = format!("{} is not a {what}", path.display());
                field.report(field.problem(message, error));
                None
            }
        }
    }

    /// Adds the content of the traces to a hash, but not their paths.
    pub(crate) fn fingerprint(&self, print: &mut Fingerprint) {
        let mut texts: Vec<Arc<str>> = self.texts.borrow().values().cloned().collect();
        texts.sort();
        for text in texts {
            print.text("trace", &text);
        }
    }
}
