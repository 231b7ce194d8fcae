import { isIPv4, isIPv6 } from "node:net";

/**
 * The client's address. Each trusted proxy appends the address it saw, so the last `trustedProxies` entries of
 * X-Forwarded-For are reliable, and everything before them is written by the client.
 */
export function clientAddress(request: {
  socketAddress: string | undefined;
  forwardedFor?: string | undefined;
  trustedProxies?: number;
}): string {
  const { forwardedFor = "", trustedProxies = 0 } = request;
  const forwarded = trustedProxies > 0 ? forwardedFor.split(",").at(-trustedProxies) : undefined;
  return limitKey(forwarded) ?? limitKey(request.socketAddress) ?? "unknown";
}

// Proxies write it bare, in brackets, in quotes, with a port, with a zone.
const WRITTEN = /^"?(?:\[([\da-f:.]+)(?:%[^\]]*)?\](?::\d*)?|([\d.]+)(?::\d*)?|([\da-f:.]+)(?:%[^"]*)?)"?$/i;

/** An IPv6 customer owns a whole /64, so limits count that. */
function limitKey(written: string | undefined): string | undefined {
  const [, bracketed, short, bare] = WRITTEN.exec(written?.trim() ?? "") ?? [];
  const address = bracketed ?? short ?? bare ?? "";
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  // IPv4-mapped, dotted or not.
  if (groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff") {
    return groups
      .slice(6)
      .flatMap((group) => bytesOf(Number.parseInt(group, 16)))
      .join(".");
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** The network of a client's address, for limits that many addresses of one owner share: a /24 of IPv4, a /48 of IPv6. */
export function networkOf(address: string): string {
  const isV6 = address.includes(":");
  return address
    .split(isV6 ? ":" : ".")
    .slice(0, 3)
    .join(isV6 ? ":" : ".");
}

const bytesOf = (group: number) => [group >> 8, group & 255];

function groupsOf(address: string): string[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = "", tail = ""] = hex.split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16).toString(16));
}
