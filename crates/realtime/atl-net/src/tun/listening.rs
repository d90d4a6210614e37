//! Sockets of the calling thread's namespace that wait for peers.

use std::collections::BTreeSet;
use std::fs;

/// Local addresses of TCP sockets that listen, and of UDP sockets without a peer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listening(BTreeSet<String>);

/// Files of the kernel, and the state of the sockets in question: `TCP_LISTEN`, and `TCP_CLOSE`
/// for UDP (proc_pid_net(5), net/tcp_states.h).
const FILES: [(&str, &str); 4] = [("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")];

impl Listening {
    pub(super) fn now() -> Self {
        let files = FILES.iter().flat_map(|(file, state)| {
            let text = fs::read_to_string(format!("/proc/thread-self/net/{file}"));
            read(file, &text.unwrap_or_default(), state)
        });
        Listening(files.collect())
    }

    /// True if there is a socket among these that was not there `before`.
    pub fn is_more_than(&self, before: &Listening) -> bool {
        !self.0.is_subset(&before.0)
    }
}

fn read(file: &str, text: &str, state: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut fields = line.split_whitespace().skip(1);
        let (local, _, found) = (fields.next()?, fields.next()?, fields.next()?);
        (found == state).then(|| format!("{file} {local}"))
    };
    text.lines().skip(1).filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream, UdpSocket};

    use super::*;

    #[test]
    fn a_socket_counts_once_it_waits_for_peers() {
        let text = "  sl  local_address rem_address   st tx_queue\n   0: 0100007F:0050 00000000:0000 0A 0:0\n   1: 0100007F:0051 0100007F:0050 01 0:0\nx\n";
        assert_eq!(read("tcp", text, "0A"), ["tcp 0100007F:0050"]);
        let before = Listening::now();
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        assert!(Listening::now().is_more_than(&before));
        let with = Listening::now();
        let address = listener.local_addr().expect("bound");
        let _client = TcpStream::connect(address).expect("accepted");
        let local =
            |text: &Listening| text.0.iter().filter(|line| line.starts_with("tcp ")).count();
        // Other tests may open sockets meanwhile; a connection is none that waits.
        assert!(with.0.iter().any(|line| line.ends_with(&format!("{:04X}", address.port()))));
        assert!(local(&with) > 0);
        let before = Listening::now();
        let _udp = UdpSocket::bind("127.0.0.1:0").expect("loopback");
        assert!(Listening::now().is_more_than(&before));
    }
}
