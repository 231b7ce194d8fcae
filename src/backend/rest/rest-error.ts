export type RestError = {
  status: number;
  code: string;
  message: string;
  details?: string | null;
  headers?: Record<string, string>;
};

/** A response in PostgREST's format, so that supabase-js gives callers its `code`. */
export function restError({ status, code, message, details = null, headers }: RestError): Response {
  return Response.json({ code, details, hint: null, message }, { status, ...(headers ? { headers } : {}) });
}

/** Aborts the parsing or the transaction of a request. Its message repeats nothing the caller sent. */
export class RequestRefused extends Error {
  override name = "RequestRefused";
  readonly refusal: RestError;

  constructor(refusal: RestError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export const refused = (status: number, code: string, message: string, more: Partial<RestError> = {}) =>
  new RequestRefused({ ...more, status, code, message });

export const badQuery = (message: string) => refused(400, "PGRST100", message);

export const badBody = (message: string) => refused(400, "PGRST102", message);

/** PostgreSQL's own refusal, and ours before it is asked. */
export const permissionDenied = (isGuest: boolean) =>
  isGuest
    ? refused(401, "42501", "Permission denied", { headers: { "www-authenticate": "Bearer" } })
    : refused(403, "42501", "Permission denied");
