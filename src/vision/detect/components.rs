//! Connected components by runs and union-find, with their bounds and the points of their hull.

use super::bits::BitPlane;
use crate::vision::quad::Point;

/// Connectivity of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// Four neighbours. For paper, where ink is connected by corners too.
    Sides,
    /// Eight neighbours.
    Corners,
}

/// One connected component.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) left: u32,
    pub(super) top: u32,
    /// Exclusive.
    pub(super) right: u32,
    /// Exclusive.
    pub(super) bottom: u32,
    /// In pixels.
    pub(super) area: u32,
}

impl Component {
    pub(super) const fn width(&self) -> u32 {
        self.right - self.left
    }

    pub(super) const fn height(&self) -> u32 {
        self.bottom - self.top
    }

    fn new(run: &Run) -> Component {
        Component {
            left: run.start,
            top: run.y,
            right: run.end,
            bottom: run.y + 1,
            area: 0,
        }
    }

    fn add(&mut self, run: &Run) {
        self.left = self.left.min(run.start);
        self.right = self.right.max(run.end);
        self.bottom = run.y + 1;
        self.area += run.end - run.start;
    }
}

#[derive(Clone, Copy)]
struct Run {
    y: u32,
    start: u32,
    end: u32,
    /// Index of a run of the same component: the parent in the union-find forest.
    parent: u32,
}

/// The components of a plane.
pub(super) struct Components {
    runs: Vec<Run>,
    components: Vec<Component>,
}

impl Components {
    pub(super) fn of(plane: &BitPlane, touch: Touch) -> Components {
        let mut runs: Vec<Run> = Vec::new();
        let slack = u32::from(touch == Touch::Corners);
        let mut above = 0..0;
        for y in 0..plane.height() {
            let first = runs.len();
            let mut candidate = above.start;
            plane.runs(y, |start, end| {
                let index = runs.len() as u32;
                let (start, end) = (start as u32, end as u32);
                runs.push(Run {
                    y: y as u32,
                    start,
                    end,
                    parent: index,
                });
                while candidate < above.end && runs[candidate].end + slack <= start {
                    candidate += 1;
                }
                let mut touching = candidate;
                while touching < above.end && runs[touching].start < end + slack {
                    unite(&mut runs, touching as u32, index);
                    touching += 1;
                }
            });
            above = first..runs.len();
        }
        // Parents point to earlier runs, so one pass forward flattens the forest into numbers.
        let mut components: Vec<Component> = Vec::new();
        for i in 0..runs.len() {
            let run = runs[i];
            if run.parent as usize == i {
                runs[i].parent = components.len() as u32;
                components.push(Component::new(&run));
            } else {
                runs[i].parent = runs[run.parent as usize].parent;
            }
            components[runs[i].parent as usize].add(&run);
        }
        Components { runs, components }
    }

    pub(super) fn all(&self) -> &[Component] {
        &self.components
    }

    /// Returns, for each chosen component, the leftmost and the rightmost corner of a pixel on each
    /// line between rows, from the top: enough for its convex hull.
    pub(super) fn outlines(&self, chosen: &[usize]) -> Vec<Vec<Point>> {
        let mut slots = vec![usize::MAX; self.components.len()];
        let mut extremes: Vec<Vec<(u32, u32)>> = Vec::with_capacity(chosen.len());
        for (slot, &number) in chosen.iter().enumerate() {
            slots[number] = slot;
            let rows = self.components[number].height() as usize;
            extremes.push(vec![(u32::MAX, 0); rows]);
        }
        for run in &self.runs {
            let number = run.parent as usize;
            if let Some(rows) = extremes.get_mut(slots[number]) {
                let row = &mut rows[(run.y - self.components[number].top) as usize];
                row.0 = row.0.min(run.start);
                row.1 = row.1.max(run.end);
            }
        }
        let points = |(slot, rows): (usize, Vec<(u32, u32)>)| {
            let top = self.components[chosen[slot]].top;
            let ends = (0..=rows.len()).flat_map(|line| {
                let beside = &rows[line.saturating_sub(1)..rows.len().min(line + 1)];
                let y = (top + line as u32) as f32;
                let start = beside.iter().map(|row| row.0).min().unwrap_or(0);
                let end = beside.iter().map(|row| row.1).max().unwrap_or(0);
                [start, end].map(|x| Point { x: x as f32, y })
            });
            ends.collect()
        };
        extremes.into_iter().enumerate().map(points).collect()
    }
}

fn root(runs: &mut [Run], mut index: u32) -> u32 {
    loop {
        let parent = runs[index as usize].parent;
        if parent == index {
            return index;
        }
        let grandparent = runs[parent as usize].parent;
        runs[index as usize].parent = grandparent;
        index = grandparent;
    }
}

fn unite(runs: &mut [Run], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    let (low, high) = (a.min(b), a.max(b));
    runs[high as usize].parent = low;
}
