-- The table of a journey, for the receipts of its payments. Journeys of the release before have none.
alter table journeys add column table_name text;
