//! What a user can do to a world.

use super::kept::Hand;
use pliant::CutError;
use pliant::adapt::Rule;
use pliant::glam::{DVec3, Vec3};
use pliant::tool::ToolError;
use pliant::{
    Body, BodyError, BodyHandle, Material, ModelSettings, PickSettings, Push, Selection, Tool, ToolHandle,
    TriMesh, Wind, World, WorldSettings,
};
use serde::{Deserialize, Serialize};

/// What a user can do to a world; all of it can be kept in a file and done again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// Takes hold of a vertex of a skin.
    Pick {
        /// The body.
        body: BodyHandle,
        /// The vertex.
        vertex: u32,
        /// How it is pulled.
        settings: PickSettings,
    },
    /// Takes a ball that pushes into the hand.
    Push(Push),
    /// Takes hold of a tool that is there: a locked pick, which is unlocked, or a pin.
    Hold(ToolHandle),
    /// Moves what is held, or, for a pin, how far it is from where it was pinned.
    Move(DVec3),
    /// Locks the pick that is held in place, and lets go of it.
    Lock,
    /// Lets go: a pick that is not locked and a ball are gone, a pin stays.
    Release,
    /// Pins the nodes around a place of the undeformed mesh, and takes hold of them.
    Pin {
        /// The body.
        body: BodyHandle,
        /// Where, in the coordinates of its mesh.
        center: Vec3,
        /// How far around it, in the same.
        radius: f32,
    },
    /// Takes a tool away.
    Remove(ToolHandle),
    /// Lets the wind blow, or stops it.
    Wind(Option<Wind>),
    /// Makes a body of other material.
    Material {
        /// The body.
        body: BodyHandle,
        /// What it is to be made of.
        material: Material,
    },
    /// Gives a body another model.
    Model {
        /// The body.
        body: BodyHandle,
        /// Which.
        settings: ModelSettings,
        /// Where it is fine.
        rules: Vec<Rule>,
    },
    /// Gives a body other rules for where it is fine.
    Refine {
        /// The body.
        body: BodyHandle,
        /// The rules.
        rules: Vec<Rule>,
    },
    /// Changes gravity, substeps or the budget of nodes.
    World(WorldSettings),
    /// Looks from another place, for bodies that are finer near the viewer.
    Look(DVec3),
    /// Puts a new body into the world.
    Add(Box<NewBody>),
    /// Takes a body out of the world.
    TakeOut(BodyHandle),
    /// Takes a knife with this edge into the hand.
    Knife([DVec3; 2]),
    /// Moves the edge of the knife that is held: what it goes through is cut at the end of the next step.
    Edge([DVec3; 2]),
    /// Cuts bodies in two along a plane, at the end of the next step.
    Scissors {
        /// The bodies; all that the plane goes through if none is named.
        bodies: Vec<BodyHandle>,
        /// A point of the plane.
        point: DVec3,
        /// Across the plane.
        normal: Vec3,
    },
}

/// A body that a user brings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewBody {
    /// What it is called.
    pub name: String,
    /// Its mesh.
    pub mesh: TriMesh,
    /// How much larger than the mesh it is.
    pub scale: f32,
    /// Where the zero of the mesh is put.
    pub position: DVec3,
    /// What moves it.
    pub model: ModelSettings,
    /// Where it is fine.
    pub refine: Vec<Rule>,
}

