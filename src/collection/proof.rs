//! A split on disk: a file for each part, the part of each group, and what is promised of them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::dedup::{write_header, write_row};
use super::part::Part;
use super::split::{Shares, Split, SplitBy};
use crate::corpus::{RowFile, Rows};
use crate::files::{ReadError, WholeFile, read_json, whole_hash_of_file, write_json};
use crate::variant::Reading;

/// The name of the promise in the folder of a split.
const PROOF: &str = "split.json";
/// The name of the table of groups.
const GROUPS: &str = "groups.csv";

/// What was split, how, and into what: `split.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplitProof {
    /// The command line that made it, as it can be typed again.
    pub command: String,
    /// Of the program.
    pub version: String,
    /// What is never parted, as `--group` has it.
    pub group: String,
    /// The seed of the deal.
    pub seed: u64,
    /// How puzzles are read, if flags say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The files that were split.
    pub sources: Vec<Source>,
    /// How many groups there are.
    pub groups: u64,
    /// Puzzles without a single solution, where groups are made by it.
    pub without_solution: u64,
    /// The files that were written; parts that got no row are left out.
    pub parts: Vec<PartFile>,
}

/// How a split was made.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitMade {
    /// What is never parted.
    pub by: SplitBy,
    /// The shares of the parts that were asked for.
    pub shares: Shares,
    /// The seed of the deal.
    pub seed: u64,
    /// How the puzzles were read, if flags say so.
    pub reading: Option<Reading>,
    /// The command line that made it, as it can be typed again.
    pub command: String,
}

/// A file that was split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// As it was named.
    pub path: PathBuf,
    /// Its whole BLAKE3 hash in hexadecimal, as `b3sum` prints it.
    pub blake3: String,
}

/// A file of a split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartFile {
    /// Which part.
    pub part: Part,
    /// Its name in the folder.
    pub file: String,
    /// The share of the rows that was asked for.
    pub share: f64,
    /// Rows in it.
    pub rows: u64,
    /// Groups in it.
    pub groups: u64,
    /// Its whole BLAKE3 hash in hexadecimal, as `b3sum` prints it.
    pub blake3: String,
}

/// Why a split is not written, or is not what it was when it was written.
#[derive(Debug, Error)]
pub enum ProofError {
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of it cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file that is there cannot be hashed.
    #[error("cannot read {}: {source}", path.display())]
    Hash {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The rows are others than those that were grouped.
    #[error("the files have changed while they were read: {rows} rows were grouped, others came")]
    Changed {
        /// Rows that were grouped.
        rows: usize,
    },
    /// A file is not the one that was written.
    #[error("{} is not the file that `corpus split` wrote: its hash is another one", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
    },
}

impl SplitProof {
    /// Writes the rows to the files of their parts, each as it stands; then the groups, then the proof. `rows` are those
    /// that the split was made of, in the same order.
    ///
    /// # Errors
    /// See [`ProofError`].
    pub fn write<F: RowFile>(
        folder: &Path,
        split: &Split,
        rows: Rows<F>,
        sources: &[PathBuf],
        SplitMade {
            by,
            shares,
            seed,
            reading,
            command,
        }: SplitMade,
    ) -> Result<SplitProof, ProofError> {
        let ending = if rows.columns().is_some() {
            "csv"
        } else {
            "txt"
        };
        let files = Part::ALL.map(|part| format!("{}.{ending}", part.name()));
        let row_counts = write_parts(folder, &files, split, rows)?;
        let mut group_counts = [0; 3];
        for (_, part) in split.groups() {
            group_counts[part as usize] += 1;
        }
        write_groups(&folder.join(GROUPS), split)?;
        let mut parts = Vec::new();
        for part in Part::ALL {
            let number = part as usize;
            if row_counts[number] == 0 {
                continue;
            }
            let file = files[number].clone();
            parts.push(PartFile {
                part,
                share: shares[number] / shares.iter().sum::<f64>(),
                rows: row_counts[number],
                groups: group_counts[number],
                blake3: hash(&folder.join(&file))?,
                file,
            });
        }
        let source = |path: &PathBuf| {
            Ok(Source {
                path: path.clone(),
                blake3: hash(path)?,
            })
        };
        let proof = SplitProof {
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            group: by.to_string(),
            seed,
            reading,
            sources: sources
                .iter()
                .map(source)
                .collect::<Result<_, ProofError>>()?,
            groups: group_counts.iter().sum(),
            without_solution: split.unnamed(),
            parts,
        };
        let path = folder.join(PROOF);
        write_json(&path, &proof).map_err(|source| ProofError::Write { path, source })?;
        Ok(proof)
    }

    /// Reads the proof of a folder, and makes sure that its files are those that were written.
    ///
    /// # Errors
    /// See [`ProofError`].
    pub fn read(folder: &Path) -> Result<SplitProof, ProofError> {
        let proof: SplitProof = read_json(&folder.join(PROOF))?;
        for part in &proof.parts {
            let path = folder.join(&part.file);
            if hash(&path)? != part.blake3 {
                return Err(ProofError::Altered { path });
            }
        }
        Ok(proof)
    }
}

fn hash(path: &Path) -> Result<String, ProofError> {
    whole_hash_of_file(path).map_err(|source| ProofError::Hash {
        path: path.to_owned(),
        source,
    })
}

/// Writes each row to the file of its part, and returns how many each has. A part without rows has no file.
fn write_parts<F: RowFile>(
    folder: &Path,
    files: &[String; 3],
    split: &Split,
    rows: Rows<F>,
) -> Result<[u64; 3], ProofError> {
    let failed = |part: usize, source| ProofError::Write {
        path: folder.join(&files[part]),
        source,
    };
    let mut writers = Vec::new();
    for (part, name) in files.iter().enumerate() {
        let file = WholeFile::create(&folder.join(name));
        let mut file = file.map_err(|error| failed(part, error))?;
        write_header(&rows, &mut file).map_err(|error| failed(part, error))?;
        writers.push(file);
    }
    let changed = || ProofError::Changed { rows: split.rows() };
    let mut counts = [0; 3];
    let good = rows.filter_map(Result::ok);
    for (number, row) in good.enumerate() {
        let (part, _) = split.row(number).ok_or_else(changed)?;
        let part = part as usize;
        write_row(&row, &mut writers[part]).map_err(|error| failed(part, error))?;
        counts[part] += 1;
    }
    if counts.iter().sum::<u64>() != split.rows() as u64 {
        return Err(changed());
    }
    for (part, file) in writers.into_iter().enumerate() {
        if counts[part] > 0 {
            file.finish().map_err(|error| failed(part, error))?;
        } else if let Err(error) = remove_old(&folder.join(&files[part])) {
            return Err(failed(part, error));
        }
    }
    Ok(counts)
}

/// Takes away what an earlier split left of a part that is empty now.
fn remove_old(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Writes the part of each group.
fn write_groups(path: &Path, split: &Split) -> Result<(), ProofError> {
    let write = || -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        file.write_all(b"group,part,puzzles\n")?;
        for (group, part) in split.groups() {
            writeln!(file, "{},{},{}", group.key, part.name(), group.rows)?;
        }
        file.finish()
    };
    write().map_err(|source| ProofError::Write {
        path: path.to_owned(),
        source,
    })
}
