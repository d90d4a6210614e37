//! The links between UDP sockets.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use atl_core::time::Span;
use atl_host::Cancel;
use atl_net::capture::{Capture, Writer};
use atl_net::clock::Clock;
use atl_net::proxy::{Limits, Listener, Proxy};
use atl_relay::{Relay, RouteId};
use serde_json::json;

use super::network::Network;
use super::watcher::{Channel, Watcher};
use super::{record, running, summary};
use crate::args::{Link, ProxyOptions};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Runs the proxy until its time is over or it is cancelled, and shows a summary.
///
/// # Errors
/// If addresses are missing or cannot be had.
pub(super) fn run(network: &Network, args: &Link, cancel: &Cancel) -> Result<Status, Failure> {
    let options = &args.running;
    let (listen, to) = addresses(&args.proxy)?;
    let limits = Limits { clients: args.proxy.clients as usize, ..Limits::default() };
    let listener = Listener::bind(listen, to, limits).map_err(|error| refused(listen, &error))?;
    let listen = listener.local_addr();
    let counters = Arc::clone(listener.counters());
    let counts = || record::proxy(&counters.counts());

    let relay =
        Relay::new(&network.links, vec![network.up.clone(), network.down.clone()], network.seed);
    let clock = Clock::start();
    let begun = clock.now();
    let place = json!({ "listen": listen.to_string(), "to": to.to_string() });
    let mut watcher = Watcher::start(
        network,
        options,
        &place,
        &format!("{listen} to {to}"),
        Channel::StandardOutput,
    )?;
    let (capture, writer) = capture(network, &args.proxy, clock)?.unzip();
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
    let done = running::run(relay, &network.links, ports, clock, options, &mut show, &mut over);
    watcher.end();
    let done = done?;
    let left_out = match writer {
        Some(writer) => writer.finish().map_err(|error| {
            Failure::Runtime(format!("cannot write the captured packets: {error}"))
        })?,
        None => 0,
    };
    if options.json {
        let mut summary = record::summary(network, &done, begun, &counts());
        summary["capture_left_out"] = left_out.into();
        return output::json_line(&summary);
    }
    let lasted: Span = done.last.at.since(begun);
    let text = summary::text(network, &done, lasted, options);
    let besides = summary::proxy(&counters.counts(), left_out);
    output::text(&(text + &besides))
}

/// Starts to capture what passes both ends, if that was asked for.
fn capture(
    network: &Network,
    options: &ProxyOptions,
    clock: Clock,
) -> Result<Option<(Capture, Writer)>, Failure> {
    let Some(prefix) = &options.pcap else { return Ok(None) };
    let files = network.hosts.each_ref().map(|host| PathBuf::from(format!("{prefix}-{host}.pcap")));
    let started = Capture::start(files, clock);
    started
        .map(Some)
        .map_err(|error| Failure::Runtime(format!("cannot write {prefix}-*.pcap: {error}")))
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