impl NewBody {
    /// Makes the body.
    ///
    /// # Errors
    /// If mesh or model make no sense.
    pub fn make(&self) -> Result<Body, BodyError> {
        let builder = Body::builder(self.mesh.clone()).name(self.name.clone()).model(self.model.clone());
        builder.refine(self.refine.iter().cloned()).scale(self.scale).at(self.position).build()
    }
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A tool cannot do it.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The body is gone.
    #[error(transparent)]
    Stale(#[from] pliant::ids::StaleHandle),
    /// The body cannot be so.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// It is no cut.
    #[error(transparent)]
    Cut(#[from] CutError),
    /// A rule makes no sense.
    #[error("{name} is {value}; it must be {range}")]
    Rule {
        /// The field.
        name: &'static str,
        /// What it was.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
    /// Nothing is in the hand.
    #[error("nothing is held")]
    NothingHeld,
    /// Scissors found no body.
    #[error("there is no body under the line; with Shift all are cut that it would go through")]
    NothingUnder,
}

impl Input {
    /// What it is, in plain words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pick { .. } => "pick",
            Self::Push(_) => "push",
            Self::Hold(_) => "take hold",
            Self::Move(_) => "move",
            Self::Lock => "lock",
            Self::Release => "let go",
            Self::Pin { .. } => "pin",
            Self::Remove(_) => "remove a tool",
            Self::Wind(_) => "wind",
            Self::Material { .. } => "change the material",
            Self::Model { .. } => "change the model",
            Self::Refine { .. } => "change the resolution",
            Self::World(_) => "change the world",
            Self::Look(_) => "look from elsewhere",
            Self::Add(_) => "add a body",
            Self::TakeOut(_) => "take a body out",
            Self::Knife(_) => "cut with a knife",
            Self::Edge(_) => "move the knife",
            Self::Scissors { .. } => "cut with scissors",
        }
    }

    /// Whether it changes what bodies are made of, which is what undoing undoes.
    pub fn changes_topology(&self) -> bool {
        let is_cut = matches!(self, Self::Knife(_) | Self::Scissors { .. });
        is_cut || matches!(self, Self::Model { .. } | Self::Refine { .. } | Self::Add(_) | Self::TakeOut(_))
    }

    /// Whether a later input of the same step makes this one void.
    pub(super) fn is_replaced_by(&self, later: &Self) -> bool {
        match (self, later) {
            (Self::Move(_), Self::Move(_))
            | (Self::Edge(_), Self::Edge(_))
            | (Self::World(_), Self::World(_))
            | (Self::Look(_), Self::Look(_)) => true,
            (Self::Wind(was), Self::Wind(is)) => was.is_some() && is.is_some(),
            (Self::Material { body: was, .. }, Self::Material { body: is, .. }) => was == is,
            _ => false,
        }
    }

    /// Does it; on an error nothing has changed.
    pub(super) fn apply(
        &self,
        world: &mut World,
        hand: &mut Hand,
        made: Option<Body>,
    ) -> Result<(), InputError> {
        let held = hand.held.ok_or(InputError::NothingHeld);
        match self {
            Self::Pick { body, vertex, settings } => {
                let tool = world.pick(*body, *vertex, *settings)?;
                take(world, hand, tool);
            }
            Self::Push(push) => {
                let tool = world.push(*push)?;
                take(world, hand, tool);
            }
            Self::Hold(tool) => {
                if world.tool(*tool)?.locked().is_some() {
                    world.lock(*tool, false)?;
                }
                if hand.held != Some(*tool) {
                    let_go(world, hand);
                }
                hand.held = Some(*tool);
            }
            Self::Move(to) => world.move_tool(held?, *to)?,
            Self::Lock => {
                world.lock(held?, true)?;
                hand.held = None;
            }
            Self::Release => let_go(world, hand),
            Self::Pin { body, center, radius } => {
                let tool = world.pin(*body, &Selection::Sphere { center: *center, radius: *radius })?;
                take(world, hand, tool);
            }
            Self::Remove(tool) => {
                world.remove_tool(*tool)?;
                hand.held = hand.held.filter(|held| held != tool);
            }
            Self::Wind(wind) => {
                let new = wind.map(|wind| world.wind(wind)).transpose()?;
                if let Some(old) = hand.wind.take() {
                    let _ = world.remove_tool(old);
                }
                hand.wind = new;
            }
            Self::Material { body, material } => {
                material.validate().map_err(BodyError::from)?;
                world.body_mut(*body)?.material = *material;
            }
            Self::Model { body, settings, rules } => {
                world.body_mut(*body)?.remodel_with(settings, rules.clone())?;
            }
            Self::Refine { body, rules } => {
                let wrong = |(name, value, range)| InputError::Rule { name, value, range };
                rules.iter().try_for_each(|rule| rule.validate().map_err(wrong))?;
                world.body_mut(*body)?.adaptivity.set_rules(rules.clone());
            }
            Self::World(settings) => world.settings = *settings,
            Self::Look(eye) => world.look_from(Some(*eye)),
            Self::Add(new) => drop(world.add_body(made.map_or_else(|| new.make(), Ok)?)),
            Self::TakeOut(body) => drop(world.remove_body(*body)?),
            Self::Knife(edge) => {
                let tool = world.knife(*edge)?;
                take(world, hand, tool);
            }
            Self::Edge(edge) => world.move_knife(held?, *edge)?,
            Self::Scissors { bodies, point, normal } => {
                bodies.iter().try_for_each(|body| world.body(*body).map(drop))?;
                if bodies.is_empty() {
                    world.scissors(None, *point, *normal)?;
                }
                bodies.iter().try_for_each(|body| world.scissors(Some(*body), *point, *normal))?;
            }
        }
        Ok(())
    }
}

/// Takes a tool in hand that was just made.
fn take(world: &mut World, hand: &mut Hand, tool: ToolHandle) {
    let_go(world, hand);
    hand.held = Some(tool);
}

/// Lets go of what is held: pins and locked picks stay where they are, a knife until it has cut the last of its way.
fn let_go(world: &mut World, hand: &mut Hand) {
    let Some(held) = hand.held.take() else { return };
    let stays = match world.tool(held) {
        Ok(Tool::Pick(pick)) => pick.locked,
        Ok(Tool::Pin(_) | Tool::Attachment(_)) => true,
        Ok(Tool::Knife(_)) => {
            hand.put_away.push(held);
            true
        }
        Ok(Tool::Push(_) | Tool::Wind(_)) | Err(_) => false,
    };
    if !stays {
        let _ = world.remove_tool(held);
    }
}
