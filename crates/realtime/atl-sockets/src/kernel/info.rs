//! The kernel's word on a connection: `TCP_INFO`.

use std::os::fd::AsFd;
use std::sync::LazyLock;
use std::{fs, io};

use atl_core::time::Span;
use atl_engine::flow::State;
use nix::sys::socket::getsockopt;

use super::sockopt;

/// The state of the sending end of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Info {
    /// SRTT; zero before the first sample.
    pub srtt: Span,
    /// In packets.
    pub cwnd: u32,
    /// In packets; `None` before the first loss.
    pub ssthresh: Option<u32>,
    /// Packets sent and not acknowledged, retransmissions apart.
    pub unacked: u32,
    /// Those of them that SACK has acknowledged, that count as lost, and that were sent again.
    pub sacked: u32,
    pub lost: u32,
    pub retransmitted: u32,
    /// In bytes per second; `None` where the kernel sets no limit.
    pub pacing_rate: Option<u64>,
    /// Bytes that wait for their first transmission.
    pub unsent: u32,
    /// Expired retransmission timers; `None` before Linux 6.7.
    pub timeouts: Option<u16>,
}

/// ssthresh before the first loss (`TCP_INFINITE_SSTHRESH`).
const NO_SSTHRESH: u32 = 0x7fff_ffff;

impl Info {
    /// That of a connection.
    pub(super) fn of(socket: &impl AsFd) -> io::Result<Info> {
        static COUNTS_TIMEOUTS: LazyLock<bool> = LazyLock::new(|| {
            let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
            is_from(&release, (6, 7))
        });
        let info = match *COUNTS_TIMEOUTS {
            true => Info::read(&getsockopt(socket, sockopt::LongInfo)?),
            false => Info::read(&getsockopt(socket, sockopt::Info)?),
        };
        info.ok_or_else(|| io::Error::other("TCP_INFO is cut off"))
    }

    /// Reads `struct tcp_info`, which only ever grows at its end (linux/tcp.h).
    fn read(octets: &[u8]) -> Option<Info> {
        let word = |at: usize| Some(u32::from_ne_bytes(*octets.get(at..)?.first_chunk()?));
        let long = |at: usize| Some(u64::from_ne_bytes(*octets.get(at..)?.first_chunk()?));
        let half = |at: usize| Some(u16::from_ne_bytes(*octets.get(at..)?.first_chunk()?));
        Some(Info {
            unacked: word(24)?,
            sacked: word(28)?,
            lost: word(32)?,
            retransmitted: word(36)?,
            srtt: Span::from_micros(u64::from(word(68)?)),
            ssthresh: Some(word(76)?).filter(|ssthresh| *ssthresh < NO_SSTHRESH),
            cwnd: word(80)?,
            pacing_rate: Some(long(104)?).filter(|rate| *rate < u64::MAX && *rate > 0),
            unsent: word(144)?,
            timeouts: half(240),
        })
    }

    /// True if nothing waits and everything is acknowledged.
    pub(super) fn is_done(&self) -> bool {
        self.unacked == 0 && self.unsent == 0
    }

    /// The same for a sample.
    pub(super) fn state(&self) -> State {
        let left = self.sacked.saturating_add(self.lost);
        State {
            cwnd: Some(f64::from(self.cwnd)),
            ssthresh: self.ssthresh.map(f64::from),
            rate_bps: self.pacing_rate.map(|rate| 8.0 * rate as f64),
            in_flight: self.unacked.saturating_sub(left).saturating_add(self.retransmitted),
            srtt: (!self.srtt.is_zero()).then_some(self.srtt),
            ..NO_STATE
        }
    }
}

/// True if a kernel's release (`6.7.0-rc1`) is at least this version.
fn is_from(release: &str, version: (u32, u32)) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= version,
        _ => false,
    }
}

/// The state of a flow that has no connection yet.
pub(super) const NO_STATE: State = State {
    cwnd: None,
    cwnd_beside: None,
    ssthresh: None,
    rate_bps: None,
    encoder_bps: None,
    in_flight: 0,
    srtt: None,
    aimd: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    fn octets(length: usize) -> Vec<u8> {
        let mut octets = vec![0; length];
        let mut put = |at: usize, value: u32| {
            if at + 4 <= length {
                octets[at..at + 4].copy_from_slice(&value.to_ne_bytes());
            }
        };
        for (at, value) in [(24, 20), (28, 3), (32, 2), (36, 1), (68, 40_000), (76, NO_SSTHRESH)] {
            put(at, value);
        }
        for (at, value) in [(80, 18), (104, 1000), (144, 7)] {
            put(at, value);
        }
        octets
    }

    #[test]
    fn a_sample_has_what_is_in_flight() {
        let info = Info::read(&octets(232)).expect("long enough");
        let state = info.state();
        assert_eq!((state.cwnd, state.ssthresh, state.in_flight), (Some(18.0), None, 16));
        assert_eq!((state.srtt, state.rate_bps), (Some(Span::from_millis(40)), Some(8000.0)));
        assert!(!info.is_done());
        assert_eq!(info.timeouts, None, "an older kernel");
        let long = Info::read(&octets(sockopt::LONG)).expect("long enough");
        assert_eq!(long.timeouts, Some(0));
    }

    #[test]
    fn releases_are_compared_by_their_numbers() {
        for release in ["6.7.0", "6.18.44-fc-v669", "7.0", "6.7-rc1"] {
            assert!(is_from(release, (6, 7)), "{release}");
        }
        for release in ["6.6.99", "5.15.0-91-generic", "6", "", "x.7"] {
            assert!(!is_from(release, (6, 7)), "{release}");
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        for length in 0..sockopt::SHORT {
            assert_eq!(Info::read(&octets(length)), None, "{length}");
        }
    }

    #[test]
    fn this_kernel_tells_of_a_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let stream = TcpStream::connect(listener.local_addr().expect("bound")).expect("connects");
        let info = Info::of(&stream).expect("TCP_INFO");
        assert!(info.cwnd >= 1 && info.is_done(), "{info:?}");
    }
}
