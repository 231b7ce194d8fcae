// Who may import whom. One row a component; everything not in its row is forbidden.
const components = {
  "src/core": [],
  "src/platform": ["src/core/ports"],
  "src/backend": ["src/core/ports", "src/core/browser", "src/platform"],
  "src/text": ["src/core"],
  "src/store": ["src/core", "src/platform"],
  "src/sources": ["src/core", "src/platform"],
  "src/watcher": ["src/core", "src/platform", "src/store"],
  "src/telegram": ["src/core", "src/text", "src/platform", "src/store"],
  "src/alert-mails": ["src/core", "src/platform", "src/store", "src/watcher"],
  "src/web": ["src/core", "src/text"],
  "src/server": [
    "src/core",
    "src/text",
    "src/backend",
    "src/platform",
    "src/store",
    "src/sources",
    "src/watcher",
    "src/telegram",
    "src/alert-mails",
  ],
  simulators: ["src/core"],
};

const tests = "\\.(test|e2e)\\.tsx?$";

const componentRules = Object.entries(components).map(([component, allowed]) => ({
  name: `${component.replace("src/", "")}-imports`,
  comment: `${component} may import ${allowed.join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `^${component}/`, pathNot: tests },
  to: {
    path: "^(src|simulators|scripts|test|e2e|bench)/",
    pathNot: `^(${[component, ...allowed].join("|")})/`,
  },
}));

/** The folders of the bot, from the lowest: each may import those before its row. Folders of a row stay apart. */
const botFloors = [
  ["texts", "rows"],
  ["conversation"],
  ["chats"],
  ["account", "commands", "finds", "links", "rules", "searches"],
  ["questions"],
  ["router"],
  ["updates"],
  ["create-bot"],
];
const botRules = botFloors.flatMap((folders, floor) =>
  folders.map((folder) => ({
    name: `bot-${folder}-direction`,
    comment: "The router alone knows the subjects of the bot, and a subject knows what they share",
    severity: "error",
    from: { path: `^src/telegram/bot/${folder}[/.]`, pathNot: tests },
    to: {
      path: "^src/telegram/bot/",
      pathNot: `^src/telegram/bot/(${[folder, ...botFloors.slice(0, floor).flat()].join("|")})[/.]`,
    },
  })),
);

export default {
  forbidden: [
    ...componentRules,
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "features-stay-apart",
      comment:
        "A web feature is a page and never imports another; what two share lives in components/ or lib/",
      severity: "error",
      from: { path: "^src/web/features/([^/]+)/" },
      to: { path: "^src/web/features/", pathNot: "^src/web/features/$1/" },
    },
    {
      name: "web-direction",
      comment: "components and lib know nothing of features or app; features nothing of app",
      severity: "error",
      from: { path: "^src/web/(components|lib|hydration|features)/" },
      to: { path: "^src/web/app/" },
    },
    {
      name: "web-shared-without-hydration",
      comment:
        "hydration is what happens before the application: it uses lib, and what is shared knows nothing of it",
      severity: "error",
      from: { path: "^src/web/(components|lib)/" },
      to: { path: "^src/web/hydration/" },
    },
    {
      name: "web-shared-below-features",
      severity: "error",
      from: { path: "^src/web/(components|lib|hydration)/" },
      to: { path: "^src/web/features/" },
    },
    ...botRules,
    {
      name: "core-is-pure",
      comment: "core uses neither Node nor npm",
      severity: "error",
      from: { path: "^src/core/", pathNot: tests },
      to: { dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer"] },
    },
    {
      name: "nothing-of-ours-imports-simulators",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: "^simulators/" },
    },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(\\.react-router|\\./\\+types|virtual:)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(build|\\.react-router|\\.data)/|\\+types/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.node.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
