//! What is done in the studio, so that it can be undone, done again and sent to somebody else.
//!
//! A session is a scene, the snapshot it began with, and every [`Input`] since then with the step it came before. All else
//! follows: going back is restoring a kept snapshot and doing the inputs again, a file is the three of them, a recording is the
//! session done again while somebody draws.

mod file;
mod input;
mod kept;

pub use file::SessionError;
pub use input::{Input, InputError, NewBody};

use crate::session::kept::{Kept, Moment};
use pliant::adapt::{Load, Pace};
use pliant::world::Energy;
use pliant::{Budget, Cause, StepReport, ToolHandle, World};
use pliant_io::scene::{Scene, SceneState};
use std::collections::VecDeque;

/// Steps that plots show.
pub const PLOTTED: usize = 360;

/// What plots show of a step.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many steps had been made.
    pub step: u64,
    /// What the step did and took.
    pub report: StepReport,
    /// The energy after it, if it was measured.
    pub energy: Option<Energy>,
}

/// A scene in somebody's hands.
#[derive(Debug)]
pub struct Session {
    scene: Scene,
    start: SceneState,
    /// Each with the number of steps made before it; never decreasing.
    inputs: Vec<(u64, Input)>,
    now: Moment,
    kept: Kept,
    /// The last step that is known of, and the state after it: where a session from a file ends.
    end: (u64, Option<u64>),
    samples: VecDeque<Sample>,
    /// Nodes contained since the session began or went back.
    contained: usize,
    /// Whether samples have the energy: measuring it takes about as long as a step of the models.
    measures_energy: bool,
    /// Why bodies could not be cut, until somebody asks.
    refusals: Vec<String>,
    /// The latest knife that has cut something.
    sharp: Option<ToolHandle>,
    /// Milliseconds that a step may take, and what steps cost.
    budget_ms: Option<f32>,
    pace: Pace,
}

impl Session {
    /// Begins with a scene.
    pub fn new(mut scene: Scene) -> Self {
        // Wall-clock time would make every run another: this session measures itself and says how many nodes there may be.
        let mut budget_ms = None;
        if let Some(Budget::Millis(ms)) = scene.world.settings.budget {
            budget_ms = Some(ms);
            scene.world.settings.budget = None;
        }
        let start = scene.keep();
        Self::from_parts(scene, start, Vec::new(), (0, None), budget_ms)
    }

    fn from_parts(
        scene: Scene,
        start: SceneState,
        inputs: Vec<(u64, Input)>,
        end: (u64, Option<u64>),
        budget_ms: Option<f32>,
    ) -> Self {
        Self {
            kept: Kept::new(start.clone()),
            scene,
            start,
            inputs,
            now: Moment::default(),
            end,
            samples: VecDeque::new(),
            contained: 0,
            measures_energy: false,
            refusals: Vec::new(),
            sharp: None,
            budget_ms,
            pace: Pace::default(),
        }
    }

    /// The same session from its beginning, with all that is known of it ahead.
    pub fn fork(&self) -> Self {
        let mut scene = Scene::resumed(self.scene.script(), World::new());
        scene.restore(&self.start);
        Self::from_parts(scene, self.start.clone(), self.inputs.clone(), (self.last_step(), self.end.1), None)
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The scene as it is now.
    pub fn into_scene(self) -> Scene {
        self.scene
    }

    /// Everything that is simulated.
    pub fn world(&self) -> &World {
        &self.scene.world
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.now.step
    }

    /// The last step that is known of: beyond this moment if the session was gone back in, or comes from a file.
    pub fn last_step(&self) -> u64 {
        self.end.0.max(self.now.step)
    }

    /// Whether inputs made earlier lie ahead, which steps do again.
    pub fn is_replaying(&self) -> bool {
        self.now.step < self.end.0
    }

    /// What was done so far, with the number of steps made before.
    pub fn inputs(&self) -> &[(u64, Input)] {
        &self.inputs[..self.now.inputs]
    }

    /// The latest steps, oldest first.
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// What the latest step did; nothing before the first.
    pub fn report(&self) -> StepReport {
        self.samples.back().map(|sample| sample.report).unwrap_or_default()
    }

    /// Nodes contained since the session began or went back.
    pub fn contained(&self) -> usize {
        self.contained
    }

    /// Cuts made so far, each piece of a knife's way being one.
    pub fn cuts(&self) -> usize {
        self.now.cuts
    }

    /// Why bodies could not be cut since this was last asked, in plain words.
    pub fn take_refusals(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refusals)
    }

