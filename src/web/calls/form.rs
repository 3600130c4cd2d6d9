//! The start form: what a person filled in, as text, on its way to a plan. The same values travel in the address, so that
//! a refused form comes back filled in, with or without script.

use serde::{Deserialize, Serialize};

use super::CallError;
use crate::domain::{
    id::{Profile, SuiteId, Thinking},
    leaderboard::encoded,
    model::Target,
    plan::{Clocks, RunForm, RunPlan},
};

/// Every field of the form, unchecked. Empty means not given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StartForm {
    /// A detected model, as [`Target`] writes it.
    pub target: String,
    /// Typed; a typed model goes before a picked one.
    pub model: String,
    pub endpoint: String,
    pub provider: String,
    pub harness: String,
    pub suites: Vec<String>,
    pub profile: String,
    pub trials: String,
    pub thinking: String,
    pub thinking_budget: String,
    pub num_ctx: String,
    pub connect_timeout: String,
    pub first_byte_timeout: String,
    pub idle_timeout: String,
    pub sample_timeout: String,
    /// Anything: start without the preflight check.
    pub skip_preflight: String,
}

fn seconds(field: &'static str, text: &str, default: f64) -> Result<f64, CallError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(default);
    }
    text.parse().map_err(|_| CallError::at(field, format!("{field}: {text:?} is no number of seconds")))
}

impl StartForm {
    /// Reads the address of the start page. Without suites: all that are built.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| get(name).unwrap_or_default();
        let or = |name: &str, default: &str| get(name).filter(|value| !value.is_empty()).unwrap_or(default.to_owned());
        let built = || SuiteId::ALL.iter().filter(|suite| suite.is_built()).map(|suite| suite.to_string()).collect();
        Self {
            target: text("target"),
            model: text("model"),
            endpoint: text("endpoint"),
            provider: text("provider"),
            harness: or("harness", "raw"),
            suites: get("suites").map_or_else(built, |list| {
                list.split(',').filter(|suite| !suite.is_empty()).map(str::to_owned).collect()
            }),
            profile: or("profile", Profile::Quick.as_str()),
            trials: text("trials"),
            thinking: or("thinking", Thinking::Auto.as_str()),
            thinking_budget: text("thinking_budget"),
            num_ctx: text("num_ctx"),
            connect_timeout: text("connect_timeout"),
            first_byte_timeout: text("first_byte_timeout"),
            idle_timeout: text("idle_timeout"),
            sample_timeout: text("sample_timeout"),
            skip_preflight: text("skip_preflight"),
        }
    }

    /// The address that shows the form with these values and says why they were refused.
    pub fn refused_at(&self, error: &CallError) -> String {
        let mut pairs = vec![format!("suites={}", encoded(&self.suites.join(",")))];
        for (name, value) in [
            ("target", &self.target),
            ("model", &self.model),
            ("endpoint", &self.endpoint),
            ("provider", &self.provider),
            ("harness", &self.harness),
            ("profile", &self.profile),
            ("trials", &self.trials),
            ("thinking", &self.thinking),
            ("thinking_budget", &self.thinking_budget),
            ("num_ctx", &self.num_ctx),
            ("connect_timeout", &self.connect_timeout),
            ("first_byte_timeout", &self.first_byte_timeout),
            ("idle_timeout", &self.idle_timeout),
            ("sample_timeout", &self.sample_timeout),
            ("skip_preflight", &self.skip_preflight),
            ("refused", &error.message),
            ("field", &error.field.clone().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                pairs.push(format!("{name}={}", encoded(value)));
            }
        }
        format!("/benchmark?{}", pairs.join("&"))
    }

    /// The model that was asked for: typed, else picked.
    pub fn wanted(&self) -> Option<Target> {
        if self.model.trim().is_empty() {
            return Target::read(&self.target);
        }
        let provider = self.provider.trim().parse().ok();
        Some(Target { provider, endpoint: self.endpoint.trim().to_owned(), model: self.model.trim().to_owned() })
    }

    /// The plan, or the field that stands in its way.
    pub fn plan(&self) -> Result<RunPlan, CallError> {
        let default = Clocks::default();
        let clocks = Clocks {
            connect_s: seconds("connect_timeout", &self.connect_timeout, default.connect_s)?,
            first_byte_s: seconds("first_byte_timeout", &self.first_byte_timeout, default.first_byte_s)?,
            idle_s: seconds("idle_timeout", &self.idle_timeout, default.idle_s)?,
            sample_s: seconds("sample_timeout", &self.sample_timeout, default.sample_s)?,
        };
        let picked = Target::read(&self.target).filter(|_| self.model.trim().is_empty());
        let (model, endpoint, provider) = match picked {
            Some(target) => {
                (target.model, target.endpoint, target.provider.map(|wire| wire.to_string()).unwrap_or_default())
            }
            None => (self.model.clone(), self.endpoint.clone(), self.provider.clone()),
        };
        Ok(RunPlan::new(RunForm {
            model,
            endpoint,
            provider,
            harness: self.harness.clone(),
            suites: self.suites.clone(),
            profile: self.profile.clone(),
            trials: self.trials.clone(),
            thinking: self.thinking.clone(),
            thinking_budget: self.thinking_budget.clone(),
            num_ctx: self.num_ctx.clone(),
            clocks: Some(clocks),
            skip_preflight: !self.skip_preflight.is_empty(),
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_address(address: &str) -> StartForm {
        let query = address.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default();
        StartForm::read(|name| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.replace("%20", " ").replace("%2F", "/").replace("%3A", ":").replace("%2C", ","))
        })
    }

    #[test]
    fn a_refused_form_comes_back_with_its_values_and_the_field() {
        let form = StartForm {
            target: "ollama http://127.0.0.1:11434 qwen3:8b".into(),
            suites: vec!["speed".into()],
            trials: "0".into(),
            skip_preflight: "yes".into(),
            ..of_address("/benchmark")
        };
        let error = form.plan().unwrap_err();
        assert_eq!(error.field.as_deref(), Some("trials"));

        let address = form.refused_at(&error);

        assert_eq!(of_address(&address), form);
        assert!(address.contains("field=trials") && address.contains("refused=trials%3A"), "{address}");
    }

    #[test]
    fn a_typed_model_goes_before_a_picked_one() {
        let form = StartForm {
            target: "ollama http://127.0.0.1:11434 picked".into(),
            model: "typed".into(),
            endpoint: "http://127.0.0.1:8080".into(),
            ..of_address("/benchmark")
        };
        let plan = form.plan().unwrap();
        assert_eq!(
            (plan.model.as_str(), plan.endpoint.as_str(), plan.provider),
            ("typed", "http://127.0.0.1:8080", None)
        );
    }

    #[test]
    fn a_run_starts_with_a_look_unless_the_box_is_ticked() {
        let form = StartForm { target: "ollama http://127.0.0.1:11434 m".into(), ..of_address("/benchmark") };
        assert!(form.plan().unwrap().preflight);
        let ticked = StartForm { skip_preflight: "yes".into(), ..form };
        assert!(!ticked.plan().unwrap().preflight);
    }

    #[test]
    fn an_empty_form_asks_for_a_model_and_a_bad_clock_is_named() {
        assert_eq!(of_address("/benchmark").plan().unwrap_err().field.as_deref(), Some("model"));
        let slow = StartForm { idle_timeout: "soon".into(), ..of_address("/benchmark") };
        assert_eq!(slow.plan().unwrap_err().field.as_deref(), Some("idle_timeout"));
    }
}
