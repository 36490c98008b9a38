//! Surfaces on their way to the GPU: what is kept there, what is sent now, and where it all is.

use super::bounds::{Bounds, drawable};
use super::bytes::Piece;
use super::meshes::{Gpu, Meshes, good_triangles};
use super::pages::{Pages, Place};
use super::uploads::Uploads;
use crate::Item;
use pliant::glam::Vec3;
use std::borrow::Cow;

/// One item, ready to be drawn.
pub(super) struct Draw {
    /// Positions and, after them, normals, unless the item is flat.
    pub skin: Place,
    pub normals_at: Option<u64>,
    pub triangles: Place,
    pub corners: u32,
    /// One colour a vertex.
    pub colors: Option<Place>,
    /// A veil over what is inside.
    pub ghost: bool,
}

/// What shaders know of an item: where its zero is, and its colour. Bytes of one, and where the colour is in them.
pub(super) const ITEM_BYTES: u64 = 32;
pub(super) const ITEM_COLOR_AT: u64 = 16;

/// All buffers of items.
pub(super) struct Items {
    meshes: Meshes,
    skins: Pages,
    triangles: Pages,
    settings: Pages,
    pub draws: Vec<Draw>,
    /// Where the settings of the first item are; those of the others follow.
    pub first: Option<Place>,
}

/// What is known of an item before anything passing is sent.
struct Plan<'a> {
    item: &'a Item<'a>,
    normals: &'a [Vec3],
    shape: Option<Place>,
    kept_triangles: Option<(Place, u32)>,
    passing_triangles: Cow<'a, [[u32; 3]]>,
    kept_colors: Option<Place>,
    passing_colors: Cow<'a, [[f32; 4]]>,
}

impl Plan<'_> {
    /// Bytes of positions, normals and passing colours that change with the frame.
    fn skin_bytes(&self) -> u64 {
        let shape = if self.shape.is_some() { 0 } else { self.item.positions.len() + self.normals.len() };
        (size_of::<Vec3>() * shape + size_of_val(&*self.passing_colors)) as u64
    }
}

impl Items {
    pub fn new(most: u64) -> Self {
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        Self {
            meshes: Meshes::default(),
            skins: Pages::new(vertex, most),
            triangles: Pages::new(index, most),
            settings: Pages::new(vertex, most),
            draws: Vec::new(),
            first: None,
        }
    }

    /// Sends what is new of all items, and takes them into `bounds`.
    pub fn send(&mut self, gpu: Gpu<'_>, items: &[Item<'_>], bounds: &mut Bounds, uploads: &mut Uploads) {
        self.meshes.begin();
        let plans: Vec<Plan<'_>> = items.iter().filter_map(|item| self.plan(gpu, item, bounds)).collect();

        let mut skins = self.skins.fill(plans.iter().map(Plan::skin_bytes).sum());
        let mut triangles =
            self.triangles.fill(plans.iter().map(|plan| size_of_val(&*plan.passing_triangles) as u64).sum());
        let mut settings = Vec::with_capacity(plans.len());
        self.draws.clear();
        for plan in plans {
            let Plan { item, normals, .. } = plan;
            let normals_at = (!normals.is_empty()).then_some(size_of_val(item.positions) as u64);
            let skin = plan
                .shape
                .or_else(|| skins.add(gpu.device, [Piece::Points(item.positions), Piece::Points(normals)]));
            let found = plan.kept_triangles.or_else(|| {
                let corners = 3 * plan.passing_triangles.len() as u32;
                let place = triangles.add(gpu.device, [Piece::of(plan.passing_triangles)])?;
                Some((place, corners))
            });
            let (Some(skin), Some((triangles, corners))) = (skin, found) else {
                uploads.left_out += 1;
                continue;
            };
            let colors = plan.kept_colors.or_else(|| skins.add(gpu.device, [Piece::of(plan.passing_colors)]));
            self.draws.push(Draw { skin, normals_at, triangles, corners, colors, ghost: item.ghost });
            let ([x, y, z], [r, g, b]) = (item.offset.to_array(), item.color);
            settings.push([x, y, z, 0.0, r, g, b, 0.0f32]);
        }
        uploads.skins = skins.send(gpu.queue);
        uploads.passing_triangles = triangles.send(gpu.queue);
        // More than a buffer holds would be millions of items.
        settings.truncate((gpu.most / ITEM_BYTES) as usize);
        self.draws.truncate(settings.len());
        let mut filling = self.settings.fill(settings.len() as u64 * ITEM_BYTES);
        self.first = filling.add(gpu.device, [Piece::of(Cow::Borrowed(&settings[..]))]);
        uploads.settings = filling.send(gpu.queue);
        self.meshes.end();
        uploads.meshes = self.meshes.upload;
    }

    /// Where the pieces of an item come from; `None` if there is nothing to see of it.
    fn plan<'a>(&mut self, gpu: Gpu<'_>, item: &'a Item<'a>, bounds: &mut Bounds) -> Option<Plan<'a>> {
        if item.positions.is_empty() || item.triangles.is_empty() || !drawable(item.offset) {
            return None;
        }
        let smooth = item.normals.len() == item.positions.len();
        let normals = if smooth { item.normals } else { &[] };
        let all_good = bounds.add(item);
        // A body with broken vertices is drawn without their triangles, which change as more break.
        let kept_triangles = if all_good { self.meshes.triangles(gpu, item) } else { None };
        let passing_triangles = match &kept_triangles {
            Some(_) => Cow::Borrowed(&[][..]),
            None => good_triangles(item, !all_good),
        };
        if kept_triangles.as_ref().map_or(passing_triangles.is_empty(), |(_, corners)| *corners == 0) {
            return None;
        }
        let shape = self.meshes.shape(gpu, item, normals);
        let mut kept_colors = None;
        let mut passing_colors = Cow::Borrowed(&[][..]);
        if let Some(colors) = item.colors {
            kept_colors = self.meshes.colors(gpu, item, colors);
            if kept_colors.is_none() {
                passing_colors = padded(colors, item);
            }
        }
        Some(Plan { item, normals, shape, kept_triangles, passing_triangles, kept_colors, passing_colors })
    }
}

/// One colour for every vertex: those missing get the item's.
fn padded<'a>(colors: &'a [[f32; 4]], item: &Item<'a>) -> Cow<'a, [[f32; 4]]> {
    let wanted = item.positions.len();
    match colors.get(..wanted) {
        Some(colors) => Cow::Borrowed(colors),
        None => {
            let [r, g, b] = item.color;
            let mut all = colors.to_vec();
            all.resize(wanted, [r, g, b, 1.0]);
            Cow::Owned(all)
        }
    }
}
