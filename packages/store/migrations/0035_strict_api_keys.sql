-- Keys of an older release read unknown members with a warning; a release that knows the column writes it.
alter table api_keys add column strict boolean not null default false;
comment on column api_keys.strict is 'Unknown members of requests that move money are refused.';
