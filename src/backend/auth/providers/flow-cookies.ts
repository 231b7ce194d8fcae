import type { Redirects } from "../redirects.ts";

/** A sign-in in progress, as stored in the cookie of the browser that started it. */
export type SignInFlow = {
  provider: string;
  state: string;
  /** Binds the sign-in to this browser. */
  secret: string;
  home: string;
};

// Longer than a flow lives, so that a late return still gets an answer in the right language.
const COOKIE_SECONDS = 1800;
/** More would fill the 16 kB of headers that servers accept. */
const MAX_FLOWS = 5;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** One cookie per sign-in in progress, so that two tabs do not interfere. */
export function createFlowCookies(redirects: Redirects, providers: readonly string[]) {
  const isSecure = redirects.home.startsWith("https:");
  // A colon is not allowed in a cookie's name.
  const nameOf = (provider: string, state: string) =>
    `${isSecure ? "__Host-" : ""}${provider.replaceAll(":", "-")}-${state}`;
  const writeNamed = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
  const write = ({ provider, state }: SignInFlow, value: string, seconds: number) =>
    writeNamed(nameOf(provider, state), value, seconds);
  const prefixes = providers.map((provider) => nameOf(provider, ""));
  const isFlow = (name: string) =>
    prefixes.some((prefix) => name.startsWith(prefix) && UUID.test(name.slice(prefix.length)));
  return {
    /** The cookie of a new flow, and the ends of all but the last others. Browsers send the oldest first (RFC 6265). */
    set: (flow: SignInFlow, header: string | null): string[] => {
      const others = cookiesIn(header)
        .map(([name]) => name)
        .filter(isFlow);
      const value = `${flow.secret}.${Buffer.from(flow.home).toString("base64url")}`;
      return [
        ...others.slice(0, Math.max(0, others.length - MAX_FLOWS + 1)).map((name) => writeNamed(name, "", 0)),
        write(flow, value, COOKIE_SECONDS),
      ];
    },
    clear: (flow: SignInFlow) => write(flow, "", 0),
    find: (state: string, header: string | null): SignInFlow | undefined => {
      if (!UUID.test(state)) return undefined;
      const kept = new Map(cookiesIn(header));
      const provider = providers.find((one) => kept.has(nameOf(one, state)));
      if (provider === undefined) return undefined;
      const [secret = "", back = ""] = (kept.get(nameOf(provider, state)) ?? "").split(".");
      const home = redirects.find(Buffer.from(back, "base64url").toString()) ?? redirects.home;
      return secret === "" ? undefined : { provider, state, secret, home };
    },
  };
}

const cookiesIn = (header: string | null) =>
  (header ?? "").split(";").map((pair): [string, string] => {
    const [name = "", value = ""] = pair.trim().split("=");
    return [name, value];
  });
