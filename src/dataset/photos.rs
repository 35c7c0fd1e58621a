//! Rendered photos with their ground truth.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use image::codecs::jpeg::JpegEncoder;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::synth::SynthSummary;
use crate::files::{WriteError, write_bytes, write_whole};
use crate::generate::{GenerateConfig, Generator, Kind};
use crate::grid::{Cell, Puzzle, Solution};
use crate::render::{BoardContent, PhotoRenderer, RenderedPhoto, SceneStyle};
use crate::solve::{Goal, Limits, Mrv, Solver, Verdict};
use crate::truth::sidecar_text;

/// Number of photos rendered before they are written.
const CHUNK: usize = 16;

/// Renders `count` photos of these scene styles in turn into a folder: `007-shadow.jpg`, beside it
/// `007-shadow.txt` with its boards, and `corners.csv` with their corners
/// (`photo,board,x0,y0,…,x3,y3`, pixels, clockwise from the board's own top left).
///
/// Runs on all threads of the current rayon pool; the files do not depend on their number.
/// `on_photos` is called for every batch; setting `stop` ends the run after the current batch.
///
/// # Errors
///
/// [`WriteError`] for a file that cannot be written.
pub fn synth_photos(
    renderer: &PhotoRenderer,
    styles: &[SceneStyle],
    count: usize,
    seed: u64,
    folder: &Path,
    stop: &AtomicBool,
    mut on_photos: impl FnMut(usize),
) -> Result<SynthSummary, WriteError> {
    let mut corners = String::from("photo,board,x0,y0,x1,y1,x2,y2,x3,y3\n");
    let mut made = 0;
    while made < count && !styles.is_empty() && !stop.load(Ordering::Relaxed) {
        let end = count.min(made + CHUNK);
        let photos: Vec<(SceneStyle, RenderedPhoto)> = (made..end)
            .into_par_iter()
            .map(|index| {
                let scene_style = styles[index % styles.len()];
                let rng = &mut ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(index as u64);
                let boards = boards(scene_style, rng);
                (
                    scene_style,
                    renderer.render(scene_style, &boards, rng.random()),
                )
            })
            .collect();
        for (index, (scene_style, photo)) in (made..end).zip(&photos) {
            let stem = format!("{index:03}-{scene_style}");
            write_photo(folder, &stem, photo)?;
            for (board, (_, quad)) in photo.boards.iter().enumerate() {
                let points = quad.corners().map(|p| format!("{:.1},{:.1}", p.x, p.y));
                corners += &format!("{stem}.jpg,{board},{}\n", points.join(","));
            }
        }
        on_photos(end - made);
        made = end;
    }
    let path = folder.join("corners.csv");
    write_bytes(&path, corners.as_bytes()).map_err(WriteError::of(&path))?;
    Ok(SynthSummary {
        made,
        stopped: made < count,
    })
}

/// Returns the boards of a photo: puzzles and, where the style asks for it, handwriting on them
/// (correct digits only); last yesterday's solution.
pub(super) fn boards(scene_style: SceneStyle, rng: &mut impl Rng) -> Vec<BoardContent> {
    let range = scene_style.boards();
    // A range of one number draws none: styles keep their boards of a seed.
    let count = match range.start() == range.end() {
        true => *range.end(),
        false => rng.random_range(range),
    };
    let mut boards: Vec<BoardContent> = (0..count).map(|_| board(scene_style, rng)).collect();
    if let (SceneStyle::Yesterday, Some(last)) = (scene_style, boards.last_mut())
        && let Some(solution) = solution(&last.givens)
    {
        *last = BoardContent::printed(solution.to_puzzle());
    }
    boards
}

fn solution(puzzle: &Puzzle) -> Option<Solution> {
    match Mrv::new()
        .solve(puzzle, Goal::FirstSolution, Limits::NONE)
        .verdict
    {
        Verdict::Solved(solution) => Some(solution),
        _ => None,
    }
}

fn board(scene_style: SceneStyle, rng: &mut impl Rng) -> BoardContent {
    let kind = if rng.random() {
        Kind::Easy
    } else {
        Kind::Minimal
    };
    let givens = Generator::new(GenerateConfig::default()).puzzle(kind, rng.next_u64(), 0);
    let mut written = Puzzle::empty();
    if scene_style == SceneStyle::Filled
        && let Some(solution) = solution(&givens)
    {
        let share = rng.random_range(0.2..1.0);
        for cell in Cell::all() {
            if givens.given(cell).is_none() && rng.random_bool(share) {
                written.set(cell, Some(solution.digit(cell)));
            }
        }
    }
    BoardContent { givens, written }
}

fn write_photo(folder: &Path, stem: &str, photo: &RenderedPhoto) -> Result<(), WriteError> {
    let path = folder.join(format!("{stem}.jpg"));
    let encode = |out: &mut dyn Write| {
        let encoder = JpegEncoder::new_with_quality(out, photo.jpeg_quality);
        photo
            .image
            .write_with_encoder(encoder)
            .map_err(io::Error::other)
    };
    write_whole(&path, encode).map_err(WriteError::of(&path))?;
    let boards: Vec<Puzzle> = photo.boards.iter().map(|(shown, _)| *shown).collect();
    let path = folder.join(format!("{stem}.txt"));
    write_bytes(&path, sidecar_text(&boards).as_bytes()).map_err(WriteError::of(&path))
}
