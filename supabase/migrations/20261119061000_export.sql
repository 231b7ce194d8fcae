-- What is stored about the caller outside of the tables that they read themselves. Secrets and what only makes the service work
-- (leases, digests, hashes, queues) are left out; supabase/tests/export-of-tables.db.test.ts lists why, for each table.
create function private.my_other_rows()
  returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'profile', (
      select jsonb_build_object('mails_when_away', profiles.mails_when_away, 'time_zone', profiles.time_zone)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'sign_ins', (
      select coalesce(
        jsonb_agg(jsonb_build_object(
          'provider', identities.provider, 'provider_id', identities.provider_id, 'data', private.metadata_of(identities.identity_data),
          'created_at', identities.created_at, 'last_sign_in_at', identities.last_sign_in_at
        ) order by identities.created_at, identities.provider), '[]'
      )
      from auth.identities where identities.user_id = (select auth.uid())
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(jsonb_build_object('created_at', sessions.created_at, 'user_agent', sessions.user_agent) order by sessions.created_at), '[]'
      )
      from auth.sessions where sessions.user_id = (select auth.uid())
    ),
    'address_proved_at', (
      select proved.proved_at from private.proven_addresses as proved where proved.user_id = (select auth.uid())
    ),
    'left_outs', (
      select coalesce(jsonb_agg(to_jsonb(left_outs) - 'user_id' order by left_outs.left_out_at, left_outs.listing_id), '[]')
      from public.left_outs where left_outs.user_id = (select auth.uid())
    ),
    'mail_listings', (
      select coalesce(jsonb_agg(to_jsonb(mailed) - 'user_id' order by mailed.sent_at, mailed.listing_id), '[]')
      from watch.mail_listings as mailed where mailed.user_id = (select auth.uid())
    ),
    'chat_questions', (
      select coalesce(jsonb_agg(to_jsonb(asked) - 'user_id' order by asked.asked_at, asked.chat_id), '[]')
      from watch.chat_questions as asked where asked.user_id = (select auth.uid())
    ),
    'search_chats', (
      select coalesce(jsonb_agg(to_jsonb(here) order by here.search_id, here.chat_id), '[]')
      from watch.search_chats as here join public.searches as mine on mine.id = here.search_id
      where mine.user_id = (select auth.uid())
    ),
    'travel_times', (
      select coalesce(jsonb_agg(to_jsonb(known) order by known.place_id, known.latitude, known.longitude), '[]')
      from watch.travel_times as known join public.own_places as mine on mine.id = known.place_id
      where mine.user_id = (select auth.uid())
    ),
    'search_previews', (
      select coalesce(jsonb_agg(jsonb_build_object('filter_url', asked.filter_url, 'asked_at', asked.asked_at) order by asked.asked_at), '[]')
      from watch.search_previews as asked where asked.user_id = (select auth.uid())
    ),
    'waiting_searches', (
      select coalesce(jsonb_agg(to_jsonb(waiting) - 'user_id' order by waiting.search_id), '[]')
      from watch.waiting_searches as waiting where waiting.user_id = (select auth.uid())
    ),
    'unreachable_since', (
      select unreachable.since from watch.unreachable_people as unreachable where unreachable.user_id = (select auth.uid())
    ),
    'alerts_mailed_at', (
      select away.mailed_at from watch.away_mails as away where away.user_id = (select auth.uid())
    )
  );
$$;
revoke execute on function private.my_other_rows() from public;
grant execute on function private.my_other_rows() to authenticated;

create or replace function public.export_my_data()
  returns jsonb
  language sql set search_path = '' as $$
  select private.note_my_export();
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'searches', (
      select coalesce(
        jsonb_agg(to_jsonb(searches) - 'based_on' - 'first_of' - 'user_id' order by is_first desc, created_at, id), '[]'
      )
      from public.searches where user_id = (select auth.uid())
    ),
    'chats', (
      select coalesce(jsonb_agg(to_jsonb(chats) - 'user_id' order by created_at, chat_id), '[]')
      from public.chats where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    ),
    'alerts', private.my_alerts(),
    'marks', private.my_marks(),
    'own_places', (
      select coalesce(jsonb_agg(to_jsonb(own_places) - 'user_id' order by created_at, id), '[]')
      from public.own_places where user_id = (select auth.uid())
    ),
    'find_settings', (
      select to_jsonb(find_settings) - 'user_id' from public.find_settings where user_id = (select auth.uid())
    ),
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    ),
    'security_events', private.my_events()
  ) || private.my_other_rows();
$$;
