-- A change that has to hit one row, said where it is made: the transaction ends with it, however much was sent behind it.
create function exactly_one(changed bigint, of_table text) returns void language plpgsql as $$
begin
  if changed <> 1 then
    raise exception using errcode = 'PS001',
      message = format('%s rows of %s were changed instead of one: somebody else changed it after it was read',
        changed, of_table);
  end if;
end
$$;
