package hookbox

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Header is a header of a request or a response.
type Header struct {
	// Name is in any case in a request, and in lower case in a response.
	Name string
	// Value is text.
	Value string
}

// Request is an HTTP request.
type Request struct {
	// Method is in upper case; empty means GET.
	Method string
	// URL is the whole URL, with its scheme.
	URL string
	// Headers are those beside the ones that the engine adds.
	Headers []Header
	// Body is the body, or nil for none.
	Body []byte
}

// Response is the answer to a request.
type Response struct {
	// Status is the status code, such as 200.
	Status int
	// Headers are in the order in which the server sent them.
	Headers []Header
	// Body is as the server sent it: nothing is decompressed.
	Body []byte
}

// Fetch sends a request and waits for the whole response, whatever its status. It needs the grant `net`.
//
// An error says that there is none, because the request is not granted or failed on the way: hand it on, and the engine denies.
// The engine adds the secrets that the operator chose; the hook does not see them. Redirects are not followed. A call sends at
// most 8 requests, with bodies of at most 1 MiB each way, within its time limit.
//
// In tests on your machine there is no network: AnswerWith gives the answers.
func Fetch(request Request) (Response, error) {
	if request.Method == "" {
		request.Method = "GET"
	}
	texts := []string{request.Method, request.URL}
	for _, header := range request.Headers {
		texts = append(texts, header.Name, header.Value)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return Response{}, errors.New("the request has " + strconv.Quote(text) + ", which is not UTF-8")
		}
	}
	return hostFetch(request)
}

// Header is the value of the first header with this name, in any case; empty if there is none.
func (r Response) Header(name string) string {
	for _, header := range r.Headers {
		if strings.EqualFold(header.Name, name) {
			return header.Value
		}
	}
	return ""
}

// Text is the body as text. It is an error if it is not UTF-8.
func (r Response) Text() (string, error) {
	if !utf8.Valid(r.Body) {
		return "", errors.New("the body of the response is not text")
	}
	return string(r.Body), nil
}
