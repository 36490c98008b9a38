//! Clusters whose rest shape gives way: see [`creep`](crate::model::creep).

use super::Clusters;
use crate::material::Plasticity;
use crate::model::creep::yielded;
use crate::par;
use glam::Mat3;

/// S of every cluster that is strained beyond what it can bear.
pub fn creep(model: &mut Clusters, plasticity: &Plasticity, h: f32) {
    let Clusters { rest, state, scratch, .. } = model;
    state.plastic.resize(rest.len(), Mat3::IDENTITY);
    let (fits, rotations) = (&scratch.fits, &state.rotations);
    par::for_each_indexed(&mut state.plastic, super::fit::GRAIN, |cluster, plastic| {
        let rotation = Mat3::from_quat(rotations[cluster]);
        let linear = rest.linear_map(cluster, fits[cluster].moment, rotation * *plastic);
        *plastic = yielded(rotation.transpose() * linear, *plastic, plasticity, h);
    });
}
