import { domainToASCII } from "node:url";

/** What stands before the @ of one of our addresses, without what its person may have added after a plus. */
export function tokenOfRecipient(address: string, domain: string): string | undefined {
  const at = address.lastIndexOf("@");
  // The server hands domains over in Unicode.
  if (domainToASCII(address.slice(at + 1)) !== domainToASCII(domain)) return undefined;
  return /^([0-9a-f]{32})(?:\+.*)?$/.exec(address.slice(0, at).toLowerCase())?.[1];
}
