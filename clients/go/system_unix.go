//go:build unix

package hookbox

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"syscall"
)

// detach gives the server a session of its own, so that Ctrl-C in a terminal does not end it.
func detach(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// isOurs tells whether a file belongs to this user or to root.
func isOurs(info os.FileInfo) bool {
	stat, isRight := info.Sys().(*syscall.Stat_t)
	return isRight && (stat.Uid == 0 || int(stat.Uid) == os.Getuid())
}

// isQuiet tells whether nothing has arrived on an idle connection.
func isQuiet(open net.Conn) bool {
	inner, isRight := open.(syscall.Conn)
	if !isRight {
		return false
	}
	raw, err := inner.SyscallConn()
	if err != nil {
		return false
	}
	var peeked error
	err = raw.Read(func(descriptor uintptr) bool {
		_, _, peeked = syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		return true
	})
	return err == nil && (peeked == syscall.EAGAIN || peeked == syscall.EWOULDBLOCK)
}

// errNothing is the error of a read that would have to wait.
var errNothing error = syscall.EAGAIN

// whenReadable calls take when there may be something to read, until it says that there is no more.
func whenReadable(file *os.File, take func(descriptor int) bool) bool {
	raw, err := file.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Read(func(descriptor uintptr) bool { return take(int(descriptor)) })
	return true
}

// readNow reads from a pipe without waiting.
func readNow(descriptor int, into []byte) (int, error) {
	for {
		n, err := syscall.Read(descriptor, into)
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
