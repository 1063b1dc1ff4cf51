package hookbox

// How the hook calls the engine: the canonical ABI of hookbox:log, hookbox:store and hookbox:http. Here and in abi_wasip1.go alone
// are addresses handled. What a hook does not use is left out when it is linked, and so is not imported.

import (
	"errors"
	"unsafe"
)

//go:wasmimport hookbox:log/logging@0.1.0 log
func importLog(level uint32, context, message string)

//go:wasmimport hookbox:store/store@0.1.0 open
func importOpen(identifier string, into unsafe.Pointer)

//go:wasmimport hookbox:store/store@0.1.0 [method]bucket.get
func importGet(bucket uint32, key string, into unsafe.Pointer)

//go:wasmimport hookbox:store/store@0.1.0 [method]bucket.set
func importSet(bucket uint32, key string, value unsafe.Pointer, size uint32, into unsafe.Pointer)

//go:wasmimport hookbox:store/store@0.1.0 [method]bucket.delete
func importDelete(bucket uint32, key string, into unsafe.Pointer)

//go:wasmimport hookbox:store/store@0.1.0 [method]bucket.exists
func importExists(bucket uint32, key string, into unsafe.Pointer)

//go:wasmimport hookbox:store/store@0.1.0 [method]bucket.list-keys
func importListKeys(bucket, hasCursor uint32, cursor string, into unsafe.Pointer)

//go:wasmimport hookbox:store/atomics@0.1.0 increment
func importIncrement(bucket uint32, key string, delta int64, into unsafe.Pointer)

//go:wasmimport hookbox:store/atomics@0.1.0 [static]cas.new-with-read
func importNote(bucket uint32, key string, into unsafe.Pointer)

//go:wasmimport hookbox:store/atomics@0.1.0 swap
func importSwap(cas uint32, value unsafe.Pointer, size uint32, into unsafe.Pointer)

//go:wasmimport hookbox:store/atomics@0.1.0 [resource-drop]cas
func importDropCas(cas uint32)

//go:wasmimport hookbox:store/batch@0.1.0 get-many
func importGetMany(bucket uint32, keys unsafe.Pointer, count uint32, into unsafe.Pointer)

//go:wasmimport hookbox:store/batch@0.1.0 set-many
func importSetMany(bucket uint32, entries unsafe.Pointer, count uint32, into unsafe.Pointer)

//go:wasmimport hookbox:store/batch@0.1.0 delete-many
func importDeleteMany(bucket uint32, keys unsafe.Pointer, count uint32, into unsafe.Pointer)

//go:wasmimport hookbox:http/fetch@0.1.0 fetch
func importFetch(method, url string, headers unsafe.Pointer, count, hasBody uint32, body unsafe.Pointer, size uint32, into unsafe.Pointer)

// words are what the engine writes, 32 bits each.
type words []uint32

// received is where the engine writes results. The longest has six words; an s64 in it needs the alignment of a uint64.
var received [3]uint64

func into() unsafe.Pointer { return unsafe.Pointer(&received) }

// result is what the last imported function returned.
func result() words { return unsafe.Slice((*uint32)(into()), 2*len(received)) }

// tag is that of a variant: one byte, and the rest of its word may be anything.
func (w words) tag(at int) uint8 { return uint8(w[at]) }

// bytes are those whose address and length begin at this word. The engine got the place for them from cabi_realloc, which keeps
// it, and writes there only once. They are not nil.
func (w words) bytes(at int) []byte {
	if w[at+1] == 0 {
		return []byte{}
	}
	size := w[at+1]
	return unsafe.Slice((*byte)(unsafe.Add(nil, w[at])), size)[:size:size]
}

func (w words) text(at int) string { return string(w.bytes(at)) }

// option is an option<list<u8>>.
func (w words) option(at int) []byte {
	if w.tag(at) == 0 {
		return nil
	}
	return w.bytes(at + 1)
}

// records is a list of records of so many words.
func (w words) records(at, size int) []words {
	count := int(w[at+1])
	if count == 0 {
		return nil
	}
	all := unsafe.Slice((*uint32)(unsafe.Add(nil, w[at])), count*size)
	records := make([]words, count)
	for i := range records {
		records[i] = all[i*size : (i+1)*size]
	}
	return records
}

// fault is the error of a result, which begins at this word; nil if the result is none.
func (w words) fault(at int) error {
	if w.tag(0) == 0 {
		return nil
	}
	return w.storeError(at)
}

func (w words) storeError(at int) error {
	switch w.tag(at) {
	case 0:
		return ErrNoSuchStore
	case 1:
		return ErrAccessDenied
	}
	return storeError(w.text(at + 1))
}

