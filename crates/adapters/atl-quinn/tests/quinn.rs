//! Transfers over loopback with real connections of quinn.

use std::time::Duration;

use atl_core::window::{ControllerConfig, WindowController, atl, reno};

#[path = "../examples/quinn.rs"]
#[allow(dead_code)]
mod example;

#[test]
fn controllers_carry_a_transfer_of_quinn() {
    const BYTES: usize = 4 << 20;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runs");
    for config in [
        ControllerConfig::from(atl::robust::Config::default()),
        ControllerConfig::from(atl::Config::default()),
        ControllerConfig::from(reno::Config::default()),
    ] {
        let done = runtime.block_on(async {
            let transfer = example::transfer(config.clone(), BYTES);
            tokio::time::timeout(Duration::from_secs(60), transfer).await
        });
        let done = done.expect("a transfer over loopback takes no minute").expect("it succeeds");
        assert_eq!(done.received, BYTES);
        // Each packet holds at most 1452 bytes (quinn's largest MTU).
        assert!(done.sender.transmissions() >= BYTES as u64 / 1452);
        let window = done.sender.controller().window();
        // The window opens from 10 packets; on a busy machine the socket's buffer overflows.
        let congested = done.congested;
        assert!(window > 10.0 || congested > 0, "{config:?}: the window stayed at {window}");
    }
}
