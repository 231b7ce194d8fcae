// Lets Node run our TypeScript inside node_modules, where it strips no types by itself: there the package lies after
// `npx sereno`. Preloaded by launch.mjs into every process and thread.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url).href;

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith(root) || !url.endsWith(".ts")) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
    return { format: "module", source, shortCircuit: true };
  },
});
