package hookbox

import "strconv"

// JSON is a JSON value as text.
type JSON string

// Kind is the kind of a JSON value.
type Kind uint8

const (
	// Absent is the kind of a value that is not there.
	Absent Kind = iota
	// Null is the kind of null.
	Null
	// Boolean is the kind of true and false.
	Boolean
	// Number is the kind of a number.
	Number
	// Text is the kind of a string.
	Text
	// List is the kind of an array.
	List
	// Object is the kind of an object.
	Object
)

// Value is a JSON value in the text that it came in. The zero value is one that is not there; its methods, like those of a
// value of another kind, give nothing.
type Value struct {
	// Strict JSON without space around it.
	raw string
}

// Member is a member of an object.
type Member struct {
	// Key is its name.
	Key string
	// Value is its value.
	Value Value
}

// Kind is the kind of the value.
func (v Value) Kind() Kind {
	if v.raw == "" {
		return Absent
	}
	switch v.raw[0] {
	case '{':
		return Object
	case '[':
		return List
	case '"':
		return Text
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	}
	return Number
}

// Exists says whether the value is there.
func (v Value) Exists() bool { return v.raw != "" }

// JSON is the value as it came, byte for byte.
func (v Value) JSON() JSON { return JSON(v.raw) }

// Text is the characters of a string, and whether the value is one.
func (v Value) Text() (string, bool) {
	if v.Kind() != Text {
		return "", false
	}
	return unquote(v.raw), true
}

// Bool is the value of a boolean, and whether the value is one.
func (v Value) Bool() (value, ok bool) { return v.raw == "true", v.Kind() == Boolean }

// Int is a whole number, and whether the value is one that fits: written without fraction or exponent.
func (v Value) Int() (int64, bool) {
	number, err := strconv.ParseInt(v.raw, 10, 64)
	return number, err == nil && v.raw != "-0"
}

// Uint is a whole number from 0 on, and whether the value is one that fits: written without fraction or exponent.
func (v Value) Uint() (uint64, bool) {
	number, err := strconv.ParseUint(v.raw, 10, 64)
	return number, err == nil
}

// Get is the member of an object with this name.
func (v Value) Get(key string) Value {
	var found Value
	v.each(func(name string, value Value) bool {
		if name != key {
			return true
		}
		found = value
		return false
	})
	return found
}

// Members are the members of an object, in their order.
func (v Value) Members() []Member {
	var members []Member
	v.each(func(name string, value Value) bool {
		members = append(members, Member{name, value})
		return true
	})
	return members
}

// Items are the items of an array.
func (v Value) Items() []Value {
	if v.Kind() != List {
		return nil
	}
	var items []Value
	for at := skipSpace(v.raw, 1); v.raw[at] != ']'; {
		end := skipValue(v.raw, at)
		items = append(items, Value{v.raw[at:end]})
		at = skipComma(v.raw, end)
	}
	return items
}

// Texts are the items of an array of strings, and whether the value is one.
func (v Value) Texts() ([]string, bool) {
	var texts []string
	for _, item := range v.Items() {
		text, ok := item.Text()
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, v.Kind() == List
}

// With is an object in which the member with this name has this value. All others stay byte for byte; a member that is not
// there comes last. It is empty if the value is no object.
func (v Value) With(key string, value JSON) JSON {
	if v.Kind() != Object {
		return ""
	}
	end := len(v.raw) - 1
	replaced := JSON("")
	v.eachAt(func(name string, from, to int) bool {
		if name == key {
			replaced = JSON(v.raw[:from]) + value + JSON(v.raw[to:])
		}
		return replaced == ""
	})
	if replaced != "" {
		return replaced
	}
	comma := JSON(",")
	if v.raw[skipSpace(v.raw, 1)] == '}' {
		comma = ""
	}
	return JSON(v.raw[:end]) + comma + Quote(key) + ":" + value + "}"
}

// Quote is text as a JSON string.
func Quote(text string) JSON { return JSON(appendQuoted(nil, text)) }

func (v Value) each(do func(key string, value Value) bool) {
	v.eachAt(func(key string, from, to int) bool { return do(key, Value{v.raw[from:to]}) })
}

// eachAt calls do with each member of an object, and where its value stands, until do gives false.
func (v Value) eachAt(do func(key string, from, to int) bool) {
	if v.Kind() != Object {
		return
	}
	for at := skipSpace(v.raw, 1); v.raw[at] != '}'; {
		end := skipString(v.raw, at)
		// Behind the colon.
		from := skipSpace(v.raw, skipSpace(v.raw, end)+1)
		to := skipValue(v.raw, from)
		if !do(unquote(v.raw[at:end]), from, to) {
			return
		}
		at = skipComma(v.raw, to)
	}
}

// The skip functions take text that is known to be strict JSON.

func skipSpace(raw string, at int) int {
	for raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\r' || raw[at] == '\t' {
		at++
	}
	return at
}

// skipComma steps from behind a value to the next one, or to the closing bracket.
func skipComma(raw string, at int) int {
	at = skipSpace(raw, at)
	if raw[at] == ',' {
		at = skipSpace(raw, at+1)
	}
	return at
}

func skipString(raw string, at int) int {
	for at++; raw[at] != '"'; at++ {
		if raw[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func skipValue(raw string, at int) int {
	depth := 0
	for {
		switch raw[at] {
		case '"':
			at = skipString(raw, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\n', '\r', '\t':
			at++
			continue
		default:
			at = skipPlain(raw, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// skipPlain steps over a number, true, false or null.
func skipPlain(raw string, at int) int {
	for at < len(raw) {
		switch raw[at] {
		case ',', ':', ' ', '\n', '\r', '\t', ']', '}':
			return at
		}
		at++
	}
	return at
}
