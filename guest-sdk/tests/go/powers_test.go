package sdktest

import (
	"bytes"
	"errors"
	. "hookbox"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// emptyStore is a store without values.
func emptyStore(t *testing.T) *Store {
	t.Helper()
	ClearStore()
	store, err := OpenStore()
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestStoreKeepsValues(t *testing.T) {
	store := emptyStore(t)
	if value, err := store.Get("a"); value != nil || err != nil {
		t.Errorf("%q, %v", value, err)
	}
	if err := errors.Join(store.SetText("a", "é"), store.Set("empty", nil), store.Set("bytes", []byte{0, 255})); err != nil {
		t.Fatal(err)
	}
	if text, found, err := store.GetText("a"); text != "é" || !found || err != nil {
		t.Errorf("%q, %t, %v", text, found, err)
	}
	if _, found, err := store.GetText("none"); found || err != nil {
		t.Error(found, err)
	}
	if value, err := store.Get("empty"); value == nil || len(value) > 0 || err != nil {
		t.Errorf("%v, %v", value, err)
	}
	if _, _, err := store.GetText("bytes"); err == nil || err.Error() != `the store: the value of "bytes" is not text` {
		t.Error(err)
	}
	// Another opening has the same values.
	again, _ := OpenStore()
	if is, err := again.Exists("a"); !is || err != nil {
		t.Error(is, err)
	}
	if keys, err := store.Keys(); !slices.Equal(keys, []string{"a", "bytes", "empty"}) || err != nil {
		t.Error(keys, err)
	}
	if err := errors.Join(store.Delete("a"), store.Delete("none")); err != nil {
		t.Error(err)
	}
	if is, err := store.Exists("a"); is || err != nil {
		t.Error(is, err)
	}
}

func TestStoreDoesNotShareItsBytes(t *testing.T) {
	store := emptyStore(t)
	given := []byte("old")
	if err := store.Set("a", given); err != nil {
		t.Fatal(err)
	}
	given[0] = 'x'
	got, _ := store.Get("a")
	got[1] = 'x'
	if text, _, _ := store.GetText("a"); text != "old" {
		t.Error(text)
	}
}

func TestIncrement(t *testing.T) {
	store := emptyStore(t)
	for _, step := range [][2]int64{{3, 3}, {-5, -2}, {0, -2}} {
		if sum, err := store.Increment("n", step[0]); sum != step[1] || err != nil {
			t.Error(step, sum, err)
		}
	}
	if text, _, _ := store.GetText("n"); text != "-2" {
		t.Error(text)
	}
	for value, delta := range map[string]int64{
		"9223372036854775807": 1, "-9223372036854775808": -1, "many": 1, "": 1, "1.0": 1,
	} {
		if err := store.SetText("n", value); err != nil {
			t.Fatal(err)
		}
		if sum, err := store.Increment("n", delta); err == nil {
			t.Errorf("%s%+d = %d", value, delta, sum)
		}
		if text, _, _ := store.GetText("n"); text != value {
			t.Error(text)
		}
	}
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := store.Increment("together", 1); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if text, _, _ := store.GetText("together"); text != "50" {
		t.Error(text)
	}
}

func TestUpdate(t *testing.T) {
	store := emptyStore(t)
	// Another call is faster twice: the first time the key is absent, then it has a value.
	calls := 0
	value, err := store.Update("a", func(old []byte) ([]byte, error) {
		calls++
		if (old == nil) != (calls == 1) {
			t.Errorf("%d: %q", calls, old)
		}
		if calls < 3 {
			return nil, store.SetText("a", "other "+strconv.Itoa(calls))
		}
		return append(old, '!'), nil
	})
	if string(value) != "other 2!" || err != nil || calls != 3 {
		t.Errorf("%q, %v, %d", value, err, calls)
	}
	// A value that another call deleted is a change, too.
	if _, err := store.Update("a", func(old []byte) ([]byte, error) {
		if old != nil {
			return []byte("lost"), store.Delete("a")
		}
		return []byte("found"), nil
	}); err != nil {
		t.Error(err)
	}
	if text, _, _ := store.GetText("a"); text != "found" {
		t.Error(text)
	}
	no := errors.New("no")
	if _, err := store.Update("a", func([]byte) ([]byte, error) { return []byte("x"), no }); err != no {
		t.Error(err)
	}
	if text, _, _ := store.GetText("a"); text != "found" {
		t.Error(text)
	}
}

func TestUpdateGivesUp(t *testing.T) {
	store := emptyStore(t)
	calls := 0
	_, err := store.Update("a", func([]byte) ([]byte, error) {
		calls++
		return []byte("mine"), store.SetText("a", strconv.Itoa(calls))
	})
	if err == nil || err.Error() != `the store: "a" was changed by other calls 100 times in a row` || calls != 100 {
		t.Error(err, calls)
	}
	if text, _, _ := store.GetText("a"); text != "100" {
		t.Error(text)
	}
}

func TestManyKeys(t *testing.T) {
	store := emptyStore(t)
	if err := store.SetMany(Entry{"a", []byte("1")}, Entry{"b", nil}, Entry{"c", []byte("3")}); err != nil {
		t.Fatal(err)
	}
	if err := store.DeleteMany("c", "none"); err != nil {
		t.Error(err)
	}
	values, err := store.GetMany("b", "c", "a")
	if err != nil || len(values) != 3 || values[0] == nil || len(values[0]) > 0 || values[1] != nil || !bytes.Equal(values[2], []byte("1")) {
		t.Errorf("%q, %v", values, err)
	}
}

func TestKeysAreText(t *testing.T) {
	store, bad := emptyStore(t), "a\xff"
	_, get := store.Get(bad)
	_, exists := store.Exists(bad)
	_, increment := store.Increment(bad, 1)
	_, update := store.Update(bad, func([]byte) ([]byte, error) { return nil, nil })
	_, getMany := store.GetMany("a", bad)
	for i, err := range []error{
		get, store.Set(bad, nil), store.Delete(bad), exists, increment, update, getMany,
		store.SetMany(Entry{"a", nil}, Entry{bad, nil}), store.DeleteMany("a", bad),
	} {
		if err == nil || err.Error() != `the store: the key "a\xff" is not UTF-8` {
			t.Error(i, err)
		}
	}
	if keys, _ := store.Keys(); len(keys) > 0 {
		t.Error(keys)
	}
}

func TestFetch(t *testing.T) {
	defer AnswerWith(nil)
	if _, err := Fetch(Request{URL: "https://example.com/"}); err == nil || !strings.Contains(err.Error(), "AnswerWith") {
		t.Error(err)
	}
	no := errors.New("not granted")
	AnswerWith(func(request Request) (Response, error) {
		if request.Method == "GET" {
			return Response{}, no
		}
		headers := []Header{{"x-a", "1"}, {"x-a", "2"}, {"url", request.URL}}
		return Response{Status: 403, Headers: headers, Body: request.Body}, nil
	})
	if _, err := Fetch(Request{URL: "https://example.com/"}); err != no {
		t.Error(err)
	}
	response, err := Fetch(Request{Method: "POST", URL: "https://example.com/", Body: []byte("é")})
	text, fault := response.Text()
	if err != nil || fault != nil || response.Status != 403 || text != "é" {
		t.Errorf("%+v, %v, %v", response, err, fault)
	}
	if response.Header("X-A") != "1" || response.Header("URL") != "https://example.com/" || response.Header("none") != "" {
		t.Errorf("%+v", response.Headers)
	}
	response.Body = []byte{0xff}
	if _, err := response.Text(); err == nil {
		t.Error("0xff is text")
	}
	for _, bad := range []Request{
		{Method: "\xff"}, {URL: "https://\xff/"}, {Headers: []Header{{"\xff", ""}}}, {Headers: []Header{{"a", "b"}, {"a", "\xff"}}},
	} {
		bad.Body = []byte("x")
		if _, err := Fetch(bad); err == nil || !strings.Contains(err.Error(), "is not UTF-8") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// An error of a power that the author hands on is one of the hook.
func TestErrorsOfPowersFail(t *testing.T) {
	_, fault := run(t, func(Input) (Action, error) {
		store, err := OpenStore()
		if err != nil {
			return Action{}, err
		}
		if err := store.SetText("n", "many"); err != nil {
			return Action{}, err
		}
		_, err = store.Increment("n", 1)
		return Allow(), err
	}, `{"event":"pre_tool"}`)
	if !strings.HasPrefix(fault, "the store: ") {
		t.Errorf("%q", fault)
	}
}

func TestLog(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = writer
	LogTrace("t")
	LogDebug("d")
	LogInfo("i")
	LogWarn("w")
	LogError("e")
	LogCritical("c")
	Log(LevelInfo, "reader", "a\xff")
	Log(LevelCritical+1, "", "beyond")
	os.Stderr = stderr
	writer.Close()
	got, err := io.ReadAll(reader)
	want := "trace: t\ndebug: d\ninfo: i\nwarn: w\nerror: e\ncritical: c\ninfo: reader: a\uFFFD\ncritical: beyond\n"
	if string(got) != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
