/** Why the product cannot start, as one sentence for the person at the terminal. */
export class StartError extends Error {
  override name = "StartError";
}

/** What holds the data folder may let go of it in a moment. */
export class StillUsedError extends StartError {}
