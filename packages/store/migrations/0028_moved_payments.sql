-- The card machine that asks for the card next, while the one that asks now is being stopped; null for a payment that stays.
alter table table_payments add column moving_to text;
