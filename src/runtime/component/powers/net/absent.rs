//! In place of the network, where hookbox is built without it.

use super::{BadRule, NetGrant, NetRule};
use crate::protocol::{Code, Failure};
use std::convert::Infallible;
use std::time::Instant;

/// There is none.
#[derive(Default)]
pub(in super::super::super) struct Networks;

/// There is none.
#[derive(Debug)]
pub(in super::super::super) struct Opened(Infallible);

/// There are none.
pub(in super::super::super) type Requests = Infallible;

/// Nothing is checked, since no component with the grant can run.
pub(crate) fn check(_: &[NetRule]) -> Result<(), BadRule> {
    Ok(())
}

impl Networks {
    pub(in super::super::super) fn kept_alive() -> Self {
        Networks
    }

    pub(in super::super::super) fn open(&self, _: &NetGrant) -> Result<Opened, Failure> {
        let message = "cannot be given the network: this hookbox was built without the feature `net`";
        Err(Failure::new(Code::Grant, message.to_owned()))
    }
}

impl Opened {
    pub(in super::super::super) fn requests(&self, _: Instant) -> Requests {
        self.0
    }
}
