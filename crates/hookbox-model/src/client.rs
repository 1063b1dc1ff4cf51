//! The client, which asks a model until it gets an answer or further attempts make no sense.

use crate::error::{Error, ErrorKind, ModelError};
use crate::exchange;
use crate::model::Model;
use crate::question::{Question, Repair, Usage};
use hookbox_net::{Call, Options, Surroundings};
use std::time::{Duration, Instant};

/// The maximum number of attempts at one request.
const ATTEMPTS: u32 = 4;

/// The pause before the second attempt. It doubles before each further attempt.
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// The maximum size of the part of a wrong answer that is sent back, in bytes.
const MOST_SENT_BACK: usize = 4 << 10;

/// A client that asks one model. It is cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    model: Model,
    net: hookbox_net::Client,
}

/// The result of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The text of the answer, or the reason why there is none.
    pub result: Result<String, Error>,
    /// The tokens that were used, including those of answers that were not accepted.
    pub usage: Usage,
}

impl Client {
    /// Creates a client. This reads the model's key.
    ///
    /// # Errors
    /// Returns an error if the model's name, URL, key or certificates cannot be used.
    pub fn new(model: Model, from: Surroundings<'_>) -> Result<Self, ModelError> {
        let options = Options::default().with_max_requests(2 * ATTEMPTS);
        let net = hookbox_net::Client::new(model.rules()?, from, options)?;
        Ok(Client { model, net })
    }

    /// Returns the model that this client asks.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Asks the model. If `accepts` returns a fault, the answer is sent back to the model once, with the fault.
    ///
    /// This needs Tokio's runtime with its timer. Dropping the future closes the connection.
    pub async fn ask(
        &self,
        question: &Question,
        accepts: &(dyn Fn(&str) -> Result<(), String> + Send + Sync),
        deadline: Instant,
    ) -> Answer {
        let call = self.net.call(deadline);
        let mut usage = Usage::default();
        let first = self.send_until_answered(&call, question, deadline, &mut usage).await;
        let result = match first {
            Ok(text) => match accepts(&text) {
                Ok(()) => Ok(text),
                Err(fault) => {
                    let sent_back = text.get(..text.floor_char_boundary(MOST_SENT_BACK)).unwrap_or_default();
                    // No provider accepts an empty message.
                    let sent_back = if sent_back.trim().is_empty() { "(nothing)" } else { sent_back };
                    let repair = Some(Repair::new(sent_back, fault));
                    let question = Question { repair, ..question.clone() };
                    let second = self.send_until_answered(&call, &question, deadline, &mut usage).await;
                    second.and_then(|text| match accepts(&text) {
                        Ok(()) => Ok(text),
                        Err(fault) => Err(Error::new(ErrorKind::Form, fault)),
                    })
                }
            },
            Err(error) => Err(error),
        };
        Answer { result, usage }
    }

    /// Sends one question until it succeeds, fails for good, or has no attempt or time left.
    async fn send_until_answered(
        &self,
        call: &Call,
        question: &Question,
        deadline: Instant,
        usage: &mut Usage,
    ) -> Result<String, Error> {
        let Model { provider, name, .. } = &self.model;
        let encoded = provider.encode(name, &format!("{}/", self.model.base_url()), question);
        let (mut attempts, mut pause) = (1, FIRST_WAIT);
        loop {
            let failed = match exchange::send(call, &self.model, &encoded).await {
                Ok(body) => {
                    usage.add(provider.usage(&body));
                    return provider.decode(&body, question).map_err(|why| Error::new(ErrorKind::Answer, why));
                }
                Err(failed) => failed,
            };
            if !failed.again || attempts == ATTEMPTS {
                return Err(failed.error);
            }
            let wait = failed.wait.map_or(pause, |asked| asked.max(FIRST_WAIT));
            // A server may ask for a wait that ends beyond what the clock can express.
            let next = Instant::now().checked_add(wait);
            if next.is_none_or(|next| next >= deadline) {
                let message = format!("{}, and there is no time for another attempt", failed.error);
                return Err(Error::new(ErrorKind::Deadline, message));
            }
            tokio::time::sleep(wait).await;
            attempts += 1;
            pause *= 2;
        }
    }
}
