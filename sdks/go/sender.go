package pos

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"example.com/pos-sdk/internal/retry"
)

// operationFacts are what a call of an operation needs to know.
type operationFacts struct {
	method, path string
	// input is what follows the members of the path: "body", "query" or nothing.
	input  string
	repeat retry.Repeat
	// pages is where the cursors of a listing are: "members" of the input, or in its member "cursor".
	pages                         string
	apiKey, partners, customerKey bool
}

type sentCall struct {
	name    string
	facts   operationFacts
	members []string
	payload any
	options []CallOption
}

var (
	member         = regexp.MustCompile(`\{\w+\}`)
	idempotencyKey = regexp.MustCompile(`^[!-~]{1,100}$`)
)

// send sends a call until it has an answer, or no further attempt is safe or in time. The answer 204 is nil.
func (c *Client) send(ctx context.Context, call sentCall) ([]byte, error) {
	var chosen callOptions
	for _, option := range call.options {
		option(&chosen)
	}
	timeout := c.settings.timeout
	if chosen.timeout != nil {
		timeout = *chosen.timeout
	}
	if timeout <= 0 {
		return nil, &UsageError{call.name + ": the timeout is no time"}
	}
	build, err := c.prepare(call, chosen)
	if err != nil {
		return nil, err
	}
	end := time.Now().Add(timeout)
	for retries := 0; ; retries++ {
		answer, failed, err := c.attempt(ctx, call.name, build, end)
		if err == nil || failed == nil {
			return answer, err
		}
		limits := retry.Limits{
			Retries: retries, RetriesMax: c.settings.retriesMax, Chance: c.settings.chance(), Now: time.Now(),
		}
		wait, isRepeated := retry.Decide(*failed, call.facts.repeat, limits)
		if !isRepeated || !time.Now().Add(wait).Before(end) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// attempt returns the answer; or how the attempt failed and its error; or only an error that is final.
func (c *Client) attempt(
	ctx context.Context, name string, build func(context.Context) (*http.Request, error), end time.Time,
) ([]byte, *retry.FailedAttempt, error) {
	limit := time.Now().Add(c.settings.attemptTimeout)
	if end.Before(limit) {
		limit = end
	}
	limited, cancel := context.WithDeadline(ctx, limit)
	defer cancel()
	request, err := build(limited)
	if err != nil {
		return nil, nil, err
	}
	status, headers, body, err := exchange(c.http, request)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		var timeout net.Error
		if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
			return nil, &retry.FailedAttempt{}, &TimeoutError{name, err}
		}
		return nil, &retry.FailedAttempt{}, &ConnectionError{name, err}
	}
	c.reportWarnings(name, headers.Get("warnings"))
	if status >= 200 && status < 300 {
		answer, err := readAnswer(name, status, body)
		return answer, nil, err
	}
	refused := newAPIError(name, c.settings.baseURL, status, headers, body)
	failed := retry.FailedAttempt{
		Status: status, Reason: string(refused.Reason), RetryAfter: headers.Get("retry-after"),
	}
	return nil, &failed, refused
}

// reportWarnings recovers: a listener that fails must not hide the answer, because the money may have moved.
func (c *Client) reportWarnings(name, sent string) {
	if sent == "" || c.settings.onWarnings == nil {
		return
	}
	defer func() {
		if failure := recover(); failure != nil {
			log.Printf("pos: %s: the listener of warnings has failed: %v", name, failure)
		}
	}()
	c.settings.onWarnings(strings.Split(sent, ", "), name)
}

func exchange(client *http.Client, request *http.Request) (int, http.Header, []byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, body, err
}

func readAnswer(name string, status int, body []byte) ([]byte, error) {
	if status == http.StatusNoContent {
		return nil, nil
	}
	if !json.Valid(body) {
		return nil, &AnswerError{name, fmt.Sprintf("%d without JSON", status)}
	}
	return body, nil
}

