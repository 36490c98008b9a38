//! A body of a mesh, made, cut and left alone, and what came of it.

use super::*;
use pliant::geometry::weld;
use surface::unpaired;

/// What is done to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutting {
    /// It falls on a floor.
    Nothing,
    /// A plane goes through its middle at once.
    Plane,
    /// A knife is drawn through its middle.
    Knife,
    /// Scissors.
    Scissors,
    /// Two planes, one after the other.
    Cross,
}

impl Cutting {
    pub const ALL: [Self; 5] = [Self::Nothing, Self::Plane, Self::Knife, Self::Scissors, Self::Cross];
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    pub contained: usize,
    pub open: usize,
    /// Of the skins together, against the mesh.
    pub volume: f64,
    /// Of the skins together, against what they enclose at rest: a cut draws thin parts thicker than they are.
    pub kept: f64,
    /// How far nodes are from the middle of their body, against rest, as a volume: pieces may hang together out of parts that do not
    /// touch, which can be flung as well.
    pub spread: f32,
    /// The 99th of a hundred edges, and the box, against rest.
    pub stretch: f32,
    pub extent: f32,
    /// Below the floor.
    pub below: f64,
    /// Whether anything was cut.
    pub cut: bool,
    /// The fastest piece against the mean of all, from the first cut on.
    pub fastest: f32,
    pub mass: f64,
    pub pieces: usize,
}

impl Tried {
    pub const FAULTS: [&str; 7] = ["contained", "open", "volume", "spikes", "below", "flung", "crushed"];

    pub fn faults(&self) -> Vec<&'static str> {
        let found = [
            self.contained > 0,
            self.open > 0,
            !(0.7..=1.3).contains(&self.volume),
            !(self.stretch <= 3.0 && self.extent <= 1.5),
            self.below > 0.05,
            self.fastest > 1.0,
            self.cut && !((0.7..=1.3).contains(&self.kept) && (0.7..=1.3).contains(&self.spread)),
        ];
        Self::FAULTS.into_iter().zip(found).filter(|f| f.1).map(|f| f.0).collect()
    }
}

/// A mesh scaled to a metre, its middle at zero.
pub fn fitted(mut mesh: TriMesh) -> TriMesh {
    let (low, high) = mesh.bounds().unwrap();
    let (middle, size) = (0.5 * (low + high), (high - low).max_element());
    mesh.positions.iter_mut().for_each(|p| *p = (*p - middle) / size);
    mesh.origin = DVec3::ZERO;
    mesh
}

/// Makes a body and does that to it.
pub fn tried(mesh: &TriMesh, sampling: &Sampling, cutting: Cutting) -> Result<Tried, BodyError> {
    let mut world = World::new();
    if cutting == Cutting::Nothing {
        let (low, _) = mesh.bounds().unwrap();
        world.add_collider(Collider::floor(f64::from(low.y) - 0.05)).unwrap();
    } else {
        world.settings.gravity = Vec3::ZERO;
    }
    let Sampling { model, rules, .. } = sampling;
    let builder = Body::builder(mesh.clone()).model(model.clone());
    world.add_body(builder.refine(rules.iter().cloned()).build()?);
    let (whole, mut tried) = (Whole::of(&world), Tried::default());
    let step = |world: &mut World, tried: &mut Tried| {
        tried.contained += world.step(1.0 / 60.0).contained;
        tried.cut |= world.cuts().iter().any(|event| event.result.is_ok());
        if tried.cut {
            tried.fastest = tried.fastest.max(fastest(world));
        }
    };
    let plane = |normal: Vec3| Blade::plane(DVec3::ZERO, normal).unwrap();
    match cutting {
        Cutting::Nothing => {}
        Cutting::Plane => world.cut(plane(Vec3::Z)),
        Cutting::Scissors => world.scissors(None, DVec3::ZERO, Vec3::Z).unwrap(),
        Cutting::Cross => {
            world.cut(plane(Vec3::Z));
            step(&mut world, &mut tried);
            world.cut(plane(Vec3::new(1.0, 0.2, 0.0)));
        }
        Cutting::Knife => {
            let edge = |x: f64| [DVec3::new(x, -0.8, 0.02), DVec3::new(x, 0.8, 0.05)];
            let knife = world.knife(edge(-0.7)).unwrap();
            for i in 1..=20 {
                world.move_knife(knife, edge(-0.7 + 0.07 * f64::from(i))).unwrap();
                step(&mut world, &mut tried);
            }
        }
    }
    for _ in 0..if cutting == Cutting::Nothing { 120 } else { 30 } {
        step(&mut world, &mut tried);
    }
    let now = Whole::of(&world);
    tried.volume = now.volume / whole.rest_volume;
    tried.kept = now.volume / now.rest_volume;
    tried.spread = spread(&world);
    tried.mass = now.mass / whole.mass;
    tried.extent = now.size.max_element() / whole.size.max_element();
    tried.stretch = stretch(&world);
    tried.pieces = world.bodies().count();
    tried.open =
        world.bodies().map(|(_, body)| unpaired(weld(&body.rest().mesh, 0.0).triangles.into_iter())).sum();
    if cutting == Cutting::Nothing {
        let (low, _) = mesh.bounds().unwrap();
        tried.below = f64::from(low.y) - 0.05 - now.lowest;
    }
    Ok(tried)
}

