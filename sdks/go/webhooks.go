package pos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// WebhookTolerance is how far the time of sending may be from now.
const WebhookTolerance = 5 * time.Minute

// RefusalKind is why a delivery is refused.
type RefusalKind string

const (
	// RefusedMissing: a header that every delivery has is missing.
	RefusedMissing RefusalKind = "missing"
	// RefusedMalformed: a header or the body has another form than a delivery.
	RefusedMalformed RefusalKind = "malformed"
	// RefusedSignature: no signature was made with any of the secrets over this body, id and time.
	RefusedSignature RefusalKind = "signature"
	// RefusedTimestamp: the delivery was sent too long ago, or the clocks differ.
	RefusedTimestamp RefusalKind = "timestamp"
)

// WebhookRefusedError is about a delivery that must not be processed.
type WebhookRefusedError struct {
	Kind    RefusalKind
	Message string
}

func (e *WebhookRefusedError) Error() string { return e.Message }

// WebhookEvent is an event that a webhook has delivered.
type WebhookEvent struct {
	// ID names the event, which may arrive more than once.
	ID string `json:"id"`
	// Event is the kind, such as payment_intent.status_updated.
	Event string `json:"event"`
	// Body is the whole event.
	Body json.RawMessage `json:"-"`
}

// Decode stores the event in the type of its kind, such as PaymentIntentEvent.
func (e *WebhookEvent) Decode(target any) error { return json.Unmarshal(e.Body, target) }

var (
	// Base64 of 32 bytes has this form.
	signature = regexp.MustCompile(`^v1,([A-Za-z0-9+/]{43}=)$`)
	timestamp = regexp.MustCompile(`^[0-9]{1,12}$`)
	// The form of a secret for libraries of standard-webhooks.
	standardSecret   = regexp.MustCompile(`^whsec_([A-Za-z0-9+/]+={0,2})$`)
	serviceSignature = regexp.MustCompile(`^sha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})$`)
)

// VerifyWebhook returns the event of a delivery that was signed with one of the secrets, over exactly these bytes and
// recently; a *WebhookRefusedError for any other. Give all secrets of the subscription while you replace one.
func VerifyWebhook(rawBody []byte, headers http.Header, secrets ...string) (*WebhookEvent, error) {
	return VerifyWebhookAt(rawBody, headers, secrets, WebhookTolerance, time.Now())
}

// VerifyWebhookAt is VerifyWebhook with another tolerance and clock.
func VerifyWebhookAt(
	rawBody []byte, headers http.Header, secrets []string, tolerance time.Duration, now time.Time,
) (*WebhookEvent, error) {
	if len(secrets) == 0 {
		return nil, &UsageError{"VerifyWebhook needs secrets"}
	}
	var values [3]string
	for index, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		value, refusal := readHeader(headers, name)
		if refusal != nil {
			return nil, refusal
		}
		values[index] = value
	}
	id, sent := values[0], values[1]
	signatures := readSignatures(values[2])
	if len(signatures) == 0 {
		return nil, &WebhookRefusedError{RefusedMalformed, "webhook-signature has no signature of version 1"}
	}
	if !timestamp.MatchString(sent) {
		return nil, &WebhookRefusedError{RefusedMalformed, "webhook-timestamp is no number of seconds"}
	}
	if err := requireSigned(secrets, signatures, []byte(id+"."+sent+"."), rawBody); err != nil {
		return nil, err
	}
	seconds, _ := strconv.ParseInt(sent, 10, 64)
	// Compared in seconds: a duration cannot have all these numbers.
	if age := now.Unix() - seconds; float64(age) > tolerance.Seconds() || float64(-age) > tolerance.Seconds() {
		return nil, &WebhookRefusedError{RefusedTimestamp, "webhook-timestamp is more than " + tolerance.String() + " from now"}
	}
	return readEvent(rawBody, &id)
}

// VerifyServiceSignature returns the event of a delivery whose service-signature was made with one of the secrets over
// exactly these bytes; a *WebhookRefusedError for any other. This signature does not cover the time of sending, so a
// recorded delivery can be sent again: prefer VerifyWebhook where the standard headers arrive.
func VerifyServiceSignature(rawBody []byte, headers http.Header, secrets ...string) (*WebhookEvent, error) {
	if len(secrets) == 0 {
		return nil, &UsageError{"VerifyServiceSignature needs secrets"}
	}
	header, refusal := readHeader(headers, "service-signature")
	if refusal != nil {
		return nil, refusal
	}
	match := serviceSignature.FindStringSubmatch(header)
	if match == nil {
		return nil, &WebhookRefusedError{RefusedMalformed, "service-signature is not sha256= and 32 bytes"}
	}
	decoded, err := hex.DecodeString(strings.ReplaceAll(match[1], "-", ""))
	if err != nil {
		return nil, &WebhookRefusedError{RefusedMalformed, "service-signature is not sha256= and 32 bytes"}
	}
	if err := requireSigned(secrets, [][]byte{decoded}, rawBody); err != nil {
		return nil, err
	}
	return readEvent(rawBody, nil)
}

