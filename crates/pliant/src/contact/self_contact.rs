//! Narrow phase within one body: where two parts of it are in each other.

use super::carriers::Around;
use super::narrow::{ContactPoint, OVER, Over, Seen, Sum, with_carriers};
use super::shell::Patch;
use crate::body::Body;
use crate::body::border::Border;
use crate::geometry::PointGrid;
use crate::math::rotation;
use glam::{Mat3, Vec3};

/// Cosine of the angle between tip and facet above which parts of one body are not folded over but side by side.
const FOLDED: f32 = -0.3;
/// Spans that parts of one body may be deeper in each other than at rest: facets are only nearly the surface.
const SLACK: f32 = 0.15;

/// The surface nodes of a body that can touch another part of it within a step in which no node goes farther than `way`.
///
/// Two nodes are nearer than at rest by at most what both have left their places in the body as if it were rigid: only those
/// are worth a search that have gone as far as the gap before them.
pub fn suspects(body: &Body, border: &Border, way: f32, found: &mut Vec<u32>) {
    found.clear();
    let (rest, nodes) = (&body.rest().nodes, &body.nodes);
    if border.sheet.is_some() || border.outer.len() < 8 {
        return;
    }
    let outer = border.outer.iter().map(|&node| node as usize);
    let count = border.outer.len() as f32;
    let (x0, x) = outer.clone().fold((Vec3::ZERO, Vec3::ZERO), |(x0, x), node| {
        (x0 + rest.rest_positions[node], x + nodes.positions[node])
    });
    let (middle0, middle) = (x0 / count, x / count);
    let moment = outer.clone().fold(Mat3::ZERO, |sum, node| {
        let (p, q) = (nodes.positions[node] - middle, rest.rest_positions[node] - middle0);
        sum + Mat3::from_cols(p * q.x, p * q.y, p * q.z)
    });
    let turn = Mat3::from_quat(rotation(moment, body.model.rotation()));
    let strayed = |node: usize| {
        let place = middle + turn * (rest.rest_positions[node] - middle0);
        nodes.positions[node].distance(place) + way
    };
    let most = outer.clone().map(strayed).fold(0.0, f32::max);
    let (reach, limit) = (OVER * border.span, border.gap_limit());
    let can = |&(node, gap): &(u32, f32)| strayed(node as usize) + most >= gap.min(limit) - reach;
    found.extend(border.gaps(&rest.rest_positions).filter(can).map(|(node, _)| node));
    if found.is_empty() {
        return;
    }
    // Of those, the ones that have another before them that looks back.
    let patches: Vec<Patch> = found.iter().map(|&node| Patch::of(body, node)).collect();
    let ways: Vec<Vec<Vec3>> = patches
        .iter()
        .map(|patch| border.tips(patch.node).iter().map(|tip| patch.cofactor * tip.normal).collect())
        .collect();
    let at: Vec<Vec3> = patches.iter().map(|patch| patch.at).collect();
    let near = reach + 2.0 * way + border.reach;
    let grid = PointGrid::new(&at, near);
    let faced = |index: usize| {
        let mut faced = false;
        grid.within(at[index], near, |other, _| {
            let between = at[other as usize] - at[index];
            let looks =
                |a: &Vec3| a.dot(between) > 0.0 && ways[other as usize].iter().any(|b| a.dot(*b) < 0.0);
            faced |= other as usize != index && !faced && ways[index].iter().any(looks);
        });
        faced
    };
    let kept: Vec<u32> = (0..found.len()).filter(|&index| faced(index)).map(|index| found[index]).collect();
    *found = kept;
}

/// Finds where a body is in itself, among the nodes that can be.
pub fn meet_itself(body: &Seen, suspects: &[u32], found: &mut Vec<ContactPoint>) {
    found.clear();
    with_carriers(|carriers, picked| {
        carriers.clear();
        suspects.iter().for_each(|&node| carriers.add(&Patch::of(body.body, node), body.border));
        carriers.sort_in(body.reach());
        let around = Around { radius: body.reach(), knowing: Some(0.0) };
        carriers.pick(around, None, picked);
        for &node in suspects {
            let patch = Patch::of(body.body, node);
            for tip in body.border.tips(node) {
                let place = patch.at + patch.map * tip.point;
                let way = (patch.cofactor * tip.normal).normalize_or_zero();
                let mut sum = Sum::default();
                carriers.near(picked, place, |other, facets| {
                    if other.node == node {
                        return;
                    }
                    // Not the facet that it faces but the one that is nearest: on a thin plate the other side faces it.
                    let Some((distance, facet)) = body.border.distance(other.node, place, facets) else {
                        return;
                    };
                    if distance >= 0.0 || facet.normal.dot(way) > FOLDED {
                        return;
                    }
                    // What is in each other at rest may stay so.
                    let allowed = depth_at_rest(body, node, tip.point, other.node) - SLACK * other.span;
                    if distance < allowed {
                        let over = Over { distance: distance - allowed, facet, clear: 1.0 };
                        sum.add(other, place, &over);
                    }
                });
                found.extend(sum.contact_point(node, place, 0.0));
            }
        }
    });
}

/// How deep a tip is below the facets of another node at rest; 0 if it is not.
fn depth_at_rest(body: &Seen, node: u32, tip: Vec3, other: u32) -> f32 {
    let places = &body.body.rest().nodes.rest_positions;
    let place = places[node as usize] + tip - places[other as usize];
    body.border
        .distance(other, place, body.border.facets(other))
        .map_or(0.0, |(distance, _)| distance.min(0.0))
}
