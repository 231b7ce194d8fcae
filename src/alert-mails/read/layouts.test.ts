// Layouts, spellings and kinds of mail that are not among the samples. Real structure, invented content.
import { describe, expect, test } from "vitest";
import { advertHtml, eventsIn, readHtml, SENDERS, UTM } from "#test/alert-mails/html-mail.ts";

describe("MAIL-01 prices", () => {
  test.each([
    ["475.000 €", 475_000],
    ["475.000,00 €", 475_000],
    ["59,000 €", 59_000],
    ["1.300,50 €", 1_300.5],
    ["265.000&nbsp;&euro;", 265_000],
    ["265&#8239;000 &#8364;", 265_000],
    ["€ 475.000", 475_000],
    ["€ 475.000 <span>€ 6.507/m²</span>", 475_000],
    ["475.000<!-- --> €", 475_000],
    ["475000 euros", 475_000],
    ["Desde 250.000 €", 250_000],
    ["Da 250.000 €", 250_000],
    ["<span>280.000 &euro;</span> <span>2.000 &euro;/m&sup2;</span>", 280_000],
    ["<b>280.000 €</b><br>2.000 €/m<sup>2</sup>", 280_000],
    ["280.000 €</td></tr><tr><td>Garaje opcional 20.000 €", 280_000],
  ])("%s", async (price, priceEur) => {
    expect(await eventsIn(advertHtml(price))).toMatchObject([
      { priceEur, formerPriceEur: null, operation: "sale" },
    ]);
  });

  test.each([
    ["<s>230.000 €</s> 225.000 €"],
    [
      '<span style="text-decoration-line:line-through">230.000€</span><span> ↓2%</span></td></tr><tr><td>225.000 €',
    ],
    ["230.000€ ↓2%</td></tr><tr><td>225.000 €"],
    ["230.000 €</td></tr><tr><td>225.000 €"],
    [
      "El precio de este anuncio ha bajado de 230.000€ a 225.000€</td></tr><tr><td>230.000€ ↓2%</td></tr><tr><td>225.000 €",
    ],
    ["O preço deste anúncio desceu de 230.000 € para 225.000 €"],
  ])("a price drop: %s", async (price) => {
    const events = await eventsIn(advertHtml(price, { campaign: "express_priceDrop_sale_professional" }));
    expect(events).toMatchObject([{ event: "cheaper", priceEur: 225_000, formerPriceEur: 230_000 }]);
  });

  test.each([
    ["Precio a consultar"],
    ["6.507 €/m²"],
    ["0 €"],
    ["1.000.000.000.000 €"],
    ["1.30 €"],
    ["T2 500 €"],
    ["1.300 €/mes"],
    ["90 €/noche"],
    ["230.000 €</td></tr><tr><td>225.000 €"],
    ["230.000€ ↓40%</td></tr><tr><td>225.000 €"],
  ])("the price of an advert for sale with %s is not guessed", async (price) => {
    expect(await readHtml(advertHtml(price))).toMatchObject({ type: "unreadable", portal: "idealista.com" });
  });

  test("an advert that occurs with two prices has no price, whatever the campaign", async () => {
    const campaign = "express_priceDrop_sale_professional";
    expect(
      await readHtml(advertHtml("230.000 €", { campaign }) + advertHtml("225.000 €", { campaign })),
    ).toMatchObject({
      type: "unreadable",
      why: "more than one price",
    });
  });

  test("an amount in the description is not the price", async () => {
    const comment = "Spese condominiali 120 €/mese.";
    const [event] = await eventsIn(advertHtml("475.000 €", { comment }));
    expect(event).toMatchObject({ priceEur: 475_000, operation: "sale", description: comment });
  });
});

