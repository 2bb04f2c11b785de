package pos

import (
	"log"
	"math/rand"
	"net/http"
	"strings"
	"time"
)

// settings are how a client calls.
type settings struct {
	baseURL, apiKey, version    string
	softwareHouseID, resellerID string
	retriesMax                  int
	timeout, attemptTimeout     time.Duration
	transport                   http.RoundTripper
	chance                      func() float64
	onWarnings                  func(warnings []string, operation string)
}

func defaultSettings() settings {
	return settings{
		version:        NewestRelease,
		retriesMax:     4,
		timeout:        time.Minute,
		attemptTimeout: 30 * time.Second,
		transport:      http.DefaultTransport,
		chance:         rand.Float64,
		onWarnings:     logWarnings,
	}
}

// ClientOption changes how a client calls.
type ClientOption func(*settings)

// WithPartners sets the ids that operations of card machines need.
func WithPartners(softwareHouseID, resellerID string) ClientOption {
	return func(s *settings) { s.softwareHouseID, s.resellerID = softwareHouseID, resellerID }
}

// WithVersion sets the release of the API; the types describe the newest, which is the default.
func WithVersion(release string) ClientOption {
	return func(s *settings) { s.version = release }
}

// WithRetries sets how many retries a call has at most: 4 by default; 0: none.
func WithRetries(count int) ClientOption {
	return func(s *settings) { s.retriesMax = count }
}

// WithTimeout limits a call with all its retries and waits: a minute by default.
func WithTimeout(limit time.Duration) ClientOption {
	return func(s *settings) { s.timeout = limit }
}

// WithAttemptTimeout limits one attempt: 30 seconds by default.
func WithAttemptTimeout(limit time.Duration) ClientOption {
	return func(s *settings) { s.attemptTimeout = limit }
}

// WithTransport replaces http.DefaultTransport.
func WithTransport(transport http.RoundTripper) ClientOption {
	return func(s *settings) { s.transport = transport }
}

// WithWarnings sets what receives the oddities that the service names in an answer, with the name of the operation:
// unknown_member:captureMod is a member that it does not know, and ignored_member:autoExpireIn one without effect. They
// are written to the standard logger by default. A listener that panics does not hide the answer.
func WithWarnings(listener func(warnings []string, operation string)) ClientOption {
	return func(s *settings) { s.onWarnings = listener }
}

func logWarnings(warnings []string, operation string) {
	log.Printf("pos: %s: %s", operation, strings.Join(warnings, ", "))
}

// WithChance sets the source of the jitter of waits, from 0 to 1.
func WithChance(chance func() float64) ClientOption {
	return func(s *settings) { s.chance = chance }
}

type callOptions struct {
	idempotencyKey *string
	timeout        *time.Duration
	customerSecret string
}

// CallOption says something about one call.
type CallOption func(*callOptions)

// WithIdempotencyKey sets the key that the client makes otherwise. Say your own where a call must also be repeatable
// after your process ended.
func WithIdempotencyKey(key string) CallOption {
	return func(o *callOptions) { o.idempotencyKey = &key }
}

// WithCallTimeout limits this call with all its retries and waits.
func WithCallTimeout(limit time.Duration) CallOption {
	return func(o *callOptions) { o.timeout = &limit }
}

// WithCustomerSecret is for the operations that a customer's page calls.
func WithCustomerSecret(secret string) CallOption {
	return func(o *callOptions) { o.customerSecret = secret }
}
