import type { Commands, Presses } from "../conversation/subject.ts";
import { pressLess } from "./less-of-this.ts";
import { pressAdd, pressFold, pressRule, pressRules } from "./press-rule.ts";
import { rules } from "./rules.ts";

export const RULES_COMMANDS = {
  rules: { run: rules, isForAdministrators: true },
} as const satisfies Commands;

export const RULES_PRESSES = {
  rule: { run: pressRule },
  "rules-search": { run: (conversation, ctx, { searchId }) => pressRules(conversation, ctx, searchId) },
  "rules-add": { run: (conversation, ctx, { searchId }) => pressAdd(conversation, ctx, searchId) },
  "fold-search": {
    run: (conversation, ctx, { searchId }) => pressFold(conversation, ctx, { searchId, isFolded: true }),
  },
  "unfold-search": {
    run: (conversation, ctx, { searchId }) => pressFold(conversation, ctx, { searchId, isFolded: false }),
  },
  less: { run: (conversation, _, { propertyCode }) => pressLess(conversation, propertyCode) },
} as const satisfies Presses;
