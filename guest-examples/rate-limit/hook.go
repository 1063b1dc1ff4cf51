// A policy: how many tool calls an agent may make in a time.
package main

import (
	"errors"
	"hookbox"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { hookbox.Register(judge) }

func main() {}

// key is where the store has the times of the calls that were let through.
const key = "calls"

func judge(in hookbox.Input) (hookbox.Action, error) {
	settings, err := readSettings(in.Settings)
	if err != nil {
		return hookbox.Action{}, err
	}
	if in.Event != hookbox.PreTool || !settings.covers(in.ToolName) {
		return hookbox.Allow(), nil
	}
	now, err := time.Parse(time.RFC3339, in.Now)
	if err != nil {
		return hookbox.Action{}, errors.New("the Input has no usable time: " + strconv.Quote(in.Now))
	}
	store, err := hookbox.OpenStore()
	if err != nil {
		return hookbox.Action{}, err
	}
	// Of calls at the same time, one stores first; the others then count it.
	var wait int64
	_, err = store.Update(key, func(old []byte) ([]byte, error) {
		calls, err := readTimes(string(old))
		if err != nil {
			return nil, err
		}
		calls, wait = settings.take(calls, now.UnixMilli())
		return writeTimes(calls), nil
	})
	if err != nil {
		return hookbox.Action{}, err
	}
	if wait == 0 {
		return hookbox.Allow(), nil
	}
	seconds := strconv.FormatInt((wait+999)/1000, 10)
	hookbox.LogInfo(in.ToolName + " is over the limit for " + seconds + " s")
	return hookbox.Deny(settings.String() + ": try again in " + seconds + " s"), nil
}

// take adds a call at this time to those before it, or says how many milliseconds it must wait for one of them to be too old to
// count.
func (s *settings) take(before []int64, now int64) (calls []int64, wait int64) {
	window := s.window * 1000
	for _, call := range before {
		// When the clock was set back, a call from the future counts as one of now, and not until the clock gets there.
		if call = min(call, now); now-call < window {
			calls = append(calls, call)
		}
	}
	// Calls at the same time need not be stored in their order.
	slices.Sort(calls)
	if over := len(calls) - int(s.limit); over >= 0 {
		// The limit may have been higher before.
		return calls, calls[over] + window - now
	}
	return append(calls, now), 0
}

// The times are milliseconds since 1970, with spaces between them.

func readTimes(text string) ([]int64, error) {
	var times []int64
	for _, word := range strings.Fields(text) {
		time, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, errors.New("the store has " + strconv.Quote(word) + " where the time of a call belongs")
		}
		times = append(times, time)
	}
	return times, nil
}

func writeTimes(times []int64) []byte {
	out := []byte{}
	for i, time := range times {
		if i > 0 {
			out = append(out, ' ')
		}
		out = strconv.AppendInt(out, time, 10)
	}
	return out
}
