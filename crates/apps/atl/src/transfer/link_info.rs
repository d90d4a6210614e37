//! Sources of information on this machine's wireless link.

use std::net::SocketAddr;
use std::sync::Arc;

use atl_core::time::Span;
use atl_device::nl80211::{Nl80211Config, Nl80211Source};
use atl_device::{
    CommandSource, EmulatedLosses, EmulatedSource, FileSource, LinkSource, Seldom, interface,
};
use atl_noq::Marks;
use atl_transfer::observer::Observer;
use atl_transfer::{LinkWatch, MarkWatch};
use atl_wire::link_query::LinkName;

use super::destination;
use crate::args::LinkInfoSource;
use crate::failure::Failure;
use crate::link_socket;

/// Interval over which an emulator's counters are evaluated.
const WINDOW: Span = Span::from_secs(10);
/// Limit on the time for an emulator's answer.
const TIMEOUT: Span = Span::from_millis(500);
/// Interval at which a command is run, and limit on the time that it takes.
const COMMAND_EVERY: Span = Span::from_secs(1);
const PATIENCE: Span = Span::from_secs(5);
/// Age above which a file is ignored.
const OLDEST: Span = Span::from_secs(30);

/// Source for a sender: behind an emulated link that offers a socket, `auto` means that socket. It
/// reports on the sending direction, so a receiver does not use it.
pub(super) fn chosen(source: &LinkInfoSource) -> LinkInfoSource {
    match (source, link_socket::find()) {
        (LinkInfoSource::Auto, Some(path)) => LinkInfoSource::Socket(path),
        _ => source.clone(),
    }
}

/// Starts watching the link. `towards` holds addresses of the other end, if known.
///
/// # Errors
/// If the named device does not exist or is not wireless.
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
                // The device was not requested by name, so this is no error.
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
        LinkInfoSource::Command(command) => {
            let arguments = ["-c".to_owned(), command.clone()];
            let source = CommandSource::new("sh", arguments, PATIENCE);
            Box::new(Seldom::new(source.without_variable(destination::TICKET), COMMAND_EVERY))
        }
        LinkInfoSource::Socket(path) => {
            Box::new(EmulatedSource::new(path, LinkName::own(), WINDOW, TIMEOUT))
        }
    };
    Ok(Some(LinkWatch::start(source, observer)))
}

/// True for a source that reports which datagrams the link lost.
pub(super) fn tells_losses(source: &LinkInfoSource) -> bool {
    matches!(source, LinkInfoSource::Socket(_))
}

/// Starts listening to the link's losses, if the source reports them.
pub(super) fn watch_losses(
    source: &LinkInfoSource,
    marks: Marks,
    observer: Arc<dyn Observer>,
) -> Option<MarkWatch> {
    let LinkInfoSource::Socket(path) = source else { return None };
    let losses = EmulatedLosses::new(path, LinkName::own(), TIMEOUT);
    Some(MarkWatch::start(losses, marks, observer))
}
