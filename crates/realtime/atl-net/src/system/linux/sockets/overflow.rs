//! Datagrams that were lost because the proxy did not read in time.

use std::fs;
use std::os::fd::AsRawFd;

/// Messages, of one datagram or more, that the kernel dropped because these sockets' buffers were
/// full; zero where it has no such count.
pub(super) fn of<'a, S: AsRawFd + 'a>(sockets: impl Iterator<Item = &'a S>) -> u64 {
    let inodes: Vec<String> = sockets.filter_map(inode).collect();
    let tables = ["/proc/self/net/udp", "/proc/self/net/udp6"];
    let tables = tables.iter().filter_map(|path| fs::read_to_string(path).ok());
    tables.map(|table| dropped(&table, &inodes)).sum()
}

/// The inode by which the kernel's tables identify a socket.
fn inode(socket: &impl AsRawFd) -> Option<String> {
    let target = fs::read_link(format!("/proc/self/fd/{}", socket.as_raw_fd())).ok()?;
    let inode = target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
    Some(inode.to_owned())
}

/// Sums the last column of the rows of these sockets. The tenth column is the inode (proc_net_udp
/// in the kernel).
fn dropped(table: &str, inodes: &[String]) -> u64 {
    let rows = table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>());
    let ours = rows.filter(|row| row.get(9).is_some_and(|i| inodes.iter().any(|own| own == i)));
    ours.filter_map(|row| row.last().and_then(|count| count.parse::<u64>().ok())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drops_of_our_sockets_are_found() {
        let table = "\
   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  100: 0100007F:1388 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 17
  101: 0100007F:1389 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0000000000000000 5
";
        assert_eq!(dropped(table, &["4711".to_owned()]), 17);
        assert_eq!(dropped(table, &["4711".to_owned(), "4712".to_owned()]), 22);
        assert_eq!(dropped("garbage\n\n1 2 3", &["4711".to_owned()]), 0);
    }
}
