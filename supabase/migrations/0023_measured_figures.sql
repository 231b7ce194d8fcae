-- Public figures about the service: from seeing a listing to Telegram's answer, and how long homes stay listed.

create table watch.measured_figures (
  is_only boolean primary key default true check (is_only),
  measured_at timestamptz not null,
  figures jsonb not null check (octet_length(figures::text) <= 65536)
);
comment on table watch.measured_figures is 'The figures of the public page, in one row that is replaced every hour.';

create function public.measured_figures() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select figures || jsonb_build_object('measured_at', measured_at) from watch.measured_figures;
$$;
comment on function public.measured_figures() is
  'What Sereno measured in the last 30 days: MeasuredFigures, or null before the first measurement. Computes nothing.';

revoke execute on function public.measured_figures() from public;
grant execute on function public.measured_figures() to anon, authenticated;
