//! The command `atl playground`.

mod address;
mod page;
mod server;

use std::net::Ipv4Addr;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::args::Playground;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use page::Page;

/// Serves the page until interrupted.
///
/// # Errors
/// If there is no page, no such scenario, or the port is not available.
pub(crate) fn playground(args: &Playground) -> Result<Status, Failure> {
    let page = Arc::new(Page::find(args.folder.as_deref())?);
    let fragment = args.scenario.as_deref().map(address::fragment).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::Runtime(format!("cannot start: {e}")))?;
    runtime.block_on(async {
        let wanted = (Ipv4Addr::LOCALHOST, args.port);
        let listener = TcpListener::bind(wanted).await.map_err(|e| {
            let help = "choose another one with --port, or any that is free with --port 0";
            Failure::Runtime(format!("cannot have port {} of 127.0.0.1: {e}; {help}", args.port))
        })?;
        let at = listener
            .local_addr()
            .map_err(|e| Failure::Runtime(format!("cannot have a port of 127.0.0.1: {e}")))?;
        let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let address = format!("http://{at}/{fragment}");
        output::text(&format!("Playground  {address}\nCtrl-C ends it.\n"))?;
        if args.open
            && let Err(e) = open::that_detached(&address)
        {
            output::error(&format!("cannot open a browser: {e}; open the address yourself\n"));
        }
        server::serve(listener, page).await
    })
}
