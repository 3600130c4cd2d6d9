//! A model server that writes exactly the bytes it is told to, when it is told to, and counts what it was asked.
//! For everything that a well-behaved HTTP library would refuse to send.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// What the server does after the last chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Closes the connection in good order.
    Close,
    /// Keeps it open and silent.
    Open,
    /// Resets it.
    Reset,
}

/// One answer: pauses and bytes, head included.
#[derive(Debug, Clone)]
pub struct Script {
    /// Milliseconds to wait before each piece.
    pub pieces: Vec<(f64, Vec<u8>)>,
    pub end: End,
}

impl Script {
    /// A whole answer at once.
    pub fn now(bytes: impl Into<Vec<u8>>) -> Self {
        Self { pieces: vec![(0.0, bytes.into())], end: End::Close }
    }

    /// An answer with status, content type and body; the body ends where the connection does.
    pub fn answer(status: u16, content_type: &str, body: &str) -> Self {
        Self::now(head(status, content_type) + body)
    }
}

/// Status line and headers of an answer whose body ends with the connection.
pub fn head(status: u16, content_type: &str) -> String {
    format!("HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nConnection: close\r\n\r\n")
}

/// The same with one more header.
pub fn head_with(status: u16, content_type: &str, header: &str) -> String {
    head(status, content_type).replacen("\r\n", &format!("\r\n{header}\r\n"), 1)
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// Request line and headers.
    pub head: String,
    pub body: String,
}

impl Request {
    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// The running server; stops when dropped.
#[derive(Debug)]
pub struct WireServer {
    pub port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    /// How many connections the client left before the script was over.
    left: Arc<Mutex<u32>>,
    task: JoinHandle<()>,
}

impl WireServer {
    /// Answers the n-th request with the n-th script and all further ones with the last.
    pub async fn start(scripts: Vec<Script>) -> Self {
        Self::choosing(move |number, _| scripts.get(number).or(scripts.last()).cloned().unwrap()).await
    }

    /// Answers each request with what `choose` makes of its number, counted from 0, and itself.
    pub async fn choosing(choose: impl Fn(usize, &Request) -> Script + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let left = Arc::new(Mutex::new(0));
        let (seen, gone, choose) = (requests.clone(), left.clone(), Arc::new(choose));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, gone, choose) = (seen.clone(), gone.clone(), choose.clone());
                tokio::spawn(async move {
                    let mut stream = stream;
                    let Some(request) = read_request(&mut stream).await else { return };
                    let number = {
                        let mut seen = seen.lock().unwrap();
                        seen.push(request.clone());
                        seen.len() - 1
                    };
                    let script = choose(number, &request);
                    if play(stream, script).await.is_err() {
                        *gone.lock().unwrap() += 1;
                    }
                });
            }
        });
        Self { port, requests, left, task }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub fn left(&self) -> u32 {
        *self.left.lock().unwrap()
    }
}

impl Drop for WireServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn play(mut stream: TcpStream, script: Script) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    for (pause, bytes) in script.pieces {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs_f64(pause / 1000.0)) => {}
            read = stream.readable() => { read?; gone(&stream)?; }
        }
        stream.write_all(&bytes).await?;
        stream.flush().await?;
    }
    match script.end {
        End::Close => stream.shutdown().await,
        End::Reset => {
            // what was written must be read before the reset throws it away
            tokio::time::sleep(Duration::from_millis(60)).await;
            stream.set_zero_linger()
        }
        End::Open => {
            stream.readable().await?;
            gone(&stream)
        }
    }
}

/// An error if the client closed its side.
fn gone(stream: &TcpStream) -> std::io::Result<()> {
    match stream.try_read(&mut [0; 16]) {
        Ok(0) => Err(std::io::ErrorKind::ConnectionAborted.into()),
        Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => Err(error),
        _ => Ok(()),
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let n = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(Request { head: head.to_owned(), body: body.to_owned() });
        }
    }
}
