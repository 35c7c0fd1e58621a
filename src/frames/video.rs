//! The frames of a video, from whatever it is stored in.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::sync_channel;
use std::thread;

use image::{GrayImage, Rgb, RgbImage};

use super::animation::Animation;
use super::error::VideoError;
use super::ffmpeg::{Ffmpeg, Running, input};
use super::y4m::{Header, Planes};
use crate::opening::{LARGEST_PHOTO, open_file, read_file};

/// Frames that wait to be read while the next one is decoded.
const FRAMES_AHEAD: usize = 2;

/// One frame: what is seen of it at full size.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number in the video, from 0.
    pub number: u64,
    /// When it is shown, in seconds from the start.
    pub time: f64,
    width: u32,
    height: u32,
    pub(super) planes: Planes,
}

impl Frame {
    fn new(number: u64, time: f64, header: &Header, planes: Planes) -> Frame {
        Frame {
            number,
            time,
            width: header.width,
            height: header.height,
            planes,
        }
    }

    /// Takes the gray picture out of the frame.
    pub fn into_luma(self) -> GrayImage {
        let luma = GrayImage::from_raw(self.width, self.height, self.planes.luma);
        luma.expect("invariant: one byte a pixel")
    }

    /// Returns the frame in colour; gray where it does not have the usual planes of colour.
    pub fn to_rgb(&self) -> RgbImage {
        let half = (self.width as usize).div_ceil(2);
        let plane = self.planes.chroma.len() / 2;
        let is_420 = plane == half * (self.height as usize).div_ceil(2);
        RgbImage::from_fn(self.width, self.height, |x, y| {
            let luma = f32::from(self.planes.luma[(y * self.width + x) as usize]);
            let at = (y / 2) as usize * half + (x / 2) as usize;
            let [blue, red] = match is_420 {
                true => [at, plane + at].map(|at| f32::from(self.planes.chroma[at]) - 128.0),
                false => [0.0, 0.0],
            };
            let [r, g, b] = [
                luma + 1.402 * red,
                luma - 0.344 * blue - 0.714 * red,
                luma + 1.772 * blue,
            ];
            Rgb([r, g, b].map(|value| value.round().clamp(0.0, 255.0) as u8))
        })
    }
}

enum Source {
    Stream(Stream),
    Animation(Animation),
}

/// YUV4MPEG2, and the ffmpeg that it comes from, if it does.
struct Stream {
    reader: BufReader<Box<dyn Read + Send>>,
    ffmpeg: Option<Running>,
}

/// The frames of a video, in the order in which they are shown.
pub struct Video {
    source: Source,
    header: Header,
    next: u64,
}

