-- The bot's open question what a search shall be called; the answer is a reply to its message. A later one takes its place.
create table watch.name_questions (
  chat_id bigint primary key references watch.chats (chat_id) on delete cascade,
  message_id bigint not null,
  search_id uuid not null
);

comment on table watch.name_questions is 'Which search a reply to the bot''s message gives a name, one for each chat.';
