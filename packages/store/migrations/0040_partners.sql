-- Partners: the software houses and resellers that production requests may name.

create table partners (
  kind text not null check (kind in ('software-house', 'reseller')),
  id text not null check (length(id) between 1 and 100),
  name text not null check (length(name) between 1 and 100),
  contact text check (length(contact) between 1 and 200),
  status text not null check (status in ('Active', 'Retired')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (kind, id)
);
comment on table partners is 'The software houses and resellers that operators have registered, for all accounts. Never deleted: rows and reports name them.';
comment on column partners.id is 'What requests send in the header software-house-id or reseller-id.';

create table partner_registry (
  id integer primary key check (id = 1),
  revision bigint not null check (revision > 0),
  enforced boolean not null
);
comment on table partner_registry is 'One row. Every node has it, because the lookup of an API key reads the revision.';
comment on column partner_registry.revision is 'Grows with every change of a partner and of enforced, so that a process reads the partners again only after a change.';
comment on column partner_registry.enforced is 'Whether production requests that name another partner are refused. An update of a database with accounts does not refuse the traffic of before: an operator switches it on.';

insert into partner_registry (id, revision, enforced) select 1, 1, not exists (select from accounts);
