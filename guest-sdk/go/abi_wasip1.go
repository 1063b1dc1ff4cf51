package hookbox

// How the engine calls the hook: the canonical ABI of run: func(input: string) -> result<string, string>. This file and
// powers_wasip1.go alone handle addresses.

import "unsafe"

// kept holds what the engine knows the address of, so that it is not collected.
var kept [][]uint64

// block is memory for size bytes, aligned for any type.
func block(size uint32) unsafe.Pointer {
	words := make([]uint64, size/8+1)
	kept = append(kept, words)
	return unsafe.Pointer(&words[0])
}

// The engine asks for a place for what it hands over.
//
//go:wasmexport cabi_realloc
func cabiRealloc(old unsafe.Pointer, oldSize, _, newSize uint32) unsafe.Pointer {
	into := block(newSize)
	if oldSize > 0 {
		copy(unsafe.Slice((*byte)(into), newSize), unsafe.Slice((*byte)(old), oldSize))
	}
	return into
}

// returned is result<string, string> as the engine reads it: of isErr, the first byte counts. Its addresses have 32 bits, and
// Go's pointers 64.
var returned struct {
	isErr uint32
	data  uint32
	size  uint32
}

//go:wasmexport hookbox:hook/hook@0.1.0#run
func exportedRun(data unsafe.Pointer, size uint32) unsafe.Pointer {
	input := ""
	if size > 0 {
		input = unsafe.String((*byte)(data), size)
	}
	answer, err := Run(input)
	returned.isErr = 0
	if err != nil {
		returned.isErr, answer = 1, err.Error()
	}
	returned.size = uint32(len(answer))
	into := block(returned.size)
	copy(unsafe.Slice((*byte)(into), returned.size), answer)
	returned.data = uint32(uintptr(into))
	return unsafe.Pointer(&returned)
}
