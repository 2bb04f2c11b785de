// Package pos is a client of the payments API, for servers. It needs its standard library only.
package pos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Client calls the payments API. Goroutines may share it.
type Client struct {
	settings settings
	http     *http.Client
}

var visible = regexp.MustCompile(`^[!-~]+$`)

// NewClient returns a client, or a *UsageError for settings that cannot work.
func NewClient(baseURL, apiKey string, options ...ClientOption) (*Client, error) {
	chosen := defaultSettings()
	for _, option := range options {
		option(&chosen)
	}
	address, err := url.Parse(baseURL)
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "":
		return nil, &UsageError{"baseURL is no http address"}
	case !visible.MatchString(apiKey):
		return nil, &UsageError{"apiKey is empty, or has characters that no key has"}
	case chosen.retriesMax < 0:
		return nil, &UsageError{"the number of retries must be at least 0"}
	case chosen.timeout <= 0 || chosen.attemptTimeout <= 0:
		return nil, &UsageError{"a time limit must be above 0"}
	}
	chosen.baseURL, chosen.apiKey = strings.TrimRight(baseURL, "/"), apiKey
	return &Client{chosen, &http.Client{
		Transport: chosen.transport,
		// A redirect is an answer like any other: following it would send the API key to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// String leaves out the key, which must not appear in logs.
func (c *Client) String() string { return fmt.Sprintf("pos.Client(%s)", c.settings.baseURL) }

// Call calls an operation by its id in the contract, for programs that choose it at run time. It stores the answer as
// json.Unmarshal does, and leaves it alone for an answer without content.
func (c *Client) Call(
	ctx context.Context, operation string, members []string, payload, answer any, options ...CallOption,
) error {
	facts, isKnown := operations[operation]
	if !isKnown {
		return &UsageError{"there is no operation " + operation}
	}
	body, err := c.send(ctx, sentCall{operation, facts, members, payload, options})
	if err != nil || body == nil {
		return err
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return &AnswerError{operation, "the answer has another form than the contract says: " + err.Error()}
	}
	return nil
}

// call is Call with the type of the answer.
func call[T any](
	ctx context.Context, c *Client, operation string, members []string, payload any, options []CallOption,
) (T, error) {
	var answer T
	err := c.Call(ctx, operation, members, payload, &answer, options...)
	return answer, err
}

// Ptr returns the address of a value, for optional members.
func Ptr[T any](value T) *T { return &value }

// Nullable is a member that may be absent (a nil pointer), null, or a value.
type Nullable[T any] struct {
	// Value is nil for null.
	Value *T
}

// Null is sent as null.
func Null[T any]() *Nullable[T] { return &Nullable[T]{} }

// NotNull is sent as the value.
func NotNull[T any](value T) *Nullable[T] { return &Nullable[T]{&value} }

// MarshalJSON writes the value or null.
func (n *Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.Value) }

// readMembers returns the members of an object as it is sent; none for nil.
func readMembers(payload any) (map[string]any, error) {
	written, err := json.Marshal(payload)
	if err != nil {
		return nil, &UsageError{"the payload is no JSON: " + err.Error()}
	}
	members := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(written))
	// Whole numbers stay whole.
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		return nil, &UsageError{"the payload is no object: " + err.Error()}
	}
	if members == nil {
		members = map[string]any{}
	}
	return members, nil
}
