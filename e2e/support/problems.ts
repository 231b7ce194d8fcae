import type { Page } from "@playwright/test";

/** Collects the errors and warnings of a page: hydration mismatches, uncaught errors, refused scripts. */
export function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    const isProblem = message.type() === "error" || message.type() === "warning";
    if (isProblem && !message.text().includes("blocked by Playwright")) problems.push(message.text());
  });
  return problems;
}
