//! The exported functions of the WebAssembly module, which has no imports.
//!
//! The page's script passes texts and bytes through the module's memory: it requests space with
//! [`input`], writes there, and calls a function. That returns 0, or 1 if it failed; the answer, or
//! the reason for the failure, is at [`output`] and has [`output_length`] bytes. Texts are UTF-8.
//! After a panic the module must not be used again, but its message is still there.
//!
//! The module has a single thread and one session at a time.

#![allow(unsafe_code, reason = "an export needs its name as it is; there is no other unsafe code")]

use std::cell::RefCell;
use std::sync::Mutex;

use atl_report::data::Format;
use serde::Serialize;

use crate::opened::Request;
use crate::session::{Session, Unknown};
use crate::watcher::{View, Watcher};
use crate::{catalogue, knobs};

#[derive(Default)]
struct State {
    session: Option<Session>,
    watcher: Option<Watcher>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Space for this many bytes of input. From then on a panic leaves its message as the output.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|info| answer(info.to_string().into_bytes())));
    let Ok(mut input) = INPUT.lock() else { return std::ptr::null_mut() };
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.lock().map_or(std::ptr::null(), |output| output.as_ptr())
}

/// Length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.lock().map_or(0, |output| output.len())
}

fn answer(bytes: Vec<u8>) {
    if let Ok(mut output) = OUTPUT.lock() {
        *output = bytes;
    }
}

fn taken() -> Vec<u8> {
    INPUT.lock().map(|mut input| std::mem::take(&mut *input)).unwrap_or_default()
}

fn done(result: Result<Vec<u8>, Vec<u8>>) -> u32 {
    let failed = result.is_err();
    answer(result.unwrap_or_else(|reason| reason));
    u32::from(failed)
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let value = serde_json::to_value(value).map(|mut value| {
        value.sort_all_objects();
        value.to_string()
    });
    value.unwrap_or_else(|e| format!("\"cannot write JSON: {e}\"")).into_bytes()
}

fn with_session(work: impl FnOnce(&mut Session) -> Result<Vec<u8>, Unknown>) -> u32 {
    let result = STATE.with_borrow_mut(|state| match &mut state.session {
        Some(session) => work(session),
        None => Err(Unknown::new("no scenario is open")),
    });
    done(result.map_err(|reason| reason.to_string().into_bytes()))
}

fn with_watcher(work: impl FnOnce(&mut Watcher) -> View) -> u32 {
    let result = STATE.with_borrow_mut(|state| match &mut state.watcher {
        Some(watcher) => Ok(json(&work(watcher))),
        None => Err(b"no run is watched".to_vec()),
    });
    done(result)
}

/// Answers with the built-in scenarios as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn catalogue() -> u32 {
    done(Ok(json(&catalogue::all())))
}

/// Answers with the JSON Schema of scenario files.
#[unsafe(no_mangle)]
pub extern "C" fn schema() -> u32 {
    done(Ok(atl_scenario::json_schema().into_bytes()))
}

/// Answers with the sliders of the text in the input, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn sliders() -> u32 {
    let text = taken();
    done(Ok(json(&knobs::of(&String::from_utf8_lossy(&text)))))
}

/// Opens the scenario of the [`Request`] in the input, which is JSON. Answers with the open
/// scenario or with its mistakes, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    let request: Result<Request, _> = serde_json::from_slice(&taken());
    let result = match request {
        Ok(request) => Session::open(request).map_err(|refused| json(&refused)),
        Err(e) => Err(json(&format!("this is no request: {e}"))),
    };
    done(result.map(|(session, opened)| {
        STATE.set(State { session: Some(session), watcher: None });
        json(&opened)
    }))
}

/// Carries out the run of a point with a seed and answers with its result.
#[unsafe(no_mangle)]
pub extern "C" fn run(point: usize, seed: u64) -> u32 {
    with_session(|session| session.run(point, seed))
}

/// Stores the result in the input.
#[unsafe(no_mangle)]
pub extern "C" fn put(point: usize, seed: u64) -> u32 {
    let bytes = taken();
    with_session(|session| session.put(point, seed, &bytes).map(|()| Vec::new()))
}

/// Answers with the report over the first `seeds` seeds.
#[unsafe(no_mangle)]
pub extern "C" fn page(seeds: usize) -> u32 {
    with_session(|session| session.page(seeds).map(String::into_bytes))
}

/// Answers with the results over the first `seeds` seeds, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn summary(seeds: usize) -> u32 {
    with_session(|session| session.summary(seeds).map(String::into_bytes))
}

/// Answers with the data file at index `place` of a format (0: CSV, 1: Parquet), over the first
/// `seeds` seeds: its name, a line feed, its bytes. Empty if there is no such index.
#[unsafe(no_mangle)]
pub extern "C" fn data(seeds: usize, format: u32, place: usize) -> u32 {
    let format = if format == 0 { Format::Csv } else { Format::Parquet };
    with_session(|session| {
        let file = session.data(seeds, format)?.into_iter().nth(place);
        Ok(file.map_or_else(Vec::new, |(name, bytes)| [name.as_bytes(), b"\n", &bytes].concat()))
    })
}

/// Starts to watch a flow and a link in the run of a point with a seed. Answers with its state.
#[unsafe(no_mangle)]
pub extern "C" fn watch(point: usize, seed: u64, flow: usize, link: usize) -> u32 {
    let result = STATE.with_borrow_mut(|state| {
        let Some(session) = &state.session else {
            return Err(Unknown::new("no scenario is open"));
        };
        let watcher = state.watcher.insert(session.watch(point, seed, flow, link)?);
        Ok(json(&watcher.forwards(0)))
    });
    done(result.map_err(|reason| reason.to_string().into_bytes()))
}

/// Advances the watched run by this many steps.
#[unsafe(no_mangle)]
pub extern "C" fn forwards(steps: u32) -> u32 {
    with_watcher(|watcher| watcher.forwards(steps.into()))
}

/// Goes back by this many steps.
#[unsafe(no_mangle)]
pub extern "C" fn back(steps: u32) -> u32 {
    with_watcher(|watcher| watcher.back(steps.into()))
}

/// Goes to a time in simulated seconds.
#[unsafe(no_mangle)]
pub extern "C" fn go_to(seconds: f64) -> u32 {
    with_watcher(|watcher| watcher.go_to(seconds))
}

/// Advances to the flow's next packet that is dropped or lost.
#[unsafe(no_mangle)]
pub extern "C" fn next_loss() -> u32 {
    with_watcher(Watcher::next_loss)
}
