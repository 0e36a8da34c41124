//! The caller's memory: the only place where pointers are followed. The header says what they must point to.

use crate::status::Status;
use std::ffi::{CStr, c_char};

/// Texts that the caller passes.
pub(crate) struct Text;

fn null(what: &str) -> Status {
    Status::Null.saying(&format!("the pointer to {what} is null"))
}

fn utf8(bytes: &[u8]) -> Result<String, Status> {
    let text = std::str::from_utf8(bytes).map_err(|error| Status::Text.saying(&format!("not UTF-8 text: {error}")))?;
    Ok(text.to_owned())
}

impl Text {
    /// A text of a known length.
    pub(crate) fn sized(text: *const c_char, length: usize) -> Result<String, Status> {
        if text.is_null() {
            return Err(null("the text"));
        }
        if isize::try_from(length).is_err() {
            return Err(Status::Text.saying("the text is too long"));
        }
        // SAFETY: the caller vouches for `length` bytes, which are not changed during the call; the pointer is not null,
        // the length fits, and bytes need no alignment.
        utf8(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) })
    }

    /// A text that ends with a zero byte, or none.
    pub(crate) fn optional(text: *const c_char) -> Result<Option<String>, Status> {
        if text.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller vouches for a zero byte at the end, and does not change the text during the call.
        utf8(unsafe { CStr::from_ptr(text) }.to_bytes()).map(Some)
    }
}

/// Where a number, or a record of numbers, goes.
pub(crate) struct NumberOut<T>(*mut T);

impl<T> NumberOut<T> {
    pub(crate) fn new(out: *mut T) -> Result<Self, Status> {
        if out.is_null() {
            return Err(null("the result"));
        }
        if !out.is_aligned() {
            return Err(Status::Null.saying("the pointer to the result is not aligned"));
        }
        Ok(Self(out))
    }

    pub(crate) fn put(self, value: T) -> Result<Status, Status> {
        // SAFETY: the pointer is aligned and not null, and the caller vouches for the place.
        unsafe { self.0.write(value) };
        Ok(Status::Ok)
    }
}

/// Where a text goes.
pub(crate) struct TextOut {
    pub(crate) buffer: *mut c_char,
    pub(crate) size: usize,
    pub(crate) needed: *mut usize,
}

impl TextOut {
    /// Writes as much as fits, always with a zero byte at the end, never a part of a character; and how many bytes are
    /// needed. Zero bytes in the text itself become spaces.
    pub(crate) fn put(self, text: &str) -> Result<Status, Status> {
        if self.buffer.is_null() && self.size > 0 {
            return Err(null("the buffer"));
        }
        if !self.needed.is_null() {
            NumberOut::new(self.needed)?.put(text.len() + 1)?;
        }
        if self.size > 0 {
            let mut end = text.len().min(self.size - 1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let shown = text.get(..end).unwrap_or("").bytes().map(|byte| if byte == 0 { b' ' } else { byte });
            let bytes: Vec<u8> = shown.chain([0]).collect();
            Memory::fill(self.buffer.cast::<u8>(), self.size, &bytes);
        }
        // Asking for the length alone is allowed.
        let asked = self.buffer.is_null() && !self.needed.is_null();
        if self.size > text.len() || asked { Ok(Status::Ok) } else { Err(Status::Buffer) }
    }
}

/// Places for several numbers.
pub(crate) struct Memory;

impl Memory {
    /// Writes the numbers to a place for `capacity` of them, as many as fit.
    pub(crate) fn fill<T: Copy>(place: *mut T, capacity: usize, numbers: &[T]) {
        if place.is_null() || !place.is_aligned() {
            return;
        }
        // SAFETY: the caller vouches for `capacity` numbers at `place`, which is aligned; what is written is ours, and
        // memory of ours does not overlap the caller's.
        unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), place, numbers.len().min(capacity)) };
    }
}
