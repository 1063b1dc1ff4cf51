package hookbox

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// protocol is what this client understands: hookbox 0.1.x.
	protocol = "0.1"
	// maxInput is the longest Input that hookbox reads, in bytes.
	maxInput = 1 << 20
	// maxAnswer is the longest answer that a client reads, in bytes.
	maxAnswer = 16 << 20
	// grace is how long a server may be silent after a deadline has passed, before it counts as hung.
	grace = time.Second
	// maxAbandoned is how many calls a server may leave unanswered after their deadline, before it counts as hung.
	maxAbandoned = 256
	// day is the longest deadline that a server is told.
	day = 24 * time.Hour

	hello = `{"id":0,"ping":true}` + "\n"
)

// encodeMembers writes the members of a request that do not depend on the transport.
func encodeMembers(in Input, project string) ([]byte, *failure) {
	input, why := encode(in)
	if why != nil {
		return nil, why
	}
	if len(in.More) > 0 {
		more, why := encode(in.More)
		if why != nil {
			return nil, why
		}
		// A key that is in both is refused by hookbox.
		separator := ","
		if len(input) == len("{}") {
			separator = ""
		}
		input = append(append(input[:len(input)-1], separator...), more[1:]...)
	}
	if len(input) > maxInput {
		return nil, fail("input", "the Input has %d bytes, and hookbox reads at most %d", len(input), maxInput)
	}
	if project == "" && in.Pwd == "" && in.More["cwd"] == nil {
		// The server's own directory is the one that it was started in, which may be another by now.
		current, err := os.Getwd()
		if err != nil {
			return nil, fail("input", "the working directory is unknown: %s", err)
		}
		project = current
	}
	if project == "" {
		return append([]byte(`"input":`), input...), nil
	}
	absolute, err := filepath.Abs(project)
	if err != nil {
		return nil, fail("input", "the working directory is unknown: %s", err)
	}
	where, why := encode(absolute)
	if why != nil {
		return nil, why
	}
	return fmt.Appendf(nil, `"input":%s,"project":%s`, input, where), nil
}

// serverDeadline is what the server is told: a little earlier, so that its answer, which says more, arrives.
func serverDeadline(ctx context.Context) int64 {
	left := day
	if deadline, has := ctx.Deadline(); has {
		left = min(left, time.Until(deadline))
	}
	return max(1, (left - min(100*time.Millisecond, left/10)).Milliseconds())
}

// readAnswer takes the Outcome out of an answer. An error is a deny, whatever else the answer has.
func readAnswer(answer value) (Outcome, *failure) {
	if refused := find(answer.members, "error"); refused != nil {
		return Outcome{}, refusal(refused)
	}
	return readOutcome(find(answer.members, "outcome"))
}

func refusal(from *value) *failure {
	f := fields{of: from}
	code, message := f.text("code", true), f.text("message", true)
	if f.wrong != "" || code == "" {
		return fail("refused", "hookbox refused the call without a code")
	}
	return fail(code, "%s", message)
}

// checkHello checks the first answer of a server, which says its version.
func checkHello(line []byte) *failure {
	answer, why := parse(line)
	if why != nil {
		return why
	}
	id, pong := answer.get("id"), answer.get("pong")
	if id == nil || string(id.raw) != "0" || pong == nil || string(pong.raw) != "true" {
		return fail("garbage", "what was started does not answer like `hookbox serve`")
	}
	f := fields{of: &answer}
	if version := f.text("version", true); f.wrong != "" || !strings.HasPrefix(version, protocol+".") {
		return fail("version", "this client needs hookbox %s.x, and the server is %.40q", protocol, version)
	}
	return nil
}

// result is what a call gets: an answer, or why there is none.
type result struct {
	answer value
	why    *failure
}

// session is the state of one running server: which ids wait for an answer, and whether it still answers.
type session struct {
	mutex  sync.Mutex
	lastID uint64
	// waiting has nil for an answer that nobody waits for any more.
	waiting   map[uint64]chan result
	abandoned int
	overdue   time.Time
}

// issue takes an id for a request. The channel has room for the result; nil if nobody waits for it.
func (s *session) issue(waiter chan result) uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.issueLocked(waiter)
}

func (s *session) issueLocked(waiter chan result) uint64 {
	// Not the next number: a server that answers a call which it has not read must not guess the id.
	s.lastID += 1 + rand.Uint64N(1<<20)
	s.waiting[s.lastID] = waiter
	return s.lastID
}

// forget gives back the id of a request that was not sent.
func (s *session) forget(id uint64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.waiting, id)
}

// abandon gives up a request that was sent. It returns the line that cancels it, or nil if it has been answered.
func (s *session) abandon(id uint64) []byte {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.waiting[id] == nil {
		return nil
	}
	// The server still answers it once.
	s.waiting[id] = nil
	s.abandoned++
	if s.overdue.IsZero() {
		s.overdue = time.Now()
	}
	return fmt.Appendf(nil, "{\"id\":%d,\"cancel\":%d}\n", s.issueLocked(nil), id)
}

// isHung tells whether a deadline has passed without a sign of life since.
func (s *session) isHung() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return (!s.overdue.IsZero() && time.Since(s.overdue) > grace) || s.abandoned > maxAbandoned
}

// heard notes a sign of life.
func (s *session) heard() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.overdue = time.Time{}
}

// finishAll gives everyone who waits this failure.
func (s *session) finishAll(why *failure) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, waiter := range s.waiting {
		if waiter != nil {
			waiter <- result{why: why}
		}
	}
	clear(s.waiting)
}

// match hands an answer to who waits for it. It fails if no answer can be trusted any more.
func (s *session) match(line []byte) *failure {
	answer, why := parse(line)
	if why != nil {
		return why
	}
	if !answer.isObject() {
		return fail("garbage", "hookbox sent an answer that is not an object")
	}
	id := find(answer.members, "id")
	refused := find(answer.members, "error")
	if id != nil && id.isNull() && refused != nil {
		return refusal(refused)
	}
	number, isRight := uint64(0), false
	if id != nil {
		// As it was written: neither "1" nor 1.0 nor 1e0.
		parsed, err := strconv.ParseUint(string(id.raw), 10, 64)
		number, isRight = parsed, err == nil && !bytes.HasPrefix(id.raw, []byte("+"))
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	waiter, isKnown := s.waiting[number]
	if !isRight || !isKnown {
		return fail("garbage", "hookbox answered a call that was not made")
	}
	delete(s.waiting, number)
	if waiter != nil {
		waiter <- result{answer: answer}
	} else if find(answer.members, "cancelled") == nil {
		s.abandoned--
	}
	return nil
}