/// All bodies of a world.
struct Whole {
    volume: f64,
    rest_volume: f64,
    mass: f64,
    size: Vec3,
    lowest: f64,
}

impl Whole {
    fn of(world: &World) -> Self {
        let mut whole =
            Self { volume: 0.0, rest_volume: 0.0, mass: 0.0, size: Vec3::ZERO, lowest: f64::INFINITY };
        for (_, body) in world.bodies() {
            let mut mesh = TriMesh::new(body.skin().positions.clone(), body.rest().mesh.triangles.clone());
            mesh.origin = DVec3::ZERO;
            whole.volume += mesh.signed_volume();
            whole.rest_volume += body.rest().mesh.signed_volume();
            whole.mass += body.rest().nodes.total_mass;
            if let Some((low, high)) = mesh.bounds() {
                whole.size = whole.size.max(high - low);
                whole.lowest = whole.lowest.min(body.nodes.origin.y + f64::from(low.y));
            }
        }
        whole
    }
}

/// How much longer than at rest the 99th of a hundred edges of the skins is.
fn stretch(world: &World) -> f32 {
    let mut all = Vec::new();
    for (_, body) in world.bodies() {
        let (rest, now) = (&body.rest().mesh, &body.skin().positions);
        for &[a, b, c] in &rest.triangles {
            for [a, b] in [[a, b], [b, c], [c, a]].map(|e| e.map(|v| v as usize)) {
                let before = rest.positions[a].distance(rest.positions[b]);
                if before > 1e-6 {
                    all.push(now[a].distance(now[b]) / before);
                }
            }
        }
    }
    all.sort_by(f32::total_cmp);
    all.get(all.len() * 99 / 100).copied().unwrap_or(1.0)
}

fn spread(world: &World) -> f32 {
    let around = |places: &[Vec3]| {
        let middle = places.iter().sum::<Vec3>() / places.len() as f32;
        places.iter().map(|place| place.distance_squared(middle)).sum::<f32>()
    };
    let rest: f32 = world.bodies().map(|(_, body)| around(&body.rest().nodes.rest_positions)).sum();
    let now: f32 = world.bodies().map(|(_, body)| around(&body.nodes.positions)).sum();
    (now / rest).sqrt() * (now / rest)
}

fn fastest(world: &World) -> f32 {
    let speeds: Vec<(f64, DVec3)> = world
        .bodies()
        .map(|(_, body)| {
            let masses = &body.rest().nodes.masses;
            let sum: DVec3 =
                masses.iter().zip(&body.nodes.velocities).map(|(m, v)| (*m * *v).as_dvec3()).sum();
            (body.rest().nodes.total_mass, sum / body.rest().nodes.total_mass)
        })
        .collect();
    let mass: f64 = speeds.iter().map(|s| s.0).sum();
    let mean: DVec3 = speeds.iter().map(|(m, v)| *m * *v).sum::<DVec3>() / mass;
    speeds.iter().map(|(_, v)| (*v - mean).length() as f32).fold(0.0, f32::max)
}
