package main

import (
	"strings"
	"unicode"
)

// In a path that is not known to the last letter, these stand for what the shell would put there.
const (
	anything = '\x00' // any text, even with slashes: a variable, the output of a command
	many     = '\x01' // `*`
	one      = '\x02' // `?`, `[...]`
)

// place is a path, resolved as far as its text allows: the file system cannot be asked.
type place struct {
	// "/", "~" (the home directory), "." (the agent's, if it does not say which that is), or "?" if it cannot be known.
	base string
	// Its parts, folded so that names which a file system takes for the same are the same.
	parts []string
	text  string
}

// resolve reads a path that starts at dir, which starts at pwd.
func resolve(path, dir, pwd string) place {
	p := place{base: ".", text: path}
	for _, step := range []string{pwd, dir, path} {
		p.enter(step)
	}
	return p
}

func (p *place) enter(path string) {
	path = strings.ReplaceAll(path, `\`, "/")
	// Windows: verbatim paths, drives.
	if rest, is := strings.CutPrefix(path, "//?/"); is {
		path = "/" + rest
	}
	if at := strings.TrimPrefix(path, "/"); len(at) >= 2 && at[1] == ':' && unicode.IsLetter(rune(at[0])) {
		path = "/" + at[2:]
	}
	switch {
	case strings.HasPrefix(path, "/"):
		p.base, p.parts = "/", nil
	case path == "~" || strings.HasPrefix(path, "~/"):
		p.base, p.parts, path = "~", nil, path[1:]
	case strings.HasPrefix(path, "~"):
		// Another user's home.
		p.base, p.parts = "?", []string{string(anything)}
		_, path, _ = strings.Cut(path, "/")
	case strings.HasPrefix(path, string(anything)):
		p.base, p.parts = "?", nil
	}
	for _, part := range strings.Split(path, "/") {
		// What Windows does not see at the end of a name, and its streams.
		part, _, _ = strings.Cut(fold(part), ":")
		if part != ".." {
			if trimmed := strings.TrimRight(part, ". "); trimmed != "" {
				part = trimmed
			}
		}
		switch {
		case part == "" || part == ".":
		case part != "..":
			p.parts = append(p.parts, part)
		case len(p.parts) > 0 && !strings.ContainsRune(p.parts[len(p.parts)-1], anything):
			p.parts = p.parts[:len(p.parts)-1]
		case p.base != "/":
			p.base, p.parts = "?", []string{string(anything)}
		}
	}
}

// fold gives a name in the form that file systems which ignore case, or characters without width, compare.
func fold(name string) string {
	return strings.Map(func(char rune) rune {
		switch {
		case char < unicode.MaxASCII:
			return unicode.ToLower(char)
		case char >= 0x200b && char <= 0x200f, char >= 0x202a && char <= 0x202e, char >= 0x2060 && char <= 0x206f, char == 0xfeff:
			return -1
		}
		least := char
		for next := unicode.SimpleFold(char); next != char; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return unicode.ToLower(least)
	}, name)
}

func (p place) shown() string {
	return strings.NewReplacer(string(anything), "…", string(many), "*", string(one), "?").Replace(p.text)
}

// isUnknown says whether any part cannot be known, or is a short name that Windows makes up.
func (p place) isUnknown() bool {
	if p.base == "?" {
		return true
	}
	for _, part := range p.parts {
		at := strings.IndexByte(part, '~')
		if strings.ContainsRune(part, anything) || (at > 0 && at+1 < len(part) && unicode.IsDigit(rune(part[at+1]))) {
			return true
		}
	}
	return false
}

func (p place) isInside(root string) bool {
	if p.base == "." || root == "" {
		return p.base == "."
	}
	at := place{base: "."}
	at.enter(root)
	if p.base != at.base || len(p.parts) < len(at.parts) {
		return false
	}
	for i, part := range at.parts {
		if p.parts[i] != part {
			return false
		}
	}
	return true
}

type fits int

const (
	no fits = iota
	maybe
	yes
)

func (p place) isCertainly(pattern string) bool { return !p.isUnknown() && p.match(pattern) == yes }

// match says whether the pattern fits the path, or a directory above it.
func (p place) match(pattern string) fits {
	base := ""
	if rest, is := strings.CutPrefix(pattern, "/"); is {
		base, pattern = "/", rest
	} else if rest, is := strings.CutPrefix(pattern, "~/"); is {
		base, pattern = "~", rest
	}
	if base != "" && p.base != base {
		return no
	}
	wanted := strings.Split(fold(strings.Trim(pattern, "/")), "/")
	best := no
	for start := 0; start+len(wanted) <= len(p.parts); start++ {
		if base != "" && start > 0 {
			break
		}
		fit := yes
		for i, want := range wanted {
			fit = min(fit, matchName(p.parts[start+i], want))
		}
		best = max(best, fit)
	}
	return best
}

// matchName says whether a name, parts of which may not be known, fits a pattern with `*` and `?`.
func matchName(name, pattern string) fits {
	if strings.ContainsAny(name, "\x00\x01\x02") {
		// The shell's `*` and `?` do not stand for a dot at the beginning.
		if strings.HasPrefix(pattern, ".") && (name[0] == many || name[0] == one) {
			return no
		}
		if overlap([]rune(name), []rune(pattern)) {
			return maybe
		}
		return no
	}
	// Most patterns are plain.
	isSame := name == pattern
	if strings.ContainsAny(pattern, "*?") {
		isSame = overlap([]rune(name), []rune(pattern))
	}
	if isSame {
		return yes
	}
	return no
}

// overlap says whether any text fits both a name with holes and a pattern.
func overlap(name, pattern []rune) bool {
	// fits[j]: whether the name up to here and the first j of the pattern can be the same.
	fits := make([]bool, len(pattern)+1)
	for i := 0; i <= len(name); i++ {
		next := make([]bool, len(pattern)+1)
		for j := 0; j <= len(pattern); j++ {
			isHole := i > 0 && (name[i-1] == anything || name[i-1] == many)
			isStar := j > 0 && pattern[j-1] == '*'
			switch {
			case i == 0 && j == 0:
				next[j] = true
			case isHole && (fits[j] || (j > 0 && next[j-1])), isStar && (next[j-1] || (i > 0 && fits[j])):
				next[j] = true
			case i > 0 && j > 0 && !isHole && !isStar:
				isSame := name[i-1] == pattern[j-1] || name[i-1] == one || pattern[j-1] == '?'
				next[j] = isSame && fits[j-1]
			}
		}
		fits = next
	}
	return fits[len(pattern)]
}
