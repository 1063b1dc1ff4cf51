package hookbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

const (
	maxTail = 4096
	// soon is how long a call looks for its answer itself: to be woken takes longer than a pure hook needs.
	soon = 150 * time.Microsecond
	// rest is how many calls do not look after one that looked in vain.
	rest = 100
	// deathTime is how long the status of a server may take to arrive after its last sign of life.
	deathTime = 200 * time.Millisecond
)

// findBinary finds hookbox: as told, else by $HOOKBOX_BIN, else on PATH.
func findBinary(told string) (string, *failure) {
	if told == "" {
		told = os.Getenv("HOOKBOX_BIN")
	}
	if told != "" {
		return told, nil
	}
	found, err := exec.LookPath("hookbox")
	if err != nil {
		return "", fail("spawn", "`hookbox` is neither named by $HOOKBOX_BIN nor on PATH")
	}
	return found, nil
}

// server is a running one. Once it has failed, it is not used again.
type server struct {
	command *exec.Cmd
	backoff *backoff
	session session
	started time.Time
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File
	// writing has room for one: who puts something in may write. A mutex cannot be given up at a deadline.
	writing chan struct{}
	// ready is closed when the server has said its version, over when it has failed.
	ready chan struct{}
	over  chan struct{}
	// exited is closed when the process has ended.
	exited  chan struct{}
	drained chan struct{}
	greeted atomic.Bool
	why     atomic.Pointer[failure]
	ending  sync.Once
	tail    []byte
	intake  intake
	// looking is true while a call looks for its answer; resting counts the calls until another one does.
	looking atomic.Bool
	resting atomic.Int32
}

func start(options *options, backoff *backoff) (*server, *failure) {
	binary, why := findBinary(options.binary)
	if why != nil {
		return nil, why
	}
	command := exec.Command(binary, append([]string{"serve", "--stdio"}, options.args...)...)
	command.Dir, command.Env = options.dir, options.env
	detach(command)
	s := &server{
		command: command, backoff: backoff, started: time.Now(), session: session{waiting: map[uint64]chan result{}},
		writing: make(chan struct{}, 1), ready: make(chan struct{}), over: make(chan struct{}), exited: make(chan struct{}), drained: make(chan struct{}),
	}
	// Not StdinPipe and the others: writes need deadlines, and Wait must not wait for a grandchild's output.
	var theirs [3]*os.File
	var err [4]error
	theirs[0], s.stdin, err[0] = os.Pipe()
	s.stdout, theirs[1], err[1] = os.Pipe()
	s.stderr, theirs[2], err[2] = os.Pipe()
	command.Stdin, command.Stdout, command.Stderr = theirs[0], theirs[1], theirs[2]
	if errors.Join(err[:]...) == nil {
		err[3] = command.Start()
	}
	for _, file := range theirs {
		_ = file.Close()
	}
	if joined := errors.Join(err[:]...); joined != nil {
		_, _, _ = s.stdin.Close(), s.stdout.Close(), s.stderr.Close()
		return nil, fail("spawn", "cannot start %s: %s", binary, joined)
	}
	s.intake.part, s.intake.raw = make([]byte, 1<<16), -1
	go s.wait()
	go s.drain()
	go s.read()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// If it fails, the server has ended, and says why.
	_ = s.write(ctx, []byte(hello))
	return s, nil
}

// isOver tells whether the server has ended. One that no longer answers is ended.
func (s *server) isOver() bool {
	if s.why.Load() == nil && s.session.isHung() {
		s.end(fail("deadline", "hookbox no longer answers and was ended"), 0)
	}
	return s.why.Load() != nil
}

// ask sends a request and waits for its answer.
func (s *server) ask(ctx context.Context, members []byte) (value, *failure) {
	waiter := make(chan result, 1)
	id := s.session.issue(waiter)
	if why := s.why.Load(); why != nil {
		return value{}, why
	}
	line := make([]byte, 0, len(members)+64)
	line = fmt.Appendf(line, `{"id":%d,"deadline_ms":%d,`, id, serverDeadline(ctx))
	line = append(append(line, members...), "}\n"...)
	if why := s.write(ctx, line); why != nil {
		s.session.forget(id)
		return value{}, why
	}
	if canYield && s.resting.Add(-1) < 0 && s.looking.CompareAndSwap(false, true) {
		s.look(waiter, time.Now().Add(soon))
		// A slow hook, or a busy machine: it will be the same next time.
		if s.resting.Store(0); len(waiter) == 0 {
			s.resting.Store(rest)
		}
		s.looking.Store(false)
	}
	select {
	case got := <-waiter:
		return got.answer, got.why
	case <-ctx.Done():
	}
	if cancel := s.session.abandon(id); cancel != nil {
		// The caller's time is up, but the server may use this moment.
		soon, stop := context.WithTimeout(context.WithoutCancel(ctx), 100*time.Millisecond)
		defer stop()
		_ = s.write(soon, cancel)
	}
	s.isOver()
	return value{}, ended(ctx, "hookbox did not answer in time")
}