    /// The tool in the user's hand.
    pub fn held(&self) -> Option<ToolHandle> {
        self.now.hand.held.filter(|held| self.world().tool(*held).is_ok())
    }

    /// The wind that the user makes.
    pub fn own_wind(&self) -> Option<ToolHandle> {
        self.now.hand.wind.filter(|wind| self.world().tool(*wind).is_ok())
    }

    /// Does something. What lay ahead, if the session was gone back in, is forgotten.
    ///
    /// # Errors
    /// If it cannot be done; then nothing has changed.
    pub fn apply(&mut self, input: Input) -> Result<(), InputError> {
        self.apply_with(input, None)
    }

    /// As [`Session::apply`] for [`Input::Add`], with the body already made from it, which may take a while.
    ///
    /// # Errors
    /// If it cannot be done; then nothing has changed.
    pub fn apply_with(&mut self, input: Input, made: Option<pliant::Body>) -> Result<(), InputError> {
        if input.changes_topology() {
            // Undoing it should not have to do many steps again.
            self.keep();
        }
        input.apply(&mut self.scene.world, &mut self.now.hand, made)?;
        self.inputs.truncate(self.now.inputs);
        match self.inputs.last_mut() {
            // A cursor moves many times between two steps: only the last counts.
            Some((step, last)) if *step == self.now.step && last.is_replaced_by(&input) => {
                *last = input;
                self.kept.forget_with(&self.now);
            }
            _ => self.inputs.push((self.now.step, input)),
        }
        self.now.inputs = self.inputs.len();
        self.forget_ahead();
        Ok(())
    }

    fn forget_ahead(&mut self) {
        self.end = (self.now.step, None);
        self.kept.forget_after(&self.now);
    }

    /// Lets samples from now on have the energy, or not.
    pub fn measure_energy(&mut self, yes: bool) {
        self.measures_energy = yes;
    }

    /// Moves the world one step on, doing again what was done then if it lies ahead.
    pub fn step(&mut self) -> StepReport {
        self.apply_until(self.inputs_before(self.now.step + 1));
        let report = self.advance();
        self.note_refusals();
        if self.now.step > self.end.0 {
            self.end = (self.now.step, None);
        }
        self.contained += report.contained;
        let energy = self.measures_energy.then(|| self.world().energy());
        if self.samples.len() == PLOTTED {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample { step: self.now.step, report, energy });
        if self.kept.is_due(&self.now) {
            self.keep();
        }
        self.keep_budget(&report);
        report
    }

    /// The step itself.
    fn advance(&mut self) -> StepReport {
        let report = self.scene.step();
        self.now.step += 1;
        self.now.cuts += report.cuts;
        for knife in std::mem::take(&mut self.now.hand.put_away) {
            let _ = self.scene.world.remove_tool(knife);
        }
        report
    }

    /// Remembers why bodies could not be cut. A knife that has cut is not told of: the rest of its way may well do nothing.
    fn note_refusals(&mut self) {
        for cut in self.scene.world.cuts() {
            match (&cut.result, cut.cause) {
                (Ok(_), Cause::Knife(knife)) => self.sharp = Some(knife),
                (Err(_), Cause::Knife(knife)) if self.sharp == Some(knife) => {}
                (Err(refusal), _) => {
                    let why = format!("not cut: {refusal}");
                    if !self.refusals.contains(&why) {
                        self.refusals.push(why);
                    }
                }
                (Ok(_), _) => {}
            }
        }
    }

    fn keep(&mut self) {
        self.kept.add(self.now.clone(), || self.scene.keep());
    }

