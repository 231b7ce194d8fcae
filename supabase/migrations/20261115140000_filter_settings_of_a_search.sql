-- The database refuses what the form refuses: a page of the portal that is no search, and a chat named twice.
-- The link may be in any form the normaliser writes; who writes by hand may leave out "newest first".
-- Not valid: what was saved before stays until it is changed.
alter table public.filter_settings add constraint filter_url_leads_to_a_search check (
  filter_url ~ replace(replace(replace(
    '^https://www\.idealista\.com/'
    -- The language the portal speaks.
    || '((ca|da|de|el|en|es|fi|fr|it|nl|no|pl|pt|ro|ru|sv|uk|zh)/)?'
    || '('
    -- A place: up to six names, none of which says how results are shown.
    || '<kind>(/(?!con-|pagina-\d|(mapa|mapa-google|municipios)([/?]|$))[a-z0-9]+(-[a-z0-9]+)*){1,6}<wishes>/?(\?<order>)?'
    -- Zones by their codes.
    || '|multi/<kind>/[0-9A-Za-z]{3}(,[0-9A-Za-z]{3})*<wishes>/?(\?<order>)?'
    -- A word only the portal can place.
    || '|geo/<kind>/[a-z0-9]+(-[a-z0-9]+)*<wishes>/?(\?<order>)?'
    -- Words typed into the portal's search box.
    || '|buscar/<kind><wishes>(/[a-z0-9]+(-[a-z0-9]+)*){0,4}/[A-Za-z0-9%,_.~-]+/?(\?<order>)?'
    -- A drawing: rings of at least three points, each two whole numbers of an encoded polyline.
    || '|areas/<kind><wishes>/?\?shape=%28'
    || '(%28((([_a-z]|%60|%7[BCDE])*([A-Z]|%3F|%40|%5[BCDE])){2}){3,}%29)+%29(&<order>)?'
    || ')$',
    '<kind>',
    '((venta|alquiler)-(viviendas|oficinas|locales|garajes|obranueva|terrenos|trasteros|edificios)|alquiler-habitacion|traspasos)'
  ), '<wishes>', '(/con-[a-z0-9][a-z0-9_.,-]*)?'
  ), '<order>', 'ordenado-por=fecha-publicacion-desc')
) not valid;

alter table public.filter_settings add constraint receiver_ids_are_named_once check (
  array_to_string(receiver_ids, ',') !~ '(^|,)(-?[0-9]+),(.*,)?\2(,|$)'
) not valid;

-- A filter saved in one tab is told to the others.
alter publication supabase_realtime add table public.filter_settings;
