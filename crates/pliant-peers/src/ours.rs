//! Pliant's side.

use crate::cut::Cut;
use crate::engine::{Engine, Layers};
use crate::pile::{self, Pile};
use crate::{DENSITY, DROP, EDGE, FRAME_SECS};
use anyhow::{Context, Result};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{
    Blade, Body, BodyHandle, Collider, LatticeSettings, Material, OctreeSettings, Rule, Sleep, World,
    WorldSettings,
};

/// A world with one body on a floor.
pub struct Ours {
    world: World,
    handle: BodyHandle,
    layers: Layers,
}

/// Half-width of the regions in metres. It costs the same at any width, and this one makes the cube stand with one step a frame:
/// narrower ones need more steps, because the floor holds one layer of nodes and the others follow at one match a step.
const WIDTH: f32 = 0.5;

/// A cube of `n` nodes along an edge, above the floor.
///
/// # Errors
/// If the engine refuses it.
pub fn cube(n: u32) -> Result<Ours> {
    let mesh = shapes::cuboid(Vec3::splat(EDGE), [n; 3]);
    let body = Body::builder(mesh)
        .material(Material::default().with_density(DENSITY))
        .model(LatticeSettings { cell: Some(EDGE / n as f32), width: Some(WIDTH) })
        .at(DVec3::Y * f64::from(DROP + 0.5 * EDGE))
        .build()?;
    falling(body)
}

/// A floor, and bodies that never sleep.
fn world(substeps: u32) -> Result<World> {
    let sleep = Sleep { speed: 0.0, ..Sleep::default() };
    let mut world = World::with_settings(WorldSettings { substeps, sleep, ..WorldSettings::default() });
    world.add_collider(Collider::floor(0.0))?;
    Ok(world)
}

/// A world in which a body falls on a floor, with one step a frame.
fn falling(body: Body) -> Result<Ours> {
    let heights: Vec<f64> = (0..body.nodes.positions.len()).map(|i| body.nodes.world_position(i).y).collect();
    let mut world = world(1)?;
    let handle = world.add_body(body);
    Ok(Ours { world, handle, layers: Layers::new(&heights) })
}

impl Engine for Ours {
    fn step(&mut self) {
        self.world.step(FRAME_SECS);
    }

    fn height_ratio(&self) -> f64 {
        // A body that is gone does not stand.
        let Ok(body) = self.world.body(self.handle) else { return f64::NAN };
        self.layers.ratio(|i| body.nodes.world_position(i).y)
    }

    fn nodes(&self) -> usize {
        self.world.body(self.handle).map_or(0, |body| body.nodes.positions.len())
    }
}

/// A world with a pile of cubes on a floor.
pub struct OurPile {
    world: World,
    pile: Pile,
}

/// Substeps of a frame of the pile.
const PILE_SUBSTEPS: u32 = 1;

/// Nine cubes above the floor.
///
/// # Errors
/// If the engine refuses one.
pub fn pile() -> Result<OurPile> {
    let mut world = world(PILE_SUBSTEPS)?;
    let points = pile::POINTS as u32;
    for cube in 0..pile::CUBES {
        let body = Body::builder(shapes::cuboid(Vec3::splat(EDGE), [points; 3]))
            .material(Material::default().with_density(pile::MASS / EDGE.powi(3)))
            .model(LatticeSettings { cell: Some(EDGE / points as f32), width: Some(WIDTH) })
            .at(Vec3::from(pile::place(cube)).as_dvec3());
        world.add_body(body.build()?);
    }
    let pile = Pile::new(&cubes_of(&world));
    Ok(OurPile { world, pile })
}

fn cubes_of(world: &World) -> Vec<Vec<[f64; 3]>> {
    let points = |body: &Body| {
        (0..body.nodes.positions.len()).map(|i| body.nodes.world_position(i).to_array()).collect()
    };
    world.bodies().map(|(_, body)| points(body)).collect()
}

impl Engine for OurPile {
    fn step(&mut self) {
        self.world.step(FRAME_SECS);
    }

    fn height_ratio(&self) -> f64 {
        self.pile.height_ratio(&cubes_of(&self.world))
    }

    fn nodes(&self) -> usize {
        self.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum()
    }

    fn apart(&self) -> f64 {
        pile::apart(&cubes_of(&self.world))
    }
}

/// Half-width in cells of the regions of the cube that is cut: what they are around a cut is found again, so here it costs.
const CUT_WIDTH: f32 = 2.0;

/// A cube of `n` nodes along an edge as an octree, above the floor, ready to be cut.
///
/// # Errors
/// If the engine refuses it.
pub fn octree_cube(n: u32) -> Result<Ours> {
    let cell = EDGE / n as f32;
    let body = Body::builder(shapes::cuboid(Vec3::splat(EDGE), [n; 3]))
        .material(Material::default().with_density(DENSITY))
        .model(OctreeSettings {
            cell: Some(cell),
            levels: Some(2),
            width: Some(CUT_WIDTH * cell),
            slack: 0.5,
        })
        .refine([Rule::Everywhere { size: cell }])
        .at(DVec3::Y * f64::from(DROP + 0.5 * EDGE))
        .build()?;
    falling(body)
}

impl Cut for Ours {
    fn middle(&self) -> [f64; 3] {
        self.world.body(self.handle).map_or([0.0; 3], |body| body.center_of_mass().to_array())
    }

    /// Cuts are made at the end of a step, so the step is in it.
    fn cut(&mut self, point: [f64; 3], normal: [f64; 3]) -> Result<()> {
        self.world.cut(Blade::plane(DVec3::from(point), DVec3::from(normal).as_vec3())?);
        self.world.step(FRAME_SECS);
        let event = self.world.cuts().first().context("nothing was cut")?;
        event.result.as_ref().map(|_| ()).map_err(|refusal| anyhow::anyhow!("{refusal}"))
    }

    fn pieces(&self) -> Vec<usize> {
        self.world.bodies().map(|(_, body)| body.nodes.positions.len()).collect()
    }
}
