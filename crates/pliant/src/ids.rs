//! Typed indices and handles that go stale instead of pointing at somebody else.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Index of a simulated point within its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index into the body's node arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names one thing of a [`World`](crate::World) for as long as it exists.
///
/// The slot of a removed thing is used again, with another generation, so a handle kept too long is found out.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Handle<T> {
    index: u32,
    generation: u32,
    #[serde(skip)]
    kind: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// As a number, which no other thing of the kind has.
    pub(crate) fn key(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
    }
}
impl<T> Eq for Handle<T> {}
impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.index, self.generation).cmp(&(other.index, other.generation))
    }
}
impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.index, self.generation).hash(state);
    }
}
impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

/// A handle whose thing has been removed, or that belongs to another world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} {handle} is not in this world: it was removed, or the handle is another world's")]
pub struct StaleHandle {
    /// What the handle was for.
    pub kind: &'static str,
    /// The handle, as it prints.
    pub handle: String,
}

/// Things in slots, found by [`Handle`]; iteration is in slot order, so results never depend on hashing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Puts a thing in and names it.
    pub fn insert(&mut self, value: T) -> Handle<T> {
        let index = self.free.pop().unwrap_or(self.slots.len() as u32);
        if index as usize == self.slots.len() {
            self.slots.push(Slot { generation: 0, value: None });
        }
        let slot = &mut self.slots[index as usize];
        slot.value = Some(value);
        Handle { index, generation: slot.generation, kind: PhantomData }
    }

    /// Takes a thing out; its handle is stale from now on.
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        let slot = self.slots.get_mut(handle.index as usize).filter(|s| s.generation == handle.generation)?;
        let value = slot.value.take()?;
        // A slot whose generations are used up is never used again.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(handle.index);
        }
        Some(value)
    }

    /// The thing, if the handle is not stale.
    pub fn get(&self, handle: Handle<T>) -> Option<&T> {
        self.slots.get(handle.index as usize).filter(|s| s.generation == handle.generation)?.value.as_ref()
    }

    /// The thing, if the handle is not stale.
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        self.slots
            .get_mut(handle.index as usize)
            .filter(|s| s.generation == handle.generation)?
            .value
            .as_mut()
    }

    /// How many things are in.
    pub fn len(&self) -> usize {
        self.values().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values().next().is_none()
    }

    /// All things with their handles, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<T>, &T)> + Clone {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let handle = Handle { index: index as u32, generation: slot.generation, kind: PhantomData };
            slot.value.as_ref().map(|value| (handle, value))
        })
    }

    /// All things with their handles, in slot order, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<T>, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(index, slot)| {
            let handle = Handle { index: index as u32, generation: slot.generation, kind: PhantomData };
            slot.value.as_mut().map(|value| (handle, value))
        })
    }

    /// All things, in slot order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|s| s.value.as_ref())
    }

    /// All things, in slot order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|s| s.value.as_mut())
    }

    /// Runs `work` on every thing, in parallel where there are threads.
    pub(crate) fn for_each_parallel(&mut self, work: impl Fn(&mut T) + Sync + Send)
    where
        T: Send,
    {
        self.for_each_handle_parallel(|_, value| work(value));
    }

    /// Runs `work` on every thing and its handle, in parallel where there are threads.
    pub(crate) fn for_each_handle_parallel(&mut self, work: impl Fn(Handle<T>, &mut T) + Sync + Send)
    where
        T: Send,
    {
        crate::par::for_each_indexed(&mut self.slots, 1, |index, slot| {
            let handle = Handle { index: index as u32, generation: slot.generation, kind: PhantomData };
            if let Some(value) = slot.value.as_mut() {
                work(handle, value);
            }
        });
    }

    /// Runs `work` on every thing, its handle and what is kept beside it, in parallel where there are threads. `beside` must
    /// have been [fitted](Side::fit) to the arena; things that came since are left out.
    pub(crate) fn for_each_with_parallel<S: Send>(
        &mut self,
        beside: &mut Side<S>,
        work: impl Fn(Handle<T>, &mut T, &mut S) + Sync + Send,
    ) where
        T: Send,
    {
        crate::par::for_each_pair(&mut self.slots, &mut beside.entries, 1, |index, slot, entry| {
            let handle = Handle { index: index as u32, generation: slot.generation, kind: PhantomData };
            if let Some(value) = slot.value.as_mut().filter(|_| entry.generation == handle.generation) {
                work(handle, value, &mut entry.value);
            }
        });
    }

    /// The same arena with every thing turned into another; handles keep their numbers.
    pub(crate) fn map<U>(&self, mut of: impl FnMut(&T) -> U) -> Arena<U> {
        let slots = self.slots.iter();
        let slots = slots.map(|s| Slot { generation: s.generation, value: s.value.as_ref().map(&mut of) });
        Arena { slots: slots.collect(), free: self.free.clone() }
    }
}

