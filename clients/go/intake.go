package hookbox

import (
	"bytes"
	"runtime"
	"sync"
	"time"
)

// intake is the output of a server. It is read by who waits for an answer, or else by a goroutine.
type intake struct {
	mutex sync.Mutex
	// raw is the descriptor, if it can be read without waiting.
	raw    int
	closed bool
	part   []byte
	// line is the beginning of one whose end has not arrived.
	line []byte
}

// look reads the answers itself until there is one for this call, or the time is over. What ends the server is left to read.
func (s *server) look(waiter chan result, end time.Time) {
	for len(waiter) == 0 && time.Now().Before(end) {
		if s.intake.mutex.TryLock() {
			why, isOver := s.pump()
			s.intake.mutex.Unlock()
			if why != nil {
				s.end(why, 0)
			}
			if isOver {
				return
			}
		}
		runtime.Gosched()
		yield()
	}
}

// read takes the answers until there are no more.
func (s *server) read() {
	var why *failure
	isRaw := whenReadable(s.stdout, func(raw int) (isOver bool) {
		s.intake.mutex.Lock()
		defer s.intake.mutex.Unlock()
		s.intake.raw = raw
		why, isOver = s.pump()
		return isOver
	})
	for isOver := isRaw; !isOver; {
		// No call reads it.
		n, err := s.stdout.Read(s.intake.part)
		why, isOver = s.accept(n), err != nil
		isOver = isOver || why != nil
	}
	if why == nil {
		why = s.death()
	}
	s.end(why, 0)
}

// pump takes what has arrived. It tells what is wrong with it, and whether more of it can be read later.
func (s *server) pump() (why *failure, isOver bool) {
	for !s.intake.closed && s.intake.raw >= 0 {
		n, err := readNow(s.intake.raw, s.intake.part)
		if err == errNothing {
			return nil, false
		}
		if n <= 0 || err != nil {
			return nil, true
		}
		if why := s.accept(n); why != nil {
			return why, true
		}
	}
	return nil, s.intake.closed
}

// accept takes the answers in the first bytes of the intake's part.
func (s *server) accept(n int) *failure {
	if n > 0 {
		s.session.heard()
	}
	for part := s.intake.part[:max(n, 0)]; len(part) > 0; {
		end := bytes.IndexByte(part, '\n')
		// A new slice for each line: what is read keeps referring to it.
		s.intake.line = append(s.intake.line, part[:end+1]...)
		if end < 0 {
			s.intake.line = append(s.intake.line, part...)
		}
		if len(s.intake.line) > maxAnswer {
			return fail("garbage", "hookbox sent a line of more than %d bytes", maxAnswer)
		}
		if end < 0 {
			return nil
		}
		line := s.intake.line
		s.intake.line, part = nil, part[end+1:]
		if why := s.take(line[:len(line)-1]); why != nil {
			return why
		}
	}
	return nil
}
