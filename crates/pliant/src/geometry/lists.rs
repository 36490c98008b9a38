//! Many lists of numbers, one after the other in one array.

use serde::{Deserialize, Serialize};

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lists {
    /// All lists.
    pub items: Vec<u32>,
    /// Where each begins, and the end.
    pub starts: Vec<u32>,
}

impl Lists {
    /// No lists.
    pub fn new() -> Self {
        Self { items: Vec::new(), starts: vec![0] }
    }

    /// One list.
    pub fn of(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Adds a list.
    pub fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.starts.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each of `count` numbers the lists that have it.
    pub fn reversed(&self, count: usize) -> Self {
        let mut starts = vec![0_u32; count + 1];
        self.items.iter().for_each(|&item| starts[item as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.of(list) {
                items[next[item as usize] as usize] = list as u32;
                next[item as usize] += 1;
            }
        }
        Self { items, starts }
    }
}
