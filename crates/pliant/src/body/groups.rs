//! Groups that say what can touch what.

use serde::{Deserialize, Serialize};

/// The groups that a body or a collider is in, and those that it touches: one bit for each of 32 groups.
///
/// Two touch if each is in a group that the other touches. Unless told otherwise, everything is in all groups and touches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollisionGroups {
    /// The groups that it is in.
    pub memberships: u32,
    /// The groups that it touches.
    pub filter: u32,
}

impl Default for CollisionGroups {
    fn default() -> Self {
        Self { memberships: u32::MAX, filter: u32::MAX }
    }
}

impl CollisionGroups {
    /// In some groups, and touching some.
    pub fn new(memberships: u32, filter: u32) -> Self {
        Self { memberships, filter }
    }

    /// Whether two touch.
    pub fn touch(self, other: Self) -> bool {
        (self.memberships & other.filter) != 0 && (other.memberships & self.filter) != 0
    }
}
