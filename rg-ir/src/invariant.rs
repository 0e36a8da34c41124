//! Invariants with names.
//!
//! Code that never panics has a default wherever an index or a lookup could fail, also where it cannot. So that a broken
//! invariant does not hide behind the default, what cannot fail says why: builds for development stop there with the name of
//! the invariant; in others the default stands, at no cost.

/// What is there unless an invariant is broken.
pub trait Invariant<T> {
    /// The value; `default` if there is none, which builds for development report with the name of the invariant.
    fn invariant_or(self, default: T, name: &str) -> T;
}

impl<T> Invariant<T> for Option<T> {
    #[inline(always)]
    #[track_caller]
    fn invariant_or(self, default: T, name: &str) -> T {
        debug_assert!(self.is_some(), "broken invariant: {name}");
        self.unwrap_or(default)
    }
}

/// Reports in builds for development that an invariant is broken.
#[inline(always)]
#[track_caller]
pub fn invariant(holds: bool, name: &str) {
    debug_assert!(holds, "broken invariant: {name}");
}

/// Writes to a place of a list that is there unless an invariant is broken; then nothing is written.
#[inline(always)]
#[track_caller]
pub fn put<T>(list: &mut [T], at: usize, value: T, name: &str) {
    debug_assert!(at < list.len(), "broken invariant: {name}");
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_changes_nothing() {
        assert_eq!(Some(1).invariant_or(0, "there is one"), 1);
        let mut list = [1, 2];
        put(&mut list, 1, 3, "there are two");
        assert_eq!(list, [1, 3]);
        invariant(true, "true");
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "broken invariant: there is one")]
    fn a_broken_one_is_named() {
        None.invariant_or(0, "there is one");
    }
}
