//! Long tests on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a thread's stack: as much as the program's own threads have.
const STACK: usize = 8 << 20;

/// What `work` makes of every item, in the order of the items.
///
/// There is a thread for each core, and each takes the next item when it is done with one, so items may take very
/// different times; put long ones first.
///
/// # Panics
///
/// If `work` does, after all threads have ended.
pub fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item);
            results.lock().unwrap().push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |cores| cores.get()) {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap();
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
