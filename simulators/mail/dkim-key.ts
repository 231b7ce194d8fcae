import { generateKeyPairSync } from "node:crypto";

/** A sender's key and its DNS record. */
export type DkimKey = {
  domain: string;
  selector: string;
  privateKey: string;
  record: { name: string; text: string };
};

export function createDkimKey(domain: string, selector = "simulated"): DkimKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    domain,
    selector,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    record: {
      name: `${selector}._domainkey.${domain}`,
      text: `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`,
    },
  };
}
