//! Rendered videos with their ground truth.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::photos::boards;
use super::synth::SynthSummary;
use crate::files::{WriteError, write_bytes};
use crate::frames::{Ffmpeg, VideoError, VideoWriter};
use crate::grid::Puzzle;
use crate::parallel::map_in_order;
use crate::render::{PhotoRenderer, RenderedPhoto, RenderedVideo, VIDEO_STYLES, VideoConfig};
use crate::truth::sidecar_text;

/// Error of rendering videos.
#[derive(Debug, Error)]
pub enum SynthVideosError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The encoder is missing, or failed.
    #[error(transparent)]
    Video(#[from] VideoError),
}

/// Renders `count` videos into a folder: `007-shadow.mp4`, and beside it `007-shadow.txt` with its
/// boards, in the order in which they appear. On all threads of the current rayon pool; the frames
/// do not depend on their number. `on_video` is called for every video; setting `stop` ends the run
/// after the current ones.
///
/// # Errors
///
/// [`SynthVideosError`] for a file that cannot be written, or where there is no ffmpeg.
pub fn synth_videos(
    photos: &PhotoRenderer,
    config: &VideoConfig,
    count: usize,
    seed: u64,
    (folder, ffmpeg): (&Path, &Ffmpeg),
    stop: &AtomicBool,
    mut on_video: impl FnMut() + Send,
) -> Result<SynthSummary, SynthVideosError> {
    std::fs::create_dir_all(folder).map_err(WriteError::of(folder))?;
    let mut made = 0;
    let numbers = (0..count).take_while(|_| !stop.load(Ordering::Relaxed));
    let render = |index: usize| {
        let scene_style = VIDEO_STYLES[index % VIDEO_STYLES.len()];
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index as u64);
        let pages = 1 + usize::from(rng.random_bool(config.turned_page.0));
        let pages: Vec<RenderedPhoto> = (0..pages)
            .map(|_| {
                let boards = boards(scene_style, rng);
                photos.render(scene_style, &boards, rng.random())
            })
            .collect();
        let video = RenderedVideo::new(config, &pages, rng.random());
        write_video(
            folder,
            &format!("{index:03}-{scene_style}"),
            video,
            &pages,
            config,
            ffmpeg,
        )
    };
    let sink = |written: Result<(), SynthVideosError>| {
        made += 1;
        on_video();
        written
    };
    map_in_order(numbers, render, sink)?;
    Ok(SynthSummary {
        made,
        stopped: made < count,
    })
}

fn write_video(
    folder: &Path,
    stem: &str,
    video: RenderedVideo<'_>,
    pages: &[RenderedPhoto],
    config: &VideoConfig,
    ffmpeg: &Ffmpeg,
) -> Result<(), SynthVideosError> {
    let boards = pages.iter().flat_map(|page| &page.boards);
    let boards: Vec<Puzzle> = boards.map(|(shown, _)| *shown).collect();
    let path = folder.join(format!("{stem}.txt"));
    write_bytes(&path, sidecar_text(&boards).as_bytes()).map_err(WriteError::of(&path))?;
    let path = folder.join(format!("{stem}.mp4"));
    let rate = (config.rate, 1);
    let mut writer = VideoWriter::create(&path, None, video.size(), rate, ffmpeg)?;
    for (number, frame) in (0u32..).zip(video) {
        writer.add(&frame, f64::from(number) / f64::from(config.rate))?;
    }
    Ok(writer.finish(None)?)
}
