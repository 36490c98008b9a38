//! How the material around each node is deformed: the mean of F over its elements, by volume.

use super::forces::for_each_run;
use super::forces::pad;
use super::rest::{Pack, pack_and_lane};
use super::strain::{gradient, store_matrix};
use super::{Elements, Scratch};
use crate::math::Mat3x8;
use crate::math::lanes::{Kernel, Lanes, run};
use crate::nodes::NodeState;
use crate::par;
use glam::{Mat3, Vec4};

/// Makes the maps of where the nodes are.
pub fn refresh(model: &mut Elements, nodes: &NodeState) {
    let Elements { rest, scratch, .. } = model;
    let Scratch { gradients, maps, places, .. } = &mut **scratch;
    gradients.resize(rest.packs.len(), Mat3x8::default());
    pad(&nodes.positions, places);
    let places = &*places;
    for_each_run(gradients, |first, gradients| {
        run(Gradients { packs: &rest.packs[first..][..gradients.len()], places, gradients });
    });
    maps.resize(nodes.positions.len(), Mat3::IDENTITY);
    let gradients = &*gradients;
    par::for_each_indexed(maps, par::CHUNK, |node, map| {
        let sum = rest.places.of(node).iter().fold(Mat3::ZERO, |sum, &place| {
            let (pack, lane) = pack_and_lane(place);
            sum + gradients[pack].get(lane) * rest.packs[pack].volumes.0[lane]
        });
        *map = sum * (1.0 / rest.volumes[node]);
    });
}

struct Gradients<'a> {
    packs: &'a [Pack],
    places: &'a [Vec4],
    gradients: &'a mut [Mat3x8],
}

impl Kernel for Gradients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (pack, to) in self.packs.iter().zip(self.gradients) {
            *to = store_matrix(gradient::<L>(pack, self.places));
        }
    }
}
