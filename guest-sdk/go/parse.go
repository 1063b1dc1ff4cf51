package hookbox

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The engine refuses an Input deeper than 64; settings stand one level deeper.
const maxDepth = 128

// Up to here keys are compared one by one, beyond it they are hashed.
const fewKeys = 16

// ParseJSON reads one JSON value, strictly: valid UTF-8, no key twice, no lone surrogate, no deeper than 128, nothing behind
// it. A policy must see what the tool will see, so what cannot be read exactly is an error.
func ParseJSON(text string) (Value, error) {
	r := reader{text: text}
	begin := r.space(0)
	end := r.value(begin, 0)
	if r.fault == "" && r.space(end) != len(text) {
		r.fail(r.space(end), "something follows the value")
	}
	if r.fault != "" {
		return Value{}, errors.New(r.fault + " at byte " + strconv.Itoa(r.at))
	}
	return Value{text[begin:end]}, nil
}

// reader checks a text. Its methods give the place behind what they read, and the end of the text after a fault.
type reader struct {
	text  string
	fault string
	at    int
	// The keys of the objects around the place.
	keys []string
}

func (r *reader) fail(at int, fault string) int {
	if r.fault == "" {
		r.fault, r.at = fault, at
	}
	return len(r.text)
}

func (r *reader) is(at int, c byte) bool { return at < len(r.text) && r.text[at] == c }

func (r *reader) space(at int) int {
	for r.is(at, ' ') || r.is(at, '\n') || r.is(at, '\r') || r.is(at, '\t') {
		at++
	}
	return at
}

func (r *reader) value(at, depth int) int {
	if at == len(r.text) {
		return r.fail(at, "a value is missing")
	}
	switch c := r.text[at]; {
	case c == '{':
		return r.object(at, depth)
	case c == '[':
		return r.list(at, depth)
	case c == '"':
		return r.string(at)
	case c == '-' || (c >= '0' && c <= '9'):
		return r.number(at)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[at:], word) {
			return at + len(word)
		}
	}
	return r.fail(at, "a value is missing")
}

func (r *reader) list(at, depth int) int {
	if depth == maxDepth {
		return r.fail(at, "it is nested too deeply")
	}
	at = r.space(at + 1)
	if r.is(at, ']') {
		return at + 1
	}
	for {
		at = r.space(r.value(r.space(at), depth+1))
		if r.is(at, ']') {
			return at + 1
		}
		if !r.is(at, ',') {
			return r.fail(at, "`,` or `]` is missing")
		}
		at++
	}
}

func (r *reader) object(at, depth int) int {
	if depth == maxDepth {
		return r.fail(at, "it is nested too deeply")
	}
	at = r.space(at + 1)
	if r.is(at, '}') {
		return at + 1
	}
	first := len(r.keys)
	var many map[string]struct{}
	for {
		at = r.space(at)
		if !r.is(at, '"') {
			return r.fail(at, "a key is missing")
		}
		end := r.string(at)
		if r.fault != "" {
			return end
		}
		key := unquote(r.text[at:end])
		if many = r.add(key, first, many); r.fault != "" {
			return r.fail(at, r.fault)
		}
		at = r.space(end)
		if !r.is(at, ':') {
			return r.fail(at, "`:` is missing")
		}
		at = r.space(r.value(r.space(at+1), depth+1))
		if r.is(at, '}') {
			r.keys = r.keys[:first]
			return at + 1
		}
		if !r.is(at, ',') {
			return r.fail(at, "`,` or `}` is missing")
		}
		at++
	}
}

// add takes note of a key of the object whose keys begin at first.
func (r *reader) add(key string, first int, many map[string]struct{}) map[string]struct{} {
	const twice = "a key stands twice in an object"
	for _, other := range r.keys[first:] {
		if other == key {
			r.fail(len(r.text), twice)
		}
	}
	if len(r.keys)-first < fewKeys {
		r.keys = append(r.keys, key)
		return many
	}
	if many == nil {
		many = map[string]struct{}{}
	}
	if _, is := many[key]; is {
		r.fail(len(r.text), twice)
	}
	many[key] = struct{}{}
	return many
}

func (r *reader) digits(at int) int {
	begin := at
	for at < len(r.text) && r.text[at] >= '0' && r.text[at] <= '9' {
		at++
	}
	if at == begin {
		return r.fail(at, "a digit is missing")
	}
	return at
}

func (r *reader) number(at int) int {
	if r.is(at, '-') {
		at++
	}
	if r.is(at, '0') {
		at++
	} else {
		at = r.digits(at)
	}
	if r.is(at, '.') {
		at = r.digits(at + 1)
	}
	if r.is(at, 'e') || r.is(at, 'E') {
		at++
		if r.is(at, '+') || r.is(at, '-') {
			at++
		}
		at = r.digits(at)
	}
	return at
}

func (r *reader) string(at int) int {
	for at++; at < len(r.text); {
		switch c := r.text[at]; {
		case c == '"':
			return at + 1
		case c == '\\':
			at = r.escape(at + 1)
		case c < ' ':
			return r.fail(at, "a control character in a string")
		case c < utf8.RuneSelf:
			at++
		default:
			char, size := utf8.DecodeRuneInString(r.text[at:])
			if char == utf8.RuneError && size == 1 {
				return r.fail(at, "invalid UTF-8")
			}
			at += size
		}
	}
	return r.fail(len(r.text), "a string has no end")
}

func (r *reader) escape(at int) int {
	if at == len(r.text) {
		return r.fail(at, "an escape is cut off")
	}
	if r.text[at] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, r.text[at]) < 0 {
			return r.fail(at, "an unknown escape")
		}
		return at + 1
	}
	unit, ok := hex4(r.text, at+1)
	switch {
	case !ok:
		return r.fail(at, "`\\u` needs four hexadecimal digits")
	case unit < 0xd800 || unit > 0xdfff:
		return at + 5
	}
	low, ok := rune(0), false
	if unit < 0xdc00 && r.is(at+5, '\\') && r.is(at+6, 'u') {
		low, ok = hex4(r.text, at+7)
	}
	if !ok || low < 0xdc00 || low > 0xdfff {
		return r.fail(at, "a lone surrogate")
	}
	return at + 11
}

func hex4(text string, at int) (unit rune, ok bool) {
	if len(text)-at < 4 {
		return 0, false
	}
	for _, c := range []byte(text[at : at+4]) {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// unquote gives the characters of a string that is known to be strict JSON, quotes included.
func unquote(quoted string) string {
	rest := quoted[1 : len(quoted)-1]
	at := strings.IndexByte(rest, '\\')
	if at < 0 {
		return rest
	}
	out := make([]byte, 0, len(rest))
	for ; at >= 0; at = strings.IndexByte(rest, '\\') {
		out = append(out, rest[:at]...)
		c := rest[at+1]
		if c != 'u' {
			out = append(out, "\"\\/\b\f\n\r\t"[strings.IndexByte(`"\/bfnrt`, c)])
			rest = rest[at+2:]
			continue
		}
		char, _ := hex4(rest, at+2)
		size := 6
		if char >= 0xd800 && char <= 0xdfff {
			low, _ := hex4(rest, at+8)
			char, size = 0x10000+(char-0xd800)<<10+(low-0xdc00), 12
		}
		out = utf8.AppendRune(out, char)
		rest = rest[at+size:]
	}
	return string(append(out, rest...))
}
