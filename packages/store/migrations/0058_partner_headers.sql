-- Which software house and reseller asked for a row, as their headers named them. Null: no request did, or it named nobody,
-- or the row is of the release before.
alter table payment_intents add column software_house_id text, add column reseller_id text;
alter table setup_intents add column software_house_id text, add column reseller_id text;
alter table customers add column software_house_id text, add column reseller_id text;
alter table terminal_sessions add column software_house_id text, add column reseller_id text;
alter table acquirer_calls add column software_house_id text, add column reseller_id text;
alter table refunds add column software_house_id text, add column reseller_id text;
alter table order_placements add column software_house_id text, add column reseller_id text;
alter table webhook_subscriptions add column software_house_id text, add column reseller_id text;
