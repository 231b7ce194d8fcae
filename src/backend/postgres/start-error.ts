/** Why the product cannot start, as one sentence for the operator. */
export class StartError extends Error {
  override name = "StartError";
}

/** The data folder or the chosen port is in use, possibly only for a moment longer. */
export class StillUsedError extends StartError {}

export const JUST_STARTED =
  "Another Sereno has just started on this data folder. Stop it, or set DATA_DIR to another folder.";
