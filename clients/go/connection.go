package hookbox

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxIdle  = 8
	idleTime = 30 * time.Second
	// maxHead is the longest head of a response, in bytes.
	maxHead = 1 << 16
)

// connection is one to a server, over HTTP/1.1. Not net/http's own: that may hand out a connection on which a response waits that
// nobody has asked for, and which would be taken for the response to the next request.
type connection struct {
	net.Conn
	reader *bufio.Reader
	// left is how many bytes may still arrive for this response.
	left int
	kept time.Time
}

func newConnection(open net.Conn) *connection {
	c := &connection{Conn: open}
	c.reader = bufio.NewReaderSize(limited{c}, 1<<14)
	return c
}

// limited is what a connection has left.
type limited struct{ from *connection }

func (l limited) Read(into []byte) (int, error) {
	if l.from.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.from.Conn.Read(into[:min(len(into), l.from.left)])
	l.from.left -= n
	return n, err
}

// exchange sends a request and reads its response. It tells whether the connection can be used again.
func (c *connection) exchange(ctx context.Context, request *http.Request, written []byte) (int, []byte, bool, error) {
	c.left = maxHead
	past := time.Unix(1, 0)
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(past) })
	defer stop()
	// A server that refuses a request need not read all of it.
	if _, err := c.Write(written); err != nil && !isEnd(err) {
		return 0, nil, false, err
	}
	response, err := http.ReadResponse(c.reader, request)
	if err != nil {
		return 0, nil, false, err
	}
	defer response.Body.Close()
	c.left += maxAnswer
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, false, err
	}
	isWhole := response.ContentLength >= 0 && !response.Close && c.reader.Buffered() == 0
	return response.StatusCode, answer, isWhole && stop(), nil
}

// pool keeps connections between calls.
type pool struct {
	mutex  sync.Mutex
	idle   []*connection
	closed bool
}

func (p *pool) isClosed() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.closed
}

// take takes a connection on which nothing has arrived meanwhile, be it only its end; nil if there is none.
func (p *pool) take() *connection {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for len(p.idle) > 0 {
		last := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if time.Since(last.kept) < idleTime && isQuiet(last.Conn) {
			return last
		}
		_ = last.Close()
	}
	return nil
}

func (p *pool) keep(c *connection) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed || len(p.idle) >= maxIdle {
		_ = c.Close()
		return
	}
	c.kept = time.Now()
	p.idle = append(p.idle, c)
}

func (p *pool) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.closed = true
	for _, c := range p.idle {
		_ = c.Close()
	}
	p.idle = nil
}
