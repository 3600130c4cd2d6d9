pub mod script;
