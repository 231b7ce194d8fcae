/** Text as Telegram's HTML wants it. */
import { escapeHtml } from "#core/escape-html.ts";

export function bold(text: string): string {
  return `<b>${escapeHtml(text)}</b>`;
}

export function struck(text: string): string {
  return `<s>${escapeHtml(text)}</s>`;
}

/** A touch copies it. */
export function copyable(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** The text alone where it cannot be a link. */
export function linked(text: string, url: string): string {
  return isLink(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);
}

/** What our own markup reads as, for a message that must do without. */
export function plainOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Telegram takes no link to a host of one part, "localhost" among them. */
export function isLink(url: string): boolean {
  if (url.length > 2048 || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && hostname.includes(".");
}
