//! Reads a corpus in chunks of puzzles, in constant memory: limited, sampled, counted and hashed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::contender::BenchEntry;
use super::problem::Problem;

/// Puzzles that are measured together, and the line of each.
#[derive(Debug)]
pub(super) struct Chunk<P> {
    pub(super) puzzles: Vec<P>,
    pub(super) lines: Vec<u64>,
}

impl<P> Chunk<P> {
    pub(super) fn len(&self) -> usize {
        self.puzzles.len()
    }
}

/// Counts of reading a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Number of puzzles measured.
    pub puzzles: u64,
    /// Number of lines that are not puzzles.
    pub bad_lines: u64,
    /// Number of solutions in the corpus that are wrong.
    pub wrong_solutions: u64,
    /// Whether the file could not be read completely.
    pub broken: bool,
    /// Hash of the puzzles measured.
    pub hash: PuzzleHash,
}

impl Reading {
    /// Adds the counts of another part.
    pub(super) fn merge(&mut self, other: &Reading) {
        self.puzzles += other.puzzles;
        self.bad_lines += other.bad_lines;
        self.wrong_solutions += other.wrong_solutions;
        self.broken |= other.broken;
        self.hash.0 = self.hash.0.wrapping_add(other.hash.0);
    }
}

/// The sum of the blake3 hashes of puzzles, 128 bits of each: the same in any order, and the hash of
/// two parts is the sum of theirs. Written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PuzzleHash(u128);

impl PuzzleHash {
    /// Adds a puzzle, a line of text.
    pub fn add(&mut self, puzzle: &str) {
        let hash = blake3::hash(puzzle.as_bytes());
        let half = hash.as_bytes().first_chunk::<16>();
        self.0 = self
            .0
            .wrapping_add(half.map_or(0, |half| u128::from_be_bytes(*half)));
    }
}

impl From<PuzzleHash> for String {
    fn from(hash: PuzzleHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for PuzzleHash {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<PuzzleHash, Self::Error> {
        u128::from_str_radix(&text, 16).map(PuzzleHash)
    }
}

impl fmt::Display for PuzzleHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Reads a corpus.
pub(super) struct CorpusReader<'a, I, P> {
    entries: std::iter::Fuse<I>,
    /// A puzzle as a line of text.
    text: fn(&P) -> String,
    left: u64,
    /// The sample, if it has been drawn.
    sample: Option<std::vec::IntoIter<(P, u64)>>,
    stop: &'a AtomicBool,
    reading: Reading,
}

impl<'a, P, I: Iterator<Item = Result<BenchEntry<P>, Problem>>> CorpusReader<'a, I, P> {
    /// Reads the first `limit` puzzles; ends early when `stop` is set.
    pub(super) fn new(
        entries: I,
        text: fn(&P) -> String,
        limit: Option<u64>,
        stop: &'a AtomicBool,
    ) -> CorpusReader<'a, I, P> {
        CorpusReader {
            entries: entries.fuse(),
            text,
            left: limit.unwrap_or(u64::MAX),
            sample: None,
            stop,
            reading: Reading::default(),
        }
    }

    /// Draws a sample of `count` puzzles by seed, in the order of the corpus. Reads all of it, and
    /// keeps only the sample in memory.
    pub(super) fn draw(&mut self, count: usize, seed: u64, on_problem: &mut dyn FnMut(&Problem)) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sample: Vec<(u64, P, u64)> = Vec::new();
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
        let sample: Vec<(P, u64)> = sample
            .into_iter()
            .map(|(_, puzzle, line)| (puzzle, line))
            .collect();
        self.sample = Some(sample.into_iter());
    }

    /// Returns the next puzzles, as many as there are up to `length`; none at the end.
    pub(super) fn next_chunk(
        &mut self,
        length: usize,
        on_problem: &mut dyn FnMut(&Problem),
    ) -> Chunk<P> {
        let mut chunk = Chunk {
            puzzles: Vec::new(),
            lines: Vec::new(),
        };
        while chunk.len() < length {
            let next = match &mut self.sample {
                Some(sample) => sample.next(),
                None => self.read(on_problem),
            };
            let Some((puzzle, line)) = next else {
                break;
            };
            self.reading.hash.add(&(self.text)(&puzzle));
            chunk.puzzles.push(puzzle);
            chunk.lines.push(line);
        }
        self.reading.puzzles += chunk.len() as u64;
        chunk
    }

    /// Returns the counts.
    pub(super) fn finish(self) -> Reading {
        self.reading
    }

    /// Returns the next puzzle of the corpus and its line.
    fn read(&mut self, on_problem: &mut dyn FnMut(&Problem)) -> Option<(P, u64)> {
        while self.left > 0 {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            match self.entries.next()? {
                Ok(entry) => {
                    self.left -= 1;
                    let line = entry.place.line;
                    if entry.has_wrong_solution {
                        self.reading.wrong_solutions += 1;
                        on_problem(&Problem::Expected(entry.place));
                    }
                    return Some((entry.puzzle, line));
                }
                Err(problem) => {
                    if problem.is_bad_line() {
                        self.reading.bad_lines += 1;
                    } else {
                        self.reading.broken = true;
                    }
                    on_problem(&problem);
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
    use crate::grid::Puzzle;

    const BLANK: &str =
        ".................................................................................";

    /// `count` different puzzles.
    fn numbered(count: u64) -> String {
        (0..count)
            .map(|n| format!("{:0>7}{}\n", n, &BLANK[7..]))
            .collect()
    }

    fn lines(text: &str, limit: Option<u64>, sample: Option<(usize, u64)>) -> (Vec<u64>, Reading) {
        let corpus = Corpus::from_reader("f", std::io::Cursor::new(text.to_owned())).unwrap();
        let stop = AtomicBool::new(false);
        let entries = corpus.map(|entry| entry.map(BenchEntry::from).map_err(Problem::from));
        let mut reader = CorpusReader::new(entries, Puzzle::to_line, limit, &stop);
        if let Some((count, seed)) = sample {
            reader.draw(count, seed, &mut |_| {});
        }
        let mut lines = Vec::new();
        loop {
            let chunk = reader.next_chunk(7, &mut |_| {});
            if chunk.len() == 0 {
                break;
            }
            lines.extend(chunk.lines);
        }
        (lines, reader.finish())
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
        // 4000 draws into four quarters: 1000 each, with a standard deviation of 27.
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert_eq!(lines(&numbered(5), None, Some((20, 0))).0.len(), 5);
    }

    #[test]
    fn the_hash_covers_the_puzzles_not_the_file() {
        let read = |text: &str| lines(text, None, None).1;
        let hash = |text: &str| read(text).hash;
        let text = numbered(9);
        assert_eq!(hash(&text), hash(&text.replace('\n', " note\r\n")));
        assert_ne!(hash(&text), hash(&numbered(8)));
        assert_ne!(hash(&text), hash(&text.repeat(2)));
        let (first, second) = text.split_at(82 * 4);
        let mut merged = read(first);
        merged.merge(&read(second));
        assert_eq!(merged, read(&text));
        let json = serde_json::to_string(&merged.hash).unwrap();
        assert_eq!(
            serde_json::from_str::<PuzzleHash>(&json).unwrap(),
            merged.hash
        );
    }
}
