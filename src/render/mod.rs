//! Pictures of our own making: digits, labeled crops, whole photos. Sole home of `ab_glyph`.

mod strokes;

pub use strokes::{Coverage, DigitInk, Hand, WrittenDigit, allograph_count, draw_digit, skeleton};
