//! What a model that works on several levels holds on each of them.

use glam::Vec3;

/// A level of a model: its regions where the body is now, and what the latest step did there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Edge of its regions at rest in meters.
    pub size: f32,
    /// Shape matches on this level in the latest substep; 0 before the first, and of a body that comes from a snapshot.
    pub matches: u64,
    /// Young's modulus of the body in Pa, in steps like the latest.
    pub young_modulus: f32,
    /// What is matched together on it.
    pub regions: Vec<LevelRegion>,
}

/// What is matched together on a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelRegion {
    /// The middle of its material, in meters from the body's origin.
    pub middle: Vec3,
    /// Its material at rest, in m³.
    pub volume: f32,
    /// What its deformation stores, in J.
    pub energy: f32,
}

impl Level {
    /// What all of it stores, in J.
    pub fn energy(&self) -> f64 {
        self.regions.iter().map(|region| f64::from(region.energy)).sum()
    }

    /// The strain ε of a bar of the same modulus that has as much energy in its volume as a region: that is ½ E ε².
    pub fn strain(&self, region: &LevelRegion) -> f32 {
        if self.young_modulus > 0.0 { (2.0 * region.density() / self.young_modulus).sqrt() } else { 0.0 }
    }

    /// The largest energy density of its regions, in J/m³.
    pub fn max_density(&self) -> f32 {
        self.regions.iter().map(LevelRegion::density).fold(0.0, f32::max)
    }
}

impl LevelRegion {
    /// Its energy per volume, in J/m³; 0 without material.
    pub fn density(&self) -> f32 {
        if self.volume > 0.0 { self.energy / self.volume } else { 0.0 }
    }
}
