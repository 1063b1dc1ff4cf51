//! Questions to language models for hooks that judge an agent's actions.
//!
//! A [`Client`] asks one [`Model`]. It reaches only the model's own server, has [`hookbox_net`] add the key, which the
//! client itself never sees, and ends with the caller's deadline.
//!
//! # Defaults
//! * An answer may have 1,024 tokens, and a body 1 MiB each way.
//! * A request gets up to 4 attempts if the server was too busy (429, 500, 502, 503, 504, 529) or the connection
//!   failed. The pause is 250 ms, then twice as long each time, or as long as `retry-after` says. There is no pause for
//!   an attempt that could not begin before the deadline.
//! * An answer of the wrong form is sent back to the model once, with a description of what is wrong.
//! * Redirects are not followed. Of a server's error text, only the code is shown.
//!
//! # Example
//! ```no_run
//! use hookbox_model::{Client, Model, Question};
//! use hookbox_net::Surroundings;
//! use std::path::Path;
//! use std::time::{Duration, Instant};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let model = Model::named("ollama/qwen3")?;
//! let from = Surroundings { variables: &|name| std::env::var_os(name), dir: Path::new("/etc/hooks") };
//! let client = Client::new(model, from)?;
//!
//! let question = Question::new("Answer with yes or no.", "Is the sky green?");
//! let answer = client.ask(&question, &|_| Ok(()), Instant::now() + Duration::from_secs(20)).await;
//! println!("{} ({} tokens)", answer.result?, answer.usage.output);
//! # Ok(())
//! # }
//! ```

mod client;
mod error;
mod exchange;
mod model;
mod provider;
mod question;

pub use client::{Answer, Client};
pub use error::{Error, ErrorKind, ModelError};
pub use model::{Model, Price};
pub use provider::{Encoded, Provider};
pub use question::{Question, Repair, Schema, Usage};
