//! The octets of the cells that are on their way.

use atl_aal::cell::Cell;

/// Where a cell's octets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellId(pub u32);

/// Cells by their place, as they do not fit into a packet.
#[derive(Debug, Default)]
pub(crate) struct CellStore {
    kept: Vec<Cell>,
    free: Vec<u32>,
}

impl CellStore {
    /// Keeps a cell.
    pub fn put(&mut self, cell: Cell) -> CellId {
        match self.free.pop() {
            Some(at) => {
                self.kept[at as usize] = cell;
                CellId(at)
            }
            None => {
                self.kept.push(cell);
                CellId(self.kept.len() as u32 - 1)
            }
        }
    }

    /// The cell, to be changed on its way.
    pub fn get_mut(&mut self, id: CellId) -> &mut Cell {
        &mut self.kept[id.0 as usize]
    }

    /// Gives a cell back, and its place free. To be called once for each, also for a lost one.
    pub fn take(&mut self, id: CellId) -> Cell {
        self.free.push(id.0);
        self.kept[id.0 as usize]
    }

    /// Cells kept.
    #[cfg(test)]
    pub fn in_use(&self) -> usize {
        self.kept.len() - self.free.len()
    }
}
