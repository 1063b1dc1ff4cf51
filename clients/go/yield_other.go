//go:build !linux

package hookbox

const canYield = false

func yield() {}
