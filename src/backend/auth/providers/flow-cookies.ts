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
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** One cookie per sign-in in progress, so that two tabs do not interfere. */
export function createFlowCookies(redirects: Redirects, providers: readonly string[]) {
  const isSecure = redirects.home.startsWith("https:");
  // A colon is not allowed in a cookie's name.
  const nameOf = (provider: string, state: string) =>
    `${isSecure ? "__Host-" : ""}${provider.replaceAll(":", "-")}-${state}`;
  const write = ({ provider, state }: SignInFlow, value: string, seconds: number) =>
    `${nameOf(provider, state)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
  return {
    set: (flow: SignInFlow) =>
      write(flow, `${flow.secret}.${Buffer.from(flow.home).toString("base64url")}`, COOKIE_SECONDS),
    clear: (flow: SignInFlow) => write(flow, "", 0),
    find: (state: string, header: string | null): SignInFlow | undefined => {
      if (!UUID.test(state)) return undefined;
      const kept = new Map(
        (header ?? "").split(";").map((pair): [string, string] => {
          const [name = "", value = ""] = pair.trim().split("=");
          return [name, value];
        }),
      );
      const provider = providers.find((one) => kept.has(nameOf(one, state)));
      if (provider === undefined) return undefined;
      const [secret = "", back = ""] = (kept.get(nameOf(provider, state)) ?? "").split(".");
      const home = redirects.find(Buffer.from(back, "base64url").toString()) ?? redirects.home;
      return secret === "" ? undefined : { provider, state, secret, home };
    },
  };
}
