// Which parts of a message are left out before it is tried again. It must not send anything.
import type { MessageForm } from "../channel.ts";
import type { Rendered } from "../render/render-alert.ts";
import type { MessageRepair, Verdict } from "./judge-refusal.ts";

export interface Illustrated extends Rendered {
  /** Drawn by us if there is no photo. */
  readonly drawing: Uint8Array | null;
}

/** Each leaves out more of the message, which ends as its shortest text with the links. */
const LADDER = ["no-picture", "only-links", "plain-text", "no-buttons", "shorter"] as const;

const REPAIRS_OF: Readonly<Record<MessageForm, readonly MessageRepair[]>> = {
  whole: [],
  "no-picture": ["no-picture"],
  shortest: LADDER,
};

/** What is left out from the beginning. */
export function repairsOf(form: MessageForm = "whole"): Set<MessageRepair> {
  return new Set(REPAIRS_OF[form]);
}

/**
 * What to leave out before the message is tried again, or undefined if nothing helps. A content that is refused in words
 * we do not know is made simpler step by step; any answer that may be about the picture is tried without it once.
 */
export function nextRepair(
  verdict: Verdict,
  rendered: Illustrated,
  repairs: ReadonlySet<MessageRepair>,
): MessageRepair | undefined {
  if (verdict.type === "repair" && !repairs.has(verdict.by)) return verdict.by;
  const isContentRefused =
    verdict.type === "repair" || (verdict.type === "failed" && verdict.scope === "alert");
  if (isContentRefused) return LADDER.find((step) => !repairs.has(step) && changes(step, rendered));
  const mayBePicture =
    verdict.type === "failed" || (verdict.type === "closed" && verdict.reason === "no-rights");
  return mayBePicture && !repairs.has("no-picture") && changes("no-picture", rendered)
    ? "no-picture"
    : undefined;
}

function changes(step: (typeof LADDER)[number], { pictureUrl, drawing, buttons }: Illustrated): boolean {
  if (step === "no-picture") return pictureUrl !== null || drawing !== null;
  if (step === "only-links") return buttons.flat().some((button) => !("url" in button));
  return step !== "no-buttons" || buttons.length > 0;
}
