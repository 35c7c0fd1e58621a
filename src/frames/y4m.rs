//! YUV4MPEG2, the plain format of raw video that tools pipe to each other: a header line with size, rate and
//! chroma, then for each frame a line and its planes.

use std::io::{self, BufRead, Read, Write};

use super::error::VideoError;

/// Most pixels of a frame: 8K and more.
const MAX_PIXELS: u32 = 64_000_000;
/// Longest header line.
const MAX_LINE: u64 = 4096;

/// What the header of a stream says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Frames a second as a fraction; 25 where the header does not know.
    pub(super) rate: (u32, u32),
    chroma: Chroma,
}

/// How the planes of colour are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chroma {
    /// One value of each for four pixels.
    C420,
    /// One for two.
    C422,
    /// One for each pixel.
    C444,
    /// None.
    Mono,
}

/// One frame as it is stored: luma, then the planes of colour.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    pub(super) luma: Vec<u8>,
    pub(super) chroma: Vec<u8>,
}

impl Header {
    /// The header of 8-bit 4:2:0 frames.
    pub(super) const fn new(width: u32, height: u32, rate: (u32, u32)) -> Header {
        Header {
            width,
            height,
            rate,
            chroma: Chroma::C420,
        }
    }

    /// Reads the first line of a stream.
    pub(super) fn read(reader: &mut impl BufRead) -> Result<Header, VideoError> {
        let line = line(reader)?;
        let Some(parameters) = line.strip_prefix("YUV4MPEG2") else {
            return Err(VideoError::NoFrames("it is not YUV4MPEG2".to_owned()));
        };
        let (mut width, mut height, mut rate, mut chroma) = (0, 0, (25, 1), Chroma::C420);
        for parameter in parameters.split_whitespace() {
            let Some((key, value)) = parameter.split_at_checked(1) else {
                continue;
            };
            match key {
                "W" => width = value.parse().unwrap_or(0),
                "H" => height = value.parse().unwrap_or(0),
                "F" => {
                    let parsed = value.split_once(':');
                    let parsed = parsed.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                    rate = parsed.filter(|(a, b)| *a > 0 && *b > 0).unwrap_or(rate);
                }
                "C" => {
                    chroma = match value {
                        "mono" => Chroma::Mono,
                        "422" => Chroma::C422,
                        "444" => Chroma::C444,
                        "420" | "420jpeg" | "420mpeg2" | "420paldv" => Chroma::C420,
                        other => {
                            return Err(VideoError::NoFrames(format!(
                                "its pixels are {other}; convert to 8 bits with \
                                 `ffmpeg -i FILE -pix_fmt yuv420p OUT.y4m`"
                            )));
                        }
                    }
                }
                _ => {}
            }
        }
        if width == 0 || height == 0 {
            return Err(VideoError::NoFrames("its header has no size".to_owned()));
        }
        if u64::from(width) * u64::from(height) > u64::from(MAX_PIXELS) {
            return Err(VideoError::TooLarge {
                width,
                height,
                limit: MAX_PIXELS / 1_000_000,
            });
        }
        Ok(Header {
            width,
            height,
            rate,
            chroma,
        })
    }

    /// Writes the first line of a stream.
    pub(super) fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        let Header {
            width,
            height,
            rate: (rate, scale),
            ..
        } = self;
        writeln!(
            writer,
            "YUV4MPEG2 W{width} H{height} F{rate}:{scale} Ip A1:1 C420jpeg"
        )
    }

    fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    fn chroma_bytes(&self) -> usize {
        let (width, height) = (self.width as usize, self.height as usize);
        match self.chroma {
            Chroma::C420 => 2 * width.div_ceil(2) * height.div_ceil(2),
            Chroma::C422 => 2 * width.div_ceil(2) * height,
            Chroma::C444 => 2 * width * height,
            Chroma::Mono => 0,
        }
    }
}

