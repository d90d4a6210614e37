//! Files of the page, embedded in the program or from a folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::failure::Failure;

/// Files embedded at build time, by name.
static BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/playground.rs"));

/// File served at `/`.
const INDEX: &str = "index.html";

/// Files of the page by name.
#[derive(Debug)]
pub(super) struct Page(BTreeMap<String, Cow<'static, [u8]>>);

impl Page {
    /// Files of a folder, otherwise the embedded ones.
    ///
    /// # Errors
    /// If there are no files.
    pub(super) fn find(folder: Option<&Path>) -> Result<Page, Failure> {
        if let Some(folder) = folder {
            return Page::of(folder);
        }
        let files = BUILT_IN.iter().map(|(name, bytes)| ((*name).to_owned(), (*bytes).into()));
        let page = Page(files.collect());
        if page.file("/").is_none() {
            return Err(Failure::Runtime(
                "this program was built without the playground: `make playground` in the source builds one with it, \
                 and a folder for --folder"
                    .to_owned(),
            ));
        }
        Ok(page)
    }

    fn of(folder: &Path) -> Result<Page, Failure> {
        let cannot = |e: &dyn std::fmt::Display| Failure::file("read", folder, e);
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(|e| cannot(&e))? {
            let entry = entry.map_err(|e| cannot(&e))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entry.path().is_file() {
                let bytes = std::fs::read(entry.path());
                let bytes = bytes.map_err(|e| Failure::file("read", &entry.path(), &e))?;
                files.insert(name, bytes.into());
            }
        }
        if !files.contains_key(INDEX) {
            let what =
                format!("it has no {INDEX}: `make playground` builds the folder target/playground");
            return Err(Failure::file("serve", folder, &what));
        }
        Ok(Page(files))
    }

    /// Media type and content of the file at this path of the address.
    pub(super) fn file(&self, path: &str) -> Option<(&'static str, &Cow<'static, [u8]>)> {
        let name = path.strip_prefix('/')?;
        let name = if name.is_empty() { INDEX } else { name };
        self.0.get(name).map(|bytes| (kind(name), bytes))
    }
}

/// Media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
