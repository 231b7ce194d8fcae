// Telegram's HTML.
import { escapeHtml } from "#core/escape-html.ts";

export function bold(text: string): string {
  return `<b>${escapeHtml(text)}</b>`;
}

export function struck(text: string): string {
  return `<s>${escapeHtml(text)}</s>`;
}

/** A tap copies the text. */
export function copyable(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** Plain text if Telegram would refuse the link. */
export function linked(text: string, url: string): string {
  return isLink(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);
}

/** Removes our markup, for a message that Telegram could not parse. */
export function plainOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Telegram refuses links to hosts without a dot, such as localhost. */
export function isLink(url: string): boolean {
  if (url.length > 2048 || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && hostname.includes(".");
}
