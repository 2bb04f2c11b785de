// Command checkvectors prints what the client does with the vectors that clients of all languages are tested with.
// Arguments: the folder of the vectors, and the address of the scripted service.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	pos "example.com/pos-sdk"
	"example.com/pos-sdk/internal/retry"
)

type webhookVector struct {
	Secrets          []string          `json:"secrets"`
	Now              int64             `json:"now"`
	ToleranceSeconds *int64            `json:"toleranceSeconds"`
	Body             string            `json:"body"`
	Headers          map[string]string `json:"headers"`
}

type retryVector struct {
	Failed struct {
		Status     int    `json:"status"`
		Reason     string `json:"reason"`
		RetryAfter string `json:"retryAfter"`
	} `json:"failed"`
	Repeat     string  `json:"repeat"`
	Retries    int     `json:"retries"`
	RetriesMax int     `json:"retriesMax"`
	Chance     float64 `json:"chance"`
}

type callVector struct {
	Operation string         `json:"operation"`
	Members   []string       `json:"members"`
	Payload   any            `json:"payload"`
	Iterate   bool           `json:"iterate"`
	Listener  string         `json:"listener"`
	Options   map[string]any `json:"options"`
	Settings  map[string]any `json:"settings"`
}

type vectors[T any] struct {
	Now     int64 `json:"now"`
	Vectors []T   `json:"vectors"`
}

func main() {
	webhooks := read[webhookVector]("webhooks")
	serviceSignatures := read[webhookVector]("service-signatures")
	retries := read[retryVector]("retries")
	calls := read[callVector]("calls")
	outcomes := make([]map[string]any, len(calls.Vectors))
	var running sync.WaitGroup
	places := make(chan struct{}, 8)
	for index, vector := range calls.Vectors {
		running.Add(1)
		go func(index int, vector callVector) {
			defer running.Done()
			places <- struct{}{}
			defer func() { <-places }()
			outcomes[index] = run(fmt.Sprintf("%s/%d", os.Args[2], index), vector)
		}(index, vector)
	}
	running.Wait()
	found := map[string]any{"calls": outcomes}
	found["serviceSignatures"] = each(serviceSignatures, checkServiceSignature)
	found["madeServiceSignatures"] = each(serviceSignatures, signForService)
	found["webhooks"], found["signatures"] = each(webhooks, checkWebhook), each(webhooks, sign)
	found["retries"] = each(retries, func(vector retryVector) any { return decide(vector, retries.Now) })
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}

func read[T any](name string) (found vectors[T]) {
	text, err := os.ReadFile(filepath.Join(os.Args[1], name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err)
	}
	return found
}

func each[T any](all vectors[T], check func(T) any) []any {
	found := []any{}
	for _, vector := range all.Vectors {
		found = append(found, check(vector))
	}
	return found
}

func checkWebhook(vector webhookVector) any {
	tolerance := time.Duration(*vector.ToleranceSeconds) * time.Second
	event, err := pos.VerifyWebhookAt(
		[]byte(vector.Body), headersOf(vector), vector.Secrets, tolerance, time.Unix(vector.Now, 0),
	)
	return outcomeOf(vector, event, err)
}

func checkServiceSignature(vector webhookVector) any {
	body, headers := []byte(vector.Body), headersOf(vector)
	if vector.ToleranceSeconds == nil {
		event, err := pos.VerifyServiceSignature(body, headers, vector.Secrets...)
		return outcomeOf(vector, event, err)
	}
	tolerance := time.Duration(*vector.ToleranceSeconds) * time.Second
	event, err := pos.VerifyServiceSignatureAt(body, headers, vector.Secrets, tolerance, time.Unix(vector.Now, 0))
	return outcomeOf(vector, event, err)
}

func headersOf(vector webhookVector) http.Header {
	headers := http.Header{}
	for name, value := range vector.Headers {
		headers.Add(name, value)
	}
	return headers
}

func outcomeOf(vector webhookVector, event *pos.WebhookEvent, err error) any {
	var refused *pos.WebhookRefusedError
	if errors.As(err, &refused) {
		return refused.Kind
	}
	if err != nil || string(event.Body) != vector.Body {
		return "another event"
	}
	return "accepted"
}

func signForService(vector webhookVector) any {
	signed := pos.SignServiceSignature(vector.Secrets[0], []byte(vector.Body))
	return map[string]string{"service-signature": signed.Get("service-signature")}
}

