//! Requests in tests, which a function answers in place of the network.

use crate::http::{Error, Request, Response};
use std::cell::RefCell;

type Answer = Box<dyn FnMut(&Request) -> Result<Response, Error>>;

thread_local! {
    static ANSWER: RefCell<Option<Answer>> = const { RefCell::new(None) };
}

/// Answers the requests of the current thread from now on.
pub(crate) fn answer_with(answer: Answer) {
    ANSWER.set(Some(answer));
}

pub(crate) fn fetch(request: &Request) -> Result<Response, Error> {
    // The answer is taken out during the call, so that an answer that sends a request itself gets an error and not a
    // panic.
    let Some(mut answer) = ANSWER.take() else {
        return Err(Error("there is no network in a test: give the answers with `http::answer_with`".to_owned()));
    };
    let response = answer(request);
    ANSWER.set(Some(answer));
    response
}
