//! A parallel map whose results come out in the order of its inputs.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Results that a thread may be ahead of the slowest one: a higher number balances the threads
/// better and costs memory.
const AHEAD_PER_THREAD: usize = 8;

/// Maps inputs on all threads of the current rayon pool and passes the results to `sink` in the
/// order of the inputs, one at a time.
///
/// Only a few results per thread are kept at once, however many inputs there are: `inputs` is
/// advanced only when a thread is free. After an error of `sink` no further input is taken.
///
/// # Errors
///
/// The first error of `sink`.
pub fn map_in_order<I, T, E>(
    inputs: I,
    map: impl Fn(I::Item) -> T + Sync,
    sink: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E>
where
    I: Iterator + Send,
    T: Send,
    E: Send,
{
    let inputs = Mutex::new(inputs);
    let state = Mutex::new(State {
        sink,
        taken: 0,
        delivered: 0,
        waiting: BTreeMap::new(),
        result: Ok(()),
    });
    let moved = Condvar::new();
    let ahead = AHEAD_PER_THREAD * rayon::current_num_threads();
    rayon::broadcast(|_| {
        loop {
            // An input that is long in coming holds up no result.
            let mut inputs = lock(&inputs);
            let mut held = lock(&state);
            while held.taken >= held.delivered + ahead && held.result.is_ok() {
                held = moved.wait(held).unwrap_or_else(PoisonError::into_inner);
            }
            if held.result.is_err() {
                return;
            }
            drop(held);
            let Some(input) = inputs.next() else {
                return;
            };
            let mut held = lock(&state);
            let place = held.taken;
            held.taken += 1;
            drop((held, inputs));
            let result = map(input);
            lock(&state).deliver(place, result);
            moved.notify_all();
        }
    });
    let state = state.into_inner();
    state.unwrap_or_else(PoisonError::into_inner).result
}

fn lock<S>(state: &Mutex<S>) -> MutexGuard<'_, S> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

struct State<S, T, E> {
    sink: S,
    /// Number of inputs taken.
    taken: usize,
    /// Number of results delivered to the sink.
    delivered: usize,
    /// Results that are ahead of their turn, by index.
    waiting: BTreeMap<usize, T>,
    result: Result<(), E>,
}

impl<S: FnMut(T) -> Result<(), E>, T, E> State<S, T, E> {
    /// Delivers a result, or keeps it until its turn.
    fn deliver(&mut self, place: usize, result: T) {
        self.waiting.insert(place, result);
        while let Some(result) = self.waiting.remove(&self.delivered) {
            self.delivered += 1;
            if self.result.is_ok() {
                self.result = (self.sink)(result);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        builder.build().unwrap()
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        for threads in [1, 2, 5] {
            let mut seen = Vec::new();
            let map = |number: u64| {
                // The later ones are the faster ones.
                std::thread::sleep(std::time::Duration::from_micros((300 - number) % 7 * 100));
                number * number
            };
            let sink = |square| {
                seen.push(square);
                Ok::<(), ()>(())
            };
            pool(threads)
                .install(|| map_in_order(0..300u64, map, sink))
                .unwrap();
            assert_eq!(seen, (0..300).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn threads_do_not_run_far_ahead_of_a_slow_one() {
        let (taken, delivered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let inputs = (0..200).inspect(|_| {
            let ahead = taken.fetch_add(1, Ordering::SeqCst) - delivered.load(Ordering::SeqCst);
            assert!(ahead <= AHEAD_PER_THREAD * 3, "{ahead} ahead");
        });
        let map = |number| {
            if number == 0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        };
        let sink = |()| {
            delivered.fetch_add(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        pool(3).install(|| map_in_order(inputs, map, sink)).unwrap();
        assert_eq!(delivered.into_inner(), 200);
    }

    #[test]
    fn an_error_ends_the_map() {
        let mut delivered = 0;
        let sink = |number| {
            delivered += 1;
            if number == 20 { Err(number) } else { Ok(()) }
        };
        let result = pool(3).install(|| map_in_order(0.., |number: u32| number, sink));
        assert_eq!(result, Err(20));
        assert_eq!(delivered, 21);
    }
}
