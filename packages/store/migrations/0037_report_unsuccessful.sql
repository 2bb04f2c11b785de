-- The setting by the name that it has everywhere else. The old one stays beside it: processes of the release before read it.
update accounts
set settings = jsonb_set(settings, '{payAtTable,reportUnsuccessful}', settings #> '{payAtTable,reportsUnsuccessful}')
where settings #> '{payAtTable,reportsUnsuccessful}' is not null
  and settings #> '{payAtTable,reportUnsuccessful}' is null;
