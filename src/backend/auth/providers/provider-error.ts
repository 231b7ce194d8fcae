/** The provider is unreachable or its answer invalid. The original error is not kept as the cause: it may contain tokens. */
export class ProviderError extends Error {
  override name = "ProviderError";
}

/** Keeps only an error's code. */
export async function withProviderErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const code = error instanceof Error ? (error as { code?: unknown }).code : "";
    throw new ProviderError(typeof code === "string" && code !== "" ? code : "unreachable");
  }
}