describe("MAIL-01 homes", () => {
  test.each([
    [
      "2 hab.  67 m²  entreplanta exterior con ascensor",
      { rooms: 2, areaM2: 67, floor: "en", hasLift: true, isExterior: true },
    ],
    ["140,00 m²   3 hab.", { rooms: 3, areaM2: 140, floor: null, hasLift: null }],
    ["2 cam. 65 M²", { rooms: 2, areaM2: 65 }],
    ["3 locali 73 m² 1º piano con ascensore", { rooms: 3, areaM2: 73, floor: "1", hasLift: true }],
    ["T3 110 m² rés do chão sem elevador", { rooms: 3, areaM2: 110, floor: "bj", hasLift: false }],
    [
      "80 m² 3 hab. Planta 4ª interior sin ascensor",
      { rooms: 3, floor: "4", hasLift: false, isExterior: false },
    ],
    ["120 m² 3 hab. Planta baja", { rooms: 3, areaM2: 120, floor: "bj" }],
    ["3 bed. 90 m² 2nd floor exterior with lift", { rooms: 3, floor: "2", hasLift: true }],
    ["60 m² 2 hab. semi-sótano", { floor: "ss" }],
    ["45 m² Sin habitación bajo", { rooms: 0, floor: "bj" }],
    ["2 - 4 hab. desde 80 m²", { areaM2: 80, rooms: null }],
    ["1.250 m²", { areaM2: 1_250, rooms: null }],
  ])("%s", async (facts, expected) => {
    expect(await eventsIn(advertHtml("475.000 €", { facts }))).toMatchObject([expected]);
  });

  test.each([
    [
      "Casa o chalet independiente en Avenida del Deporte, 14 b, Golf, Islantilla",
      "chalet",
      "independantHouse",
      ["Avenida del Deporte, 14 b", "Golf", "Islantilla"],
    ],
    ["Chalet adosado en La Antilla", "chalet", "terracedHouse", ["La Antilla"]],
    ["Casa en Calle Independiente, Sevilla", "chalet", null, ["Calle Independiente", "Sevilla"]],
    ["Finca rústica en Almonte", "countryHouse", null, ["Almonte"]],
    [
      "Piso en Avenida de la Constitución, s/n, Barrio con un nombre muy la...",
      "flat",
      null,
      ["Avenida de la Constitución, s/n"],
    ],
    [
      "Flat / apartment in calle de Alcalá, 20, Goya, Madrid",
      "flat",
      null,
      ["calle de Alcalá, 20", "Goya", "Madrid"],
    ],
    ["Habitación en Calle del Pez, Malasaña, Madrid", "room", null, ["Calle del Pez", "Malasaña", "Madrid"]],
    ["Garaje en Virgen de la Antigua, Sevilla", "garage", null, ["Virgen de la Antigua", "Sevilla"]],
  ])("%s", async (title, typology, subTypology, address) => {
    expect(await eventsIn(advertHtml("475.000 €", { title }))).toMatchObject([
      { title, typology, subTypology, address },
    ]);
  });
});

