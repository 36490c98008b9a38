//! A world kept, to go back to.
//!
//! A snapshot has everything that the next step depends on, the rotations it starts from included: a restored world goes on
//! bit for bit as the first one did. In memory it shares the bodies' rest shapes; as bytes each of them is written once.

use super::{Order, Substep, World, WorldSettings};
use crate::body::{Body, BodyRest, BodyState};
use crate::contact::{Collider, Contacts, Filter, Followed, Impact, Marks, Pair, Touch};
use crate::ids::Arena;
use crate::model::ModelRest;
use crate::tool::{Reaction, Reactions, Tool};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A world kept, to go back to.
#[derive(Clone, Debug)]
pub struct Snapshot(Content);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Content {
    settings: WorldSettings,
    time_secs: f64,
    substep: Substep,
    eye: Option<DVec3>,
    rests: Vec<(Arc<BodyRest>, ModelRest)>,
    bodies: Arena<(u32, BodyState)>,
    colliders: Arena<Collider>,
    tools: Arena<Tool>,
    reactions: Vec<Reaction>,
    orders: Vec<Order>,
    touches: Vec<Touch>,
    impacts: Vec<Impact>,
    followed: Followed,
    marks: Marks,
    ignored: Vec<Pair>,
}

/// Why bytes are not a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Something else.
    #[error("this is not a file of that kind")]
    AnotherKind,
    /// Written by another version.
    #[error("it has format {found}; this version reads format {readable}")]
    Version {
        /// The format it has.
        found: u32,
        /// The format that is read.
        readable: u32,
    },
    /// Bytes are missing or changed.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

const SEAL: Seal = Seal {
    magic: *b"PLIANT\r\n",
    // Raised whenever a stored type changes.
    version: 18,
};

/// What bytes begin with that are kept in files: their kind, their version and a checksum of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Seal {
    /// The kind.
    pub magic: [u8; 8],
    /// Raised whenever a stored type changes.
    pub version: u32,
}

impl Seal {
    const LEN: usize = 24;

    /// The bytes with the seal before them.
    pub fn close(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::LEN + body.len());
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(checksum(body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The bytes behind the seal.
    ///
    /// # Errors
    /// If they are something else, of another version, cut short or changed.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SnapshotError> {
        let (header, body) = bytes.split_at_checked(Self::LEN).ok_or(SnapshotError::AnotherKind)?;
        if header[..8] != self.magic {
            return Err(SnapshotError::AnotherKind);
        }
        let found = u32::from_le_bytes(header[8..12].try_into().unwrap_or_default());
        if found != self.version {
            return Err(SnapshotError::Version { found, readable: self.version });
        }
        if header[12..16] != [0; 4] || header[16..] != checksum(body).to_le_bytes() {
            return Err(SnapshotError::Damaged("its checksum does not match".into()));
        }
        Ok(body)
    }
}

impl World {
    /// Keeps the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        let mut rests: Vec<(Arc<BodyRest>, ModelRest)> = Vec::new();
        let bodies = self.bodies.map(|body| {
            let of_model = body.model.rest();
            let same = |rest: &(Arc<BodyRest>, ModelRest)| {
                Arc::ptr_eq(&rest.0, body.rest()) && rest.1.is_same(&of_model)
            };
            let known = rests.iter().position(same);
            let index = known.unwrap_or_else(|| {
                rests.push((body.rest().clone(), of_model));
                rests.len() - 1
            });
            (index as u32, body.state())
        });
        Snapshot(Content {
            settings: self.settings,
            time_secs: self.time_secs,
            substep: self.substep,
            eye: self.eye,
            rests,
            bodies,
            colliders: self.colliders.clone(),
            tools: self.tools.clone(),
            reactions: self.reactions.now.clone(),
            orders: self.orders.clone(),
            touches: self.contacts.touches.now.clone(),
            impacts: self.contacts.impacts.clone(),
            followed: self.contacts.followed(&self.bodies),
            marks: self.marks.clone(),
            ignored: self.contacts.filter.ignored().to_vec(),
        })
    }

    /// Goes back to a snapshot. Handles from then are good again, those given out since are not. The world keeps its
    /// [contact filter](Self::set_contact_filter).
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let content = &snapshot.0;
        let filter = Filter::with(content.ignored.clone(), self.contacts.filter.take_own());
        *self = Self {
            settings: content.settings,
            time_secs: content.time_secs,
            substep: content.substep,
            eye: content.eye,
            bodies: content.bodies.map(|(rest, state)| {
                Body::from_state(content.rests[*rest as usize].0.clone(), state.clone())
            }),
            colliders: content.colliders.clone(),
            tools: content.tools.clone(),
            reactions: Reactions::with(content.reactions.clone()),
            orders: content.orders.clone(),
            contacts: Contacts::with(content.touches.clone(), content.impacts.clone(), filter),
            marks: content.marks.clone(),
            ..Self::default()
        };
        self.contacts.follow(&content.followed, &self.bodies);
    }
}

impl Snapshot {
    /// The snapshot as bytes, to be kept in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(&self.0).unwrap_or_default();
        SEAL.close(&body)
    }

    /// A snapshot from its bytes.
    ///
    /// # Errors
    /// If the bytes are something else, of another version, cut short or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let body = SEAL.open(bytes)?;
        let mut content: Content =
            postcard::from_bytes(body).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
        let Content { bodies, rests, .. } = &mut content;
        for (rest, state) in bodies.values_mut() {
            let of_model = rests.get(*rest as usize).map(|rest| &rest.1);
            if !of_model.is_some_and(|of_model| state.model.attach(of_model)) {
                return Err(SnapshotError::Damaged("a body has no rest shape".into()));
            }
        }
        Ok(Self(content))
    }
}

/// Multiply and rotate over 8-byte words: finds any damage a disk or a cable does, at memory speed.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}
