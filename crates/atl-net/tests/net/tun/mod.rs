//! Labs of TUN devices in network namespaces: they need root, and say so where they skip.

mod support;

mod basic;
mod cleanup;
