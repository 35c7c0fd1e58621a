//! A puzzle as a graph with colored vertices.

use std::collections::BTreeMap;

use super::super::layout::HouseKind;
use super::super::puzzle::VariantPuzzle;

/// An undirected graph. Vertices of different colors are never exchanged.
#[derive(Debug)]
pub(in super::super) struct Graph {
    /// The neighbours of each vertex.
    pub(super) edges: Vec<Vec<u32>>,
    /// The vertices of each color.
    pub(super) colors: Vec<Vec<u32>>,
    /// What the vertices of each color are: kind and number.
    pub(super) names: Vec<[u32; 2]>,
}

impl Graph {
    /// The graph of a puzzle. Its vertices are the cells, the houses, the cages and the values of givens; a cell is
    /// joined to what it is in, and to its given. Rows and columns have one color, so that a transposed board is the
    /// same; so have all values, unless sums of cages distinguish them.
    pub(in super::super) fn of(puzzle: &VariantPuzzle) -> Graph {
        let layout = puzzle.layout();
        let has_cages = !layout.cages().is_empty();
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); layout.cells()];
        let mut colors: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        let cells: Vec<u32> = (0..layout.cells() as u32).collect();
        colors.insert([0, 0], cells);
        let mut add = |color: [u32; 2], cells: &mut dyn Iterator<Item = usize>| {
            let vertex = edges.len() as u32;
            let mut own = Vec::new();
            for cell in cells {
                edges[cell].push(vertex);
                own.push(cell as u32);
            }
            edges.push(own);
            colors.entry(color).or_default().push(vertex);
        };
        for house in layout.houses() {
            let kind = match house.kind {
                HouseKind::Row | HouseKind::Column => 1,
                HouseKind::Region => 2,
                HouseKind::Diagonal => 3,
                HouseKind::Window => 4,
            };
            add([kind, 0], &mut house.cells.iter().copied());
        }
        for cage in layout.cages() {
            add([5, cage.sum], &mut cage.cells.iter().copied());
        }
        for value in layout.values() {
            let givens = puzzle.givens();
            let mut cells = (0..givens.len())
                .filter(|cell| givens[*cell] == Some(value))
                .peekable();
            if cells.peek().is_some() {
                let name = if has_cages { u32::from(value.get()) } else { 0 };
                add([6, name], &mut cells);
            }
        }
        let (names, colors) = colors.into_iter().unzip();
        Graph {
            edges,
            colors,
            names,
        }
    }

    /// The graph with its vertices in this order, as numbers: equal for equal graphs, different for different ones.
    pub(super) fn written(&self, order: &[u32]) -> Vec<u32> {
        let mut place = vec![0; order.len()];
        for (at, vertex) in order.iter().enumerate() {
            place[*vertex as usize] = at as u32;
        }
        let mut written = vec![self.names.len() as u32];
        for (name, vertices) in self.names.iter().zip(&self.colors) {
            written.extend(name);
            written.push(vertices.len() as u32);
        }
        let mut neighbours = Vec::new();
        for vertex in order {
            neighbours.clear();
            let edges = self.edges[*vertex as usize].iter();
            neighbours.extend(edges.map(|other| place[*other as usize]));
            neighbours.sort_unstable();
            written.push(neighbours.len() as u32);
            written.extend(&neighbours);
        }
        written
    }
}
