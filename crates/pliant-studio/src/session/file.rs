//! A session as a file, which does it all again: what a bug report carries.

use super::{Input, Session};
use pliant::snapshot::{Seal, SnapshotError};
use pliant::{Snapshot, World};
use pliant_io::scene::{Scene, SceneState, Script};
use pliant_rapier::Rigids;
use serde::{Deserialize, Serialize};

/// Why a file is not a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a session that can be opened: {0}")]
pub struct SessionError(#[from] SnapshotError);

const SEAL: Seal = Seal {
    magic: *b"PLIANTse",
    // Raised whenever a stored type changes.
    version: 8,
};

#[derive(Serialize, Deserialize)]
struct Content {
    script: Script,
    start: Vec<u8>,
    /// The rigid bodies at the start.
    rigids: Option<Rigids>,
    inputs: Vec<(u64, Input)>,
    /// Steps made, and the state after them.
    end: (u64, u64),
}

impl Session {
    /// What session files end in.
    pub const ENDING: &'static str = "pliant";

    /// The session up to now as bytes, to be kept in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = Content {
            script: self.scene.script(),
            start: self.start.world.to_bytes(),
            rigids: self.start.rigids.clone(),
            inputs: self.inputs().to_vec(),
            end: (self.steps(), self.world().state_hash()),
        };
        SEAL.close(&postcard::to_stdvec(&content).unwrap_or_default())
    }

    /// A session from its bytes, at its beginning: steps do again what was done, [`Session::is_reproduced`] tells at its end
    /// whether the same came of it.
    ///
    /// # Errors
    /// If the bytes are something else, of another version, cut short or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SessionError> {
        let damaged = |why: String| SessionError(SnapshotError::Damaged(why));
        let content: Content =
            postcard::from_bytes(SEAL.open(bytes)?).map_err(|error| damaged(error.to_string()))?;
        let Content { script, start, rigids, inputs, end: (step, hash) } = content;
        if !inputs.is_sorted_by_key(|(at, _)| *at) || inputs.last().is_some_and(|(at, _)| *at > step) {
            return Err(damaged("its inputs are not in order".into()));
        }
        let start = SceneState { world: Snapshot::from_bytes(&start)?, rigids };
        let mut scene = Scene::resumed(script, World::new());
        scene.restore(&start);
        Ok(Self::from_parts(scene, start, inputs, (step, Some(hash)), None))
    }
}
