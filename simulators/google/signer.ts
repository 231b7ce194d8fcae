import { exportJWK, generateKeyPair, SignJWT } from "jose";

export type Signer = {
  sign: (claims: Record<string, unknown>, forged?: boolean) => Promise<string>;
  keys: () => { keys: object[] };
};

/** An RS256 key of its own, made at each start, and one that is not in the published set. */
export async function createSigner(): Promise<Signer> {
  const [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const kid = crypto.randomUUID();
  const published = { ...(await exportJWK(own.publicKey)), kid, use: "sig", alg: "RS256" };
  return {
    sign: (claims, forged = false) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
        .sign(forged ? foreign.privateKey : own.privateKey),
    keys: () => ({ keys: [published] }),
  };
}