// VerifyServiceSignatureAt is VerifyServiceSignature, and refuses an event whose createdAt is further from now than the
// tolerance. A delivery is repeated for four days with the same createdAt.
func VerifyServiceSignatureAt(
	rawBody []byte, headers http.Header, secrets []string, tolerance time.Duration, now time.Time,
) (*WebhookEvent, error) {
	event, err := VerifyServiceSignature(rawBody, headers, secrets...)
	if err != nil {
		return nil, err
	}
	var members struct {
		CreatedAt time.Time `json:"createdAt"`
	}
	if err := json.Unmarshal(rawBody, &members); err != nil || members.CreatedAt.IsZero() {
		return nil, &WebhookRefusedError{RefusedMalformed, "createdAt of the event is no time"}
	}
	if age := now.Sub(members.CreatedAt); age > tolerance || -age > tolerance {
		return nil, &WebhookRefusedError{RefusedTimestamp, "createdAt is more than " + tolerance.String() + " from now"}
	}
	return event, nil
}

// SignServiceSignature returns the header of a delivery as the service signs it, for tests of your endpoint.
func SignServiceSignature(secret string, rawBody []byte) http.Header {
	pairs := make([]string, 0, sha256.Size)
	for _, each := range computeHMAC(secret, rawBody) {
		pairs = append(pairs, strings.ToUpper(hex.EncodeToString([]byte{each})))
	}
	headers := http.Header{}
	headers.Set("service-signature", "sha256="+strings.Join(pairs, "-"))
	return headers
}

// SignWebhook returns the headers of a delivery as the service signs it, for tests of your endpoint.
func SignWebhook(secret, id string, sent time.Time, rawBody []byte) http.Header {
	seconds := strconv.FormatInt(sent.Unix(), 10)
	made := base64.StdEncoding.EncodeToString(computeHMAC(secret, []byte(id+"."+seconds+"."), rawBody))
	headers := http.Header{}
	headers.Set("webhook-id", id)
	headers.Set("webhook-timestamp", seconds)
	headers.Set("webhook-signature", "v1,"+made)
	return headers
}

func readHeader(headers http.Header, name string) (string, error) {
	var values []string
	for _, value := range headers.Values(name) {
		if value != "" {
			values = append(values, value)
		}
	}
	switch len(values) {
	case 0:
		return "", &WebhookRefusedError{RefusedMissing, name + " is missing"}
	case 1:
		return values[0], nil
	default:
		return "", &WebhookRefusedError{RefusedMalformed, name + " was sent more than once"}
	}
}

// readSignatures returns the signatures of version 1; those of other versions are for other receivers.
func readSignatures(header string) [][]byte {
	var signatures [][]byte
	for _, each := range strings.Split(header, " ") {
		if match := signature.FindStringSubmatch(each); match != nil {
			if decoded, err := base64.StdEncoding.DecodeString(match[1]); err == nil {
				signatures = append(signatures, decoded)
			}
		}
	}
	return signatures
}

// requireSigned compares all pairs, so the time does not say which secret matched.
func requireSigned(secrets []string, signatures [][]byte, signed ...[]byte) error {
	isSigned := false
	for _, secret := range secrets {
		if secret == "" {
			return &UsageError{"the verifier needs secrets, none empty"}
		}
		for _, key := range readKeys(secret) {
			wanted := computeHMAC(key, signed...)
			for _, each := range signatures {
				isSigned = hmac.Equal(wanted, each) || isSigned
			}
		}
	}
	if !isSigned {
		return &WebhookRefusedError{RefusedSignature, "no signature matches a secret and this body"}
	}
	return nil
}

// readKeys returns the text of the secret; of the form whsec_... also the text that it encodes.
func readKeys(secret string) []string {
	keys := []string{secret}
	if match := standardSecret.FindStringSubmatch(secret); match != nil {
		if decoded, err := base64.StdEncoding.DecodeString(match[1]); err == nil {
			keys = append(keys, string(decoded))
		}
	}
	return keys
}

// computeHMAC uses the key byte by byte.
func computeHMAC(secret string, signed ...[]byte) []byte {
	made := hmac.New(sha256.New, []byte(secret))
	for _, each := range signed {
		made.Write(each)
	}
	return made.Sum(nil)
}

// readEvent compares the id of the event with that of the headers, if they name one.
func readEvent(rawBody []byte, id *string) (*WebhookEvent, error) {
	event := WebhookEvent{Body: append([]byte(nil), rawBody...)}
	if !json.Valid(rawBody) {
		return nil, &WebhookRefusedError{RefusedMalformed, "the body is no JSON"}
	}
	if err := json.Unmarshal(rawBody, &event); err != nil || event.ID == "" || event.Event == "" {
		return nil, &WebhookRefusedError{RefusedMalformed, "the body is no event"}
	}
	if id != nil && event.ID != *id {
		return nil, &WebhookRefusedError{RefusedMalformed, "the event has another id than webhook-id"}
	}
	return &event, nil
}
