package main

import (
	"hookbox"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// denied makes a call so many seconds after the first one, and says whether it was denied.
func denied(t *testing.T, second int) bool {
	t.Helper()
	clock := strconv.Itoa(100 + second/60)[1:] + ":" + strconv.Itoa(100 + second%60)[1:]
	answer, err := hookbox.Run(`{"event":"pre_tool","tool_name":"bash","now":"2026-01-01T00:` + clock + `Z","settings":{"limit":3,"window":60}}`)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(answer, `"deny"`)
}

func TestAnyWindowHasThreeCallsAtMost(t *testing.T) {
	hookbox.ClearStore()
	for _, call := range []struct {
		second int
		denied bool
	}{{0, false}, {10, false}, {50, false}, {59, true}, {60, false}, {61, true}, {69, true}, {70, false}, {109, true}, {110, false}} {
		if got := denied(t, call.second); got != call.denied {
			t.Errorf("after %d s: denied is %t", call.second, got)
		}
	}
}

func TestParallelCallsAreCounted(t *testing.T) {
	hookbox.ClearStore()
	var all sync.WaitGroup
	through := make(chan bool, 20)
	for range cap(through) {
		all.Add(1)
		go func() {
			defer all.Done()
			through <- !denied(t, 0)
		}()
	}
	all.Wait()
	close(through)
	count := 0
	for is := range through {
		if is {
			count++
		}
	}
	if count != 3 {
		t.Errorf("%d calls went through", count)
	}
}
