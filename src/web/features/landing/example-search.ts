/** A search as a hunter would paste it; what the page says about it is what Sereno reads in it. */
export const EXAMPLE_SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400,metros-cuadrados-mas-de_50,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas,ascensor/?ordenado-por=fecha-publicacion-desc";
