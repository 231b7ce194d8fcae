export type RestError = {
  status: number;
  code: string;
  message: string;
  details?: string | null;
  headers?: Record<string, string>;
};

/** An answer in PostgREST's own shape, so that supabase-js gives callers its `code`. */
export function restError({ status, code, message, details = null, headers }: RestError): Response {
  return Response.json({ code, details, hint: null, message }, { status, ...(headers ? { headers } : {}) });
}

/** What the question itself is at fault for. */
export const badQuery = (message: string) => restError({ status: 400, code: "PGRST100", message });
