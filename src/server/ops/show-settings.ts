import { CONFIG_NAMES, type Settings } from "../config.ts";
import { hideSecrets } from "../secret-settings.ts";

/** Every setting with the value in effect. Secrets are replaced by "…"; null: not set, and without a default. */
export function showSettings({ values, usable }: Settings): Record<string, string | null> {
  return Object.fromEntries(
    CONFIG_NAMES.map((name) => {
      const text = values[name];
      if (text !== undefined) return [name, hideSecrets(name, text)];
      const byDefault = Reflect.get(usable, name) as unknown;
      return [name, byDefault === undefined || String(byDefault) === "" ? null : `${byDefault} (default)`];
    }),
  );
}
