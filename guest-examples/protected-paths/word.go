package main

import "strings"

// Inside of a word these stand for unquoted braces and commas, until braces has done its work.
const open, comma, shut = '\x03', '\x04', '\x05'

// word reads one word. It may be empty, if what stands here is none.
func (r *reader) word() string {
	var out strings.Builder
	for from := r.at; r.at < len(r.text); {
		c := r.text[r.at]
		switch {
		case strings.IndexByte(" \t\n;|&<>()", c) >= 0:
			if r.at == from {
				// A word that is missing. Step on, so that the reading ends.
				r.broken = "the command cannot be read"
			}
			return out.String()
		case c == '\'':
			end := strings.IndexByte(r.text[r.at+1:], '\'')
			if end < 0 {
				r.broken = "a quotation in the command has no end"
				return out.String()
			}
			quoted(&out, from == r.at, r.text[r.at+1:r.at+1+end])
			r.at += end + 2
		case c == '"':
			r.at++
			var inside strings.Builder
			r.double(&inside)
			quoted(&out, from == r.at-1, inside.String())
		case c == '\\':
			r.at++
			if r.at < len(r.text) {
				out.WriteByte(r.text[r.at])
				r.at++
			}
		case c == '$' || c == '`':
			r.expansion(&out, out.Len() == 0)
		default:
			holes := map[byte]byte{'*': many, '?': one, '{': open, ',': comma, '}': shut}
			if hole, is := holes[c]; is {
				c = hole
			} else if c == '[' {
				if end := strings.IndexAny(r.text[r.at+1:], "] \n"); end > 0 && r.text[r.at+1+end] == ']' {
					c = one
					r.at += end + 1
				}
			}
			out.WriteByte(c)
			r.at++
		}
	}
	return out.String()
}

// quoted adds what stood in quotes. A `~` in there is no home directory.
func quoted(out *strings.Builder, isFirst bool, text string) {
	if isFirst && strings.HasPrefix(text, "~") {
		out.WriteString("./")
	}
	out.WriteString(text)
}

// double reads to the end of double quotes.
func (r *reader) double(out *strings.Builder) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case '"':
			r.at++
			return
		case '\\':
			r.at++
			if r.at < len(r.text) {
				if strings.IndexByte("\"\\$`", r.text[r.at]) < 0 {
					out.WriteByte('\\')
				}
				out.WriteByte(r.text[r.at])
				r.at++
			}
		case '$', '`':
			r.expansion(out, out.Len() == 0)
		default:
			out.WriteByte(c)
			r.at++
		}
	}
	r.broken = "a quotation in the command has no end"
}

// expansion reads what begins with `$` or a backquote.
func (r *reader) expansion(out *strings.Builder, isFirst bool) {
	if r.text[r.at] == '`' {
		end := strings.IndexByte(r.text[r.at+1:], '`')
		if end < 0 {
			r.broken = "a quotation in the command has no end"
			r.at = len(r.text)
			return
		}
		r.inner = append(r.inner, r.text[r.at+1:r.at+1+end])
		r.at += end + 2
		out.WriteByte(anything)
		return
	}
	r.at++
	if r.has("'") {
		// Its escapes are not read.
		end := strings.IndexByte(r.text[r.at+1:], '\'')
		if end < 0 {
			r.broken = "a quotation in the command has no end"
			return
		}
		text := r.text[r.at+1 : r.at+1+end]
		if strings.Contains(text, `\`) {
			text = string(anything)
		}
		out.WriteString(text)
		r.at += end + 2
		return
	}
	name := ""
	switch {
	case r.has("("):
		r.at++
		r.inner = append(r.inner, r.until(')'))
	case r.has("{"):
		r.at++
		name = r.until('}')
		if strings.Contains(name, "$(") || strings.Contains(name, "`") {
			inside := &reader{text: name + `"`}
			inside.double(&strings.Builder{})
			r.inner = append(r.inner, inside.inner...)
		}
	default:
		from := r.at
		for r.at < len(r.text) && (isLetter(r.text[r.at]) || (r.at > from && r.text[r.at] >= '0' && r.text[r.at] <= '9')) {
			r.at++
		}
		if name = r.text[from:r.at]; name == "" {
			if r.at == len(r.text) || strings.IndexByte("0123456789@*#?!$-", r.text[r.at]) < 0 {
				out.WriteByte('$')
				return
			}
			r.at++
		}
	}
	switch {
	case isFirst && name == "HOME":
		out.WriteByte('~')
	case isFirst && name == "PWD":
		out.WriteByte('.')
	default:
		out.WriteByte(anything)
	}
}

func isLetter(c byte) bool { return c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z') }

// braces gives the words that a word with `{a,b}` stands for, this many at most.
func braces(word string, most int) []string {
	plain := strings.NewReplacer(string(open), "{", string(comma), ",", string(shut), "}")
	end := strings.IndexByte(word, shut)
	if end < 0 {
		return []string{plain.Replace(word)}
	}
	begin := strings.LastIndexByte(word[:end], open)
	if begin < 0 || !strings.ContainsRune(word[begin:end], comma) {
		word = word[:end] + "}" + word[end+1:]
		if begin >= 0 {
			word = word[:begin] + "{" + word[begin+1:]
		}
		return braces(word, most)
	}
	var words []string
	for _, choice := range strings.Split(word[begin+1:end], string(comma)) {
		if len(words) >= most {
			// More than anybody would write.
			return append(words, string(anything))
		}
		words = append(words, braces(word[:begin]+choice+word[end+1:], most/2)...)
	}
	return words
}
