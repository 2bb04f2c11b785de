-- What an EPOS has registered, as it was sent; who it is that operations staff integrate themselves; and events for EPOSes.

update epos_integrations i set capabilities = (
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'version', 'v1', 'updatedAt',
    to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]'::jsonb)
  from jsonb_array_elements_text(i.capabilities) as name
);
alter table epos_integrations drop constraint epos_integrations_kind_check;
alter table epos_integrations add constraint epos_integrations_kind_check check (kind in ('grpc', 'rest', 'ws', 'service'));

-- Events for EPOSes are found and claimed apart, so that no webhook waits behind a till that is switched off.
alter table lanes add column is_epos boolean not null default false;
drop index lanes_ready;
create index lanes_ready on lanes (ready_at) where ready_at is not null and not is_replay and not is_epos;
create index lanes_ready_epos on lanes (ready_at) where ready_at is not null and is_epos;

-- Null: the event goes to the account's EPOS, not to a subscription.
alter table deliveries alter column subscription_id drop not null;

-- Set when the EPOS says that the order of a running journey has changed; gone once its bill was read anew.
alter table journeys add column bill_changed_mark text;
