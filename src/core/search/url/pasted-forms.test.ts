import { expect, test } from "vitest";
import { furtherSearchUrls, parseListingUrl, parseSearchUrl } from "./parse-search-url.ts";
import { redirectTargetOf } from "./redirect-target.ts";

const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";
const OTHER = "https://www.idealista.com/venta-viviendas/getafe-madrid/";
const NEWEST = "?ordenado-por=fecha-publicacion-desc";
const inside = encodeURIComponent(LINK);

const FORMS: readonly string[] = [
  ...[`*${LINK}*`, `_${LINK}_`, `~${LINK}~`, `\`${LINK}\``, `*_${LINK}_*`, `||${LINK}||`, `«${LINK}»`],
  ...[`[Pisos en Chamberí](${LINK})`, `[${LINK}](${LINK})`, `mira [esto](<${LINK}>), por favor`],
  ...[
    `<${LINK}>`,
    `<${LINK}|Pisos en Chamberí>`,
    `<a href="${LINK}">Pisos</a>`,
    `<a href='${LINK}'>Pisos</a>`,
  ],
  ...["*www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/*"],
  `https://www.google.com/url?q=${inside}&sa=D&source=docs`,
  `https://www.google.es/url?sa=t&rct=j&url=${inside}&usg=abc`,
  `https://www.google.com/url?sa=t&amp;url=${inside}`,
  `https://eur01.safelinks.protection.outlook.com/?url=${inside}&data=05%7C02&reserved=0`,
  `https://l.facebook.com/l.php?u=${inside}&h=AT0`,
  `https://l.instagram.com/?u=${inside}&e=AT1`,
  `https://slack-redir.net/link?url=${inside}`,
  `https://www.linkedin.com/redir/redirect?url=${inside}`,
  `https://away.vk.com/away.php?to=${inside}`,
  `https://duckduckgo.com/l/?uddg=${inside}&rut=1`,
  `https://urldefense.com/v3/__${LINK}__;!!abc!def$`,
  `https://www.google.com/amp/s/${LINK.slice(8)}`,
  `${LINK.replace("https://www.idealista.com", "https://www-idealista-com.translate.goog")}?_x_tr_sl=es&_x_tr_tl=en`,
  `https://www.google.com/url?q=${encodeURIComponent(`https://l.facebook.com/l.php?u=${inside}`)}`,
  ...["es", "zh-hans", "zh-hant", "pt-br", "ZH-HANS", "hu", "cs"].map((language) =>
    LINK.replace(".com/", `.com/${language}/`),
  ),
];

test.each(FORMS)("LAST-08 %s is understood", (pasted) => {
  const parsed = parseSearchUrl(pasted);
  expect(parsed.ok && parsed.canonicalUrl.replace(/\.com\/(?:es|zh|pt)\//, ".com/")).toBe(LINK + NEWEST);
});

test("LAST-08 a listing's code is found in the same forms", () => {
  const listing = "https://www.idealista.com/zh-hans/inmueble/12345678/";
  for (const pasted of [listing, `*${listing}*`, `[piso](${listing})`]) {
    expect(parseListingUrl(pasted)).toBe("12345678");
  }
  expect(parseListingUrl(`https://www.google.com/url?q=${encodeURIComponent(listing)}`)).toBe("12345678");
});

test("LAST-08 of several links the first search wins, and the others are offered once each", () => {
  const text = `Hola, mira: https://www.fotocasa.es/x\n${LINK}\ny también *${OTHER}* o [otra vez](${OTHER})`;
  const parsed = parseSearchUrl(text);
  expect(parsed.ok && parsed.canonicalUrl).toBe(LINK + NEWEST);
  expect(furtherSearchUrls(text)).toEqual([OTHER + NEWEST]);
  expect(furtherSearchUrls(LINK)).toEqual([]);
});

test("LAST-08 a redirect to another site, without a target or without an end is no search", () => {
  const evil = encodeURIComponent("https://www.idealista.com.evil.example/venta-viviendas/madrid/");
  let nested = LINK;
  for (let depth = 0; depth < 6; depth += 1)
    nested = `https://www.google.com/url?q=${encodeURIComponent(nested)}`;
  const pasted = [
    ...[`https://www.google.com/url?q=${evil}`, "https://www.google.com/url?x=1", nested],
    ...[`https://google.com.evil.example/url?q=${inside}`, `https://evil.example/url?q=${inside}`],
    ...["https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=%E0%A4%A"],
    "https://evil-com.translate.goog/venta-viviendas/madrid/",
  ];
  for (const link of pasted) expect([link, parseSearchUrl(link).ok]).toEqual([link, false]);
});

test("a link that is no redirect stays as written", () => {
  for (const link of [
    LINK,
    "https://[::1]/x",
    "not a link",
    "https://www.idealista.com@evil.example/url?q=1",
  ]) {
    expect(redirectTargetOf(link)).toBe(link);
  }
});