    /// How many inputs come before that many steps.
    fn inputs_before(&self, step: u64) -> usize {
        self.inputs.partition_point(|(at, _)| *at < step)
    }

    /// Does again what was done, up to the input of that number.
    fn apply_until(&mut self, inputs: usize) {
        for (_, input) in &self.inputs[self.now.inputs..inputs.max(self.now.inputs)] {
            // It could be done then, so it can be done now; a file that was changed by hand may hold anything.
            let _ = input.apply(&mut self.scene.world, &mut self.now.hand, None);
        }
        self.now.inputs = self.now.inputs.max(inputs);
    }

    /// Goes to a moment: that many steps made, and no input since but the first `inputs`.
    fn go_to(&mut self, step: u64, inputs: usize) {
        let (moment, snapshot) = self.kept.latest(step, inputs);
        self.scene.restore(snapshot);
        self.samples.retain(|sample| sample.step <= moment.step);
        self.now = moment;
        self.contained = 0;
        self.refusals.clear();
        while self.now.step < step {
            self.apply_until(self.inputs_before(self.now.step + 1));
            self.advance();
        }
        self.apply_until(inputs);
    }

    /// Goes to the moment after that many steps, at most the last known; what comes later is kept and done again.
    pub fn seek(&mut self, step: u64) {
        let step = step.min(self.last_step());
        self.go_to(step, self.inputs_before(step));
    }

    /// Goes one step back. What is undone lies ahead until something else is done.
    pub fn step_back(&mut self) {
        self.seek(self.now.step.saturating_sub(1));
    }

    /// Goes back to the beginning, and forgets all that was done.
    pub fn reset(&mut self) {
        self.seek(0);
        self.inputs.clear();
        self.now.inputs = 0;
        self.forget_ahead();
        self.samples.clear();
    }

    /// What [`Session::undo`] would undo, in plain words.
    pub fn undoable(&self) -> Option<&'static str> {
        self.inputs().iter().rev().find(|(_, input)| input.changes_topology()).map(|(_, input)| input.name())
    }

    /// Goes back to just before the last change of what bodies are made of; `false` if there was none.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.inputs().iter().rposition(|(_, input)| input.changes_topology()) else {
            return false;
        };
        let step = self.inputs[last].0;
        self.go_to(step, last);
        self.inputs.truncate(last);
        self.forget_ahead();
        true
    }

    /// Milliseconds that a step may take.
    pub fn budget_ms(&self) -> Option<f32> {
        self.budget_ms
    }

    /// Sets the milliseconds that a step may take. The session finds out how many nodes that allows, and those are inputs: doing
    /// them again does not depend on the clock.
    pub fn set_budget_ms(&mut self, ms: Option<f32>) {
        self.budget_ms = ms.filter(|ms| *ms > 0.0 && ms.is_finite());
        self.pace = Pace::default();
    }

    fn keep_budget(&mut self, report: &StepReport) {
        /// Changes of the limit below this part are not worth an input.
        const WORTH: f64 = 0.1;
        let Some(budget) = self.budget_ms.filter(|_| !self.is_replaying()) else { return };
        let load = Load::of(self.world().bodies().map(|(_, body)| body));
        self.pace.learn(&report.cost);
        let Some(nodes) = self.pace.nodes_for(budget, &load) else { return };
        let nodes = nodes.clamp(1, 1_000_000_000) as u32;
        let settings = self.world().settings;
        let differs = match settings.budget {
            Some(Budget::Nodes(now)) => (f64::from(nodes) / f64::from(now.max(1)) - 1.0).abs() > WORTH,
            _ => true,
        };
        if differs {
            let settings = pliant::WorldSettings { budget: Some(Budget::Nodes(nodes)), ..settings };
            let _ = self.apply(Input::World(settings));
        }
    }

    /// Whether the state is the one that the file had when it was written; `None` before its end, or if something else was done.
    pub fn is_reproduced(&self) -> Option<bool> {
        let (step, hash) = self.end;
        hash.filter(|_| step == self.now.step).map(|hash| hash == self.world().state_hash())
    }
}
