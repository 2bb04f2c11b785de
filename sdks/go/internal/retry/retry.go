// Package retry decides which failed attempts are repeated. All clients share this policy; sdks/vectors/retries.json
// tests it.
package retry

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// Repeat says what a repeat of an operation does.
type Repeat int

const (
	// Never: no repeat is safe.
	Never Repeat = iota
	// Read: a repeat changes nothing.
	Read
	// Key: an idempotency key makes repeats one operation.
	Key
)

// FailedAttempt is how an attempt failed. Without an answer its status is 0.
type FailedAttempt struct {
	Status     int
	Reason     string
	RetryAfter string
}

// Limits are what decides beside the failure.
type Limits struct {
	// Retries is how many retries were made, RetriesMax how many are permitted.
	Retries, RetriesMax int
	// Chance is the jitter, from 0 to 1.
	Chance float64
	Now    time.Time
}

const (
	firstWait = 250 * time.Millisecond
	waitMax   = 8 * time.Second
)

var (
	// Statuses of a passing state, also when a proxy answers.
	passing = map[int]bool{408: true, 429: true, 502: true, 503: true, 504: true}
	// Refusals of status 409 that end by themselves.
	passingConflicts = map[string]bool{"idempotency_in_progress": true, "saved_card_busy": true, "setup_intent_busy": true}
	// The service promises that nothing was done, so that a repeat is safe without a key.
	nothingDone = map[string]bool{"rate_limited": true, "service_unavailable": true, "request_timeout": true}
	// Repeats do not help until a person has changed something.
	lasting = map[string]bool{"acquirer_not_configured": true}

	seconds = regexp.MustCompile(`^[0-9]{1,9}$`)
)

// Decide returns how long to wait before the next attempt; false: the failure is final.
func Decide(failed FailedAttempt, repeat Repeat, limits Limits) (time.Duration, bool) {
	if limits.Retries >= limits.RetriesMax || !isRepeatable(failed, repeat) {
		return 0, false
	}
	// The jitter is on top, so that callers who were refused together do not come back together.
	if asked, isAsked := readRetryAfter(failed.RetryAfter, limits.Now); isAsked {
		return asked + time.Duration(float64(firstWait)*limits.Chance), true
	}
	longest := math.Min(float64(waitMax), float64(firstWait)*math.Pow(2, float64(limits.Retries)))
	return time.Duration(longest/2 + longest/2*limits.Chance), true
}

func isRepeatable(failed FailedAttempt, repeat Repeat) bool {
	if failed.Status == 0 {
		return repeat != Never
	}
	if lasting[failed.Reason] {
		return false
	}
	isPassing := passing[failed.Status] || failed.Status == http.StatusConflict && passingConflicts[failed.Reason]
	return isPassing && (repeat != Never || nothingDone[failed.Reason])
}

// readRetryAfter reads a retry-after in seconds or as a date; false for anything else.
func readRetryAfter(header string, now time.Time) (time.Duration, bool) {
	if seconds.MatchString(header) {
		count, err := strconv.Atoi(header)
		return time.Duration(count) * time.Second, err == nil
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	if date.Before(now) {
		return 0, true
	}
	return date.Sub(now), true
}
