module hookbox

go 1.24
