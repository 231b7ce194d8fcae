import { isIPv6 } from "node:net";

/**
 * Whom a request comes from. Each trusted proxy appended the address it saw, so the last `trustedProxies` entries of
 * X-Forwarded-For are true and everything before them is the client's own word.
 */
export function clientAddress(request: {
  socketAddress: string | undefined;
  forwardedFor: string | undefined;
  trustedProxies: number;
}): string {
  const hops = (request.forwardedFor ?? "").split(",").map((hop) => hop.trim());
  const forwarded = request.trustedProxies > 0 ? hops.at(-request.trustedProxies) : undefined;
  return limitKey(forwarded || request.socketAddress || "unknown");
}

/** One IPv6 customer holds a whole /64: limits count that, not the single address. */
function limitKey(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (!isIPv6(bare)) return bare;
  const [head = "", tail = ""] = bare.toLowerCase().split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = bare.includes("::") ? Array<string>(8 - front.length - back.length).fill("0") : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}
