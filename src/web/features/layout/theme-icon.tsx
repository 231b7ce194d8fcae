import { Monitor, Moon, Sun } from "lucide-react";
import type { Theme } from "#web/lib/browser/theme.ts";

const ICONS = { system: Monitor, light: Sun, dark: Moon };

export function ThemeIcon({ theme }: { theme: Theme }) {
  const Icon = ICONS[theme];
  return <Icon aria-hidden className="size-4.5" />;
}