// end ends the server, and every call that waits for it. With patience, it may end by itself.
func (s *server) end(why *failure, patience time.Duration) {
	s.ending.Do(func() {
		s.why.Store(why)
		if why.code != "closed" {
			s.backoff.failed(why)
		}
		others := why
		if why.code == "deadline" {
			others = fail("died", "%s", why.message)
		}
		s.session.finishAll(others)
		close(s.over)
		_ = s.stdin.Close()
		if patience > 0 {
			select {
			case <-s.exited:
			case <-time.After(patience):
			}
		}
		_ = s.command.Process.Kill()
		// Its number may soon be that of another file.
		s.intake.mutex.Lock()
		s.intake.closed = true
		s.intake.mutex.Unlock()
		_, _ = s.stdout.Close(), s.stderr.Close()
	})
}

// write writes a whole line, or ends the server: half a line would be read together with the next one.
func (s *server) write(ctx context.Context, line []byte) *failure {
	select {
	case s.writing <- struct{}{}:
	case <-ctx.Done():
		return ended(ctx, "hookbox does not read its requests")
	}
	late := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = s.stdin.SetWriteDeadline(time.Unix(1, 0))
		close(late)
	})
	sent, err := s.stdin.Write(line)
	if !stop() {
		<-late
		_ = s.stdin.SetWriteDeadline(time.Time{})
	}
	<-s.writing
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		if sent > 0 {
			s.end(fail("deadline", "hookbox does not read its requests"), 0)
		}
		return ended(ctx, "hookbox does not read its requests")
	default:
		why := s.death()
		s.end(why, 0)
		return s.why.Load()
	}
}

func (s *server) take(line []byte) *failure {
	if s.greeted.Load() {
		return s.session.match(line)
	}
	if why := checkHello(line); why != nil {
		return why
	}
	s.greeted.Store(true)
	close(s.ready)
	return nil
}

func (s *server) wait() {
	_ = s.command.Wait()
	close(s.exited)
	// A process that it started may keep its output open.
	time.AfterFunc(deathTime, func() { s.end(s.death(), 0) })
}

// drain reads all of stderr, since a server with a full pipe would stop, and keeps the end.
func (s *server) drain() {
	defer close(s.drained)
	part := make([]byte, 1<<14)
	for {
		n, err := s.stderr.Read(part)
		s.tail = append(s.tail, part[:n]...)
		s.tail = s.tail[max(0, len(s.tail)-maxTail):]
		if err != nil {
			return
		}
	}
}

// death says how the server ended. Before its first answer, it was never started properly.
func (s *server) death() *failure {
	how, said := "closed its output", ""
	timeout := time.After(deathTime)
	select {
	case <-s.exited:
		how = "ended with " + s.command.ProcessState.String()
		select {
		case <-s.drained:
			said = lastLine(string(s.tail))
		case <-timeout:
		}
	case <-timeout:
	}
	code := "spawn"
	if s.greeted.Load() {
		code = "died"
	}
	if said != "" {
		said = ": " + said
	}
	return fail(code, "hookbox %s%s", how, said)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	printable := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, lines[len(lines)-1])
	return fmt.Sprintf("%.300s", printable)
}

// stdioTransport starts a server for the first call, and again after it ended.
type stdioTransport struct {
	options options
	backoff backoff
	mutex   sync.Mutex
	server  *server
	closed  bool
}

func (t *stdioTransport) ask(ctx context.Context, members []byte) (Outcome, *failure) {
	server, why := t.running(ctx)
	if why != nil {
		return Outcome{}, why
	}
	answer, why := server.ask(ctx, members)
	if why != nil {
		return Outcome{}, why
	}
	outcome, why := readAnswer(answer)
	if why == nil {
		t.backoff.worked()
	}
	return outcome, why
}

func (t *stdioTransport) close(patience time.Duration) {
	t.mutex.Lock()
	t.closed = true
	server := t.server
	t.mutex.Unlock()
	if server != nil {
		server.end(fail("closed", "the client is closed"), patience)
	}
}

func (t *stdioTransport) running(ctx context.Context) (*server, *failure) {
	server, why := t.current()
	if why != nil {
		return nil, why
	}
	if server.greeted.Load() {
		return server, nil
	}
	last := time.NewTimer(time.Until(server.started.Add(t.options.startTimeout)))
	defer last.Stop()
	select {
	case <-server.ready:
	case <-server.over:
	case <-last.C:
		server.end(fail("spawn", "hookbox did not start within %s", t.options.startTimeout), 0)
	case <-ctx.Done():
		return nil, ended(ctx, "hookbox has not started in time")
	}
	if why := server.why.Load(); why != nil {
		return nil, why
	}
	return server, nil
}

func (t *stdioTransport) current() (*server, *failure) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.closed {
		return nil, fail("closed", "the client is closed")
	}
	if t.server != nil && !t.server.isOver() {
		return t.server, nil
	}
	if why := t.backoff.check(); why != nil {
		return nil, why
	}
	started, why := start(&t.options, &t.backoff)
	if why != nil {
		t.backoff.failed(why)
		return nil, why
	}
	t.server = started
	return started, nil
}
