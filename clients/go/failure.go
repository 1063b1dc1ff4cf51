package hookbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// failure says why a call has no verdict. It never leaves this package: the client turns it into a deny.
type failure struct {
	code    string
	message string
}

func (f *failure) Error() string { return f.code + ": " + f.message }

func fail(code, format string, args ...any) *failure {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// ended says why a context has ended.
func ended(ctx context.Context, late string) *failure {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fail("cancelled", "the call was cancelled")
	}
	return fail("deadline", "%s", late)
}

const (
	firstDelay   = 100 * time.Millisecond
	longestDelay = 5 * time.Second
)

// backoff keeps a server that does not run from being started for every call. The first restart is immediate.
type backoff struct {
	mutex     sync.Mutex
	failures  int
	notBefore time.Time
	last      *failure
}

// check returns the last failure while it is too early to try again.
func (b *backoff) check() *failure {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	left := time.Until(b.notBefore)
	if left <= 0 || b.last == nil {
		return nil
	}
	return fail(b.last.code, "%s (next attempt in %.1f s)", b.last.message, left.Seconds())
}

// failed counts a server that failed.
func (b *backoff) failed(why *failure) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failures++
	b.last = why
	if b.failures > 1 {
		// The shift is bounded: a duration overflows.
		b.notBefore = time.Now().Add(min(longestDelay, firstDelay<<min(b.failures-2, 16)))
	}
}

// worked forgets the failures: a verdict arrived.
func (b *backoff) worked() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failures = 0
}
