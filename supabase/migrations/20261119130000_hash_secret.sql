-- A third key, which is never replaced: it keys the hashes that stand for network addresses and browsers in tables. Until now
-- the secret that signs sessions did, so that new keys made every limit begin again.

alter table private.server_keys drop constraint server_keys_name_check;
-- squawk-ignore constraint-missing-not-valid
alter table private.server_keys add constraint server_keys_name_check
  check (name in ('jwt_secret', 'publishable_key', 'hash_secret'));
