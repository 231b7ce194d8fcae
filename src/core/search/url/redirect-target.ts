/**
 * The link inside a redirect that a search engine, a mail provider or an app wraps around it. Works on the text as written, because
 * URL parsers would reinterpret it, and never fetches anything. Pages, bot and mails use the same table.
 */

interface Wrapper {
  readonly host: RegExp;
  readonly path: RegExp;
  /** The query parameters that may have the link. */
  readonly parameters: readonly string[];
}

const WRAPPERS: readonly Wrapper[] = [
  {
    host: /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/,
    path: /^\/url$/,
    parameters: ["q", "url"],
  },
  { host: /\.safelinks\.protection\.outlook\.com$/, path: /^\//, parameters: ["url"] },
  { host: /^(?:l|lm)\.(?:facebook|instagram|messenger)\.com$/, path: /^\//, parameters: ["u"] },
  { host: /^l\.threads\.(?:com|net)$/, path: /^\//, parameters: ["u"] },
  { host: /^(?:www\.)?linkedin\.com$/, path: /^\/(?:redir|safety)\//, parameters: ["url"] },
  { host: /^slack-redir\.net$/, path: /^\/link$/, parameters: ["url"] },
  { host: /^(?:away\.vk\.com|vk\.com)$/, path: /^\/away\.php$/, parameters: ["to"] },
  { host: /^duckduckgo\.com$/, path: /^\/l\/$/, parameters: ["uddg"] },
  { host: /^(?:www\.)?t\.me$/, path: /^\/iv$/, parameters: ["url"] },
  { host: /^out\.reddit\.com$/, path: /^\//, parameters: ["url"] },
];

/** The page itself is in the path. */
const AMP = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;
const AMP_PATH = /^\/amp\/(s\/)?(.+)$/;
/** Google's translation of a page: dots became hyphens, and hyphens double ones. */
const TRANSLATED = /^([a-z0-9-]+)\.translate\.goog$/;
const TRANSLATE_PARAMETER = /^_x_tr_/;
const PROOFPOINT = /^urldefense\.(?:com|proofpoint\.com)$/;
const PROOFPOINT_PATH = /^\/v3\/__(https?:\/\/?.+?)__;/;

const MOST_WRAPPED = 4;

/** The target of the link; the link itself if it is no redirect. Null: a redirect without a target. */
export function redirectTargetOf(link: string): string | null {
  let current = link;
  for (let depth = 0; depth < MOST_WRAPPED; depth += 1) {
    const inside = targetIn(current);
    if (inside === undefined) return current;
    if (inside === null) return null;
    current = inside;
  }
  return null;
}

/** Undefined if the link is no redirect, null if it has no target. */
function targetIn(link: string): string | null | undefined {
  const parts = /^(https?):\/\/([^/?#\\@:]+)([^?#]*)(?:\?([^#]*))?/i.exec(link);
  if (parts === null) return undefined;
  const [, , written = "", path = "", query = ""] = parts;
  const host = written.toLowerCase();
  const translated = TRANSLATED.exec(host)?.[1];
  if (translated !== undefined) return untranslated(translated, path, query);
  const amp = AMP.test(host) ? AMP_PATH.exec(path) : null;
  if (amp) return `${amp[1] === undefined ? "http" : "https"}://${amp[2]}${query === "" ? "" : `?${query}`}`;
  if (PROOFPOINT.test(host)) {
    const inside = PROOFPOINT_PATH.exec(link.slice(link.indexOf("/", link.indexOf("//") + 2)))?.[1];
    return inside === undefined ? undefined : inside.replace(/^(https?:\/)(?!\/)/, "$1/");
  }
  const wrapper = WRAPPERS.find((one) => one.host.test(host) && one.path.test(path));
  if (wrapper === undefined) return undefined;
  const values = wrapper.parameters.map((name) => parameterIn(query, name));
  const inside = values.find((value) => value !== undefined);
  return inside !== undefined && /^https?:\/\//i.test(inside) ? inside : null;
}

function untranslated(label: string, path: string, query: string): string {
  const host = label.replaceAll("--", "\u0000").replaceAll("-", ".").replaceAll("\u0000", "-");
  const kept = query.split("&").filter((pair) => pair !== "" && !TRANSLATE_PARAMETER.test(pair));
  return `https://${host}${path}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}

function parameterIn(query: string, name: string): string | undefined {
  // Links copied out of a page's source have "&amp;".
  const pair = query.split(/&(?:amp;)?/).find((one) => one.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  try {
    return decodeURIComponent(pair.slice(name.length + 1).replaceAll("+", "%20"));
  } catch {
    return undefined;
  }
}
