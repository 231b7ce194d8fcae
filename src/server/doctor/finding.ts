import type { UsableSettings } from "../config.ts";

/** `words`: what was found, or what is wrong and how to fix it. */
export type Finding = { state: "ok" | "wrong" | "not set"; words: string };

export type Check = (settings: UsableSettings) => Promise<Finding>;

export const ok = (words: string): Finding => ({ state: "ok", words });
export const wrong = (words: string): Finding => ({ state: "wrong", words });
export const notSet = (words: string): Finding => ({ state: "not set", words });
