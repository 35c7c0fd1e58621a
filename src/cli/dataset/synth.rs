//! `dataset synth`: rendered crops and photos.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sudoku_batch::dataset::{
    SynthSummary, SynthVideosError, synth_crops, synth_photos, synth_videos,
};
use sudoku_batch::digits::{CellKind, LabeledCrop};
use sudoku_batch::files::write_bytes;
use sudoku_batch::frames::Ffmpeg;
use sudoku_batch::render::{
    CropConfig, CropRenderer, FontSet, HandwritingSamples, PhotoConfig, PhotoRenderer, SceneStyle,
    VideoConfig,
};

use crate::cli::args::{Common, SynthArgs, SynthCropsArgs, SynthPhotosArgs, SynthVideosArgs};
use crate::cli::crop_data::read_crops;
use crate::cli::error::{CliError, WRITABLE, cannot_write, print_warning};
use crate::cli::interrupt::stop_flag;
use crate::cli::out_folder::take_now;
use crate::cli::progress::bar;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

const SETTINGS: &str = "--config takes the form of `config` in a config.json of `dataset synth`";

pub(super) fn crops(common: &Common, args: &SynthCropsArgs) -> Result<Status, CliError> {
    let handwriting = args.handwriting.as_deref().map(samples).transpose()?;
    let args = &args.synth;
    let config: CropConfig = read_effects(args)?;
    let fonts = fonts(common, &args.fonts)?;
    let mut saved = settings("crops", common, args, &fonts, json!(config));
    let mut renderer = CropRenderer::new(config, fonts);
    if let Some((samples, hash)) = handwriting {
        saved["handwriting"] = json!(hash);
        renderer = renderer.with_handwriting(samples);
    }
    let _lock = take_now(&args.out)?;
    let bar = bar(common, args.count.get() as u64, "crops");
    let start = Instant::now();
    let summary = pool(common)?
        .install(|| {
            synth_crops(
                &renderer,
                args.count.get(),
                common.seed,
                &args.out,
                stop_flag(),
                |made| bar.inc(made as u64),
            )
        })
        .map_err(|error| CliError::with_hint(error, WRITABLE))?;
    bar.finish_and_clear();
    save(args, &saved)?;
    finish(common, args, summary, "crops", start)
}

pub(super) fn photos(common: &Common, args: &SynthPhotosArgs) -> Result<Status, CliError> {
    let styles = if args.styles.is_empty() {
        SceneStyle::USUAL
    } else {
        &args.styles
    };
    let args = &args.synth;
    let config: PhotoConfig = read_effects(args)?;
    if let (Some(path), Some(problem)) = (&args.config, config.problem()) {
        let message = format!("{}: {problem}", path.display());
        return Err(CliError::with_hint(message, SETTINGS));
    }
    let fonts = fonts(common, &args.fonts)?;
    let mut saved = settings("photos", common, args, &fonts, json!(config));
    saved["looks"] = styles
        .iter()
        .map(|scene_style| scene_style.name())
        .collect();
    let renderer = PhotoRenderer::new(config, fonts);
    let _lock = take_now(&args.out)?;
    let count = args.count.get();
    let bar = bar(common, count as u64, "photos");
    let start = Instant::now();
    let summary = pool(common)?
        .install(|| {
            synth_photos(
                &renderer,
                styles,
                count,
                common.seed,
                &args.out,
                stop_flag(),
                |made| bar.inc(made as u64),
            )
        })
        .map_err(|error| CliError::with_hint(error, WRITABLE))?;
    bar.finish_and_clear();
    save(args, &saved)?;
    finish(common, args, summary, "photos", start)
}

pub(super) fn videos(common: &Common, args: &SynthVideosArgs) -> Result<Status, CliError> {
    let ffmpeg = Ffmpeg::at(&args.ffmpeg);
    let args = &args.synth;
    let config: VideoConfig = read_effects(args)?;
    if let (Some(path), Some(problem)) = (&args.config, config.problem()) {
        let message = format!("{}: {problem}", path.display());
        return Err(CliError::with_hint(message, SETTINGS));
    }
    let fonts = fonts(common, &args.fonts)?;
    let saved = settings("videos", common, args, &fonts, json!(config));
    let photos = PhotoRenderer::new(PhotoConfig::default(), fonts);
    let _lock = take_now(&args.out)?;
    let count = args.count.get();
    let bar = bar(common, count as u64, "videos");
    let start = Instant::now();
    let place = (&*args.out, &ffmpeg);
    let made = pool(common)?.install(|| {
        synth_videos(
            &photos,
            &config,
            count,
            common.seed,
            place,
            stop_flag(),
            || bar.inc(1),
        )
    });
    bar.finish_and_clear();
    let summary = made.map_err(|error| match error {
        SynthVideosError::Write(error) => CliError::with_hint(error, WRITABLE),
        SynthVideosError::Video(error) => CliError::new(error),
    })?;
    save(args, &saved)?;
    finish(common, args, summary, "videos", start)
}

