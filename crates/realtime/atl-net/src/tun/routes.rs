//! The routes of the calling thread's namespace, as far as they take a lab's addresses.

use std::fs;

use super::address::Block;

/// A route to a network of IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Route {
    network: u32,
    mask: u32,
}

/// The mask of a block's network.
const BLOCK: u32 = 0xffff_ff00;

fn all() -> Vec<Route> {
    // As /proc/net/route has it: device, destination, gateway, flags, three counts, mask. Numbers
    // are hexadecimal, in the machine's order of octets (proc_pid_net(5)).
    read(&fs::read_to_string("/proc/thread-self/net/route").unwrap_or_default())
}

fn read(text: &str) -> Vec<Route> {
    let number = |field: &str| {
        u32::from_str_radix(field, 16).ok().map(|value| u32::from_be_bytes(value.to_ne_bytes()))
    };
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Some(Route { network: number(fields.get(1)?)?, mask: number(fields.get(7)?.trim())? })
    };
    text.lines().skip(1).filter_map(line).collect()
}

/// True if a route, other than the default one, leads to an address of the block.
pub(super) fn takes(block: Block) -> bool {
    takes_of(&all(), block, 0)
}

/// True if a route leads to the whole block.
pub(super) fn takes_all(block: Block) -> bool {
    takes_of(&all(), block, BLOCK)
}

/// The blocks of labs around this one come before these: their hosts must stay reachable, also
/// those of a lab that is further out, to which nothing but the default route leads.
pub(super) fn inner() -> impl Iterator<Item = Block> {
    let taken = Block::all().enumerate().filter(|(_, block)| takes_all(*block));
    let last = taken.map(|(index, _)| index).last();
    Block::all().skip(last.map_or(0, |last| last + 1))
}

/// `within` is the mask of the narrowest network that counts, or 0 if all do.
fn takes_of(routes: &[Route], block: Block, within: u32) -> bool {
    let network = u32::from(block.v4(0)) & BLOCK;
    routes.iter().filter(|route| route.mask != 0 && (within == 0 || route.mask <= within)).any(
        |route| {
            let mask = route.mask & BLOCK;
            route.network & mask == network & mask
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_taken_by_what_leads_into_it() {
        let block = |index: usize| Block::all().nth(index).expect("256 blocks");
        let route = |address: [u8; 4], prefix: u32| Route {
            network: u32::from_be_bytes(address),
            mask: u32::MAX.checked_shl(32 - prefix).unwrap_or(0),
        };
        let routes = [route([0; 4], 0), route([198, 19, 3, 2], 32), route([198, 19, 5, 0], 24)];
        let taken = |within| {
            (0..8).filter(|index| takes_of(&routes, block(*index), within)).collect::<Vec<_>>()
        };
        assert_eq!(taken(0), [3, 5]);
        assert_eq!(taken(BLOCK), [5]);
        assert!((0..256).all(|index| takes_of(&[route([198, 18, 0, 0], 15)], block(index), 0)));
    }

    #[test]
    fn routes_are_read_in_the_machines_order() {
        let number = |octets: [u8; 4]| format!("{:08X}", u32::from_ne_bytes(octets));
        let (to, mask) = (number([198, 19, 3, 0]), number([255, 255, 255, 0]));
        let text = format!(
            "Iface\tDestination\n eth0\t{to}\t00000000\t0001\t0\t0\t0\t{mask}\t0\t0\t0\n\nx\ty\n"
        );
        assert_eq!(read(&text), [Route { network: 0xc613_0300, mask: 0xffff_ff00 }]);
    }
}
