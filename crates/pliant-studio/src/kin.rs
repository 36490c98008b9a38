//! Which colour a body has: what was cut off it has the same.

use crate::body_color;
use pliant::{Body, BodyHandle, World};

/// The colours of all bodies that were seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Colors {
    known: Vec<(BodyHandle, usize)>,
}

impl Colors {
    /// Gives colours to the bodies that are new.
    pub fn meet(&mut self, world: &World) {
        let first = self.known.is_empty();
        for (index, (handle, body)) in world.bodies().enumerate() {
            if self.number(handle).is_none() {
                let parent = self.parent(world, handle, body, first);
                self.known.push((handle, parent.unwrap_or(index)));
            }
        }
    }

    /// The colour of a body.
    pub fn of(&self, body: BodyHandle) -> [f32; 3] {
        body_color(self.number(body).unwrap_or(0))
    }

    /// The number of a body's colour.
    pub fn number(&self, body: BodyHandle) -> Option<usize> {
        self.known.iter().find(|(known, _)| *known == body).map(|(_, number)| *number)
    }

    /// The number of the colour of what a body was cut off.
    fn parent(&self, world: &World, handle: BodyHandle, body: &Body, first: bool) -> Option<usize> {
        let told = world.cuts().iter().find(|cut| {
            cut.result.as_ref().is_ok_and(|parted| parted.pieces.contains(&handle))
                && cut.body != Some(handle)
        });
        if let Some(number) = told.and_then(|cut| self.number(cut.body?)) {
            return Some(number);
        }
        // It was cut off some steps ago. Pieces share a rest shape, and a body that was never changed is none; of bodies that
        // are all seen for the first time, those with cut faces may be pieces of one.
        let is_piece = |of: &Body| if first { cut_paint(of).is_some() } else { body.version() > 0 };
        let (rest, place) = (body.rest(), body.center_of_mass());
        let akin = |other: &Body| {
            let like = other.rest();
            other.name == body.name && like.center == rest.center && like.scale == rest.scale
        };
        let others = world.bodies().filter(|(_, other)| is_piece(body) && is_piece(other) && akin(other));
        let known = others.filter_map(|(other, of)| Some((self.number(other)?, of.center_of_mass())));
        let nearest =
            known.min_by(|a, b| a.1.distance_squared(place).total_cmp(&b.1.distance_squared(place)));
        nearest.map(|(number, _)| number)
    }
}

/// The number of the paint of cut faces, if the body's mesh has any.
pub(crate) fn cut_paint(body: &Body) -> Option<usize> {
    let rest = body.rest();
    rest.mesh.paints.iter().rposition(|paint| paint.name == rest.cut_paint.name)
}

/// One colour a vertex of a skin with cut faces, which have their paint's; nothing without such faces.
pub(crate) fn cut_faces(body: &Body, color: [f32; 3]) -> Vec<[f32; 4]> {
    let mesh = &body.rest().mesh;
    let Some(paint) = cut_paint(body) else { return Vec::new() };
    let faces = mesh.triangles.iter().zip(&mesh.triangle_paints).filter(|(_, p)| **p as usize == paint);
    let [r, g, b] = color;
    let mut colors = mesh.colors.clone();
    colors.resize(mesh.positions.len(), [r, g, b, 1.0]);
    faces.flat_map(|(corners, _)| corners).for_each(|&vertex| {
        if let Some(color) = colors.get_mut(vertex as usize) {
            *color = mesh.paints[paint].base_color;
        }
    });
    colors
}