// prepare chooses everything of the request once, so that all attempts have the same key.
func (c *Client) prepare(call sentCall, chosen callOptions) (func(context.Context) (*http.Request, error), error) {
	path, err := buildPath(call)
	if err != nil {
		return nil, err
	}
	headers, err := c.buildHeaders(call, chosen)
	if err != nil {
		return nil, err
	}
	var body []byte
	switch call.facts.input {
	case "body":
		if body, err = json.Marshal(call.payload); err != nil {
			return nil, &UsageError{call.name + ": the body is no JSON: " + err.Error()}
		}
	case "query":
		query, err := buildQuery(call.payload)
		if err != nil {
			return nil, err
		}
		path += query
	}
	return func(ctx context.Context) (*http.Request, error) {
		request, err := http.NewRequestWithContext(
			ctx, call.facts.method, c.settings.baseURL+path, bytes.NewReader(body),
		)
		if err != nil {
			return nil, &UsageError{call.name + ": " + err.Error()}
		}
		request.Header = headers.Clone()
		return request, nil
	}, nil
}

func (c *Client) buildHeaders(call sentCall, chosen callOptions) (http.Header, error) {
	facts, settings := call.facts, c.settings
	headers := http.Header{}
	headers.Set("accept", "application/json, application/problem+json")
	headers.Set("version", settings.version)
	headers.Set("user-agent", "pos-sdk-go")
	if facts.input == "body" {
		headers.Set("content-type", "application/json")
	}
	if facts.apiKey {
		headers.Set("authorization", "Bearer "+settings.apiKey)
	}
	if facts.partners {
		if settings.softwareHouseID == "" || settings.resellerID == "" {
			return nil, &UsageError{call.name + " needs WithPartners"}
		}
		headers.Set("software-house-id", settings.softwareHouseID)
		headers.Set("reseller-id", settings.resellerID)
	}
	if facts.customerKey {
		if chosen.customerSecret == "" {
			return nil, &UsageError{call.name + " needs WithCustomerSecret"}
		}
		headers.Set("authorization", "Basic "+chosen.customerSecret)
	}
	key, err := chooseKey(call, chosen.idempotencyKey)
	if key != "" {
		headers.Set("idempotencyKey", key)
	}
	return headers, err
}

// chooseKey returns one key for all attempts of a call: a second key would make a second operation.
func chooseKey(call sentCall, key *string) (string, error) {
	if key == nil {
		if call.facts.repeat != retry.Key {
			return "", nil
		}
		return makeKey()
	}
	// Silence would let the caller trust in a key that nobody reads.
	if call.facts.repeat != retry.Key {
		return "", &UsageError{call.name + " takes no idempotency key"}
	}
	if !idempotencyKey.MatchString(*key) {
		return "", &UsageError{call.name + ": an idempotency key is 1 to 100 visible ASCII characters"}
	}
	return *key, nil
}

// makeKey returns a random UUID.
func makeKey() (string, error) {
	var drawn [16]byte
	if _, err := rand.Read(drawn[:]); err != nil {
		return "", err
	}
	drawn[6], drawn[8] = drawn[6]&0x0f|0x40, drawn[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", drawn[:4], drawn[4:6], drawn[6:8], drawn[8:10], drawn[10:]), nil
}

func buildPath(call sentCall) (string, error) {
	at := 0
	var refusal error
	path := member.ReplaceAllStringFunc(call.facts.path, func(name string) string {
		value := ""
		if at < len(call.members) {
			value = call.members[at]
		}
		at++
		// An empty member would address another operation, and so would `.` and `..`, which proxies resolve.
		if value == "" || value == "." || value == ".." {
			refusal = &UsageError{call.name + " needs " + name}
		}
		return url.PathEscape(value)
	})
	return path, refusal
}

func buildQuery(payload any) (string, error) {
	members, err := readMembers(payload)
	if err != nil {
		return "", err
	}
	query := url.Values{}
	for name, value := range members {
		values, isList := value.([]any)
		if !isList {
			values = []any{value}
		}
		for _, each := range values {
			if each != nil {
				query.Add(name, fmt.Sprint(each))
			}
		}
	}
	if len(query) == 0 {
		return "", nil
	}
	return "?" + query.Encode(), nil
}
