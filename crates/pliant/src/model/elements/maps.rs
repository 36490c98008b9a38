//! How the material around each node is deformed: the mean of F over its elements, by volume and stiffness; in the middle of a cell, over the
//! cell.

use super::forces::for_each_run;
use super::forces::pad;
use super::rest::{Pack, Rest, pack_and_lane};
use super::strain::{gradient, store_matrix};
use super::{Elements, Scratch};
use crate::math::Mat3x8;
use crate::math::lanes::{Kernel, LANES, Lanes, run};
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
        *map = mean_around(rest, node, |pack, lane| gradients[pack].get(lane));
    });
}

/// The mean over the elements around a node, or over a cell for the node in its middle, by volume.
pub(super) fn mean_around(rest: &Rest, node: usize, of: impl Fn(usize, usize) -> Mat3) -> Mat3 {
    let mut sum = (Mat3::ZERO, 0.0);
    let mut add = |pack: usize, lane: usize| {
        let volume = rest.packs[pack].volumes.0[lane];
        sum = (sum.0 + of(pack, lane) * volume, sum.1 + volume);
    };
    if node < rest.graph.cells.len() {
        (0..LANES).for_each(|lane| add(node, lane));
    } else {
        rest.places
            .of(node)
            .iter()
            .map(|&place| pack_and_lane(place))
            .for_each(|(pack, lane)| add(pack, lane));
    }
    sum.0 * (1.0 / sum.1)
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
