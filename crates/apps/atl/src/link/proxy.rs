//! Links between UDP sockets.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use atl_core::time::Span;
use atl_engine::Cancel;
use atl_link::relay::RouteId;
use atl_net::clock::Clock;
use atl_net::proxy::{Limits, Listener, Proxy};
use serde_json::json;

use super::answers::Answers;
use super::network::Network;
use super::trust::Trust;
use super::watcher::{Channel, Watcher};
use super::{captured, record, running, summary};
use crate::args::{Link, ProxyOptions};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Runs the proxy until the duration is over or it is cancelled, and shows a summary.
///
/// # Errors
/// If addresses are missing or not available.
pub(super) fn run(network: &Network, args: &Link, cancel: &Cancel) -> Result<Status, Failure> {
    let options = &args.running;
    let (listen, to) = addresses(&args.proxy)?;
    let limits = Limits { clients: args.proxy.clients as usize, ..Limits::default() };
    let listener = Listener::bind(listen, to, limits).map_err(|error| refused(listen, &error))?;
    let listen = listener.local_addr();
    let counters = Arc::clone(listener.counters());
    let counts = || record::proxy(&counters.counts());

    let mut relay = atl_engine::setup::relay(
        &network.links,
        vec![network.up.clone(), network.down.clone()],
        network.seed,
    );
    let answers = Answers::open(&mut relay, network, options)?;
    let clock = Clock::start();
    let begun = clock.now();
    let place = json!({ "listen": listen.to_string(), "to": to.to_string() });
    let hosts = network.hosts.iter().map(String::as_str);
    let (capture, writer) = captured::start(hosts, options, clock)?;
    let mut watcher = Watcher::start(
        network,
        options,
        &place,
        &format!("{listen} to {to}"),
        Channel::StandardOutput,
    )?;
    let ports = move || {
        let proxy = Proxy::new(listener, RouteId(0), RouteId(1));
        Ok(match capture {
            Some(capture) => proxy.with_capture(capture, clock),
            None => proxy,
        })
    };
    let mut show = |snapshot: &_| watcher.show(snapshot, &counts());
    let mut over =
        |elapsed| cancel.is_cancelled() || options.duration.is_some_and(|lasts| elapsed >= lasts);
    let done = running::run(relay, ports, clock, options, &answers, &mut show, &mut over);
    watcher.end();
    let done = done?;
    let left_out = captured::finish(writer)?;
    let lost = counters.counts();
    let outside = lost.no_room + lost.unsendable + lost.overflowed;
    let trust = Trust::of(&done.last, outside, options.max_error.get());
    if options.json {
        let summary = record::summary(network, &done, begun, trust, &counts(), left_out);
        return output::json_line(&summary);
    }
    let lasted: Span = done.last.at.since(begun);
    let text = summary::text(network, &done, lasted, trust, options);
    let besides = summary::proxy(&lost) + &summary::left_out(left_out);
    output::text(&(text + &besides))
}

fn addresses(options: &ProxyOptions) -> Result<(SocketAddr, SocketAddr), Failure> {
    match (options.listen, options.to) {
        (Some(listen), Some(to)) => Ok((listen, to)),
        _ => Err(Failure::Usage(
            "where do packets come from, and where do they go? Give --listen ADDRESS for clients \
             and --to ADDRESS of the server, such as --listen 127.0.0.1:5000 --to 127.0.0.1:6000"
                .to_owned(),
        )),
    }
}

fn refused(listen: SocketAddr, error: &io::Error) -> Failure {
    let help = match error.kind() {
        io::ErrorKind::AddrInUse => "; another program listens there: choose another port",
        io::ErrorKind::AddrNotAvailable => "; it is not an address of this machine",
        io::ErrorKind::PermissionDenied => "; ports below 1024 are for root: choose a higher one",
        _ => "",
    };
    Failure::Runtime(format!("cannot listen at {listen}: {error}{help}"))
}
