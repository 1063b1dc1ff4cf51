//! Questions to language models for hooks that judge an agent's actions.
//!
//! A [`Client`] asks one [`Model`]. It reaches only the model's own server, adds the key without ever seeing it (that is
//! [`hookbox_net`]'s part), and ends with the caller's deadline.
//!
//! # Defaults
//! * 1,024 tokens for an answer, 1 MiB for a body each way.
//! * Up to 4 attempts at a request that the server was too busy for (429, 500, 502, 503, 504, 529), or that did not
//!   reach it: after 250 ms, then twice as long each time, or as long as `retry-after` says. What cannot happen before
//!   the deadline is not waited for.
//! * An answer of the wrong form is sent back once, with what is wrong with it.
//! * Redirects are not followed. Nothing of a server's error text is shown except its code.
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