/// What somebody who works on the things of an [`Arena`] keeps beside each of them, and what is no part of them: scratch.
///
/// An entry belongs to one thing. The next thing in the same slot gets an entry of its own.
#[derive(Clone, Debug)]
pub(crate) struct Side<S> {
    entries: Vec<Entry<S>>,
}

#[derive(Clone, Debug)]
struct Entry<S> {
    generation: u32,
    value: S,
}

impl<S> Default for Side<S> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<S: Default> Side<S> {
    /// Makes room for one entry beside each thing. `fresh` makes those of things that have none yet.
    pub fn fit<T>(&mut self, arena: &Arena<T>, fresh: impl Fn(&T) -> S) {
        let make = |slot: &Slot<T>| Entry {
            generation: slot.generation,
            value: slot.value.as_ref().map_or_else(S::default, &fresh),
        };
        for (entry, slot) in self.entries.iter_mut().zip(&arena.slots) {
            if entry.generation != slot.generation {
                *entry = make(slot);
            }
        }
        let known = self.entries.len().min(arena.slots.len());
        self.entries.truncate(known);
        self.entries.extend(arena.slots[known..].iter().map(make));
    }
}

impl<S> Side<S> {
    /// What is kept beside a thing.
    pub fn get<T>(&self, handle: Handle<T>) -> Option<&S> {
        let entry = self.entries.get(handle.index as usize)?;
        (entry.generation == handle.generation).then_some(&entry.value)
    }

    /// What is kept beside a thing.
    pub fn get_mut<T>(&mut self, handle: Handle<T>) -> Option<&mut S> {
        let entry = self.entries.get_mut(handle.index as usize)?;
        (entry.generation == handle.generation).then_some(&mut entry.value)
    }

    /// All entries, in slot order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_never_names_the_next_tenant() {
        let mut arena = Arena::default();
        let first = arena.insert("first");
        assert_eq!(arena.remove(first), Some("first"));
        let second = arena.insert("second");
        assert_eq!(arena.get(first), None);
        assert_eq!(arena.remove(first), None);
        assert_eq!(arena.get(second), Some(&"second"));
        assert_ne!(first, second);
    }

    #[test]
    fn what_is_kept_beside_a_thing_is_not_inherited_by_the_next_tenant() {
        let (mut arena, mut beside) = (Arena::default(), Side::<usize>::default());
        let (first, other) = (arena.insert("first"), arena.insert("other"));
        beside.fit(&arena, |name| name.len());
        beside.values_mut().for_each(|length| *length += 10);
        assert_eq!(beside.get(first), Some(&15));
        arena.remove(first);
        let second = arena.insert("the second");
        assert_eq!(beside.get(second), None);
        let mut seen = std::sync::Mutex::new(Vec::new());
        arena.for_each_with_parallel(&mut beside, |_, name, _| seen.lock().unwrap().push(*name));
        assert_eq!(*seen.get_mut().unwrap(), ["other"]);
        beside.fit(&arena, |name| name.len());
        assert_eq!((beside.get(first), beside.get(second), beside.get(other)), (None, Some(&10), Some(&15)));
    }
}
