-- Under which pepper the hash of a key is stored; null in rows of older releases, whose pepper is the first one there was.
alter table api_keys add column pepper_id bytea;
