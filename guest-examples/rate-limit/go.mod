module rate-limit

go 1.24

require hookbox v0.0.0

replace hookbox => ../../guest-sdk/go
