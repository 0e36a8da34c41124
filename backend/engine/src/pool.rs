//! Memory of calls, kept for the next one, and counts, by many threads at once.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Lists of values, and parts of counts; more threads than that share some.
const SHARDS: usize = 16;

/// The number of the next thread.
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// The place of this thread among the shards.
fn shard() -> usize {
    THREAD.with(|thread| *thread) % SHARDS
}

/// Values that are used by one call at a time. Threads take from lists of their own, on cache lines of their own, so that
/// they do not wait for each other.
#[derive(Debug)]
pub struct Pool<T> {
    shards: [CachePadded<Mutex<Vec<T>>>; SHARDS],
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| CachePadded::default()) }
    }
}

impl<T> Pool<T> {
    /// A value that this thread, or one with the same list, has put back. Constant time.
    pub fn take(&self) -> Option<T> {
        self.here()?.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps a value for later. Amortised constant time.
    pub fn put(&self, value: T) {
        if let Some(shard) = self.here() {
            shard.lock().unwrap_or_else(PoisonError::into_inner).push(value);
        }
    }

    fn here(&self) -> Option<&Mutex<Vec<T>>> {
        self.shards.get(shard()).map(|shard| &**shard)
    }
}

/// How often something has happened. Threads count on cache lines of their own, so that they do not wait for each other.
#[derive(Debug, Default)]
pub struct Counter {
    shards: [CachePadded<AtomicU64>; SHARDS],
}

impl Counter {
    /// It happens once more. Constant time.
    pub fn increment(&self) {
        if let Some(shard) = self.shards.get(shard()) {
            shard.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How often it has happened in all threads; what happens meanwhile may be missing. Constant time.
    pub fn total(&self) -> u64 {
        self.shards.iter().map(|shard| shard.load(Ordering::Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_back_is_taken_again_by_the_same_thread_only() {
        let pool = Pool::default();
        pool.put(1);
        pool.put(2);
        std::thread::scope(|scope| scope.spawn(|| assert_eq!(pool.take(), None)).join()).unwrap();
        assert_eq!([pool.take(), pool.take(), pool.take()], [Some(2), Some(1), None]);
    }

    #[test]
    fn counts_of_all_threads_are_added_up() {
        let counter = Counter::default();
        let count = || (0..1_000).for_each(|_| counter.increment());
        std::thread::scope(|scope| (0..20).for_each(|_| drop(scope.spawn(count))));
        assert_eq!(counter.total(), 20_000);
    }
}
