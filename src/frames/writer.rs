//! Writes a video: frames to ffmpeg, which encodes them and adds the sound of the original.

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{ChildStdin, Stdio};

use image::{DynamicImage, RgbImage};

use super::animation::planes;
use super::error::VideoError;
use super::ffmpeg::{Ffmpeg, Running, input};
use super::frame::Frame;
use super::y4m::{Header, Planes};

/// A video that is being written: H.264 in MP4, which every browser plays.
#[derive(Debug)]
pub struct VideoWriter {
    running: Running,
    stdin: Option<BufWriter<ChildStdin>>,
    header: Header,
    last: Option<Planes>,
    written: u64,
}

impl VideoWriter {
    /// Starts a video of this size and rate at `path`, with the sound of `original` if it has any.
    ///
    /// # Errors
    /// [`VideoError::NoFfmpeg`] where the program cannot be run.
    pub fn create(
        path: &Path,
        original: Option<&Path>,
        (width, height): (u32, u32),
        rate: (u32, u32),
        ffmpeg: &Ffmpeg,
    ) -> Result<VideoWriter, VideoError> {
        let mut arguments: Vec<OsString> = Vec::new();
        let words = |text: &'static str| text.split_whitespace().map(OsString::from);
        arguments.extend(words("-f yuv4mpegpipe -i pipe:0"));
        if let Some(original) = original {
            arguments.extend(input(original));
            arguments.extend(words("-map 0:v -map 1:a? -c:a aac"));
        }
        // The format wants even sides.
        arguments.extend(words(
            "-vf crop=trunc(iw/2)*2:trunc(ih/2)*2 -c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p \
             -movflags +faststart -f mp4",
        ));
        let mut file = OsString::from("file:");
        file.push(path);
        arguments.push(file);
        let mut running = ffmpeg.start(&arguments, Stdio::piped(), Stdio::null())?;
        let header = Header::new(width, height, rate);
        let stdin = running.stdin().expect("invariant: it was piped");
        let mut writer = VideoWriter {
            running,
            stdin: Some(BufWriter::with_capacity(1 << 20, stdin)),
            header,
            last: None,
            written: 0,
        };
        writer.send(|stdin, header| header.write(stdin))?;
        Ok(writer)
    }

    /// Adds a frame that is shown from this time on, in seconds: the one before is repeated until then, or left out
    /// where it has no time, so that a video of variable rate stays with its sound.
    ///
    /// # Errors
    /// What the program says where it stopped.
    pub fn add(&mut self, picture: &RgbImage, time: f64) -> Result<(), VideoError> {
        let rgba = DynamicImage::from(picture.clone()).into_rgba8();
        self.add_planes(planes(&rgba), time)
    }

    /// Adds a frame of another video in the same way, at its own time.
    ///
    /// # Errors
    /// As [`VideoWriter::add`].
    pub fn add_frame(&mut self, mut frame: Frame) -> Result<(), VideoError> {
        frame.make_420();
        self.add_planes(frame.planes, frame.time)
    }

    fn add_planes(&mut self, planes: Planes, time: f64) -> Result<(), VideoError> {
        let due = self.due(time);
        self.show_last_until(due)?;
        self.last = Some(planes);
        Ok(())
    }

    /// Ends the video, whose last frame is shown until `end`, in seconds, where that is known.
    ///
    /// # Errors
    /// What the program says where something went wrong.
    pub fn finish(mut self, end: Option<f64>) -> Result<(), VideoError> {
        let due = self.due(end.unwrap_or_default()).max(self.written + 1);
        self.show_last_until(due)?;
        self.send(|stdin, _| stdin.flush())?;
        self.stdin = None;
        match self.running.finish()? {
            Some(error) => Err(VideoError::NotWritten(error)),
            None => Ok(()),
        }
    }

    /// How many frames come before this time, in seconds.
    fn due(&self, time: f64) -> u64 {
        let (rate, scale) = self.header.rate;
        (time * f64::from(rate) / f64::from(scale)).round().max(0.0) as u64
    }

    fn show_last_until(&mut self, due: u64) -> Result<(), VideoError> {
        if let Some(last) = self.last.take() {
            // A gap of minutes is a mistake of the file.
            let repeats = due.saturating_sub(self.written).min(10_000);
            for _ in 0..repeats {
                self.send(|stdin, _| last.write(stdin))?;
            }
            self.written += repeats;
        }
        Ok(())
    }

    fn send(
        &mut self,
        write: impl FnOnce(&mut BufWriter<ChildStdin>, &Header) -> std::io::Result<()>,
    ) -> Result<(), VideoError> {
        let Some(stdin) = &mut self.stdin else {
            return Ok(());
        };
        let Err(error) = write(stdin, &self.header) else {
            return Ok(());
        };
        self.stdin = None;
        let said = self.running.finish()?;
        Err(VideoError::NotWritten(
            said.unwrap_or_else(|| error.to_string()),
        ))
    }
}
