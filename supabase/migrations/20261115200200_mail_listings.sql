-- What the latest mail said of a listing to its person, beside the person's row of it. A price that a mail has said is not
-- told again by another source, and an older mail that comes late turns no price back.
create table watch.mail_listings (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null,
  price_eur double precision not null,
  sent_at timestamptz not null,
  -- When it was told out of a mail that is older than the person's address: few of those are.
  backlog_told_at timestamptz,
  primary key (user_id, listing_id),
  foreign key (user_id, listing_id) references public.listings (user_id, listing_id) on delete cascade
);

comment on table watch.mail_listings is 'Listings that came to a person by mail, and the price the latest mail said.';

-- A feed that meets one completes the rows of it.
create index mail_listings_by_listing on watch.mail_listings (listing_id);

create index mail_figures_by_age on watch.mail_figures (last_seen_at);

-- These go before all else: whoever sends asks for them each time, and there are hardly any.
create index alerts_that_go_first on watch.alerts (chat_id, user_id)
  where kind = 'forwarding-question' and state in ('pending', 'sending');
