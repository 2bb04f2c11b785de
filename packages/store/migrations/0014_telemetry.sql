-- The trace of the change that an event is about, so that the trace of its delivery can name it.

alter table events add column traceparent text;
comment on column events.traceparent is 'W3C trace context of the transaction that wrote the event; null where no traces are exported. It decides nothing.';
