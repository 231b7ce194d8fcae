type CheckedLink =
  | { readonly isFine: true; readonly url: string }
  | { readonly isFine: false; readonly reason: string };

/** Whether Telegram accepts this as a link, and its normalised form. A bare host gets http://. */
export function checkLink(link: string): CheckedLink {
  const text = link.trim();
  if (/^tg:/i.test(text)) return { isFine: true, url: text };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    return { isFine: false, reason: "Unsupported URL protocol" };
  }
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3);
  const authority = rest.split(/[/?#]/, 1)[0] ?? "";
  const [, host = "", port = "80"] = /^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (host === "") return { isFine: false, reason: "URL host is empty" };
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    return { isFine: false, reason: "Wrong port number specified in the URL" };
  }
  // Telegram does not accept host names without a dot, such as localhost.
  const isWholeName = (host.includes(".") || host.startsWith("[")) && !/[\s<>"\\^`{|}]/.test(host);
  if (!isWholeName) return { isFine: false, reason: "Wrong HTTP URL" };
  const path = rest.slice(authority.length);
  const slash = path.startsWith("/") ? "" : "/";
  return {
    isFine: true,
    url: `${scheme ?? "http"}://${authority.replace(host, host.toLowerCase())}${slash}${path}`,
  };
}