impl Video {
    /// Opens a video: YUV4MPEG2 and animated pictures by ourselves, everything else by ffmpeg, which applies
    /// the rotation that phones note and gives each frame once, whatever the rate.
    ///
    /// # Errors
    /// [`VideoError`] where there is no frame in it.
    pub fn open(path: &Path, ffmpeg: &Ffmpeg) -> Result<Video, VideoError> {
        let mut head = Vec::new();
        open_file(path)?.take(16).read_to_end(&mut head)?;
        let is_named_so = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("y4m"));
        if is_named_so || head.starts_with(b"YUV4MPEG2") {
            return Video::from_y4m(open_file(path)?);
        }
        if head.starts_with(b"GIF8") || head.get(8..12) == Some(b"WEBP") {
            let animation = Animation::open(read_file(path, LARGEST_PHOTO)?)?;
            return Ok(Video {
                header: animation.header,
                source: Source::Animation(animation),
                next: 0,
            });
        }
        let mut arguments = input(path).to_vec();
        let output = "-map 0:v:0 -an -sn -dn -vf showinfo=checksum=0 -fps_mode passthrough -f yuv4mpegpipe \
                      -pix_fmt yuv420p -strict -1 -";
        arguments.extend(output.split_whitespace().map(Into::into));
        let mut running = ffmpeg.start(&arguments, Stdio::null(), Stdio::piped())?;
        let stdout = running.stdout().expect("invariant: it was piped");
        let mut reader =
            BufReader::with_capacity(1 << 20, Box::new(stdout) as Box<dyn Read + Send>);
        match Header::read(&mut reader) {
            Ok(header) => Ok(Video {
                source: Source::Stream(Stream {
                    reader,
                    ffmpeg: Some(running),
                }),
                header,
                next: 0,
            }),
            Err(error @ VideoError::TooLarge { .. }) => Err(error),
            Err(_) => {
                let why = running.finish()?;
                let why = why.unwrap_or_else(|| "it has no frames".to_owned());
                Err(VideoError::NoFrames(why))
            }
        }
    }

    /// Reads YUV4MPEG2 from a stream.
    ///
    /// # Errors
    /// [`VideoError`] where it does not begin like one.
    pub fn from_y4m(stream: impl Read + Send + 'static) -> Result<Video, VideoError> {
        let stream: Box<dyn Read + Send> = Box::new(stream);
        let mut reader = BufReader::with_capacity(1 << 20, stream);
        Ok(Video {
            header: Header::read(&mut reader)?,
            source: Source::Stream(Stream {
                reader,
                ffmpeg: None,
            }),
            next: 0,
        })
    }

    /// Returns the width and the height of the frames in pixels, upright.
    pub const fn size(&self) -> (u32, u32) {
        (self.header.width, self.header.height)
    }

    /// Returns the frames a second that the file promises, as a fraction.
    pub const fn rate(&self) -> (u32, u32) {
        self.header.rate
    }

    /// Returns the next frame; `None` at the end.
    ///
    /// # Errors
    /// [`VideoError`] where the video is damaged or cut off; no frame comes after that.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, VideoError> {
        let header = &self.header;
        let next = match &mut self.source {
            Source::Stream(stream) => stream.next(header, self.next)?,
            Source::Animation(animation) => {
                let next = animation.next()?;
                next.map(|(planes, time)| Frame::new(self.next, time, header, planes))
            }
        };
        self.next += u64::from(next.is_some());
        Ok(next)
    }

    /// Hands the frames to `work` while the next few are already decoded on a thread of their own. They end
    /// with the video, or with what is wrong with it.
    pub fn ahead<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Iterator<Item = Result<Frame, VideoError>>) -> T,
    ) -> T {
        let (header, number) = (&self.header, &mut self.next);
        let stream = match &mut self.source {
            Source::Stream(stream) => stream,
            Source::Animation(_) => {
                return work(&mut std::iter::from_fn(|| self.next_frame().transpose()));
            }
        };
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(FRAMES_AHEAD);
            scope.spawn(move || {
                while let Some(frame) = stream.next(header, *number).transpose() {
                    *number += 1;
                    let is_last = frame.is_err();
                    // Who has seen enough hangs up.
                    if sender.send(frame).is_err() || is_last {
                        break;
                    }
                }
            });
            work(&mut receiver.into_iter())
        })
    }
}

impl Stream {
    fn next(&mut self, header: &Header, number: u64) -> Result<Option<Frame>, VideoError> {
        let (rate, scale) = header.rate;
        let even = number as f64 * f64::from(scale) / f64::from(rate);
        let planes = Planes::read(&mut self.reader, header);
        let Some(running) = &mut self.ffmpeg else {
            return Ok(planes?.map(|planes| Frame::new(number, even, header, planes)));
        };
        match planes {
            Ok(Some(planes)) => {
                let time = running.frame_time().unwrap_or(even);
                Ok(Some(Frame::new(number, time, header, planes)))
            }
            // What the program says is more to the point than that a frame is short.
            ended => match running.finish()?.map(VideoError::Damaged) {
                Some(error) => Err(error),
                None => ended.map(|_| None),
            },
        }
    }
}

impl std::fmt::Debug for Video {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Video")
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
