//! Bodies that are finer than their cells: they are made of smaller cells for their first cut.
//!
//! From its first free cut on, a body is drawn with the surface of its finest cells. That shows no wall and no gap thinner than a
//! cell: arms become ragged, webs hang between legs and small holes are filled; and a node that both legs share holds them together.
//! What the surface encloses tells: if that is not what the mesh does, the body is cut as one of smaller cells instead, as far as
//! there is room for them. A body whose surface would be far off even so is not cut ([`Refusal::TooThin`]).

use super::{Blade, Refusal, Severed};
use crate::body::Body;
use crate::model::ModelSettings;

/// How far off what its surface encloses may be, as part of what its mesh does, before a body gets smaller cells: whatever is seen
/// as ragged is farther off, and bodies without thin parts hardly ever are.
const OFF: f64 = 0.04;

/// How far off it may be at all.
const MOST_OFF: f64 = 0.3;

/// Finest cells that a body may get, if each of those it has holds eight of them: as many as still move well.
const MOST_CELLS: usize = 16_000;

/// A cut that is tried on a copy.
pub(crate) struct Trial {
    /// The body before it, as fine as the cut needs it.
    pub refined: Body,
    /// The body after it.
    pub cut: Body,
    /// What came of it.
    pub result: Result<Option<Severed>, Refusal>,
}

impl Trial {
    /// Cuts a copy of a body, with up to `room` more nodes along the blade.
    pub fn new(
        mut refined: Body,
        blade: &Blade,
        room: usize,
        cut: &dyn Fn(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Self {
        refined.refine_along(blade, room);
        let mut body = refined.clone();
        let result = cut(&mut body);
        Self { refined, cut: body, result }
    }

    /// How far off the volume that its mesh enclosed the surface of cells is, as part of that; `None` if nothing was cut, or along the mesh.
    fn off(&self, mesh: f64) -> Option<f64> {
        let severed = self.result.as_ref().ok()?.as_ref()?;
        self.cut.rest.cut.as_ref()?;
        let shown: f64 = severed.others.iter().chain([&self.cut]).map(|piece| piece.rest.volume).sum();
        Some((shown - mesh).abs() / mesh)
    }

    /// The same cut of the same body, but of smaller cells if it is too thin for those it has; refused if that does not help.
    pub fn or_finer(
        self,
        body: &Body,
        blade: &Blade,
        room: usize,
        cut: &dyn Fn(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Self {
        let Some(mesh) = self.off(1.0).and_then(|_| body.enclosed_volume()) else { return self };
        let mut best = self;
        for times in 1.. {
            let Some(off) = best.off(mesh).filter(|off| *off > OFF) else { break };
            let finer = body.with_cells_halved(times, room).and_then(|settings| {
                let finer = body.remodelled_as_heavy(&settings)?;
                let more = finer.nodes.positions.len().saturating_sub(body.nodes.positions.len());
                Some(Self::new(finer, blade, room.saturating_sub(more), cut))
            });
            match finer.filter(|finer| finer.off(mesh).is_some_and(|less| less < off)) {
                Some(finer) => best = finer,
                None => break,
            }
        }
        if best.off(mesh).is_some_and(|off| off > MOST_OFF) {
            best.result = Err(Refusal::TooThin);
        }
        best
    }
}

impl Body {
    /// Whether it is to be cut as it is: it has been cut before, or shares its rest shape with other pieces.
    pub(crate) fn keeps_its_cells(&self) -> bool {
        self.rest.cut.is_some() || self.whole.is_some() || self.takes_whole_cuts()
    }

    /// The settings of its model with cells so many times halved, if there is room for them and it loses nothing by them.
    fn with_cells_halved(&self, times: u32, room: usize) -> Option<ModelSettings> {
        let has_more = self.rest.toughness.is_some() || self.material.plasticity.is_some();
        let finest = self.model.grid()?.filling.masks.iter().filter(|mask| **mask != 0).count();
        let most = MOST_CELLS.min(self.nodes.positions.len().saturating_add(room));
        let fits = finest.checked_shl(3 * times).is_some_and(|cells| cells <= most);
        if fits && !has_more { self.model.with_cells_halved(times) } else { None }
    }

    /// A copy with other settings and the same mass: where that comes from samples, other cells count a little more or less of it.
    fn remodelled_as_heavy(&self, settings: &ModelSettings) -> Option<Self> {
        let mut other = self.clone();
        other.remodel(settings).ok()?;
        let ratio = self.rest.nodes.total_mass / other.rest.nodes.total_mass;
        if (ratio - 1.0).abs() > 1e-6 {
            other = self.clone();
            other.material.density *= ratio as f32;
            other.remodel(settings).ok()?;
            other.material = self.material;
        }
        Some(other)
    }

    /// What its mesh encloses, in m³; nothing if it is open. Where shells overlap, by samples.
    fn enclosed_volume(&self) -> Option<f64> {
        let filling = &self.model.grid()?.filling;
        let overlap = self.rest.border.outer(&self.rest).is_some();
        self.has_closed_surface().then(|| if overlap { filling.volume() } else { self.rest.volume.abs() })
    }
}
