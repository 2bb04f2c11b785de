-- When the acquirer's last "not found" was counted (database time): what it says again at once counts no more. Null: none is
-- counted, or by a process of the release before.
alter table acquirer_calls add column not_found_at timestamptz;
