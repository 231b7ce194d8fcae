import { useEffect, useState } from "react";
import { logProblem } from "../browser/log.ts";
import { loadConfig, type SiteConfig } from "./site-config.ts";

export function useConfig(): SiteConfig | undefined {
  const [config, setConfig] = useState<SiteConfig>();
  useEffect(() => {
    let isGone = false;
    loadConfig().then(
      (loaded) => !isGone && setConfig(loaded),
      (error: unknown) => logProblem("The site settings could not be loaded", error),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return config;
}
