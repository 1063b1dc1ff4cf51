package main

import (
	"slices"
	"strings"
)

// What the shell itself reads before a command.
var keywords = []string{"if", "then", "else", "elif", "do", "while", "until", "{", "}", "!", "time", "coproc", "fi", "done", "esac"}

// Programs that run another one, and their options that take a word of their own.
var wrappers = map[string]string{
	"sudo": "ugCDhprtTU", "doas": "uC", "env": "uCS", "nohup": "", "nice": "n", "ionice": "cn", "timeout": "ks", "stdbuf": "ioe", "setsid": "",
	"command": "", "builtin": "", "exec": "a", "time": "fo", "busybox": "", "xargs": "IiLlnPsEeda", "chronic": "", "unbuffer": "", "parallel": "jI",
}

// Programs that write or remove every file that they are given.
var writers = []string{
	"rm", "rmdir", "unlink", "shred", "truncate", "touch", "chmod", "chown", "chgrp", "chattr", "setfacl", "tee", "sponge", "mkdir", "mkfifo",
	"ed", "ex", "vi", "vim", "nano", "emacs", "gzip", "gunzip", "bzip2", "xz", "mktemp", "split", "csplit",
}

// Programs that write their last word, or what -t says.
var copiers = []string{"cp", "mv", "ln", "install", "rsync", "scp", "gcp", "gmv", "gln", "ginstall"}

// Options of these that take a word of their own, which is no file that they write.
var optionsWithWord = map[string]string{
	"truncate": "-s --size -r --reference", "touch": "-d --date -r --reference", "mkdir": "-m --mode", "mkfifo": "-m --mode",
	"shred": "-n --iterations -s --size", "split": "-n -l -b -a -C", "cp": "-S --suffix", "mv": "-S --suffix", "ln": "-S --suffix",
	"install": "-S --suffix -m --mode -o --owner -g --group", "rsync": "-e --rsh -f --filter --exclude --include", "scp": "-P -i -o -F -c -l",
}

// run adds what one command writes.
func (s *shell) run(c command) {
	for _, output := range c.outputs {
		s.into.add(output, s.dir)
	}
	words := c.words
	for len(words) > 0 {
		name := words[0]
		assigned, _, isAssignment := strings.Cut(name, "=")
		switch {
		case slices.Contains(keywords, name), isAssignment && isName(assigned):
			words = words[1:]
			continue
		case name == "for" || name == "select" || name == "case" || name == "function":
			return
		}
		break
	}
	if len(words) > 0 {
		s.program(words, c.texts)
	}
}

func isName(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isLetter(text[i]) && (i == 0 || text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return text != ""
}

func (s *shell) program(words, texts []string) {
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	args := words[1:]
	if options, is := wrappers[name]; is {
		s.wrapped(name, options, args, texts)
		return
	}
	operands, options := split(args, optionsWithWord[name])
	switch {
	case strings.ContainsAny(name, "\x00\x01\x02"):
		for _, arg := range args {
			s.into.doubt(arg, s.dir)
		}
	case name == "cd" || name == "pushd":
		s.enter(operands)
	case slices.Contains(writers, name):
		s.addAll(operands)
	case slices.Contains(copiers, name):
		s.copied(name, operands, options)
	case name == "sh" || name == "bash" || name == "zsh" || name == "dash" || name == "ksh" || name == "fish":
		s.shellScript(args, texts)
	case name == "eval":
		s.deeper(strings.Join(args, " "))
	case name == "sed" || name == "perl" || name == "awk" || name == "gawk" || name == "ruby":
		if slices.ContainsFunc(args, isInPlace) {
			s.addAll(operands)
		}
	case name == "dd":
		for _, arg := range args {
			if file, is := strings.CutPrefix(arg, "of="); is {
				s.into.add(file, s.dir)
			}
		}
	case name == "curl" || name == "wget" || name == "tar" || name == "unzip" || name == "gcc" || name == "cc" || name == "sort":
		for _, flag := range []string{"-o", "--output", "-O", "--output-document", "-P", "--directory-prefix", "-C", "--directory", "-d"} {
			if file, is := options[flag]; is && !(name == "curl" && (flag == "-d" || flag == "-O" || flag == "-C")) {
				s.into.add(file, s.dir)
			}
		}
	case name == "git":
		s.git(args)
	case name == "find" || name == "fd":
		s.find(args)
	case name == "patch" || name == "apply_patch" || name == "applypatch":
		for _, text := range append(texts, args...) {
			fromPatch(text, s.dir, s.into)
		}
	}
}

func (s *shell) addAll(paths []string) {
	for _, path := range paths {
		s.into.add(path, s.dir)
	}
}

// split tells operands from options, some of which take the next word. Each other option has it as its value too, for those who
// know that it is one.
func split(args []string, withWord string) (operands []string, options map[string]string) {
	options = map[string]string{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(operands, args[i+1:]...), options
		}
		if len(arg) < 2 || arg[0] != '-' {
			operands = append(operands, arg)
			continue
		}
		option, value, hasValue := strings.Cut(arg, "=")
		if !hasValue && !strings.HasPrefix(arg, "--") && len(arg) > 2 {
			// Letters in one word: the last may have its value behind it, the first its value in the word.
			options[arg[:2]] = arg[2:]
			option = "-" + arg[len(arg)-1:]
		}
		if !hasValue && i+1 < len(args) {
			value = args[i+1]
		}
		options[option] = value
		if !hasValue && slices.Contains(strings.Fields(withWord), option) && i+1 < len(args) && len(arg) == len(option) {
			i++
		}
	}
	return operands, options
}

