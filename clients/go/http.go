package hookbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// maxToken is the longest token, in bytes.
const maxToken = 4096

var (
	tcpAddress = regexp.MustCompile(`^(127\.0\.0\.1|localhost|\[::1\]):([0-9]{1,5})$`)
	// No other character may reach a header.
	goodToken = regexp.MustCompile(`^[A-Za-z0-9._~+/=-]+$`)
)

// httpTransport keeps connections to a server that is already there.
type httpTransport struct {
	path      string
	host      string
	token     string
	tokenFile string
	network   string
	address   string
	idle      pool
}

// newHTTP reads `unix:PATH` or `HOST:PORT`. TCP is for this machine alone, as the token is not encrypted.
func newHTTP(options *options) (*httpTransport, error) {
	t := &httpTransport{host: "localhost", token: options.token, tokenFile: options.tokenFile}
	network, address := "tcp", options.connect
	if path, isUnix := strings.CutPrefix(options.connect, "unix:"); isUnix && path != "" {
		t.path, network, address = path, "unix", path
	} else {
		match := tcpAddress.FindStringSubmatch(options.connect)
		if match == nil || !isPort(match[2]) {
			return nil, fmt.Errorf("the address %q is neither unix:PATH nor 127.0.0.1:PORT nor [::1]:PORT", options.connect)
		}
		if (options.token == "") == (options.tokenFile == "") {
			return nil, errors.New("a TCP connection needs a token or a token file")
		}
		t.host = options.connect
		if match[1] == "localhost" {
			address = "127.0.0.1:" + match[2]
		}
	}
	t.network, t.address = network, address
	return t, nil
}

func isPort(digits string) bool {
	port, err := strconv.ParseUint(digits, 10, 16)
	return err == nil && port > 0
}

func (t *httpTransport) ask(ctx context.Context, members []byte) (Outcome, *failure) {
	if t.idle.isClosed() {
		return Outcome{}, fail("closed", "the client is closed")
	}
	body := append(fmt.Appendf(nil, `{"deadline_ms":%d,`, serverDeadline(ctx)), members...)
	body = append(body, '}')
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+t.host+"/v1/decide", bytes.NewReader(body))
	if err != nil {
		return Outcome{}, fail("connect", "cannot connect to hookbox: %s", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if t.path == "" {
		token, why := t.readToken()
		if why != nil {
			return Outcome{}, why
		}
		request.Header.Set("Authorization", "Bearer "+token)
	}
	var written bytes.Buffer
	if err := request.Write(&written); err != nil {
		return Outcome{}, fail("connect", "cannot connect to hookbox: %s", err)
	}
	status, answer, why := t.exchange(ctx, request, written.Bytes())
	if why != nil {
		return Outcome{}, why
	}
	read, why := parse(answer)
	if status == http.StatusOK {
		if why != nil {
			return Outcome{}, why
		}
		return readOutcome(&read)
	}
	if outcome, why := readOutcome(&read); why == nil && outcome.Reason != "" {
		return Outcome{}, fail("refused", "%s", outcome.Reason)
	}
	return Outcome{}, fail("refused", "hookbox refused the call with status %d", status)
}

func (t *httpTransport) exchange(ctx context.Context, request *http.Request, written []byte) (int, []byte, *failure) {
	for {
		kept, why := t.idle.take(), (*failure)(nil)
		open := kept
		if open == nil {
			if open, why = t.connect(ctx); why != nil {
				return 0, nil, why
			}
		}
		status, answer, isReusable, err := open.exchange(ctx, request, written)
		if isReusable {
			t.idle.keep(open)
		} else {
			_ = open.Close()
		}
		switch {
		case err == nil:
			return status, answer, nil
		case ctx.Err() == nil && kept != nil && isEnd(err) && open.left == maxHead:
			// A connection that was kept may have been closed since by the server, which then has not seen the call.
		case open.left <= 0:
			return 0, nil, fail("garbage", "the response of hookbox is too long")
		default:
			return 0, nil, explain(ctx, err)
		}
	}
}

func (t *httpTransport) connect(ctx context.Context) (*connection, *failure) {
	if why := t.checkOwner(); why != nil {
		return nil, why
	}
	open, err := (&net.Dialer{}).DialContext(ctx, t.network, t.address)
	if err != nil {
		return nil, explain(ctx, err)
	}
	return newConnection(open), nil
}

func (t *httpTransport) close(time.Duration) { t.idle.close() }

// checkOwner refuses a socket of another user, whose server could allow everything.
func (t *httpTransport) checkOwner() *failure {
	if t.path == "" {
		return nil
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return fail("connect", "cannot connect to hookbox: %s", err)
	}
	if !isOurs(info) {
		return fail("connect", "%s belongs to another user", t.path)
	}
	return nil
}

func (t *httpTransport) readToken() (string, *failure) {
	token := t.token
	if token == "" {
		text, err := os.ReadFile(t.tokenFile)
		if err != nil {
			return "", fail("connect", "cannot read the token: %s", err)
		}
		token = strings.TrimSpace(string(text))
	}
	if len(token) > maxToken || !goodToken.MatchString(token) {
		return "", fail("connect", "the token is not one that a header can carry")
	}
	return token, nil
}

func explain(ctx context.Context, err error) *failure {
	if ctx.Err() != nil {
		return ended(ctx, "hookbox did not answer in time")
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return fail("connect", "cannot connect to hookbox: %s", err)
	}
	if isEnd(err) {
		return fail("died", "the connection to hookbox ended: %s", err)
	}
	return fail("garbage", "what answered does not speak HTTP/1.1: %s", err)
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
