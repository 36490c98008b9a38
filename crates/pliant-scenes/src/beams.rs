//! Beams against the theory of beams: whether a material is as stiff as its Young's modulus and its Poisson's ratio say.
//!
//! A beam lies along x. Its left end is held as deep as its regions reach, since a single layer of held nodes is a spring of its
//! own. Loads are so small that it is strained by a hundredth or two.

use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::math::functions::{cube, square};
use pliant::{Body, BodyHandle, ForceAt, LatticeSettings, Material, ModelSettings, Rule, Selection, Sleep};
use pliant::{Stiffness, World, WorldSettings};

/// A beam of one material, and how it is simulated.
#[derive(Clone, Debug)]
pub struct Beam {
    /// Length in metres.
    pub length: f32,
    /// Edge in metres of its square section.
    pub thickness: f32,
    /// Density, Young's modulus and Poisson's ratio.
    pub material: Material,
    /// What moves it.
    pub model: ModelSettings,
    /// Where it is fine.
    pub rules: Vec<Rule>,
    /// Half-width in metres of its regions.
    pub width: f32,
    /// Seconds.
    pub dt_secs: f32,
    /// Substeps of a step.
    pub substeps: u32,
}

/// Why there is no such beam.
#[derive(Debug, thiserror::Error)]
pub enum BeamError {
    /// The model cannot make it.
    #[error(transparent)]
    Body(#[from] pliant::BodyError),
    /// Nothing is there to hold it by.
    #[error(transparent)]
    Tool(#[from] pliant::tool::ToolError),
}

/// What is done to a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// Its weight pulls along it.
    Hung,
    /// Its weight bends it.
    Bent,
    /// Its two halves are turned against each other; nothing holds it.
    Twisted,
}

/// Strain, roughly, that loads make.
const STRAIN: f64 = 0.02;
/// Damping while it comes to rest.
const SETTLING: f32 = 0.3;
/// Frames after which a beam is taken as it is.
const MOST_FRAMES: usize = 1000;
/// Part of the kinetic energy of the first swing below which a beam rests.
const AT_REST: f64 = 1e-6;
/// Part of the most kinetic energy that a swing has left when it is past its fastest.
const PEAK: f64 = 0.999;
/// The torsion constant of a square section of edge 1.
const SQUARE: f64 = 0.140_6;

impl Beam {
    /// 1.6 m long and 0.4 m thick, a lattice whose regions are one cell wide, at 60 frames per second.
    pub fn uniform(cell: f32, material: Material) -> Self {
        Self {
            length: 1.6,
            thickness: 0.4,
            material,
            model: LatticeSettings { cell: Some(cell), width: Some(cell) }.into(),
            rules: Vec::new(),
            width: cell,
            dt_secs: 1.0 / 60.0,
            substeps: 4,
        }
    }

    /// E and ν; nothing where the material has an α.
    fn constants(&self) -> (f64, f64) {
        match self.material.elasticity.stiffness {
            Stiffness::Young { modulus, poisson_ratio } => (modulus.into(), poisson_ratio.into()),
            Stiffness::Alpha(_) => (0.0, 0.0),
        }
    }

    /// What is free of it, in metres.
    fn free(&self) -> f64 {
        f64::from(self.length - self.width)
    }

    /// How much it does of what beam theory says under a load, once it is at rest: 1 is just as stiff, more is softer.
    ///
    /// # Errors
    /// If there is no such beam.
    pub fn compliance(&self, load: Load) -> Result<f64, BeamError> {
        let (mut world, body) = self.under(load)?;
        let twisting = if load == Load::Twisted { self.twisting() } else { 0.0 };
        self.settle(&mut world, body, |x| twisting * x.x * Vec3::X.cross(x));
        Ok(match load {
            Load::Hung => self.at_the_end(&world, body, Vec3::X) / (STRAIN * self.free()),
            Load::Bent => -self.at_the_end(&world, body, Vec3::Y) / (STRAIN * self.free()),
            Load::Twisted => self.twist(&world, body) / STRAIN,
        })
    }

