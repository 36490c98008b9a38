//! The split of trees of triangles.

use glam::Vec3;

/// Sorts `order` into two halves along the axis in which the middles of the triangles spread farthest, and returns both.
///
/// Equal middles go by index: the halves do not depend on the order before.
pub(super) fn halves<'a>(corners: &[[Vec3; 3]], order: &'a mut [u32]) -> (&'a mut [u32], &'a mut [u32]) {
    // Three times the middle sorts as the middle does.
    let middle = |t: u32| corners[t as usize].iter().sum::<Vec3>();
    let (low, high) = bounds(order.iter().map(|&t| middle(t)));
    let axis = (high - low).max_position();
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
    order.split_at_mut(half)
}

/// Low and high corner of the box around points; infinite and the wrong way round if there are none.
pub(super) fn bounds(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}
