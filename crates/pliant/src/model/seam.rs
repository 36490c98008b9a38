//! What every model can be asked: the seam between models and everything above them.
//!
//! A model moves the nodes of one body. It is told of a step what acts on the nodes and which of them are held, and may divide it
//! into steps of its own. It says how its nodes are connected, which cuts it takes, and whether its nodes can change.

use super::Model;
use super::adapt::{Adapt, Changes, PartedBefore, ResampleError, Resampled};
use super::level::Level;
use super::list::ModelSettings;
use crate::material::Material;
use crate::nodes::{HeldNodes, Loads, NodeRest, NodeState, Support};
use crate::sampling::grid::Grid;
use crate::skin::Cells;
use glam::{DVec3, Mat3, Quat, Vec3};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// What a step is given.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// The nodes at rest.
    pub rest: &'a NodeRest,
    /// What the body is made of, with a stiffness that is stated for each of the steps that it is to be made of.
    pub material: &'a Material,
    /// Nodes that something holds. A model that makes several steps keeps them where they are held in each of them. In a single one it
    /// need not: the nodes are put there when the step is over, and until then their true masses count.
    pub held: &'a HeldNodes,
    /// Nodes that rested on something when the step began, if the model [holds them up](Simulate::holds_up).
    pub supports: &'a [Support],
    /// What tools do to the nodes.
    pub loads: &'a Loads,
    /// m/s²
    pub gravity: Vec3,
    /// Seconds.
    pub h: f32,
    /// How many steps it is to be made of, for the material to be as stiff as it should.
    pub steps: u32,
}

impl StepInput<'_> {
    /// Makes the step as several of the model's own: `step` is given what they take, in seconds, and returns what the momentum
    /// changed by.
    pub fn in_steps(
        &self,
        nodes: &mut NodeState,
        output: &mut StepOutput,
        mut step: impl FnMut(&mut NodeState, f32) -> DVec3,
    ) {
        let h = self.h / self.steps as f32;
        for _ in 0..self.steps {
            self.push(nodes, h);
            output.momentum_slip += step(nodes, h);
            if self.steps > 1 {
                self.held.put(nodes, &self.rest.masses, &mut output.given);
            }
        }
    }

    /// v ← v + what loads and gravity give in `part` seconds of the step.
    pub fn push(&self, nodes: &mut NodeState, part: f32) {
        self.loads.apply(&mut nodes.velocities, &self.rest.masses, self.gravity, [self.h, part]);
    }
}

/// What a step came to. It is handed in, for its memory, with nothing in it.
#[derive(Clone, Debug, Default)]
pub struct StepOutput {
    /// Change of linear momentum by forces inside the body, in kg m/s, which should be none.
    pub momentum_slip: DVec3,
    /// kg m/s that each of [`StepInput::held`] was given to be where it is held, by a model that keeps it there in its steps: what it has
    /// after the step, without what loads, gravity and the material gave it. Empty if the model leaves nodes to be put there when the step is
    /// over.
    pub given: Vec<Vec3>,
}

/// What moves the nodes of a body.
pub trait Simulate: Structure + Cut + Any + Debug + Send + Sync {
    /// The settings that it was made with.
    fn settings(&self) -> ModelSettings;

    /// Settings that make the same body of cells so many times halved; `None` if it has no cells, or if they would lose what it
    /// has besides, as painted widths.
    fn with_cells_halved(&self, _times: u32) -> Option<ModelSettings> {
        None
    }

