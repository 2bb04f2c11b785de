-- The zone whose days and hours people at a location live by.
alter table locations add column time_zone text not null default 'UTC';
comment on column locations.time_zone is 'A name of the IANA database: receipts, settlement days and calendar-day rules use it. The wire stays UTC.';