// isInPlace says whether an argument of sed, perl, awk or ruby makes it write the files that it reads.
func isInPlace(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return strings.HasPrefix(arg, "--in-place") || arg == "--inplace"
	}
	return arg == "inplace" || (strings.HasPrefix(arg, "-") && strings.Contains(strings.SplitN(arg, "e", 2)[0], "i"))
}

func (s *shell) wrapped(name, withWord string, args, texts []string) {
	for len(args) > 0 {
		assigned, _, isAssignment := strings.Cut(args[0], "=")
		switch arg := args[0]; {
		case name == "env" && (arg == "-S" || arg == "--split-string") && len(args) > 1:
			s.deeper(strings.Join(args[1:], " "))
			return
		case arg == "--":
			args = args[1:]
		case strings.HasPrefix(arg, "-") && len(arg) == 2 && strings.Contains(withWord, arg[1:]) && len(args) > 1:
			args = args[2:]
			continue
		case strings.HasPrefix(arg, "-"), isAssignment && isName(assigned), name == "timeout" && strings.Trim(arg, "0123456789.smhd") == "":
			args = args[1:]
			continue
		}
		break
	}
	if len(args) == 0 {
		return
	}
	if name == "xargs" || name == "parallel" {
		args = append(slices.Clone(args), string(anything))
	}
	if s.depth == 0 {
		s.into.unreadable("commands stand too deep in commands")
		return
	}
	deeper := shell{into: s.into, dir: s.dir, depth: s.depth - 1}
	deeper.program(args, texts)
}

func (s *shell) deeper(script string) {
	inner := shell{into: s.into, dir: s.dir, depth: s.depth - 1}
	inner.script(script)
}

func (s *shell) enter(operands []string) {
	switch {
	case len(operands) == 0:
		s.dir = "~"
	case operands[0] == "-" || strings.HasPrefix(operands[0], "+"):
		s.dir = string(anything)
	case strings.HasPrefix(operands[0], "/") || strings.HasPrefix(operands[0], "~") || operands[0][0] == anything || s.dir == "":
		s.dir = operands[0]
	default:
		s.dir += "/" + operands[0]
	}
}

// copied adds what cp, mv and their like write.
func (s *shell) copied(name string, operands []string, options map[string]string) {
	target, hasTarget := options["-t"]
	if long, is := options["--target-directory"]; is {
		target, hasTarget = long, true
	}
	sources := operands
	if hasTarget {
		sources = slices.DeleteFunc(slices.Clone(operands), func(word string) bool { return word == target })
	} else if len(operands) > 1 {
		target, sources = operands[len(operands)-1], operands[:len(operands)-1]
	} else if len(operands) == 1 && name == "ln" {
		target = "."
	} else {
		return
	}
	s.into.add(target, s.dir)
	isDir := hasTarget || len(sources) > 1 || strings.HasSuffix(target, "/") || target == "." || strings.HasSuffix(target, "..")
	for _, source := range sources {
		if name == "mv" || name == "ln" {
			// What moves away is gone from there; what is linked can be written through the link.
			s.into.add(source, s.dir)
		}
		inside := strings.TrimSuffix(target, "/") + "/" + source[strings.LastIndexByte(strings.TrimSuffix(source, "/"), '/')+1:]
		if isDir {
			s.into.add(inside, s.dir)
		} else {
			s.into.doubt(inside, s.dir)
		}
	}
}

func (s *shell) shellScript(args, texts []string) {
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "c") && i+1 < len(args) {
			s.deeper(args[i+1])
			return
		}
		if !strings.HasPrefix(arg, "-") {
			// A script in a file, which cannot be read here.
			return
		}
	}
	for _, text := range texts {
		s.deeper(text)
	}
}

func (s *shell) git(args []string) {
	dir := s.dir
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-C" {
			inner := shell{dir: dir}
			inner.enter(args[1:2])
			dir = inner.dir
		}
		if args[0] == "-C" || args[0] == "-c" {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	if args[0] == "mv" || args[0] == "rm" || args[0] == "restore" || args[0] == "checkout" || args[0] == "clean" {
		operands, _ := split(args[1:], "-s --source")
		for _, path := range operands {
			if args[0] != "checkout" || slices.Contains(args, "--") {
				s.into.add(path, dir)
			}
		}
	}
}

func (s *shell) find(args []string) {
	var roots []string
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != "(" && args[0] != "!" {
		roots = append(roots, args[0])
		args = args[1:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	for i, arg := range args {
		switch arg {
		case "-delete":
			for _, root := range roots {
				s.into.add(root+"/"+string(anything), s.dir)
			}
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(args) {
				s.into.add(args[i+1], s.dir)
			}
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X":
			inner := slices.Clone(args[i+1:])
			if end := slices.IndexFunc(inner, func(word string) bool { return word == ";" || word == "+" }); end >= 0 {
				inner = inner[:end]
			}
			for j, word := range inner {
				inner[j] = strings.ReplaceAll(word, "{}", roots[0]+"/"+string(anything))
			}
			if len(inner) > 0 {
				deeper := shell{into: s.into, dir: s.dir, depth: s.depth}
				deeper.run(command{words: inner})
			}
			return
		}
	}
}
