/** A search as a hunter would paste it, with something in it to tidy. */
export const EXAMPLE_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,metros-cuadrados-mas-de_40,de-un-dormitorio,de-dos-dormitorios,ascensor/pagina-2.htm";
