package pos

import "context"

// Pager reads a listing from page to page:
//
//	pager := client.IterateAlarms(nil)
//	for pager.Next(ctx) {
//		use(pager.Value())
//	}
//	if err := pager.Err(); err != nil { ... }
type Pager[T any] struct {
	readPage func(ctx context.Context, after string) (page[T], error)
	elements []T
	value    T
	after    string
	isLast   bool
	err      error
}

type page[T any] struct {
	Data  []T     `json:"data"`
	After *string `json:"after"`
}

// Next moves to the next element, and reads the next page when it arrives there. It returns false at the end of the
// listing and after an error.
func (p *Pager[T]) Next(ctx context.Context) bool {
	for len(p.elements) == 0 && !p.isLast && p.err == nil {
		p.turn(ctx)
	}
	if len(p.elements) == 0 || p.err != nil {
		return false
	}
	p.value, p.elements = p.elements[0], p.elements[1:]
	return true
}

// Value returns the element that Next has moved to.
func (p *Pager[T]) Value() T { return p.value }

// Err returns why Next has returned false; nil at the end of the listing.
func (p *Pager[T]) Err() error { return p.err }

func (p *Pager[T]) turn(ctx context.Context) {
	found, err := p.readPage(ctx, p.after)
	switch {
	case err != nil:
		p.err = err
	case found.After == nil:
		p.elements, p.isLast = found.Data, true
	case *found.After == p.after:
		// A loop without an end is worse than an error.
		p.err = &AnswerError{"pages", "the page after " + p.after + " is itself"}
	default:
		p.elements, p.after = found.Data, *found.After
	}
}

// Iterate reads a listing by the id of its operation, for programs that choose it at run time.
func Iterate[T any](c *Client, operation string, members []string, payload any) *Pager[T] {
	return &Pager[T]{readPage: func(ctx context.Context, after string) (page[T], error) {
		asked, err := pointTo(operation, payload, after)
		if err != nil {
			return page[T]{}, err
		}
		return call[page[T]](ctx, c, operation, members, asked, nil)
	}}
}

// pointTo returns the same question with the cursor of the next page, which replaces one of the caller.
func pointTo(operation string, payload any, after string) (map[string]any, error) {
	asked, err := readMembers(payload)
	if err != nil || after == "" {
		return asked, err
	}
	cursor := asked
	switch operations[operation].pages {
	case "members":
	case "cursor":
		given, isObject := asked["cursor"].(map[string]any)
		if cursor = given; !isObject {
			cursor = map[string]any{}
		}
		asked["cursor"] = cursor
	default:
		return nil, &UsageError{operation + " has no pages"}
	}
	delete(cursor, "before")
	cursor["after"] = after
	return asked, nil
}
