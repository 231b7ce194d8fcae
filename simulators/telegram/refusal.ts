interface RefusalParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

/** An error of the Bot API, with Telegram's text. */
export class Refusal extends Error {
  readonly errorCode: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(errorCode: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.errorCode = errorCode;
    this.parameters = parameters;
  }
}

export function badRequest(description: string, parameters?: RefusalParameters): Refusal {
  return new Refusal(400, `Bad Request: ${description}`, parameters);
}

export function forbidden(description: string): Refusal {
  return new Refusal(403, `Forbidden: ${description}`);
}

export function tooManyRequests(retryAfterSeconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${retryAfterSeconds}`, {
    retry_after: retryAfterSeconds,
  });
}