func sign(vector webhookVector) any {
	headers := map[string]string{}
	signed := pos.SignWebhook(vector.Secrets[0], "evt_1", time.Unix(vector.Now, 0), []byte(vector.Body))
	for name := range signed {
		headers[strings.ToLower(name)] = signed.Get(name)
	}
	return headers
}

func decide(vector retryVector, now int64) any {
	repeat := map[string]retry.Repeat{"read": retry.Read, "key": retry.Key, "never": retry.Never}[vector.Repeat]
	failed := retry.FailedAttempt(vector.Failed)
	wait, isRepeated := retry.Decide(failed, repeat, retry.Limits{
		Retries: vector.Retries, RetriesMax: vector.RetriesMax, Chance: vector.Chance, Now: time.UnixMilli(now),
	})
	if !isRepeated {
		return nil
	}
	return float64(wait) / float64(time.Millisecond)
}

func run(address string, vector callVector) map[string]any {
	warnings := []any{}
	outcome := end(address, vector, pos.WithWarnings(func(names []string, operation string) {
		warnings = append(warnings, []any{operation, names})
		if vector.Listener == "fails" {
			panic("the listener has failed")
		}
	}))
	outcome["warnings"] = warnings
	return outcome
}

func end(address string, vector callVector, listener pos.ClientOption) map[string]any {
	answer, err := call(address, vector, listener)
	var refused *pos.APIError
	var connection *pos.ConnectionError
	var timeout *pos.TimeoutError
	var malformed *pos.AnswerError
	var usage *pos.UsageError
	switch {
	case err == nil && answer == nil:
		return map[string]any{"outcome": "nothing"}
	case err == nil:
		return map[string]any{"outcome": "answer", "answer": answer}
	case errors.As(err, &refused):
		return map[string]any{
			"outcome": "api", "status": refused.Status, "reason": orNull(string(refused.Reason)),
			"traceId": orNull(refused.TraceID), "fields": refused.Fields,
			"documentation": orNull(refused.Documentation),
		}
	case errors.As(err, &connection):
		return map[string]any{"outcome": "connection"}
	case errors.As(err, &timeout):
		return map[string]any{"outcome": "timeout"}
	case errors.As(err, &malformed):
		return map[string]any{"outcome": "malformed"}
	case errors.As(err, &usage):
		return map[string]any{"outcome": "usage"}
	}
	panic(err)
}

func call(address string, vector callVector, listener pos.ClientOption) (answer any, err error) {
	ctx := context.Background()
	client, err := newClient(address, vector.Settings, listener)
	if err != nil {
		return nil, err
	}
	if vector.Iterate {
		elements := []any{}
		pager := pos.Iterate[any](client, vector.Operation, vector.Members, vector.Payload)
		for pager.Next(ctx) {
			elements = append(elements, pager.Value())
		}
		return elements, pager.Err()
	}
	var options []pos.CallOption
	for name, value := range vector.Options {
		switch name {
		case "idempotencyKey":
			options = append(options, pos.WithIdempotencyKey(value.(string)))
		case "customerSecret":
			options = append(options, pos.WithCustomerSecret(value.(string)))
		case "timeoutMs":
			options = append(options, pos.WithCallTimeout(milliseconds(value)))
		}
	}
	err = client.Call(ctx, vector.Operation, vector.Members, vector.Payload, &answer, options...)
	return answer, err
}

func newClient(address string, settings map[string]any, listener pos.ClientOption) (*pos.Client, error) {
	apiKey := "sk_sandbox_1"
	options := []pos.ClientOption{listener, pos.WithChance(func() float64 { return 0 })}
	for name, value := range settings {
		switch name {
		case "baseUrl":
			address = value.(string)
		case "apiKey":
			apiKey = value.(string)
		case "softwareHouseId":
			options = append(options, pos.WithPartners(value.(string), settings["resellerId"].(string)))
		case "retriesMax":
			options = append(options, pos.WithRetries(int(value.(float64))))
		case "timeoutMs":
			options = append(options, pos.WithTimeout(milliseconds(value)))
		case "attemptTimeoutMs":
			options = append(options, pos.WithAttemptTimeout(milliseconds(value)))
		}
	}
	return pos.NewClient(address, apiKey, options...)
}

func milliseconds(value any) time.Duration {
	return time.Duration(value.(float64)) * time.Millisecond
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
