import type { Language } from "#core/languages.ts";
import { plainOf } from "#telegram/html.ts";
import type { SearchNews } from "#telegram/send/channel.ts";
import { type RenderOptions, renderNews } from "#telegram/send/render/render-alert.ts";

export const RENDERED_USER_ID = "0e02b2c3-d479-4372-a567-f47ac10b58cc";

/** Renders news with the site https://sereno.example. */
export function render(
  news: readonly SearchNews[],
  language: Language = "en",
  more: Partial<RenderOptions> = {},
) {
  const options = { userId: RENDERED_USER_ID, siteUrl: "https://sereno.example", isShort: false };
  return renderNews(news, { language, ...options, ...more });
}

/** The visible lines of the message, with plain spaces. */
export function renderedLines(...args: Parameters<typeof render>): string[] {
  return plainOf(render(...args).html)
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .split("\n");
}