describe("MAIL-01 layouts", () => {
  test("idealista without marks, with a link to a subpage that has another title", async () => {
    const tracked = `?utm_campaign=express_newAd_sale_particular&${UTM}&utm_link=`;
    const advert = "https://www.idealista.it/immobile/36870000/";
    const html = `<span style="display:none">Trilocale in Via Verdi, 4, Monti, Roma 1 €</span>
      <div>Ciao Ada Rossi,</div><div>1 annuncio appena pubblicato con i tuoi criteri</div>
      <a href="${advert}${tracked}propertyPhoto"><img src="cid:photo" title="Trilocale in Via Verdi, 4, Monti, Roma"></a>
      <a href="${advert}${tracked}property" title="Trilocale in Via Verdi, 4, Monti, Roma">Trilocale in Via Verdi, 4, Monti, Roma</a>
      <table><tr><td><span>475.000 €</span> <span>6.507 €/m²</span></td></tr><tr><td><mj-raw> 3 locali  73 m²  1º piano con ascensore </mj-raw></td></tr></table>
      <div>Trilocale in vendita, molto centrale, in palazzo d’epoca con facciata ristrutturata, spese 120 €/mese...</div>
      <a href="${advert}segnalazione-immobile${tracked}inmuebleNoParticular" title="avisar que no es particular, en nombre de otro">Non è un privato?</a>
      <a href="https://www.idealista.it/vendita-case/roma/centro/${tracked}listadoXX">Vedi tutti gli annunci</a>
      <p>Questo messaggio è stato inviato ad ada.rossi@example.com perché hai salvato una ricerca su idealista.</p>`;
    const events = await eventsIn(html, {
      from: SENDERS.it,
      subject: "Nuovo trilocale di un privato della tua ricerca: Centro!",
    });
    expect(events).toMatchObject([
      {
        listingId: "idealista.it:36870000",
        url: "https://www.idealista.it/immobile/36870000/",
        operation: "sale",
        isPrivate: true,
        title: "Trilocale in Via Verdi, 4, Monti, Roma",
        address: ["Via Verdi, 4", "Monti", "Roma"],
        priceEur: 475_000,
        rooms: 3,
        areaM2: 73,
        floor: "1",
        description: expect.stringMatching(/^Trilocale in vendita/),
        searchUrl: "https://www.idealista.it/vendita-case/roma/centro/",
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/ada|rossi/i);
  });

  test("a digest: the search link below a group applies to all its adverts, and recommendations are left out", async () => {
    const plain = (code: string, price: string) =>
      `<a href="https://www.idealista.com/inmueble/${code}/?utm_medium=email" title="Piso en Calle ${code}, Madrid"><span>${price}</span><mj-raw> 3 hab. 80 m² </mj-raw></a>`;
    const search = (path: string) =>
      `<a href="https://www.idealista.com/${path}?${UTM}&utm_link=listado01">Ver todos</a>`;
    const html = `${plain("1111111", "900 €")}${plain("2222222", "950 €")}${search("alquiler-viviendas/madrid-madrid/")}
      ${plain("3333333", "180.000 €")}${search("venta-viviendas/madrid-madrid/")}<h2>También te puede interesar</h2>${plain("4444444", "1 €")}`;
    expect(await eventsIn(html, { subject: "Resumen diario de nuevos anuncios" })).toMatchObject([
      { code: "1111111", operation: "rent", priceEur: 900, searchUrl: expect.stringContaining("alquiler") },
      { code: "2222222", operation: "rent", priceEur: 950, searchUrl: expect.stringContaining("alquiler") },
      { code: "3333333", operation: "sale", priceEur: 180_000, searchUrl: expect.stringContaining("venta") },
    ]);
  });

  test("an unknown type of home with its title only in a missing picture", async () => {
    const link = `https://www.idealista.com/inmueble/112233445/?utm_campaign=express_newAd_sale_professional&${UTM}`;
    const title = "New development in Calle Mayor, 3, Madrid";
    const expected = { title, typology: null, address: ["Calle Mayor, 3", "Madrid"], priceEur: 250_000 };
    for (const named of [`<img title="${title}">`, title]) {
      const html = `<a href="${link}">${named}</a><p><span>From</span> <span>250,000 €</span></p><a href="${link}">Contact</a>`;
      expect(await eventsIn(html)).toMatchObject([expected]);
    }
  });

  test("yaencontre: prices outside the links, and text after the last advert is not its description", async () => {
    const one = (code: string, title: string, price: string, facts: string) => {
      const link = `https://www.yaencontre.com/venta/casa/inmueble-75866-${code}?utm_source=alerta-ye&amp;utm_term=reader-7`;
      return `<a href="${link}"><img src="https://media.yaencontre.com/img/photo/w630/75866/${code}.jpg"/></a><p><a href="${link}">${title}</a></p><p>${price}</p><p>${facts}</p><a href="${link}"><span>Ver detalles</span></a>`;
    };
    const html = `<p>¡Hola<!-- -->!</p>${one("112390001", "Casa adosada en venta en avenida Compostela, Outes", "180.000<!-- --> €", "7 hab. | 2 baños | 294 m²")}
      ${one("112390002", "Chalet en venta en calle Vilar, O Carril - Bamio en Vilagarcía", "63.000 €", "200 m²")}
      <p>Más oportunidades en <span>Boiro</span></p><p>Explora inmuebles similares que encajan con lo que estás buscando hoy.</p>`;
    expect(
      await eventsIn(html, { from: SENDERS.yaencontre, subject: "Tenemos más inmuebles para tu búsqueda" }),
    ).toMatchObject([
      {
        listingId: "yaencontre:75866-112390001",
        operation: "sale",
        subTypology: "terracedHouse",
        address: ["avenida Compostela", "Outes"],
        priceEur: 180_000,
        rooms: 7,
        photoUrl: "https://media.yaencontre.com/img/photo/w630/75866/112390001.jpg",
      },
      {
        priceEur: 63_000,
        address: ["calle Vilar", "O Carril - Bamio", "Vilagarcía"],
        rooms: null,
        areaM2: 200,
        description: null,
      },
    ]);
  });

  test("fotocasa's HTML: the photo is a background, an arrow is not a photo, and advice about filters does not end the adverts", async () => {
    const link =
      "https://www.fotocasa.es/es/comprar/vivienda/arteixo/terraza/190480000/d?stc=em-cross_alert&amp;utm_medium=email";
    const html = `<span style="display:none;mso-hide:all">Inmueble por 295.000 € y 251 m²</span><p>Te recomendamos añadir filtros a tu alerta</p>
      <a href="${link}"><table background="https://static.fotocasa.es/images/ads/2fac2d51-5e97?rule=web_504x504_jpg_70&x=reader-7"><tr><td><img src="https://frtassets.fotocasa.es/arrow.png"></td></tr></table></a>
      <a href="${link}"><span>295.000 €</span></a><a href="${link}"><strong>casa-chalet</strong>, Arteixo</a><a href="${link}">5 habs · 251 m² · 3 baños</a><a href="${link}">Ver anuncio</a>
      <a href="https://www.fotocasa.es/es/alertemail?userId=7">Ver anuncios</a><span>Hasta 350.000 €</span>`;
    expect(await eventsIn(html, { from: SENDERS.fotocasa, subject: "Tienes 1 anuncio" })).toMatchObject([
      {
        listingId: "fotocasa:190480000",
        operation: "sale",
        typology: "chalet",
        address: ["Arteixo"],
        priceEur: 295_000,
        rooms: 5,
        areaM2: 251,
        photoUrl: "https://static.fotocasa.es/images/ads/2fac2d51-5e97?rule=web_504x504_jpg_70",
      },
    ]);
  });

  test("links wrapped by a mail provider are unwrapped without following them", async () => {
    const inner = encodeURIComponent(`https://WWW.idealista.com/inmueble/112233445/?${UTM}`);
    const wrapped = [
      `https://www.google.com/url?q=${inner}`,
      `https://eur01.safelinks.protection.outlook.com/?url=${inner}&data=reader-7`,
    ];
    for (const link of wrapped) {
      const html = `<a href="${link}">Piso en Calle Mayor, Madrid</a><p>475.000 €</p>`;
      expect(await eventsIn(html)).toMatchObject([{ url: "https://www.idealista.com/inmueble/112233445/" }]);
    }
  });

  test.each([
    "https://www.idealista.com.example.net/inmueble/1234567/",
    "https://example.net/www.idealista.com/inmueble/1234567/",
    "https://www.idealista.com@example.net/inmueble/1234567/",
    "https://example.net/url?q=https://www.idealista.com/inmueble/1234567/",
    "https://google.com.example.net/url?q=https://www.idealista.com/inmueble/1234567/",
    "https://www.idealistа.com/inmueble/1234567/",
  ])("%s is not an advert", async (link) => {
    expect((await readHtml(`<a href="${link}">Piso en Calle Mayor, Madrid</a><p>475.000 €</p>`)).type).toBe(
      "unreadable",
    );
  });
});
