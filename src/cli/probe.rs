//! `benchloop probe`: the capability card of one model on one server.

use super::{DONE, FAILED, Failure, open, say, say_json, table::table, target::TargetArgs};
use crate::{
    domain::{
        card::{CapabilityCard, Finding},
        id::Wire,
        unit,
    },
    engine::probe::Depth,
};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Seconds to wait for a server that is loading its model, and for the first byte of an answer
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    patience: u32,
    /// Look at the server and one answer only
    #[arg(long)]
    short: bool,
    /// Print the card as one JSON document
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let target = args.target;
    target.check()?;
    let depth = if args.short { Depth::Short } else { Depth::Whole };
    let patience = f64::from(args.patience);
    let card = open()?.read_card(&target.endpoint, target.model.trim(), target.wire(), depth, patience).await?;
    if args.json {
        say_json(&shape(&card))?;
    } else {
        print(&card);
    }
    Ok(if card.blocker().is_some() { FAILED } else { DONE })
}

/// The card with its sentences.
fn shape(card: &CapabilityCard) -> serde_json::Value {
    let mut shape = serde_json::json!(card);
    shape["findings"] = card.findings.iter().map(Finding::whole).collect();
    shape["conclusion"] = card.conclusion().into();
    shape
}

/// The findings as a table, with what is to be done about them below.
pub fn findings(card: &CapabilityCard) {
    let row = |finding: &Finding| {
        let evidence = unit::cut(&finding.evidence.replace('\n', " "), 110);
        vec![finding.what.title().to_owned(), finding.answer.to_string(), evidence]
    };
    let rows: Vec<Vec<String>> = card.findings.iter().map(row).collect();
    say(table(&["Finding", "Answer", "Evidence"], &rows));
    for finding in card.findings.iter().filter(|finding| !finding.is_plain()) {
        let said: Vec<&str> = [finding.effect(), finding.doing()].into_iter().filter(|text| !text.is_empty()).collect();
        say(format_args!("\n{}: {}", finding.what.title(), said.join(" BenchLoop: ")));
        if let Some(advice) = &finding.advice {
            say(format_args!("  What to do: {advice}."));
        }
    }
}

fn print(card: &CapabilityCard) {
    let version = card.server_version.as_deref().unwrap_or_default();
    say(format_args!("{} on {} {version}", card.model, card.server));
    let wire = card.wire.map_or("not known", Wire::as_str);
    say(format_args!("{}, protocol {wire}, looked at for {:.1} s\n", card.endpoint, card.took_s));
    findings(card);
    say(format_args!("\n{}", card.conclusion()));
}