    /// Moves the nodes on by the step.
    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput);

    /// The longest step in seconds that it can take without steps of its own; infinite for shape matching, which is stable at any.
    fn longest_step(&self, _rest: &NodeRest, _material: &Material) -> f32 {
        f32::INFINITY
    }

    /// Whether its steps are implicit: as stiff as any modulus asks, at any length.
    fn is_implicit(&self) -> bool {
        false
    }

    /// How far its nodes are from the middles of what is matched together, in m²: the ⟨q²⟩ by which a pull of α/h² becomes a Young's
    /// modulus.
    fn extent(&self, material: &Material) -> f64;

    /// The part of what a node is given that its body has as a whole after the next step, in [0, 1]: 1 for a single rigid shape. What is
    /// pressed on something is held up by so much of itself at once, and not by the nodes that touch alone.
    fn rigidity(&self, _material: &Material) -> f32 {
        0.0
    }

    /// Whether its steps hold up nodes that rest on something, as long as they press on it: what solves for all nodes at once should.
    fn holds_up(&self) -> bool {
        false
    }

    /// What it was given by what supports it in the latest step, support by support, in kg m/s: the beginning of what contacts give it.
    fn reactions(&self) -> &[Vec3] {
        &[]
    }

    /// What a step costs, in units that are the same for all models: about a nanosecond on a machine of 2020. Budgets in
    /// milliseconds are shared out by it.
    fn work(&self) -> f64;

    /// How many shape matches, springs or elements there are.
    fn parts(&self) -> usize;

    /// Makes what a step derives, so that a body can be drawn before its first step and after a snapshot.
    fn refresh(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material);

    /// Makes the local maps at the end of a step, or after a snapshot, where they are not there already.
    fn update_maps(&mut self, _rest: &NodeRest, _nodes: &NodeState, _material: &Material) {}

    /// Tells the model that the body was turned or set back to rest: nothing remembered from before holds.
    fn reset(&mut self, rotation: Quat);

    /// How the body as a whole is turned, roughly: what is left of it is put back that way when the rest is lost.
    fn rotation(&self) -> Quat;

    /// The linear map that turns a small rest vector at a node into the current one.
    fn node_map(&self, rest: &NodeRest, node: usize) -> Mat3;

    /// The part of [`node_map`](Self::node_map) that is elastic: without what has given way for good. `None` where the map is
    /// that of a goal, which nodes need not follow.
    fn elastic_map(&self, rest: &NodeRest, node: usize) -> Option<Mat3>;

    /// Cauchy stress in Pa at a node, of the latest step; `None` where the model has no elastic constants to tell it by.
    fn stress(&self, _rest: &NodeRest, _node: usize) -> Option<Mat3> {
        None
    }

    /// The potential in J of the forces that hold the body together, where its nodes are now; `material` has a stiffness that is
    /// stated for steps of `h` seconds.
    fn energy(&self, rest: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64;

    /// The levels that it works on, the finest first, and what each holds where its nodes are now; none for models without any. The
    /// finest has all of [`energy`](Self::energy). `material` and `h` are those of `energy`.
    fn levels(&self, _nodes: &NodeState, _material: &Material, _h: f32) -> Vec<Level> {
        Vec::new()
    }

    /// Changes the nodes or disconnects some; `None` if nothing of it can be done.
    ///
    /// # Errors
    /// If the model cannot do it at all, as one can not that has the nodes it has and no connections between them.
    fn resample(
        &mut self,
        _rest: &NodeRest,
        _nodes: &NodeState,
        changes: &Changes,
        _parted: PartedBefore,
    ) -> Result<Option<Resampled>, ResampleError> {
        let model = self.settings().name();
        if changes.change_nodes() {
            return Err(ResampleError::FixedNodes { model });
        }
        Err(ResampleError::NoConnections { model })
    }

    /// How it adapts; `None` if it has the nodes it has.
    fn adapt(&self) -> Option<&dyn Adapt> {
        None
    }
}

/// How the nodes of a model are connected: what skins, contacts, cuts and drawings go by.
pub trait Structure {
    /// The cells that nodes stand in, for models that fill a body with cells. If there are fewer cells than nodes, the first nodes are
    /// theirs: those are what carries skins, touches and is cut, and the others go along with them.
    fn cells<'a>(&'a self, _rest: &'a NodeRest) -> Option<Box<dyn Cells + Sync + 'a>> {
        None
    }

    /// The material on the finest lattice, for models that fill a body with cells.
    fn grid(&self) -> Option<&Arc<Grid>> {
        None
    }

    /// Pairs of nodes that are joined by material, each pair once; empty if nodes are not joined one by one.
    fn edges(&self) -> Vec<[u32; 2]> {
        Vec::new()
    }

    /// Adds the nodes that a node hangs together with whatever is disconnected, for models with other nodes than those of cells.
    fn beside(&self, _node: u32, _found: &mut Vec<u32>) {}

    /// How far nodes are apart around one, in meters, if the model knows better than by the node's share of the body.
    fn spacing(&self, _node: usize) -> Option<f32> {
        None
    }

    /// The cell of a node, undeformed.
    fn outline(&self, _rest: &NodeRest, _node: usize) -> Option<Outline> {
        None
    }

    /// The nodes that are matched together with a node, each with its distance through the material in meters; nearest first.
    fn region(&self, _node: usize) -> Vec<(u32, f32)> {
        Vec::new()
    }

    /// How strongly the region of a node pulls, at most 1: less where it reaches farther than it was asked to.
    fn strength(&self, _node: usize) -> f32 {
        1.0
    }

    /// The sets that a node is divided among, and how much of it is each one's; a node's shares add up to 1.
    fn sets_of(&self, _node: usize) -> Vec<(u32, f32)> {
        Vec::new()
    }
}

/// The cell of a node, undeformed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Its middle.
    pub middle: Vec3,
    /// Its edge in meters.
    pub size: f32,
    /// 0 is the finest, each level is twice as wide as the one below.
    pub level: u32,
    /// Whether six cells of the same size are around it.
    pub enclosed: bool,
}

/// Which cuts a model can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutSupport {
    /// A blade may end inside: flaps hang open. The model fills the body with cells.
    Free,
    /// A plane through the whole body; both sides are filled anew.
    Plane,
}

/// A part of a body.
#[derive(Debug)]
pub struct Part {
    /// The nodes at rest.
    pub rest: NodeRest,
    /// What moves them.
    pub model: Model,
    /// Which node of the body each of them was. A node between cells that are disconnected may have become several.
    pub nodes: Vec<u32>,
}

/// What a cut asks of a model.
pub trait Cut {
    /// Which cuts it takes.
    fn support(&self) -> CutSupport;

    /// The part of the body that has these of its nodes, ascending, with these pairs of nodes disconnected, and what each node
    /// remembers. Its first nodes are these in their order; of a model of cells that has other nodes besides, these are cells.
    fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> Part;

    /// Takes other rest positions, all moved alike, and other masses, all scaled alike: those of a piece that was filled anew,
    /// in the coordinates of the whole.
    fn rebase(&mut self, _rest: &NodeRest) {}
}
