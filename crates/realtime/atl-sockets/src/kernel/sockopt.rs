//! Options of TCP sockets that no library has.

use nix::{getsockopt_impl, libc, setsockopt_impl, sockopt_impl};

/// Octets of `TCP_INFO` that every kernel has.
pub(super) const SHORT: usize = 148;
/// Octets of `TCP_INFO` with the count of timeouts, from Linux 6.7 on.
pub(super) const LONG: usize = 244;

// A kernel that knows more cuts it off at what was asked for.
sockopt_impl!(
    /// The kernel's word on a connection (`struct tcp_info` of linux/tcp.h), as octets.
    Info,
    GetOnly,
    libc::IPPROTO_TCP,
    libc::TCP_INFO,
    [u8; SHORT]
);

sockopt_impl!(
    /// The same with what Linux 6.7 added; older kernels must not be asked.
    LongInfo,
    GetOnly,
    libc::IPPROTO_TCP,
    libc::TCP_INFO,
    [u8; LONG]
);

sockopt_impl!(
    /// Most bytes that a receiver offers as its window (tcp(7)).
    WindowClamp,
    SetOnly,
    libc::IPPROTO_TCP,
    libc::TCP_WINDOW_CLAMP,
    i32
);

sockopt_impl!(
    /// Highest rate in bytes/s at which the kernel paces a connection (socket(7)). With one it is
    /// paced, also without the queue discipline `fq` (tcp_pacing_check of Linux, since 4.13).
    MaxPacingRate,
    Both,
    libc::SOL_SOCKET,
    libc::SO_MAX_PACING_RATE,
    u32
);
