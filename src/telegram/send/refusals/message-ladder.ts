// Which parts of a message are left out before it is tried again. It must not send anything.
import type { ChannelMessage, MessageForm } from "../channel.ts";
import type { Rendered } from "../render/render-alert.ts";
import type { MessageRepair, Verdict } from "./judge-refusal.ts";

export interface Illustrated extends Rendered {
  /** Drawn by us if there is no photo. */
  readonly drawing: Uint8Array | null;
}

/**
 * Each leaves out more of the message, which ends as its shortest text with the links. "no-references": it neither answers an earlier
 * message nor previews a page. "bare": only chat and text are left in the request, so it leaves its topic and makes a sound.
 */
const LADDER = [
  "no-picture",
  "no-references",
  "only-links",
  "plain-text",
  "no-buttons",
  "shorter",
  "bare",
] as const;

type Step = (typeof LADDER)[number];

const REPAIRS_OF: Readonly<Record<MessageForm, readonly MessageRepair[]>> = {
  whole: [],
  "no-picture": ["no-picture"],
  shortest: LADDER,
};

interface Posting {
  readonly message: Pick<ChannelMessage, "replyTo">;
  readonly rendered: Illustrated;
}

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
  { message, rendered }: Posting,
  repairs: ReadonlySet<MessageRepair>,
): MessageRepair | undefined {
  const changes = (step: Step) => isChangedBy(step, message, rendered);
  if (verdict.type === "repair" && !repairs.has(verdict.by)) return verdict.by;
  const isContentRefused =
    verdict.type === "repair" || (verdict.type === "failed" && verdict.scope === "alert");
  if (isContentRefused) return LADDER.find((step) => !repairs.has(step) && changes(step));
  const mayBePicture =
    verdict.type === "failed" || (verdict.type === "closed" && verdict.reason === "no-rights");
  return mayBePicture && !repairs.has("no-picture") && changes("no-picture") ? "no-picture" : undefined;
}

/** What makes an edit possible. It never takes anything from a message that is already in the chat. */
const REPAIRS_OF_EDITS: readonly MessageRepair[] = ["no-caption", "only-caption", "plain-text", "shorter"];

export function nextRepairOfEdit(
  verdict: Verdict,
  _: Posting,
  repairs: ReadonlySet<MessageRepair>,
): MessageRepair | undefined {
  const by = verdict.type === "repair" ? verdict.by : undefined;
  return by !== undefined && REPAIRS_OF_EDITS.includes(by) && !repairs.has(by) ? by : undefined;
}

function isChangedBy(
  step: Step,
  { replyTo }: Pick<ChannelMessage, "replyTo">,
  { pictureUrl, drawing, previewUrl, buttons }: Illustrated,
): boolean {
  switch (step) {
    case "no-picture":
      return pictureUrl !== null || drawing !== null;
    case "no-references":
      return replyTo !== null || previewUrl !== null;
    case "only-links":
      return buttons.flat().some((button) => !("url" in button));
    case "no-buttons":
      return buttons.length > 0;
    default:
      return true;
  }
}
