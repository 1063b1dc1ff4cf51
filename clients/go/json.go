package hookbox

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is more than hookbox lets an Input have, which is 64.
const maxDepth = 128

// value is JSON that has been read strictly. encoding/json alone would take "Decision" for "decision", the last of two equal
// keys, and bytes that are not UTF-8.
type value struct {
	raw     []byte
	members []member
	items   []value
}

type member struct {
	key   string
	value value
}

// parse reads one JSON value: UTF-8, and no key twice, since either value could be the one that counts.
func parse(text []byte) (value, *failure) {
	if !utf8.Valid(text) {
		return value{}, fail("garbage", "hookbox sent something that is not UTF-8")
	}
	if !json.Valid(text) {
		return value{}, fail("garbage", "hookbox sent something that is not JSON")
	}
	r := reader{text: text}
	read, err := r.value()
	if err != nil {
		return value{}, fail("garbage", "hookbox sent an object that cannot be used: %s", err)
	}
	return read, nil
}

// reader walks over text that is known to be valid JSON.
type reader struct {
	text  []byte
	at    int
	depth int
}

func (r *reader) skipSpace() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t' || r.text[r.at] == '\n' || r.text[r.at] == '\r') {
		r.at++
	}
}

func (r *reader) value() (value, error) {
	r.skipSpace()
	from := r.at
	read := value{}
	var err error
	if r.depth++; r.depth > maxDepth {
		return value{}, errors.New("it is nested too deeply")
	}
	switch r.text[r.at] {
	case '{':
		read.members, err = r.object()
	case '[':
		read.items, err = r.list()
	case '"':
		r.skipText()
	default:
		for r.at < len(r.text) && !strings.ContainsRune(" \t\r\n,]}", rune(r.text[r.at])) {
			r.at++
		}
		// 1e999 is JSON, but no program can do anything with it, and another reads it as infinity.
		if number, _ := strconv.ParseFloat(string(r.text[from:r.at]), 64); math.IsInf(number, 0) {
			err = errors.New("it has a number that is too large")
		}
	}
	r.depth--
	read.raw = r.text[from:r.at]
	return read, err
}

func (r *reader) skipText() {
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

func (r *reader) object() ([]member, error) {
	members := make([]member, 0, 8)
	var seen map[string]bool
	for r.enter('}') {
		key := value{}
		from := r.at
		r.skipText()
		key.raw = r.text[from:r.at]
		name, _ := key.text()
		r.skipSpace()
		r.at++
		// A short list is searched; a long one has a map.
		if seen == nil && len(members) == 16 {
			seen = map[string]bool{}
			for _, known := range members {
				seen[known.key] = true
			}
		}
		if seen[name] || (seen == nil && find(members, name) != nil) {
			return nil, errors.New("it has the same key twice")
		}
		if seen != nil {
			seen[name] = true
		}
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, item})
	}
	return members, nil
}

func (r *reader) list() ([]value, error) {
	items := []value{}
	for r.enter(']') {
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// enter goes to the next member or item, or behind the end.
func (r *reader) enter(end byte) bool {
	r.skipSpace()
	if r.text[r.at] != end {
		r.at++
		r.skipSpace()
	}
	if r.text[r.at] == end {
		r.at++
		return false
	}
	return true
}

func find(members []member, key string) *value {
	for i := range members {
		if members[i].key == key {
			return &members[i].value
		}
	}
	return nil
}

// get finds a member; nil if there is none or if it is null.
func (v *value) get(key string) *value {
	found := find(v.members, key)
	if found == nil || found.isNull() {
		return nil
	}
	return found
}

func (v *value) isNull() bool   { return len(v.raw) > 0 && v.raw[0] == 'n' }
func (v *value) isObject() bool { return v.members != nil }

func (v *value) text() (string, bool) {
	if len(v.raw) < 2 || v.raw[0] != '"' {
		return "", false
	}
	inner := v.raw[1 : len(v.raw)-1]
	if !bytes.ContainsRune(inner, '\\') {
		return string(inner), true
	}
	text := ""
	err := json.Unmarshal(v.raw, &text)
	return text, err == nil
}

func (v *value) bool() (is, isRight bool) {
	return v.raw[0] == 't', v.raw[0] == 't' || v.raw[0] == 'f'
}

func (v *value) uint() (uint64, bool) {
	number := uint64(0)
	err := json.Unmarshal(v.raw, &number)
	return number, err == nil && v.raw[0] != 'n'
}

// writesItself reports whether the type writes its own JSON.
func writesItself(t reflect.Type) bool { return t.Implements(marshaler) || t.Implements(textMarshaler) }

// encode writes a value as JSON, without making anything else of it than it is.
func encode(given any) ([]byte, *failure) {
	buffer := bytes.Buffer{}
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(given); err != nil {
		return nil, fail("input", "the Input cannot be written as JSON: %s", err)
	}
	// This comes after Encode, which refuses a cycle. isText would follow a cycle again and again.
	if !isText(reflect.ValueOf(given), 0) {
		return nil, fail("input", "the Input cannot be written as JSON: a text is not UTF-8")
	}
	written := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	// What a Marshaler wrote has not been looked at yet.
	if !utf8.Valid(written) {
		return nil, fail("input", "the Input cannot be written as JSON: it is not UTF-8")
	}
	return written, nil
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// isText reports whether all texts of a value are UTF-8, because encoding/json silently replaces other bytes.
func isText(v reflect.Value, depth int) bool {
	// hookbox refuses values that are nested so deeply.
	if !v.IsValid() || depth > 1000 || writesItself(v.Type()) || (v.CanAddr() && writesItself(reflect.PointerTo(v.Type()))) {
		return true
	}
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		return isText(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return true
		}
		for i := range v.Len() {
			if !isText(v.Index(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if !isText(entries.Key(), depth+1) || !isText(entries.Value(), depth+1) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			isWritten := (field.IsExported() || field.Anonymous) && field.Tag.Get("json") != "-"
			if isWritten && !isText(v.Field(i), depth+1) {
				return false
			}
		}
	}
	return true
}
