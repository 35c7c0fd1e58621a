//! The frames of a video, from whatever it is stored in.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::animation::Animation;
use super::error::VideoError;
use super::ffmpeg::{Ffmpeg, Running, input};
use super::frame::Frame;
use super::y4m::{Header, Planes};
use crate::opening::{LARGEST_PHOTO, open_file, read_file};

/// Frames that wait to be read while the next one is decoded.
const FRAMES_AHEAD: usize = 2;

enum Source {
    Stream(Stream),
    Animation(Animation),
}

/// YUV4MPEG2, and the ffmpeg that it comes from, if it does.
struct Stream {
    reader: Bytes,
    ffmpeg: Option<Running>,
}

type Bytes = BufReader<Box<dyn Read + Send>>;

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
        let mut reader: Bytes = BufReader::with_capacity(1 << 20, Box::new(stdout));
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
                let why = ended(reader, &mut running)?;
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

    /// Whether there may be sound: what ffmpeg decodes has some.
    pub const fn may_have_sound(&self) -> bool {
        matches!(
            &self.source,
            Source::Stream(Stream {
                ffmpeg: Some(_),
                ..
            })
        )
    }

    /// Returns when the frame that was returned last ends, in seconds, where the file says so.
    pub const fn end(&self) -> Option<f64> {
        match &self.source {
            Source::Stream(_) => None,
            Source::Animation(animation) => Some(animation.time),
        }
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
            last => {
                let nothing: Bytes = BufReader::new(Box::new(io::empty()));
                let reader = std::mem::replace(&mut self.reader, nothing);
                match ended(reader, running)?.map(VideoError::Damaged) {
                    Some(error) => Err(error),
                    None => last.map(|_| None),
                }
            }
        }
    }
}

/// What was wrong with a program of whose output no more is read. One that would go on writing is stopped.
fn ended(mut reader: Bytes, running: &mut Running) -> io::Result<Option<String>> {
    let is_at_its_end = reader.fill_buf()?.is_empty();
    drop(reader);
    match is_at_its_end {
        true => running.finish(),
        false => running.stop(),
    }
}

impl std::fmt::Debug for Video {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Video")
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
