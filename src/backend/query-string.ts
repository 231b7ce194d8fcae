/**
 * The names and values of a query in their order, decoded once; undefined where it is not UTF-8, percent-encoded, or holds a
 * null character. URLSearchParams would replace what it cannot decode.
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
