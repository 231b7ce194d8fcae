/** Checks settings that depend on others: the second of a pair, and those a role requires. */
type SetValues = Readonly<Record<string, string | undefined>>;

export function missingSettings(roles: readonly string[], values: SetValues): string[] {
  return [...pairMistakes(values), ...roleMistakes(roles, values)];
}

const PAIRS = [
  ["SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY"],
  ["IDEALISTA_API_KEY", "IDEALISTA_API_SECRET"],
  ["SEARCH_BY_URL_API_URL", "SEARCH_BY_URL_API_KEY"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MAIL_IN_PORT", "MAIL_IN_DOMAIN"],
  ["MAIL_IN_TLS_CERT", "MAIL_IN_TLS_KEY"],
  ["IMAP_URL", "IMAP_PERSON"],
];

function pairMistakes(values: SetValues): string[] {
  return PAIRS.flatMap(([first = "", second = ""]) => {
    if ((values[first] === undefined) === (values[second] === undefined)) return [];
    return [
      values[first] === undefined
        ? `${first} is missing (it goes with ${second})`
        : `${second} is missing (it goes with ${first})`,
    ];
  });
}

function roleMistakes(roles: readonly string[], values: SetValues): string[] {
  const isHosted = values.SUPABASE_URL !== undefined;
  const isMissing = (name: string) => values[name] === undefined;
  const mistakes: [boolean, string][] = [
    [
      isHosted && isMissing("DATABASE_URL"),
      "DATABASE_URL is missing (it goes with SUPABASE_URL: the connection string of the same project)",
    ],
    ...["PEOPLE_DATABASE_URL", "AUTH_DATABASE_URL"].map((name): [boolean, string] => [
      roles.includes("web") && !isHosted && !isMissing("DATABASE_URL") && isMissing(name),
      `${name} is missing (the web role needs it beside DATABASE_URL: a login that supabase/prepare-database.sql creates)`,
    ]),
    ...["SMTP_URL", "MAIL_FROM"].map((name): [boolean, string] => [
      roles.includes("web") && !isHosted && isMissing(name),
      `${name} is missing (the web role needs it)`,
    ]),
    [
      roles.includes("bot") && isMissing("TELEGRAM_BOT_TOKEN"),
      "TELEGRAM_BOT_TOKEN is missing (the bot role needs it)",
    ],
    [
      roles.includes("watcher") && isMissing("IDEALISTA_API_KEY") && isMissing("SEARCH_BY_URL_API_URL"),
      "IDEALISTA_API_KEY or SEARCH_BY_URL_API_URL is missing (the watcher role needs one of them)",
    ],
    [
      values.TELEGRAM_LOGIN_SECRET !== undefined && isMissing("TELEGRAM_BOT_TOKEN"),
      "TELEGRAM_BOT_TOKEN is missing (it goes with TELEGRAM_LOGIN_SECRET: people sign in at the bot)",
    ],
    [
      values.HOSTED_TELEGRAM_LOGIN === "on" && !isHosted,
      "SUPABASE_URL is missing (it goes with HOSTED_TELEGRAM_LOGIN; without it set TELEGRAM_LOGIN_SECRET instead)",
    ],
    [
      values.BACKUP_DIR !== undefined &&
        Number(values.BACKUP_KEEP ?? 14) > Number(values.BACKUP_DAYS ?? 3_650),
      "BACKUP_KEEP keeps daily backups for longer than BACKUP_DAYS, which the privacy policy names: make them agree",
    ],
    [
      !isMissing("MAP_TILES_URL") && !isMissing("MAP_TILES_FILE"),
      "MAP_TILES_URL and MAP_TILES_FILE are both set: the map has one source of tiles",
    ],
    [
      values.ROUTES_KEY !== undefined && isMissing("ROUTES_URL"),
      "ROUTES_URL is missing (it goes with ROUTES_KEY)",
    ],
  ];
  return mistakes.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence);
}