// list passes texts: the address of their addresses and lengths. They are copied to where they do not move, because nothing tells
// Go that an address in a number is still in use.
func list(texts []string) unsafe.Pointer {
	at := block(uint32(8 * len(texts)))
	words := unsafe.Slice((*uint32)(at), 2*len(texts))
	for i, text := range texts {
		place := block(uint32(len(text)))
		copy(unsafe.Slice((*byte)(place), len(text)), text)
		words[2*i], words[2*i+1] = uint32(uintptr(place)), uint32(len(text))
	}
	return at
}

func start(bytes []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(bytes)) }

func hostLog(level Level, context, message string) { importLog(uint32(level), context, message) }

// bucket is a handle; the engine closes it with the call.
type bucket uint32

func openBucket() (bucket, error) {
	importOpen("default", into())
	if err := result().fault(1); err != nil {
		return 0, err
	}
	return bucket(result()[1]), nil
}

func (b bucket) get(key string) ([]byte, error) {
	importGet(uint32(b), key, into())
	if err := result().fault(1); err != nil {
		return nil, err
	}
	return result().option(1), nil
}

func (b bucket) set(key string, value []byte) error {
	importSet(uint32(b), key, start(value), uint32(len(value)), into())
	return result().fault(1)
}

func (b bucket) delete(key string) error {
	importDelete(uint32(b), key, into())
	return result().fault(1)
}

func (b bucket) exists(key string) (bool, error) {
	importExists(uint32(b), key, into())
	if err := result().fault(1); err != nil {
		return false, err
	}
	return result().tag(1) == 1, nil
}

func (b bucket) listKeys(cursor *string) (keys []string, next *string, err error) {
	if cursor == nil {
		importListKeys(uint32(b), 0, "", into())
	} else {
		importListKeys(uint32(b), 1, *cursor, into())
	}
	if err := result().fault(1); err != nil {
		return nil, nil, err
	}
	for _, key := range result().records(1, 2) {
		keys = append(keys, key.text(0))
	}
	if more := result().option(3); more != nil {
		text := string(more)
		next = &text
	}
	return keys, next, nil
}

func (b bucket) increment(key string, delta int64) (int64, error) {
	importIncrement(uint32(b), key, delta, into())
	if err := result().fault(2); err != nil {
		return 0, err
	}
	return int64(received[1]), nil
}

// cas is a handle. swap gives it back.
type cas uint32

func (b bucket) note(key string) (cas, []byte, error) {
	importNote(uint32(b), key, into())
	if err := result().fault(1); err != nil {
		return 0, nil, err
	}
	return cas(result()[1]), result().option(2), nil
}

func (c cas) swap(value []byte) (isDone bool, now cas, stored []byte, err error) {
	importSwap(uint32(c), start(value), uint32(len(value)), into())
	switch {
	case result().tag(0) == 0:
		return true, 0, nil, nil
	case result().tag(1) == 0:
		return false, 0, nil, result().storeError(2)
	}
	return false, cas(result()[2]), result().option(3), nil
}

func (c cas) drop() { importDropCas(uint32(c)) }

func (b bucket) getMany(keys []string) ([][]byte, error) {
	importGetMany(uint32(b), list(keys), uint32(len(keys)), into())
	if err := result().fault(1); err != nil {
		return nil, err
	}
	var values [][]byte
	// An option of a key and its value.
	for _, entry := range result().records(1, 5) {
		value := []byte(nil)
		if entry.tag(0) == 1 {
			value = entry.bytes(3)
		}
		values = append(values, value)
	}
	return values, nil
}

func (b bucket) setMany(entries []Entry) error {
	var texts []string
	for _, entry := range entries {
		texts = append(texts, entry.Key, string(entry.Value))
	}
	importSetMany(uint32(b), list(texts), uint32(len(entries)), into())
	return result().fault(1)
}

func (b bucket) deleteMany(keys []string) error {
	importDeleteMany(uint32(b), list(keys), uint32(len(keys)), into())
	return result().fault(1)
}

func hostFetch(request Request) (Response, error) {
	var texts []string
	for _, header := range request.Headers {
		texts = append(texts, header.Name, header.Value)
	}
	hasBody := uint32(0)
	if request.Body != nil {
		hasBody = 1
	}
	importFetch(request.Method, request.URL, list(texts), uint32(len(request.Headers)), hasBody, start(request.Body),
		uint32(len(request.Body)), into())
	if result().tag(0) == 1 {
		return Response{}, errors.New(result().text(1))
	}
	response := Response{Status: int(uint16(result()[1])), Body: result().bytes(4)}
	for _, header := range result().records(2, 4) {
		response.Headers = append(response.Headers, Header{header.text(0), header.text(2)})
	}
	return response, nil
}
