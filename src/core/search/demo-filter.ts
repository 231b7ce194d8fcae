/** The filter whose listings the landing page shows to guests. It is watched like any other. */
export const DEMO_FILTER_ID = "00000000-0000-4000-8000-000000000001";
export const DEMO_FILTER_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_1500/?ordenado-por=fecha-publicacion-desc";