/// The handwritten digits of a folder of labeled crops, and the hash of the folder.
fn samples(path: &Path) -> Result<(HandwritingSamples, String), CliError> {
    let folder = read_crops(path)?;
    let is_written = |crop: &&LabeledCrop| crop.kind != Some(CellKind::Printed);
    let written = folder.crops.iter().filter(is_written);
    let samples = HandwritingSamples::new(written.filter_map(|it| Some((it.label?, &it.crop))));
    if samples.is_empty() {
        let message = format!("{} holds no handwritten digit", path.display());
        let hint = "--handwriting takes labeled crops of handwritten digits, dark on light";
        return Err(CliError::with_hint(message, hint));
    }
    Ok((samples, folder.hash))
}

fn read_effects<T: Default + DeserializeOwned>(args: &SynthArgs) -> Result<T, CliError> {
    let Some(path) = &args.config else {
        return Ok(T::default());
    };
    let at =
        |problem: String| CliError::with_hint(format!("{}: {problem}", path.display()), SETTINGS);
    let bytes = std::fs::read(path).map_err(|error| at(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| at(error.to_string()))
}

/// `config.json`: all that the files depend on.
fn settings(
    unit: &str,
    common: &Common,
    args: &SynthArgs,
    fonts: &FontSet,
    config: Value,
) -> Value {
    let faces = fonts.families().flat_map(|(_, faces)| faces);
    json!({
        "command": format!("dataset synth {unit}"),
        "version": env!("CARGO_PKG_VERSION"),
        "count": args.count,
        "seed": common.seed,
        "faces": faces.map(|face| &face.name).collect::<Vec<_>>(),
        "config": config,
    })
}

fn save(args: &SynthArgs, settings: &Value) -> Result<(), CliError> {
    let path = args.out.join("config.json");
    let written = write_bytes(&path, format!("{settings:#}\n").as_bytes());
    written.map_err(|error| cannot_write(&path, &error))
}

/// The usable fonts; says which were left out when asked to say more.
pub(in crate::cli) fn fonts(common: &Common, places: &[PathBuf]) -> Result<FontSet, CliError> {
    let bar = bar(common, 0, "fonts");
    let mut show = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    let fonts = pool(common)?.install(|| FontSet::load_watched(places, &mut show));
    bar.finish_and_clear();
    if common.verbose {
        for (path, reason) in fonts.rejected() {
            anstream::eprintln!("left out {}: {reason}", path.display());
        }
    }
    if fonts.is_empty() {
        print_warning("no usable font found: all digits are drawn as handwriting");
    } else if !common.quiet {
        let (used, left_out) = (fonts.len(), fonts.rejected().len());
        let families = fonts.families().count();
        anstream::eprintln!(
            "{used} faces of {families} font families ({left_out} left out, see -v)"
        );
    }
    Ok(fonts)
}

fn finish(
    common: &Common,
    args: &SynthArgs,
    summary: SynthSummary,
    unit: &str,
    start: Instant,
) -> Result<Status, CliError> {
    let seconds = start.elapsed().as_secs_f64();
    let rate = summary.made as f64 / seconds;
    if common.json {
        let made =
            json!({ unit: summary.made, "seconds": seconds, "per_second": rate, "out": args.out });
        print(&format!("{made}\n"));
    } else {
        let out = args.out.display();
        let made = summary.made;
        let decimals = if rate < 10.0 { 1 } else { 0 };
        print(&format!(
            "{made} {unit} in {out}: {seconds:.1} s, {rate:.decimals$} {unit}/s\n"
        ));
    }
    Ok(if summary.stopped {
        Status::Interrupted
    } else {
        Status::Clean
    })
}
