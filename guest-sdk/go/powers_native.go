//go:build !wasip1

package hookbox

// The powers in tests on your machine: values in memory, a function in place of the network, stderr for messages.

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
)

var levels = [...]string{"trace", "debug", "info", "warn", "error", "critical"}

func hostLog(level Level, context, message string) {
	if context != "" {
		context += ": "
	}
	os.Stderr.WriteString(levels[level] + ": " + context + message + "\n")
}

// memory is what stands in for the engine. Tests may run at the same time.
var memory struct {
	sync.Mutex
	values map[string][]byte
	answer func(Request) (Response, error)
}

// ClearStore empties the store. For tests.
func ClearStore() {
	memory.Lock()
	defer memory.Unlock()
	memory.values = nil
}

// AnswerWith answers all requests from now on; nil ends that. For tests.
func AnswerWith(answer func(Request) (Response, error)) {
	memory.Lock()
	defer memory.Unlock()
	memory.answer = answer
}

func hostFetch(request Request) (Response, error) {
	memory.Lock()
	answer := memory.answer
	memory.Unlock()
	if answer == nil {
		return Response{}, errors.New("there is no network in a test: give the answers with hookbox.AnswerWith")
	}
	return answer(request)
}

type bucket struct{}

// cas is a key, and its value when it was noted.
type cas struct {
	key   string
	value []byte
}

func openBucket() (bucket, error) { return bucket{}, nil }

// value gives a copy, which is nil if there is none. The lock is held.
func value(key string) []byte { return bytes.Clone(memory.values[key]) }

// put keeps a copy, which is not nil. The lock is held.
func put(key string, value []byte) {
	if memory.values == nil {
		memory.values = map[string][]byte{}
	}
	memory.values[key] = append([]byte{}, value...)
}

func (bucket) get(key string) ([]byte, error) {
	memory.Lock()
	defer memory.Unlock()
	return value(key), nil
}

func (b bucket) set(key string, value []byte) error { return b.setMany([]Entry{{key, value}}) }

func (b bucket) delete(key string) error { return b.deleteMany([]string{key}) }

func (b bucket) exists(key string) (bool, error) {
	value, err := b.get(key)
	return value != nil, err
}

func (bucket) listKeys(*string) ([]string, *string, error) {
	memory.Lock()
	defer memory.Unlock()
	return slices.Collect(maps.Keys(memory.values)), nil, nil
}

// increment keeps a number as the engine does: as decimal text.
func (bucket) increment(key string, delta int64) (int64, error) {
	memory.Lock()
	defer memory.Unlock()
	number := int64(0)
	if old := value(key); old != nil {
		var err error
		if number, err = strconv.ParseInt(string(old), 10, 64); err != nil {
			return 0, storeError("the value is not a decimal number of 64 bits, so it cannot be incremented")
		}
	}
	sum := number + delta
	if (sum > number) != (delta > 0) {
		return 0, storeError("the sum does not fit in 64 bits")
	}
	put(key, strconv.AppendInt(nil, sum, 10))
	return sum, nil
}

func (b bucket) note(key string) (cas, []byte, error) {
	value, err := b.get(key)
	return cas{key, bytes.Clone(value)}, value, err
}

func (c cas) swap(new []byte) (isDone bool, now cas, stored []byte, err error) {
	memory.Lock()
	defer memory.Unlock()
	if stored := value(c.key); !bytes.Equal(stored, c.value) || (stored == nil) != (c.value == nil) {
		return false, cas{c.key, bytes.Clone(stored)}, stored, nil
	}
	put(c.key, new)
	return true, cas{}, nil, nil
}

func (cas) drop() {}

func (bucket) getMany(keys []string) ([][]byte, error) {
	memory.Lock()
	defer memory.Unlock()
	values := make([][]byte, len(keys))
	for i, key := range keys {
		values[i] = value(key)
	}
	return values, nil
}

func (bucket) setMany(entries []Entry) error {
	memory.Lock()
	defer memory.Unlock()
	for _, entry := range entries {
		put(entry.Key, entry.Value)
	}
	return nil
}

func (bucket) deleteMany(keys []string) error {
	memory.Lock()
	defer memory.Unlock()
	for _, key := range keys {
		delete(memory.values, key)
	}
	return nil
}
