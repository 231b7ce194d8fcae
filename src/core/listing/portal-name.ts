const NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)fotocasa\.es$/, "Fotocasa"],
  [/(?:^|\.)habitaclia\.com$/, "Habitaclia"],
  [/(?:^|\.)yaencontre\.com$/, "Yaencontre"],
];

export function portalNameOf(url: string): string {
  const host = /^https?:\/\/([^/:?#]+)/.exec(url)?.[1] ?? "";
  return NAMES.find(([pattern]) => pattern.test(host))?.[1] ?? "Idealista";
}
