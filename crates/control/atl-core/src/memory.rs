//! Memory that is no longer needed.

use std::collections::VecDeque;

/// Rings of up to this many elements are left as they are.
const SMALL: usize = 8;

/// Gives back memory of a ring that has room for four times what it holds: slow start leaves it
/// with room for many times the window that follows, and it would keep cycling through all of that.
pub fn trim<T>(ring: &mut VecDeque<T>) {
    let kept = ring.len().max(SMALL);
    if ring.capacity() / 4 >= kept {
        ring.shrink_to(2 * kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_keeps_what_it_holds_and_room_for_as_much() {
        let mut ring: VecDeque<u32> = (0..1000).collect();
        ring.drain(..900);
        trim(&mut ring);
        assert!((200..400).contains(&ring.capacity()), "{}", ring.capacity());
        assert!(ring.iter().copied().eq(900..1000));
    }

    #[test]
    fn a_ring_that_is_a_quarter_full_or_small_stays() {
        for (room, held) in [(1000, 400), (16, 0)] {
            let mut ring: VecDeque<u32> = VecDeque::with_capacity(room);
            ring.extend(0..held);
            let before = ring.capacity();
            trim(&mut ring);
            assert_eq!(ring.capacity(), before);
        }
    }
}
