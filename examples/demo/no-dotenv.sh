#!/bin/sh
# Denies every tool call whose Input names a .env file. Crude on purpose: a shell hook is for what is quick to write.
case $(cat) in
    *.env*) echo '{"decision":"deny","reason":"the file .env holds secrets; ask for the variable that you need"}' ;;
esac
