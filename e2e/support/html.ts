import type { APIRequestContext } from "@playwright/test";

/** Reads a page without running its scripts. */
export async function readPage(request: APIRequestContext, path: string) {
  const response = await request.get(path);
  const html = await response.text();
  return { status: response.status(), html, words: wordsIn(html) };
}

/** The text with each run of white space replaced by one space. */
export const plain = (text: string) => text.replaceAll(/\s+/g, " ");

export function wordsIn(html: string): string {
  const shown = html
    .slice(html.indexOf("<body"))
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ");
  return plain(decoded(shown));
}

/** The attributes of all elements with this name. */
export function elementsIn(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, "g"))].map(([, attributes = ""]) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value = ""]) => [
        (key ?? "").toLowerCase(),
        decoded(value),
      ]),
    ),
  );
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decoded(text: string): string {
  return text.replaceAll(/&(\w+|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
