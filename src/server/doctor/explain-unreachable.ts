/** Why a service could not be used, and what to do, as one sentence without the error's own text, which may hold secrets. */
export function explainUnreachable(
  error: unknown,
  { host, setting }: { host: string; setting: string },
): string {
  const signs = signsOf(error);
  const [, sentenceOf = otherFailure] = FAILURES.find(([pattern]) => pattern.test(signs)) ?? [];
  const code = /\b(?:(?!ESOCKET|ECONNECTION)E[A-Z_]{4,}|CERT_\w+|\w+_CERT\w*|UNABLE_TO_\w+)\b/.exec(
    signs,
  )?.[0];
  return sentenceOf({ host, setting, code: code === undefined ? "" : ` (${code})` });
}

type Sentence = (facts: { host: string; setting: string; code: string }) => string;

const otherFailure: Sentence = ({ host, setting, code }) =>
  `${host} cannot be reached: the connection failed${code}; check the network and ${setting}`;

/** The first that fits: an error of TLS also mentions the socket. */
const FAILURES: [RegExp, Sentence][] = [
  [
    /CERT|ALTNAME|UNABLE_TO_VERIFY|certificate/i,
    ({ host, setting, code }) =>
      `the TLS certificate of ${host} is not valid${code}: check the host name in ${setting} and this machine's clock; a certificate authority of your own belongs in NODE_EXTRA_CA_CERTS`,
  ],
  [
    /ERR_SSL|EPROTO|ETLS|wrong version number|packet length too long/i,
    ({ host, setting, code }) =>
      `${host} does not speak TLS on this port${code}: check scheme and port in ${setting}`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EDNS/,
    ({ host, setting, code }) =>
      `${host} cannot be reached: its name is unknown${code}; check ${setting} and this machine's DNS`,
  ],
  [
    /ECONNREFUSED/,
    ({ host, setting, code }) =>
      `${host} cannot be reached: nothing accepts connections there${code}; check host and port in ${setting}`,
  ],
  [
    /TimeoutError|ETIMEDOUT|_TIMEOUT|no answer within|timed? ?out/i,
    ({ host, setting }) =>
      `${host} is too slow: it did not answer in time; check the firewalls in between and ${setting}, or try again later`,
  ],
];

/** Names, codes and messages of an error and its causes. Mail libraries keep the system's code in the message only. */
function signsOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = "code" in error ? String(error.code) : "";
  const [first] = error instanceof AggregateError ? error.errors : [];
  return [code, error.name, error.message, signsOf(first), signsOf(error.cause)].join(" ");
}
