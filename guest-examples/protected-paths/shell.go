package main

import "strings"

// How deep commands are read that stand in commands.
const maxDepth = 8

// shell reads a command line for what it writes. What it cannot know of a word stays in there as one of the holes of place.
type shell struct {
	into *touched
	// The directory that the commands are in by now, as it begins at the agent's.
	dir   string
	depth int
}

// command is a program and its arguments.
type command struct {
	words []string
	// Where its output goes.
	outputs []string
	// The texts that stand behind it, and those of them that are scripts or patches if it reads them.
	texts []string
}

type reader struct {
	text string
	at   int
	// Here-documents whose text comes after the line.
	due []*due
	// Command substitutions.
	inner  []string
	broken string
}

type due struct {
	end     string
	isTabs  bool
	command *command
}

// script reads a whole command line.
func (s *shell) script(text string) {
	if s.depth == 0 {
		s.into.unreadable("commands stand too deep in commands")
		return
	}
	if strings.ContainsRune(text, anything) {
		s.into.unreadable("part of the command is not known")
	}
	text = strings.NewReplacer("\\\r\n", "", "\\\n", "", "\r\n", "\n", string(anything), " ", string(many), " ", string(one), " ", string(open), " ", string(comma), " ", string(shut), " ").Replace(text)
	r := &reader{text: text}
	var dirs []string
	current := &command{}
	flush := func() {
		s.run(*current)
		*current = command{}
	}
	var pending []*command
	for r.broken == "" {
		r.blanks()
		if r.at == len(r.text) {
			break
		}
		switch c := r.text[r.at]; {
		case c == '#':
			r.line()
		case c == '\n':
			r.at++
			r.documents()
			for _, done := range pending {
				s.run(*done)
			}
			pending = nil
			flush()
		case c == ';' || c == '|' || (c == '&' && !r.has("&>")):
			r.at++
			if len(r.due) > 0 {
				// Its here-document is still to come.
				kept := *current
				for _, d := range r.due {
					if d.command == current {
						d.command = &kept
					}
				}
				pending = append(pending, &kept)
				*current = command{}
			} else {
				flush()
			}
		case c == '(':
			flush()
			dirs = append(dirs, s.dir)
			r.at++
		case c == ')':
			flush()
			if len(dirs) > 0 {
				s.dir, dirs = dirs[len(dirs)-1], dirs[:len(dirs)-1]
			}
			r.at++
		case c == '<' || c == '>' || r.has("&>"):
			r.redirection(current)
		default:
			from := r.at
			word := r.word()
			next := byte(0)
			if r.at < len(r.text) {
				next = r.text[r.at]
			}
			if (next == '<' || next == '>') && isNumber(r.text[from:r.at]) {
				continue
			}
			current.words = append(current.words, braces(word, 64)...)
		}
	}
	r.documents()
	for _, done := range pending {
		s.run(*done)
	}
	flush()
	for _, inner := range r.inner {
		deeper := shell{into: s.into, dir: s.dir, depth: s.depth - 1}
		deeper.script(inner)
	}
	if r.broken != "" {
		s.into.unreadable(r.broken)
	}
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func (r *reader) has(text string) bool { return strings.HasPrefix(r.text[r.at:], text) }

func (r *reader) blanks() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
}

// line steps to the end of the line, and gives what is left of it.
func (r *reader) line() string {
	end := strings.IndexByte(r.text[r.at:], '\n')
	if end < 0 {
		end = len(r.text) - r.at
	}
	line := r.text[r.at : r.at+end]
	r.at += end
	return line
}

func (r *reader) redirection(into *command) {
	for _, sign := range []string{"<<<", "<<-", "<<", "&>>", "&>", ">>", ">|", ">&", "<>", "<&", ">", "<"} {
		if !r.has(sign) {
			continue
		}
		r.at += len(sign)
		if (sign == ">" || sign == "<") && r.has("(") {
			// Its text is a command, its name a file of the shell's own.
			r.at++
			r.inner = append(r.inner, r.until(')'))
			into.words = append(into.words, "/dev/fd/0")
			return
		}
		r.blanks()
		word := r.word()
		switch {
		case sign == "<<" || sign == "<<-":
			r.due = append(r.due, &due{end: word, isTabs: sign == "<<-", command: into})
		case sign == "<<<":
			into.texts = append(into.texts, word)
		case sign == ">&" && (isNumber(strings.TrimSuffix(word, "-")) || word == "-"), sign == "<" || sign == "<&":
		default:
			into.outputs = append(into.outputs, braces(word, 64)...)
		}
		return
	}
}

// documents takes the here-documents that begin here.
func (r *reader) documents() {
	for _, d := range r.due {
		var lines []string
		for r.at < len(r.text) {
			line := r.line()
			r.at = min(r.at+1, len(r.text))
			if d.isTabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.end {
				break
			}
			lines = append(lines, line)
		}
		text := strings.Join(lines, "\n")
		d.command.texts = append(d.command.texts, text)
		// Unless its end is quoted, commands in there run.
		inside := &reader{text: text + `"`}
		inside.double(&strings.Builder{})
		r.inner = append(r.inner, inside.inner...)
	}
	r.due = nil
}

// until gives what stands before the bracket that closes one, and steps behind that.
func (r *reader) until(close byte) string {
	from, depth := r.at, 1
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case '\\':
			r.at++
		case '\'':
			if end := strings.IndexByte(r.text[r.at+1:], '\''); end >= 0 {
				r.at += end + 1
			}
		case '(', '{':
			if (c == '(') == (close == ')') {
				depth++
			}
		case close:
			depth--
			if depth == 0 {
				r.at++
				return r.text[from : r.at-1]
			}
		}
		r.at++
	}
	r.at = len(r.text)
	r.broken = "a bracket of the command has no end"
	return r.text[from:]
}