impl Planes {
    /// Reads the next frame; `None` at the end of the stream.
    ///
    /// # Errors
    /// Where the stream ends within the frame, or has something else there.
    pub(super) fn read(
        reader: &mut impl BufRead,
        header: &Header,
    ) -> Result<Option<Planes>, VideoError> {
        if reader.fill_buf()?.is_empty() {
            return Ok(None);
        }
        if !line(reader)?.starts_with("FRAME") {
            let text = "something that is no frame stands where one should begin";
            return Err(VideoError::Damaged(text.to_owned()));
        }
        // The buffers grow with what is there: a header may promise more than ever comes.
        let mut plane = |bytes: usize| {
            let mut plane = Vec::new();
            reader.by_ref().take(bytes as u64).read_to_end(&mut plane)?;
            match plane.len() == bytes {
                true => Ok(plane),
                false => Err(VideoError::Damaged(
                    "its last frame is not whole".to_owned(),
                )),
            }
        };
        let luma = plane(header.pixels())?;
        let chroma = plane(header.chroma_bytes())?;
        Ok(Some(Planes { luma, chroma }))
    }

    /// Writes the frame.
    pub(super) fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        writer.write_all(b"FRAME\n")?;
        writer.write_all(&self.luma)?;
        writer.write_all(&self.chroma)
    }
}

/// The next line without its end.
fn line(reader: &mut impl BufRead) -> Result<String, VideoError> {
    let mut line = Vec::new();
    reader
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        let text = "a line of its headers has no end";
        return Err(VideoError::Damaged(text.to_owned()));
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(header: &str, frames: &[usize]) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        for &length in frames {
            bytes.extend(b"FRAME\n");
            bytes.extend(std::iter::repeat_n(7, length));
        }
        bytes
    }

    fn frames(bytes: &[u8]) -> (usize, Option<VideoError>) {
        let mut reader = bytes;
        let header = match Header::read(&mut reader) {
            Ok(header) => header,
            Err(error) => return (0, Some(error)),
        };
        let mut count = 0;
        loop {
            match Planes::read(&mut reader, &header) {
                Ok(Some(planes)) => {
                    assert_eq!(planes.luma.len(), header.pixels());
                    count += 1;
                }
                Ok(None) => return (count, None),
                Err(error) => return (count, Some(error)),
            }
        }
    }

    #[test]
    fn frames_of_every_colour_format_are_read() {
        for (chroma, bytes) in [("420jpeg", 24), ("422", 32), ("444", 45), ("mono", 15)] {
            let header = format!("YUV4MPEG2 W5 H3 F30000:1001 Ip A1:1 C{chroma} XYSCSS=X\n");
            // Odd sides are rounded up.
            let bytes = if chroma == "420jpeg" { 15 + 12 } else { bytes };
            let bytes = if chroma == "422" { 15 + 18 } else { bytes };
            let (count, error) = frames(&stream(&header, &[bytes, bytes]));
            assert_eq!((count, error.is_none()), (2, true), "{chroma}");
        }
    }

    #[test]
    fn damage_ends_the_stream_with_an_error_after_the_intact_frames() {
        let header = "YUV4MPEG2 W4 H2 C420\n";
        let (count, error) = frames(&stream(header, &[12, 5]));
        assert_eq!(count, 1);
        assert!(error.unwrap().to_string().contains("not whole"));
        let mut other = stream(header, &[12]);
        other.extend(b"HTML\n");
        assert!(frames(&other).1.unwrap().to_string().contains("no frame"));
        for (header, why) in [
            ("", "no end"),
            ("RIFF\n", "not YUV4MPEG2"),
            ("YUV4MPEG2 W0 H2\n", "no size"),
            ("YUV4MPEG2 W99999 H99999\n", "megapixels"),
            ("YUV4MPEG2 W4 H2 C420p10\n", "convert to 8 bits"),
        ] {
            let (count, error) = frames(header.as_bytes());
            assert_eq!(count, 0);
            assert!(error.unwrap().to_string().contains(why), "{header}");
        }
    }

    #[test]
    fn written_frames_are_read_back() {
        let header = Header::new(6, 4, (30, 1));
        let planes = Planes {
            luma: (0..24).collect(),
            chroma: (100..112).collect(),
        };
        let mut bytes = Vec::new();
        header.write(&mut bytes).unwrap();
        planes.write(&mut bytes).unwrap();
        let mut reader = &bytes[..];
        assert_eq!(Header::read(&mut reader).unwrap(), header);
        let read = Planes::read(&mut reader, &header).unwrap().unwrap();
        assert_eq!((read.luma, read.chroma), (planes.luma, planes.chroma));
    }
}
