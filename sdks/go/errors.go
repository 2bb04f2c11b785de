package pos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// APIError means that the service refused a call, or failed.
type APIError struct {
	// Operation is its id in the contract.
	Operation string
	Status    int
	// Reason is empty where something before the service answered. A newer service may send other reasons.
	Reason Reason
	// TraceID names the request in the log of the service.
	TraceID string
	// Fields are messages by member path or header name; empty when no member is at fault.
	Fields map[string][]string
	// Documentation is the address of the page about the reason.
	Documentation string
	// Body is as it arrived.
	Body []byte

	title, detail string
}

func (e *APIError) Error() string {
	title := string(e.Reason)
	if title == "" {
		title = e.title
	}
	if title == "" {
		title = "without a problem body"
	}
	return fmt.Sprintf("%s: %d %s: %s", e.Operation, e.Status, title, e.detail)
}

// ConnectionError means that no answer arrived; whether the call took effect is unknown.
type ConnectionError struct {
	Operation string
	Err       error
}

func (e *ConnectionError) Error() string { return fmt.Sprintf("%s: no answer: %v", e.Operation, e.Err) }

func (e *ConnectionError) Unwrap() error { return e.Err }

// TimeoutError means that the time limit passed before an answer arrived; whether the call took effect is unknown.
type TimeoutError struct {
	Operation string
	Err       error
}

func (e *TimeoutError) Error() string { return e.Operation + ": no answer in time" }

func (e *TimeoutError) Unwrap() error { return e.Err }

// Timeout makes it a timeout for package net.
func (e *TimeoutError) Timeout() bool { return true }

// AnswerError means that a successful answer has another form than those of the service, so something else may have
// sent it.
type AnswerError struct {
	Operation string
	Message   string
}

func (e *AnswerError) Error() string { return e.Operation + ": " + e.Message }

// UsageError means that the client was created or called in a way that cannot work; nothing was sent.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func newAPIError(operation, baseURL string, status int, headers http.Header, body []byte) *APIError {
	found := &APIError{Operation: operation, Status: status, Body: body, Fields: map[string][]string{}}
	// Members of other types than those of a problem are left out, one by one.
	var problem map[string]json.RawMessage
	_ = json.Unmarshal(body, &problem)
	read := func(name string) (text string) {
		if json.Unmarshal(problem[name], &text) != nil {
			return ""
		}
		return text
	}
	found.Reason, found.title, found.detail = Reason(read("reason")), read("title"), read("detail")
	if found.TraceID = read("traceId"); found.TraceID == "" {
		found.TraceID = headers.Get("trace-id")
	}
	var fields map[string][]string
	if json.Unmarshal(problem["errors"], &fields) == nil && fields != nil {
		found.Fields = fields
	}
	found.Documentation = resolve(baseURL, read("documentation"))
	return found
}

func resolve(baseURL, address string) string {
	base, err := url.Parse(baseURL)
	if err != nil || address == "" {
		return ""
	}
	resolved, err := base.Parse(address)
	if err != nil {
		return ""
	}
	return resolved.String()
}
