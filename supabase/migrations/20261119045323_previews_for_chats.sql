-- The bot asks the watcher for previews through the same table as the page.
alter table watch.search_previews drop constraint search_previews_pkey;
-- squawk-ignore ban-drop-not-null
alter table watch.search_previews alter column user_id drop not null;
alter table watch.search_previews add column chat_id bigint;
create unique index search_previews_of_people on watch.search_previews (user_id);
create unique index search_previews_of_chats on watch.search_previews (chat_id);
alter table watch.search_previews add constraint search_previews_are_of_one check (num_nonnulls(user_id, chat_id) = 1);
comment on column watch.search_previews.chat_id is 'The chat that asks, until it is answered or no longer waits.';
