// Makes calls for `cargo xtask bench`, which starts it as `bench CONFIG [ADDRESS TOKEN_FILE]`.
//
// The first line of stdin is an Input. Each line after it is a number of calls, and is answered with the nanoseconds of one.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	hookbox "hookbox-client"
)

func main() {
	option := []hookbox.Option{hookbox.Args("--config", os.Args[1])}
	if len(os.Args) > 2 {
		option = []hookbox.Option{hookbox.Connect(os.Args[2]), hookbox.TokenFile(os.Args[3])}
	}
	client, err := hookbox.New(option...)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	lines := bufio.NewScanner(os.Stdin)
	lines.Scan()
	var input hookbox.Input
	if err := json.Unmarshal(lines.Bytes(), &input); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for lines.Scan() {
		calls, err := strconv.Atoi(lines.Text())
		if err != nil {
			log.Fatal(err)
		}
		started := time.Now()
		for range calls {
			if outcome := client.Decide(ctx, input); !outcome.Allowed() {
				log.Fatalf("not allowed: %+v", outcome)
			}
		}
		fmt.Println(float64(time.Since(started).Nanoseconds()) / float64(calls))
	}
}
