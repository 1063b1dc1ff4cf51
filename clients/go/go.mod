module hookbox-client

go 1.24
