//! Compares a request through this crate with the same request by plain hyper, on loopback. Prints medians in
//! microseconds.
//!
//! `cargo run --release -p hookbox-net --example latency`

#![allow(clippy::print_stdout, reason = "an example that prints")]

use bytes::Bytes;
use hookbox_net::{Client, Options, RuleText, Rules, Surroundings, Timeouts};
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

const ROUNDS: usize = 3000;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let address = serve()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(address))
}

async fn measure(address: SocketAddr) -> Fallible<()> {
    let url = format!("http://{address}/");
    let mut rule = RuleText::new(&url);
    rule.private = true;
    let client = |options: Options| -> Fallible<Client> {
        let from = Surroundings { variables: &|_| None, dir: Path::new("/") };
        Ok(Client::new(Rules::parse(std::slice::from_ref(&rule))?, from, options)?)
    };
    let fresh = client(Options::default())?;
    let kept = client(Options::default().with_keep_alive(Duration::from_secs(15)))?;
    let mut sender = connect(address).await?;

    // The measurements alternate, so that all of them see the same load.
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..ROUNDS {
        let pause = || tokio::time::sleep(Duration::from_micros(500));
        let [plain_fresh, own_fresh, plain_kept, own_kept] = &mut times;
        let start = Instant::now();
        plain(&mut connect(address).await?, address).await?;
        plain_fresh.push(start.elapsed());

        // Plain hyper closes its socket in a task, which must not count towards the next measurement.
        pause().await;
        let start = Instant::now();
        own(&fresh, &url).await?;
        own_fresh.push(start.elapsed());

        pause().await;
        let start = Instant::now();
        plain(&mut sender, address).await?;
        plain_kept.push(start.elapsed());

        pause().await;
        let start = Instant::now();
        own(&kept, &url).await?;
        own_kept.push(start.elapsed());
        pause().await;
    }
    for (name, times) in
        ["hyper, new connection", "hookbox-net", "hyper, kept connection", "hookbox-net, kept"].iter().zip(&mut times)
    {
        times.sort_unstable();
        let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default().as_micros();
        println!("{name:24} p50 {:4} us   p90 {:4} us", at(50), at(90));
    }
    Ok(())
}

async fn connect(address: SocketAddr) -> Fallible<SendRequest<Empty<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn plain(sender: &mut SendRequest<Empty<Bytes>>, address: SocketAddr) -> Fallible<()> {
    sender.ready().await?;
    let request = Request::get("/").header("host", address.to_string()).body(Empty::new())?;
    sender.send_request(request).await?.into_body().collect().await?;
    Ok(())
}

async fn own(client: &Client, url: &str) -> Fallible<()> {
    let call = client.call(Instant::now() + Duration::from_secs(1));
    let request = Request::get(url).body(Empty::<Bytes>::new())?;
    call.send(request, Timeouts::default()).await?.into_body().collect().await?;
    Ok(())
}

/// Starts a server with a thread for each connection.
fn serve() -> Fallible<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                let _ = stream.set_nodelay(true);
                while stream.read(&mut buffer).is_ok_and(|read| read > 0) {
                    if stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").is_err() {
                        return;
                    }
                }
            });
        }
    });
    Ok(address)
}
