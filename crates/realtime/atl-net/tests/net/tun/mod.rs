//! Labs of TUN devices in network namespaces. They need root, and report when they are skipped.

mod support;

mod basic;
mod cleanup;
