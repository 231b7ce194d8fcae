/**
 * The decoded names and values of a query string in order; undefined if it is not percent-encoded UTF-8 or contains a
 * null character. URLSearchParams would replace invalid bytes instead.
 */
export function readQueryString(search: string): [string, string][] | undefined {
  const text = search.startsWith("?") ? search.slice(1) : search;
  if (text === "") return [];
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
    const pairs = text
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair): [string, string] => {
        const [name = "", ...value] = pair.split("=");
        return [decode(name), decode(value.join("="))];
      });
    return pairs.some((pair) => pair.some((part) => part.includes("\0"))) ? undefined : pairs;
  } catch {
    return undefined;
  }
}
