//! Who knows this machine's wireless link.

use std::net::SocketAddr;
use std::sync::Arc;

use atl_core::time::Span;
use atl_device::nl80211::{Nl80211Config, Nl80211Source};
use atl_device::{EmulatedLosses, EmulatedSource, FileSource, LinkSource, interface};
use atl_noq::Marks;
use atl_transfer::observer::Observer;
use atl_transfer::{LinkWatch, MarkWatch};
use atl_wire::link_query::LinkName;

use crate::args::LinkInfoSource;
use crate::failure::Failure;
use crate::link_socket;

/// Time over which an emulator's counters are looked at.
const WINDOW: Span = Span::from_secs(10);
/// How long an emulator may take to answer.
const TIMEOUT: Span = Span::from_millis(500);
/// A file that was written longer ago says nothing.
const OLDEST: Span = Span::from_secs(30);

/// Who is asked by a sender: behind an emulated link that offers its socket, `auto` is the socket. It tells of the way out, which
/// is not a receiver's.
pub(super) fn chosen(source: &LinkInfoSource) -> LinkInfoSource {
    match (source, link_socket::find()) {
        (LinkInfoSource::Auto, Some(path)) => LinkInfoSource::Socket(path),
        _ => source.clone(),
    }
}

/// Begins to watch the link. `towards` are addresses of the other end, if they are known.
///
/// # Errors
/// If the device that was named is none.
pub(super) fn watch(
    source: &LinkInfoSource,
    towards: &[SocketAddr],
    observer: Arc<dyn Observer>,
) -> Result<Option<LinkWatch>, Failure> {
    let wifi = |name: &str| Nl80211Source::open(name, Nl80211Config::default());
    let source: Box<dyn LinkSource> = match source {
        LinkInfoSource::None => return Ok(None),
        LinkInfoSource::Auto => {
            let used = match towards {
                [] => interface::wireless().into_iter().next(),
                towards => towards.iter().find_map(|to| interface::towards(*to)),
            };
            let wireless = used.filter(|name| interface::is_wireless(name));
            match wireless.map(|name| wifi(&name)) {
                Some(Ok(source)) => Box::new(source),
                // Nobody asked for this device.
                Some(Err(_)) | None => return Ok(None),
            }
        }
        LinkInfoSource::Interface(name) => {
            let source = wifi(name).map_err(|error| {
                Failure::Usage(format!("--link-info interface:{name}: {error}"))
            })?;
            Box::new(source)
        }
        LinkInfoSource::File(path) => Box::new(FileSource::new(path).valid_for(OLDEST)),
        LinkInfoSource::Socket(path) => {
            Box::new(EmulatedSource::new(path, LinkName::own(), WINDOW, TIMEOUT))
        }
    };
    Ok(Some(LinkWatch::start(source, observer)))
}

/// True of a source that tells which datagrams the link loses.
pub(super) fn tells_losses(source: &LinkInfoSource) -> bool {
    matches!(source, LinkInfoSource::Socket(_))
}

/// Begins to listen to what the link loses, if the source tells it.
pub(super) fn watch_losses(
    source: &LinkInfoSource,
    marks: Marks,
    observer: Arc<dyn Observer>,
) -> Option<MarkWatch> {
    let LinkInfoSource::Socket(path) = source else { return None };
    let losses = EmulatedLosses::new(path, LinkName::own(), TIMEOUT);
    Some(MarkWatch::start(losses, marks, observer))
}
