//! Smooths the places of boards that are drawn into a video. Reading is never smoothed.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::vision::{BoardPlace, Lattice, Point};

/// Movements slower than this are smoothed in full, in hertz of the low pass.
const REST_HZ: f64 = 1.5;
/// How much faster the low pass gets with each pixel a second.
const SPEED_GAIN: f64 = 0.02;
/// The low pass of the speed, in hertz.
const SPEED_HZ: f64 = 1.0;

/// A one-euro filter (Casiez, Roussel and Vogel, 2012) for the crossings of each board: still boards do not
/// tremble, moving ones do not lag.
#[derive(Debug, Default)]
pub(super) struct Smoother(BTreeMap<usize, State>);

#[derive(Debug)]
struct State {
    time: f64,
    place: BoardPlace,
    /// Pixels a second, of the board as a whole.
    speed: f64,
}

impl Smoother {
    /// The smoothed place of a board that was seen at this time, in seconds.
    pub(super) fn smooth(&mut self, board: usize, place: &BoardPlace, time: f64) -> BoardPlace {
        let known = self.0.get(&board);
        let state = match known.filter(|it| time > it.time && it.place.rotation == place.rotation) {
            None => State {
                time,
                place: place.clone(),
                speed: 0.0,
            },
            Some(last) => {
                let elapsed = time - last.time;
                let moved = distance(&last.place.lattice, &place.lattice);
                let speed = mix(last.speed, moved / elapsed, share(SPEED_HZ, elapsed));
                let share = share(REST_HZ + SPEED_GAIN * speed, elapsed);
                let lattice = between(&last.place.lattice, &place.lattice, share);
                State {
                    time,
                    place: BoardPlace {
                        lattice: lattice.unwrap_or_else(|| place.lattice.clone()),
                        ..place.clone()
                    },
                    speed,
                }
            }
        };
        let smooth = state.place.clone();
        self.0.insert(board, state);
        smooth
    }

    /// Forgets where a board was that is not drawn any more.
    pub(super) fn forget(&mut self, board: usize) {
        self.0.remove(&board);
    }
}

/// The share that a new value has after this time in a low pass of this frequency.
fn share(hz: f64, elapsed: f64) -> f64 {
    let turns = TAU * hz * elapsed;
    turns / (turns + 1.0)
}

fn mix(old: f64, new: f64, share: f64) -> f64 {
    old + share * (new - old)
}

fn between(old: &Lattice, new: &Lattice, share: f64) -> Option<Lattice> {
    let mixed = |i: usize, j: usize| {
        let (old, new) = (old.points()[i][j], new.points()[i][j]);
        Point {
            x: mix(old.x.into(), new.x.into(), share) as f32,
            y: mix(old.y.into(), new.y.into(), share) as f32,
        }
    };
    let points = std::array::from_fn(|i| std::array::from_fn(|j| mixed(i, j)));
    Lattice::new(points, new.strength())
}

/// Mean distance between the corners, in pixels.
fn distance(a: &Lattice, b: &Lattice) -> f64 {
    let (a, b) = (a.corners().corners(), b.corners().corners());
    let apart = a
        .iter()
        .zip(&b)
        .map(|(a, b)| f64::from((a.x - b.x).hypot(a.y - b.y)));
    apart.sum::<f64>() / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::{Polarity, Rotation};

    fn at(x: f32) -> BoardPlace {
        let point = |i: usize, j: usize| Point {
            x: x + 10.0 * j as f32,
            y: 10.0 * i as f32,
        };
        let points = std::array::from_fn(|i| std::array::from_fn(|j| point(i, j)));
        BoardPlace {
            lattice: Lattice::new(points, 0.9).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        }
    }

    fn left(place: &BoardPlace) -> f32 {
        place.lattice.points()[0][0].x
    }

    #[test]
    fn smoothing_steadies_a_still_board_and_keeps_up_with_a_fast_one() {
        let mut smoother = Smoother::default();
        let mut largest: f32 = 0.0;
        for frame in 0..60 {
            let trembling = if frame % 2 == 0 { 1.0 } else { -1.0 };
            let smooth = smoother.smooth(1, &at(100.0 + trembling), f64::from(frame) / 30.0);
            if frame > 10 {
                largest = largest.max((left(&smooth) - 100.0).abs());
            }
        }
        assert!(largest < 0.5, "{largest}");
        for frame in 60..90 {
            let x = 100.0 + 20.0 * (frame - 60) as f32;
            let smooth = smoother.smooth(1, &at(x), f64::from(frame) / 30.0);
            if frame > 70 {
                assert!(
                    (left(&smooth) - x).abs() < 20.0,
                    "{frame}: {}",
                    left(&smooth)
                );
            }
        }
        smoother.forget(1);
        assert_eq!(left(&smoother.smooth(1, &at(5.0), 3.1)), 5.0);
    }
}
