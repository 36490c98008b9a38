//! Forces on nodes that are stable at any strength, and exact when they are not strong.
//!
//! A spring to a target and a damper to a target velocity act on a node by Δv = h k d/m + h c (u − v)/m. A spring stiffer than
//! m/h² would carry the node past its target within the step, a damper stronger than m/h would turn its motion round: each is
//! held back to going half of the way, which leaves the other half to the body's own pull. So the step is stable however many
//! tools pull and however long it is; and below these bounds a body at rest hangs with exactly the force of its springs, which an
//! implicit step would weaken.
//!
//! The loads of all tools on a node are added up before they are held back, so two strong picks meet half-way.

use crate::par;
use glam::Vec3;

/// What all tools together do to the nodes of a body in one step.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    nodes: Vec<Load>,
    /// Whether there are any.
    used: bool,
}

/// What all tools together do to one node.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    /// Σ k d, in N.
    pull: Vec3,
    /// Σ k, in N/m.
    stiffness: f32,
    /// Σ c (u − v), in N.
    drag: Vec3,
    /// Σ c, in kg/s.
    damping: f32,
}

impl Loads {
    /// No loads on `count` nodes.
    pub fn clear(&mut self, count: usize) {
        if self.used {
            self.nodes.clear();
            self.used = false;
        }
        self.nodes.resize(count, Load::default());
    }

    /// Adds a spring of `stiffness` N/m, `away` from its target.
    pub fn spring(&mut self, node: usize, stiffness: f32, away: Vec3) {
        self.used = true;
        self.nodes[node].pull += stiffness * away;
        self.nodes[node].stiffness += stiffness;
    }

    /// Adds a force in N.
    pub fn push(&mut self, node: usize, force: Vec3) {
        self.used = true;
        self.nodes[node].pull += force;
    }

    /// Adds a damper of `damping` kg/s, `slower` than its target velocity.
    pub fn damper(&mut self, node: usize, damping: f32, slower: Vec3) {
        self.used = true;
        self.nodes[node].drag += damping * slower;
        self.nodes[node].damping += damping;
    }

    /// The dampers so far, each with the velocity it draws its node to: what stays of the wind for the rest of a step.
    pub(crate) fn keep_dampers(&self, velocities: &[Vec3], kept: &mut Vec<(f32, Vec3)>) {
        kept.clear();
        if self.used {
            let target = |load: &Load, v: &Vec3| *v + load.drag / load.damping;
            let of = |(load, v): (&Load, &Vec3)| {
                if load.damping > 0.0 { (load.damping, target(load, v)) } else { (0.0, *v) }
            };
            kept.extend(self.nodes.iter().zip(velocities).map(of));
        }
    }

    /// Adds dampers that were kept, for the velocities that nodes have now.
    pub(crate) fn add_dampers(&mut self, kept: &[(f32, Vec3)], velocities: &[Vec3]) {
        let used = kept.iter().zip(velocities).enumerate().filter(|(_, ((damping, _), _))| *damping > 0.0);
        for (node, ((damping, target), v)) in used {
            self.damper(node, *damping, *target - *v);
        }
    }

    /// N that a node gets of one part of the loads in a step of `h` seconds, held back as all of them are.
    pub(crate) fn share(&self, part: &Self, node: usize, mass: f32, h: f32) -> Vec3 {
        let (all, own) = (&self.nodes[node], &part.nodes[node]);
        let pull = own.pull * (mass / mass.max(2.0 * h * h * all.stiffness));
        pull + own.drag * (mass / mass.max(2.0 * h * all.damping))
    }

    /// The nodes that something pulls.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        let pulled =
            |(node, load): (usize, &Load)| (load.stiffness > 0.0 || load.damping > 0.0).then_some(node);
        self.nodes.iter().enumerate().filter_map(pulled)
    }

    /// Σ k of a node, in N/m.
    pub(crate) fn stiffness(&self, node: usize) -> f64 {
        f64::from(self.nodes[node].stiffness)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        !self.used
    }

    /// v ← v + Δv + h · gravity, of a part `part` of a step of `h` seconds. The loads stay as they are for the whole step, and so
    /// do their bounds.
    pub fn apply(&self, velocities: &mut [Vec3], masses: &[f32], gravity: Vec3, [h, part]: [f32; 2]) {
        if !self.used {
            par::for_each_indexed(velocities, 8 * par::CHUNK, |_, v| *v += part * gravity);
            return;
        }
        for ((v, load), &mass) in velocities.iter_mut().zip(&self.nodes).zip(masses) {
            let pull = load.pull / mass.max(2.0 * h * h * load.stiffness);
            let drag = load.drag / mass.max(2.0 * h * load.damping);
            *v += part * (gravity + pull + drag);
        }
    }
}
