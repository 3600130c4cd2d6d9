//! An engine of its own for a test, and plans against the scripted server.

use benchloop::{
    domain::plan::{RunForm, RunPlan},
    engine::Engine,
    server::script::ScriptedServer,
};

/// An engine over a temporary home, which lives as long as this.
pub struct Home {
    pub engine: Engine,
    pub folder: tempfile::TempDir,
}

pub fn home() -> Home {
    let folder = tempfile::tempdir().unwrap();
    Home { engine: Engine::open_with(folder.path(), super::python().clone()).unwrap(), folder }
}

pub fn form(server: &ScriptedServer, model: &str, suites: &str) -> RunForm {
    RunForm {
        model: model.into(),
        endpoint: server.url(),
        suites: vec![suites.into()],
        profile: "quick".into(),
        ..RunForm::default()
    }
}

pub fn plan(server: &ScriptedServer, model: &str, suites: &str) -> RunPlan {
    RunPlan::new(form(server, model, suites)).unwrap()
}
