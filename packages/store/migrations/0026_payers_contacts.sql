-- What a payer filled in beside the card, until his attempt has ended: only an approval writes it into the intent. Null
-- where he filled in nothing, and in rows of releases that wrote it into the intent at once.
alter table online_attempts add column contacts jsonb;
