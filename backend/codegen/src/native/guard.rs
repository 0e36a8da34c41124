//! Words behind the buffers that compiled code writes to, in builds with debug assertions: the code is told that the buffer
//! ends where it must have room for all that it writes without looking, and the words behind that are looked at afterwards.
//! No sanitizer sees what such code does.
#![expect(unsafe_code, reason = "words behind the end of a buffer")]

/// How many words there are.
pub(super) const WORDS: usize = if cfg!(debug_assertions) { 32 } else { 0 };

/// What is in them.
const MARK: u64 = 0x5afe_c0de_5afe_c0de;

/// Of so many places that a buffer has, those that compiled code is told of, if `room` is what it must have.
pub(super) fn places(capacity: usize, room: usize) -> usize {
    if WORDS == 0 { capacity } else { room.min(capacity) }
}

/// Marks the words behind a buffer.
///
/// # Safety
/// There must be [`WORDS`] words from `end` on, which nobody else has.
pub(super) unsafe fn mark(end: *mut u64) {
    for at in (0..).take(WORDS) {
        // SAFETY: as the caller says.
        unsafe { end.add(at).write(MARK) };
    }
}

/// Stops the program if one of the words behind a buffer has changed.
///
/// # Safety
/// They must have been marked.
pub(super) unsafe fn check(end: *const u64) {
    for at in (0..).take(WORDS) {
        // SAFETY: as the caller says.
        debug_assert!(unsafe { end.add(at).read() } == MARK, "compiled code wrote {at} words behind its buffer");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_behind_a_buffer_is_noticed() {
        for at in 0..=WORDS {
            let mut buffer = vec![0u64; WORDS + 1];
            let end = buffer.as_mut_ptr();
            // SAFETY: the buffer has one word more than there are.
            let noticed = unsafe {
                mark(end);
                end.add(at).write(1);
                std::panic::catch_unwind(move || check(end)).is_err()
            };
            assert_eq!(noticed, (0..WORDS).contains(&at));
        }
        let places = if WORDS == 0 { 9 } else { 4 };
        assert_eq!((super::places(9, 4), super::places(3, 4)), (places, 3));
    }
}
