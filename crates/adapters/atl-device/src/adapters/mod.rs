//! Adapters: what tools of real devices print, as link information.
//!
//! Each reads the stream of one tool, record by record, and tells what it knows after each. None of
//! them asks a device itself.
//!
//! | adapter | reads |
//! | --- | --- |
//! | [`Starlink`] | `get_status` of a Starlink dish, as `grpcurl` prints it |
//! | [`Modem`] | `mmcli -m any -J` and `mmcli -m any --location-get -J` of ModemManager |
//! | [`Wfb`] | the JSON interface of wfb-ng |
//! | [`Iw`] | `iw event` |
//! | [`Lines`] | the text form, as the helper for Android and programs of one's own write it |
//!
//! `docs/link-information.md` says which part of p_w and d_w each of them bounds.

mod iw;
mod lines;
mod modem;
mod starlink;
mod wfb;

use std::fmt;
use std::io::{self, BufRead, Read as _};

use serde_json::Value;

pub use iw::Iw;
pub use lines::Lines;
pub use modem::Modem;
pub use starlink::Starlink;
pub use wfb::Wfb;

use crate::info::LinkInfo;
use crate::text::TextError;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 4096;

/// An adapter with its state.
#[derive(Clone, Debug)]
pub enum Adapter {
    /// Of a Starlink dish.
    Starlink(Starlink),
    /// Of a cellular modem.
    Modem(Modem),
    /// Of wfb-ng.
    Wfb(Wfb),
    /// Of an 802.11 device.
    Iw(Iw),
    /// In the text form.
    Lines(Lines),
}

/// The reason why a stream ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum AdapterError {
    /// It cannot be read, or what was told cannot be passed on.
    Io(io::Error),
    /// It is no JSON.
    Json(serde_json::Error),
    /// A line, counted from 1, is not in the text form.
    Line(u64, TextError),
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdapterError::Io(error) => error.fmt(f),
            AdapterError::Json(error) => write!(f, "what was read is not JSON: {error}"),
            AdapterError::Line(number, error) => write!(f, "line {number}: {error}"),
        }
    }
}

impl std::error::Error for AdapterError {}

impl Adapter {
    /// The names of all adapters.
    pub const NAMES: [&str; 5] = ["starlink", "modem", "wfb", "iw", "lines"];

    /// The adapter with this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "starlink" => Adapter::Starlink(Starlink::default()),
            "modem" => Adapter::Modem(Modem::default()),
            "wfb" => Adapter::Wfb(Wfb::default()),
            "iw" => Adapter::Iw(Iw::default()),
            "lines" => Adapter::Lines(Lines),
            _ => return None,
        })
    }

    /// Reads a stream to its end, and hands over what is known after each record that says
    /// something.
    ///
    /// # Errors
    /// If the stream breaks, is no JSON where it should be, or `each` fails.
    pub fn run(
        self,
        input: impl BufRead,
        each: &mut dyn FnMut(&LinkInfo) -> io::Result<()>,
    ) -> Result<(), AdapterError> {
        match self {
            Adapter::Starlink(mut adapter) => {
                of_json(input, &mut |value| adapter.take(value), each)
            }
            Adapter::Modem(mut adapter) => of_json(input, &mut |value| adapter.take(value), each),
            Adapter::Wfb(mut adapter) => of_json(input, &mut |value| adapter.take(value), each),
            Adapter::Iw(mut adapter) => of_lines(input, &mut |line| Ok(adapter.take(line)), each),
            Adapter::Lines(adapter) => of_lines(input, &mut |line| adapter.take(line), each),
        }
    }
}

type Each<'a> = dyn FnMut(&LinkInfo) -> io::Result<()> + 'a;

fn of_json(
    input: impl BufRead,
    take: &mut dyn FnMut(&Value) -> Option<LinkInfo>,
    each: &mut Each<'_>,
) -> Result<(), AdapterError> {
    for value in serde_json::Deserializer::from_reader(input).into_iter::<Value>() {
        if let Some(info) = take(&value.map_err(AdapterError::Json)?) {
            each(&info).map_err(AdapterError::Io)?;
        }
    }
    Ok(())
}

fn of_lines(
    mut input: impl BufRead,
    take: &mut dyn FnMut(&str) -> Result<Option<LinkInfo>, TextError>,
    each: &mut Each<'_>,
) -> Result<(), AdapterError> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        // A longer line is read in pieces, none of which means anything.
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(AdapterError::Io)? == 0 {
            return Ok(());
        }
        let wrong = |error| AdapterError::Line(number, error);
        if let Some(info) = take(String::from_utf8_lossy(&line).trim_end()).map_err(wrong)? {
            each(&info).map_err(AdapterError::Io)?;
        }
    }
    Ok(())
}
