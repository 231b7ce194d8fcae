/** Stands behind the data API: gives a refused value PostgREST's answer where lite calls it a server error. */
export async function mendRestAnswer(answer: Response): Promise<Response> {
  if (answer.status !== 500) return answer;
  const text = await answer.text();
  const [, message, constraint] =
    /"message":"PostgresError: (.*?violates check constraint \\"(\w+)\\")"/.exec(text) ?? [];
  if (!message || !constraint) return new Response(text, answer);
  return Response.json(
    { code: "23514", details: constraint, hint: null, message: message.replaceAll('\\"', '"') },
    { status: 400 },
  );
}

/**
 * PostgreSQL estimates a count from what it knows of everyone's rows, and so tells how many another person has. Who asks for an
 * estimate gets the count of what they may see.
 */
export function withExactCount(request: Request): Request {
  const prefer = request.headers.get("prefer") ?? "";
  const exact = prefer.replaceAll(/\bcount\s*=\s*(planned|estimated)/gi, "count=exact");
  if (exact === prefer) return request;
  const headers = new Headers(request.headers);
  headers.set("prefer", exact);
  return new Request(request, { headers });
}