    /// Its first frequency of bending as part of what theory says.
    ///
    /// # Errors
    /// If there is no such beam.
    pub fn frequency(&self) -> Result<f64, BeamError> {
        let (mut world, body) = self.under(Load::Bent)?;
        self.settle(&mut world, body, |_| Vec3::ZERO);
        world.settings.gravity = Vec3::ZERO;
        if let Ok(body) = world.body_mut(body) {
            body.material = self.material;
        }
        let (e, ratio) = self.constants();
        let (density, free, thickness) =
            (f64::from(self.material.density), self.free(), f64::from(self.thickness));
        // Of bending and of shear alone, put together by Dunkerley's rule.
        let bending = square(1.875 / free) * (e * square(thickness) / (12.0 * density)).sqrt();
        let shear = 0.5 * std::f64::consts::PI / free * (SHEAR * e / (2.0 * (1.0 + ratio)) / density).sqrt();
        let theory =
            (1.0 / (1.0 / square(bending) + 1.0 / square(shear))).sqrt() / (2.0 * std::f64::consts::PI);
        let (mut before, mut crossings) = (self.at_the_end(&world, body, Vec3::Y), Vec::new());
        let most = (5.0 / theory / f64::from(self.dt_secs)) as usize;
        for frame in 0..most {
            world.step(self.dt_secs);
            let now = self.at_the_end(&world, body, Vec3::Y);
            if before < 0.0 && now >= 0.0 {
                crossings.push(frame as f64 - now / (now - before));
            }
            before = now;
        }
        let swings = crossings.len().saturating_sub(1) as f64;
        let frames =
            crossings.last().zip(crossings.first()).map_or(f64::INFINITY, |(last, first)| last - first);
        Ok(swings / (frames * f64::from(self.dt_secs)) / theory)
    }

    /// The beam under a load in a world in which nothing falls asleep.
    fn under(&self, load: Load) -> Result<(World, BodyHandle), BeamError> {
        let (l, t) = (self.length, self.thickness);
        let sleep = Sleep { speed: 0.0, ..Sleep::default() };
        let mut world = World::with_settings(WorldSettings {
            gravity: Vec3::ZERO,
            substeps: self.substeps,
            max_substeps: 64,
            sleep,
            ..WorldSettings::default()
        });
        let body = Body::builder(shapes::cuboid(Vec3::new(l, t, t), [4, 1, 1]))
            .material(self.material.with_damping(SETTLING))
            .model(self.model.clone())
            .refine(self.rules.iter().cloned());
        let body = world.add_body(body.build()?);
        let (e, _) = self.constants();
        let (density, free) = (f64::from(self.material.density), self.free());
        let end = Selection::Box { min: Vec3::new(-l, -t, -t), max: Vec3::new(self.width - 0.5 * l, t, t) };
        world.settings.gravity = match load {
            Load::Hung => Vec3::X * (2.0 * STRAIN * e / (density * free)) as f32,
            Load::Bent => {
                let [bending, shear] = self.deflections();
                Vec3::NEG_Y * (STRAIN * free / (bending + shear)) as f32
            }
            Load::Twisted => Vec3::ZERO,
        };
        if load != Load::Twisted {
            world.pin(body, &end)?;
        }
        Ok((world, body))
    }

    /// Lets it come to rest under forces that grow along it: whatever swings is stopped where it is fastest. That alone would
    /// stir up the shortest waves; damping takes them.
    fn settle(&self, world: &mut World, body: BodyHandle, per_mass: impl Fn(Vec3) -> Vec3 + Sync) {
        let rest = world.body(body).map(|body| body.rest().nodes.rest_positions.clone()).unwrap_or_default();
        let (mut first, mut most) = (0.0, 0.0);
        for _ in 0..MOST_FRAMES {
            world.step_with(self.dt_secs, &|at: &ForceAt| at.mass * per_mass(rest[at.node.index()]));
            let now = world.energy().kinetic;
            most = f64::max(most, now);
            // A little less is not yet a peak: rounding makes as much of it where loads are small.
            if now < PEAK * most {
                if now < AT_REST * first {
                    return;
                }
                if first == 0.0 {
                    first = most;
                }
                if let Ok(body) = world.body_mut(body) {
                    body.nodes.velocities.fill(Vec3::ZERO);
                }
                most = 0.0;
            }
        }
    }

    /// m/s² a metre of height and of length that turn the halves of a free beam against each other, by [`STRAIN`] radians a metre in
    /// its middle: the torque there is ρ a (t⁴/6) l²/8.
    fn twisting(&self) -> f32 {
        let (e, ratio) = self.constants();
        let length = f64::from(self.length);
        let shear = e / (2.0 * (1.0 + ratio));
        (STRAIN * shear * SQUARE * 48.0 / (f64::from(self.material.density) * square(length))) as f32
    }

