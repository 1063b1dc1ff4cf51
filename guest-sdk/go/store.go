package hookbox

import (
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// mostTries is how often Update starts again before it fails.
const mostTries = 100

var (
	// ErrNoSuchStore says that the hook has no store.
	ErrNoSuchStore = errors.New("the store: there is no store of this name")
	// ErrAccessDenied says that the hook may not use the store.
	ErrAccessDenied = errors.New("the store: access denied")
)

func storeError(words string) error { return errors.New("the store: " + words) }

// Store has values by key that outlive the call. It needs the grant `store`, in which the operator chooses who shares the values
// (a session, a project, the user, all machines), how much fits in, and how long a value lives.
//
//	store, err := hookbox.OpenStore()
//	if err != nil {
//		return hookbox.Action{}, err
//	}
//	calls, err := store.Increment("calls", 1)
//
// What cannot be read or stored is an error, never an empty store: hand it on, and the engine denies. A key has at most 1 KiB, a
// value 64 KiB, a batch 256 keys, a store 10,000 keys.
//
// In tests on your machine the values are in memory, and ClearStore empties it.
type Store struct{ bucket bucket }

// Entry is a key with its value.
type Entry struct {
	// Key is UTF-8.
	Key string
	// Value may be any bytes.
	Value []byte
}

// OpenStore opens the store that the operator granted. It stays open until the call ends.
//
// An error says that it cannot be opened: for example, it is one per session and the call has no session.
func OpenStore() (*Store, error) {
	bucket, err := openBucket()
	if err != nil {
		return nil, err
	}
	return &Store{bucket}, nil
}

// Get is the value of a key; nil if it has none. An empty value is not nil.
func (s *Store) Get(key string) ([]byte, error) {
	if err := check(key); err != nil {
		return nil, err
	}
	return s.bucket.get(key)
}

// GetText is the value of a key as text, and whether it has one. It is an error if the value is not UTF-8.
func (s *Store) GetText(key string) (text string, found bool, err error) {
	value, err := s.Get(key)
	if err == nil && !utf8.Valid(value) {
		err = storeError("the value of " + strconv.Quote(key) + " is not text")
	}
	if err != nil {
		return "", false, err
	}
	return string(value), value != nil, nil
}

// Set sets the value of a key.
func (s *Store) Set(key string, value []byte) error {
	if err := check(key); err != nil {
		return err
	}
	return s.bucket.set(key, value)
}

// SetText sets the value of a key to a text.
func (s *Store) SetText(key, text string) error { return s.Set(key, []byte(text)) }

// Delete deletes a key, which may be absent.
func (s *Store) Delete(key string) error {
	if err := check(key); err != nil {
		return err
	}
	return s.bucket.delete(key)
}

// Exists says whether a key has a value.
func (s *Store) Exists(key string) (bool, error) {
	if err := check(key); err != nil {
		return false, err
	}
	return s.bucket.exists(key)
}

// Keys are all keys, sorted.
func (s *Store) Keys() ([]string, error) {
	keys, cursor, err := s.bucket.listKeys(nil)
	for err == nil && cursor != nil {
		var more []string
		more, cursor, err = s.bucket.listKeys(cursor)
		keys = append(keys, more...)
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(keys)
	return keys, nil
}

// Increment adds to a number, which is 0 if the key is absent, and gives the sum. No increment is lost, however many calls add to
// the same key at once. It is an error if the value is not a number, or if the sum does not fit.
func (s *Store) Increment(key string, delta int64) (int64, error) {
	if err := check(key); err != nil {
		return 0, err
	}
	return s.bucket.increment(key, delta)
}

// Update replaces the value of a key by what change makes of it, and gives the new value. The old one is nil if there is none. If
// another call was faster, change is called again with the value that this one stored, and after 100 times Update fails. An
// error of change ends it, and nothing is stored.
func (s *Store) Update(key string, change func(old []byte) ([]byte, error)) ([]byte, error) {
	if err := check(key); err != nil {
		return nil, err
	}
	noted, old, err := s.bucket.note(key)
	if err != nil {
		return nil, err
	}
	for range mostTries {
		value, err := change(old)
		if err != nil {
			noted.drop()
			return nil, err
		}
		isDone := false
		if isDone, noted, old, err = noted.swap(value); err != nil {
			return nil, err
		}
		if isDone {
			return value, nil
		}
	}
	noted.drop()
	return nil, storeError(strconv.Quote(key) + " was changed by other calls " + strconv.Itoa(mostTries) + " times in a row")
}

// GetMany are the values of keys, in their order; nil for a key that has none.
func (s *Store) GetMany(keys ...string) ([][]byte, error) {
	if err := check(keys...); err != nil {
		return nil, err
	}
	return s.bucket.getMany(keys)
}

// SetMany sets the values of keys, all or none.
func (s *Store) SetMany(entries ...Entry) error {
	for _, entry := range entries {
		if err := check(entry.Key); err != nil {
			return err
		}
	}
	return s.bucket.setMany(entries)
}

// DeleteMany deletes keys, all or none. They may be absent.
func (s *Store) DeleteMany(keys ...string) error {
	if err := check(keys...); err != nil {
		return err
	}
	return s.bucket.deleteMany(keys)
}

// check finds keys that are not UTF-8: the engine would end the call for one, without saying which.
func check(keys ...string) error {
	for _, key := range keys {
		if !utf8.ValidString(key) {
			return storeError("the key " + strconv.Quote(key) + " is not UTF-8")
		}
	}
	return nil
}
