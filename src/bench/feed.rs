//! A corpus in chunks of puzzles, in flat memory: limited, sampled, counted and hashed.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::problem::Problem;
use crate::corpus::{CorpusError, Entry};
use crate::grid::{Puzzle, Solution};

/// Puzzles that are measured together, and the line of each.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) puzzles: Vec<Puzzle>,
    pub(super) lines: Vec<u64>,
}

impl Chunk {
    pub(super) fn len(&self) -> usize {
        self.puzzles.len()
    }
}

/// What was read of a corpus.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Puzzles given out.
    pub(super) puzzles: u64,
    /// Lines that are no puzzles.
    pub(super) bad_lines: u64,
    /// Solutions of the corpus that are none.
    pub(super) wrong_solutions: u64,
    /// Whether not all of the file could be read.
    pub(super) broken: bool,
    /// blake3 of the puzzles given out, a line each.
    pub(super) hash: String,
}

/// Reads a corpus.
pub(super) struct Feed<'a, I> {
    entries: std::iter::Fuse<I>,
    left: u64,
    /// The sample, once it is drawn.
    sample: Option<std::vec::IntoIter<(Puzzle, u64)>>,
    stop: &'a AtomicBool,
    hasher: blake3::Hasher,
    reading: Reading,
}

impl<'a, I: Iterator<Item = Result<Entry, CorpusError>>> Feed<'a, I> {
    /// Gives the first `limit` puzzles; ends early when `stop` is set.
    pub(super) fn new(entries: I, limit: Option<u64>, stop: &'a AtomicBool) -> Feed<'a, I> {
        Feed {
            entries: entries.fuse(),
            left: limit.unwrap_or(u64::MAX),
            sample: None,
            stop,
            hasher: blake3::Hasher::new(),
            reading: Reading::default(),
        }
    }

    /// From now on gives only so many of the puzzles, drawn by seed, still in the order of the
    /// corpus. Reads all of it; keeps the sample in memory, and nothing else.
    pub(super) fn draw(&mut self, count: usize, seed: u64, on_problem: &mut dyn FnMut(&Problem)) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sample: Vec<(u64, Puzzle, u64)> = Vec::new();
        let mut seen = 0;
        // Vitter's algorithm R ("Random sampling with a reservoir", 1985).
        while let Some((puzzle, line)) = self.read(on_problem) {
            if sample.len() < count {
                sample.push((seen, puzzle, line));
            } else {
                let place = random.random_range(0..=seen);
                let slot = usize::try_from(place).ok();
                if let Some(slot) = slot.and_then(|slot| sample.get_mut(slot)) {
                    *slot = (seen, puzzle, line);
                }
            }
            seen += 1;
        }
        sample.sort_unstable_by_key(|(number, ..)| *number);
        let sample: Vec<(Puzzle, u64)> = sample
            .into_iter()
            .map(|(_, puzzle, line)| (puzzle, line))
            .collect();
        self.sample = Some(sample.into_iter());
    }

    /// The next puzzles, as many as there are up to `length`; none at the end.
    pub(super) fn next_chunk(
        &mut self,
        length: usize,
        on_problem: &mut dyn FnMut(&Problem),
    ) -> Chunk {
        let mut chunk = Chunk::default();
        while chunk.len() < length {
            let next = match &mut self.sample {
                Some(sample) => sample.next(),
                None => self.read(on_problem),
            };
            let Some((puzzle, line)) = next else {
                break;
            };
            self.hasher.update(puzzle.to_line().as_bytes());
            self.hasher.update(b"\n");
            chunk.puzzles.push(puzzle);
            chunk.lines.push(line);
        }
        self.reading.puzzles += chunk.len() as u64;
        chunk
    }

    /// What was read.
    pub(super) fn finish(self) -> Reading {
        Reading {
            hash: self.hasher.finalize().to_hex().to_string(),
            ..self.reading
        }
    }

    /// The next puzzle of the corpus and its line.
    fn read(&mut self, on_problem: &mut dyn FnMut(&Problem)) -> Option<(Puzzle, u64)> {
        while self.left > 0 {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            match self.entries.next()? {
                Ok(entry) => {
                    self.left -= 1;
                    let expected = entry.expected.as_ref();
                    let wrong = expected.is_some_and(|expected| {
                        Solution::of_board(expected)
                            .is_none_or(|board| !board.solves(&entry.puzzle))
                    });
                    let line = entry.place.line;
                    if wrong {
                        self.reading.wrong_solutions += 1;
                        on_problem(&Problem::Expected(entry.place));
                    }
                    return Some((entry.puzzle, line));
                }
                Err(error) => {
                    match error {
                        CorpusError::BadLine { .. } => self.reading.bad_lines += 1,
                        CorpusError::Unreadable { .. } | CorpusError::Broken { .. } => {
                            self.reading.broken = true;
                        }
                    }
                    on_problem(&Problem::Corpus(error));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;

    const BLANK: &str =
        ".................................................................................";

    /// `count` puzzles, each told from the others by its givens.
    fn numbered(count: u64) -> String {
        (0..count)
            .map(|n| format!("{:0>7}{}\n", n, &BLANK[7..]))
            .collect()
    }

    fn lines(text: &str, limit: Option<u64>, sample: Option<(usize, u64)>) -> (Vec<u64>, Reading) {
        let corpus = Corpus::from_reader("f", std::io::Cursor::new(text.to_owned())).unwrap();
        let stop = AtomicBool::new(false);
        let mut feed = Feed::new(corpus, limit, &stop);
        if let Some((count, seed)) = sample {
            feed.draw(count, seed, &mut |_| {});
        }
        let mut lines = Vec::new();
        loop {
            let chunk = feed.next_chunk(7, &mut |_| {});
            if chunk.len() == 0 {
                break;
            }
            lines.extend(chunk.lines);
        }
        (lines, feed.finish())
    }

    #[test]
    fn chunks_are_the_whole_corpus_in_order_up_to_the_limit() {
        let text = numbered(20).replace("\n", "\nbad\n");
        let (all, reading) = lines(&text, None, None);
        assert_eq!(all, (0..20).map(|n| 2 * n + 1).collect::<Vec<u64>>());
        assert_eq!((reading.puzzles, reading.bad_lines), (20, 20));
        let (some, reading) = lines(&text, Some(3), None);
        assert_eq!(some, [1, 3, 5]);
        assert_eq!((reading.puzzles, reading.bad_lines), (3, 2));
    }

    #[test]
    fn a_sample_is_seeded_ordered_and_even() {
        let text = numbered(200);
        let draw = |seed| lines(&text, None, Some((20, seed))).0;
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let mut counts = [0; 4];
        for seed in 0..200 {
            let sample = draw(seed);
            assert_eq!(sample.len(), 20);
            assert!(sample.windows(2).all(|pair| pair[0] < pair[1]));
            for line in sample {
                counts[(line as usize - 1) / 50] += 1;
            }
        }
        // 4000 draws into four quarters: 1000 each, give or take 27 (a standard deviation).
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert_eq!(lines(&numbered(5), None, Some((20, 0))).0.len(), 5);
    }

    #[test]
    fn the_hash_is_that_of_the_puzzles_and_not_of_the_file() {
        let hash = |text: &str| lines(text, None, None).1.hash;
        let text = numbered(9);
        assert_eq!(hash(&text), hash(&text.replace('\n', " note\r\n")));
        assert_ne!(hash(&text), hash(&numbered(8)));
    }
}
