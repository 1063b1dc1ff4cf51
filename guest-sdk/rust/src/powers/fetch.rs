//! The import of `hookbox:http/fetch`.
#![allow(unsafe_code, reason = "an imported function")]

use super::abi::{Returned, Slice};
use crate::http::{Error, Request, Response};

#[link(wasm_import_module = "hookbox:http/fetch@0.1.0")]
unsafe extern "C" {
    #[link_name = "fetch"]
    #[allow(clippy::too_many_arguments, reason = "the canonical ABI flattens the record")]
    fn import(
        method: *const u8,
        method_length: usize,
        url: *const u8,
        url_length: usize,
        headers: *const [Slice; 2],
        headers_length: usize,
        has_body: u32,
        body: *const u8,
        body_length: usize,
        returned: *mut u32,
    );
}

pub(crate) fn fetch(request: &Request) -> Result<Response, Error> {
    let (method, url) = (Slice::of(request.method.as_bytes()), Slice::of(request.url.as_bytes()));
    let headers: Vec<[Slice; 2]> =
        request.headers.iter().map(|(name, value)| [Slice::of(name.as_bytes()), Slice::of(value.as_bytes())]).collect();
    let body = Slice::of(request.body.as_deref().unwrap_or_default());
    let mut returned = Returned::<6>::new();
    // SAFETY: the signature is that of the canonical ABI, and what is passed outlives the call.
    unsafe {
        import(
            method.0,
            method.1,
            url.0,
            url.1,
            headers.as_ptr(),
            headers.len(),
            request.body.is_some().into(),
            body.0,
            body.1,
            returned.address(),
        );
    }
    if returned.tag(0) != 0 {
        // SAFETY: the error is a string.
        return Err(Error(unsafe { returned.take_text(1) }));
    }
    // SAFETY: the response has a list of pairs of strings at word 2, and bytes at word 4.
    let (headers, body) = unsafe { (returned.take_records::<4>(2), returned.take_bytes(4)) };
    let headers = headers.iter().map(|header| {
        // SAFETY: each header is a pair of strings, and each string is taken once.
        unsafe { (header.take_text(0), header.take_text(2)) }
    });
    Ok(Response { status: returned.word(1) as u16, headers: headers.collect(), body })
}
