-- A person's page names what it adds, so that adding it again after an answer was lost adds nothing, and a place that is
-- brought back is the one that rules are about.
grant insert (id) on public.own_places to authenticated;
grant insert (id) on public.searches to authenticated;
