module sdktest

go 1.24

require hookbox v0.0.0

replace hookbox => ../../go