    /// Young's modulus, as part of the one that was asked for, and Poisson's ratio of a free beam that is pulled at both ends, in its
    /// middle.
    ///
    /// # Errors
    /// If there is no such beam.
    pub fn measured(&self) -> Result<(f64, f64), BeamError> {
        let (mut world, handle) = self.under(Load::Twisted)?;
        let (e, _) = self.constants();
        // The stress in the middle is ρ a l²/8.
        let pull = 8.0 * STRAIN * e / (f64::from(self.material.density) * square(f64::from(self.length)));
        self.settle(&mut world, handle, |x| Vec3::X * (pull as f32 * x.x));
        let Ok(body) = world.body(handle) else { return Ok((f64::NAN, f64::NAN)) };
        let rest = &body.rest().nodes.rest_positions;
        let (mut along, mut across) = ([0.0; 2], [0.0; 2]);
        for (x, now) in rest.iter().zip(&body.nodes.positions).filter(|(x, _)| x.x.abs() < self.length / 6.0)
        {
            let fading = 1.0 - 4.0 * square(x.x) / square(self.length);
            let stretch = x.x - 4.0 * cube(x.x) / (3.0 * square(self.length));
            let ways = [(&mut along, stretch, now.x - x.x), (&mut across, x.y * fading, now.y - x.y)];
            for (sums, way, moved) in ways {
                sums[0] += f64::from(way * moved);
                sums[1] += f64::from(way * way);
            }
        }
        let strain = along[0] / along[1];
        Ok((STRAIN / strain, -across[0] / across[1] / strain))
    }

    /// How far its free end has come along an axis, in metres.
    fn at_the_end(&self, world: &World, body: BodyHandle, axis: Vec3) -> f64 {
        let Ok(body) = world.body(body) else { return f64::NAN };
        let rest = &body.rest().nodes;
        let end = rest.rest_positions.iter().map(|x| x.x).fold(f32::NEG_INFINITY, f32::max);
        let last: Vec<usize> =
            (0..rest.masses.len()).filter(|&node| rest.rest_positions[node].x > end - 1e-4).collect();
        let way = |&node: &usize| {
            let from = rest.rest_positions[node] + body.rest().center;
            (body.nodes.world_position(node) - from.as_dvec3()).dot(axis.as_dvec3())
        };
        let mean = last.iter().map(way).sum::<f64>() / last.len() as f64;
        // The last nodes are half a cell before the end, which the slope of bending, 4/3 of its deflection, takes farther.
        let before = f64::from(0.5 * self.length - end) / self.free();
        let [bending, shear] = self.deflections();
        if axis == Vec3::Y { mean / (1.0 - 4.0 / 3.0 * before * bending / (bending + shear)) } else { mean }
    }

    /// How far theory says that its end comes down in 1 m/s², by bending and by shear, in metres.
    fn deflections(&self) -> [f64; 2] {
        let (e, ratio) = self.constants();
        let (density, free) = (f64::from(self.material.density), self.free());
        let bending = 12.0 * density * square(square(free)) / (8.0 * e * square(f64::from(self.thickness)));
        let shear = density * square(free) / (2.0 * SHEAR * e / (2.0 * (1.0 + ratio)));
        [bending, shear]
    }

    /// Radians a metre about its middle.
    fn twist(&self, world: &World, body: BodyHandle) -> f64 {
        let Ok(body) = world.body(body) else { return f64::NAN };
        let rest = &body.rest().nodes.rest_positions;
        let (mut turned, mut squares) = (0.0, 0.0);
        for (x, now) in rest.iter().zip(&body.nodes.positions).filter(|(x, _)| x.x.abs() < self.length / 6.0)
        {
            // The torque falls towards the ends, so the angle grows as this.
            let along = x.x - 4.0 * cube(x.x) / (3.0 * square(self.length));
            let way = Vec3::X.cross(*x) * along;
            turned += f64::from((*now - *x).dot(way));
            squares += f64::from(way.length_squared());
        }
        turned / squares
    }
}

/// Of a square section: the part of it that counts for shear.
const SHEAR: f64 = 5.0 / 6.0;
