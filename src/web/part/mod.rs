//! Parts that two pages or more use: values in, markup out, no resource and no state. All of them work without script.
//! To add one: a file here, its class in `style/parts.css`, and only domain values as arguments.

pub mod badge;
pub mod card;
pub mod cells;
pub mod chart;
pub mod glyph;
pub mod interval;
pub mod kv;
pub mod markdown;
pub mod progress;
pub mod score;
pub mod state;
pub mod strip;
pub mod table;
pub mod tip;
pub mod when;
