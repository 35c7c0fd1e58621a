//! Labeled crops on their way into training.

use std::path::{Path, PathBuf};

use rayon::ThreadPool;
use sudoku_batch::dataset::count_leaks;
use sudoku_batch::digits::FieldProblem;
use sudoku_batch::training::{CropFolder, DataFolder, DatasetError, Leak, RowProblem, Split};

use sudoku_batch::report::counted;

use super::args::Common;
use super::error::{CliError, print_warning};

/// Pairs of sources that a message about leaks names.
const NAMED: usize = 3;

/// Most times that a crop is drawn an epoch: the order of an epoch is kept in memory.
const HEAVIEST: f32 = 1000.0;

/// `DIR:WEIGHT` as a folder and its weight; a folder of that very name wins.
fn parse_source(text: &str) -> Result<(PathBuf, f32), CliError> {
    if !Path::new(text).exists()
        && let Some((folder, weight)) = text.rsplit_once(':')
        && let Ok(weight) = weight.parse::<f32>()
        && weight.is_finite()
        && weight >= 0.0
    {
        if weight > HEAVIEST {
            return Err(CliError::with_hint(
                format!("{text}: each crop would be drawn {weight} times per epoch"),
                format!("DIR:WEIGHT takes weights of up to {HEAVIEST}"),
            ));
        }
        return Ok((PathBuf::from(folder), weight));
    }
    Ok((PathBuf::from(text), 1.0))
}

/// The same DATA, wherever it is named from.
pub(super) fn absolute_source(text: &str) -> String {
    // The weight behind a folder stays where it is.
    let whole = std::path::absolute(text);
    whole.map_or_else(
        |_| text.to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

/// The crops of all DATA, read on the threads of this pool; says how many rows are left out.
pub(super) fn read_data(
    common: &Common,
    pool: &ThreadPool,
    data: &[String],
) -> Result<Vec<DataFolder>, CliError> {
    let folders = read_data_by(pool, data, read_crops)?;
    for (text, data) in data.iter().zip(&folders) {
        if data.folder.unlabeled > 0 && !common.quiet {
            let rows = counted(data.folder.unlabeled as u64, "row");
            print_warning(format_args!("{text}: {rows} without a label left out"));
        }
    }
    Ok(folders)
}

fn read_data_by(
    pool: &ThreadPool,
    data: &[String],
    read: impl Fn(&Path) -> Result<CropFolder, CliError> + Sync,
) -> Result<Vec<DataFolder>, CliError> {
    let read = |text: &String| {
        let (path, weight) = parse_source(text)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(DataFolder {
            name: name.to_string_lossy().into_owned(),
            folder: read(&path)?,
            weight,
        })
    };
    pool.install(|| data.iter().map(read).collect())
}

/// The crops of a folder; an error says what to do about it.
pub(in crate::cli) fn read_crops(folder: &Path) -> Result<CropFolder, CliError> {
    if !folder.exists() {
        return Err(CliError::with_hint(
            format!("no such folder: {}", folder.display()),
            "expected a folder of labeled crops; as DATA also DIR:WEIGHT",
        ));
    }
    CropFolder::read(folder).map_err(|error| {
        let hint = match &error {
            DatasetError::Unreadable { .. } | DatasetError::Empty { .. } => {
                "expected a folder of labeled crops, such as one made by `dataset synth crops` or `dataset harvest`"
            }
            DatasetError::Picture { .. } => "replace the picture, or remove it",
            DatasetError::Row { problem, .. } => match problem {
                RowProblem::Field(FieldProblem::Fields(_)) => {
                    "columns are file,x,y,width,height,label and, where known, solution,photo,puzzle,source,contrast,kind,marks"
                }
                RowProblem::OutsideFolder(_) => "copy the sheet into the folder",
                RowProblem::Sheet { .. } => "replace the sheet, or remove its rows",
                RowProblem::Field(_) | RowProblem::Rectangle { .. } => {
                    "correct the row, or remove it"
                }
            },
        };
        CliError::with_hint(error, hint)
    })
}

/// Leaves out the crops that are held out and look the same as one trained on; works on the threads
/// of this pool.
pub(super) fn leave_out_leaks(pool: &ThreadPool, split: &mut Split) -> Vec<Leak> {
    pool.install(|| split.leave_out_leaks())
}

/// The crops without those that are held out and look the same as one trained on; says which.
pub(super) fn without_leaks(common: &Common, pool: &ThreadPool, mut split: Split) -> Split {
    let held_out = split.validation.len();
    let leaks = leave_out_leaks(pool, &mut split);
    if !leaks.is_empty() && !common.quiet {
        let counts = count_leaks(&leaks);
        let pairs = counts.iter().take(NAMED).map(|count| {
            let (held_out, training) = (&count.held_out, &count.training);
            format!("{} of {held_out} in {training}", count.crops)
        });
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        let more = if counts.len() > NAMED { ", …" } else { "" };
        print_warning(format_args!(
            "{} of {held_out} held-out crops are left out as near-duplicates of crops trained on ({pairs}{more})",
            leaks.len(),
        ));
    }
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_read_on_the_threads_of_the_pool() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let pool = pool.unwrap();
        let data = ["a:2".to_owned(), "b".to_owned()];
        let folders = read_data_by(&pool, &data, |path| {
            // Outside of the pool this is the number of the global one, which has no threads of it.
            assert_eq!(rayon::current_num_threads(), 3);
            assert!(pool.current_thread_index().is_some(), "{}", path.display());
            Ok(CropFolder::default())
        });
        let folders = folders.unwrap();
        let weights: Vec<_> = folders.iter().map(|it| (&*it.name, it.weight)).collect();
        assert_eq!(weights, [("a", 2.0), ("b", 1.0)]);
    }
}
