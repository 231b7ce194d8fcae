import { cutOffAnswer } from "../people-connections.ts";

/** Stands behind the data API: gives a refused value PostgREST's answer where lite calls it a server error. */
export async function mendRestAnswer(answer: Response): Promise<Response> {
  if (answer.status !== 500) return answer;
  const text = await answer.text();
  if (text.includes("canceling statement due to statement timeout")) return cutOffAnswer();
  const [, message, constraint] =
    /"message":"PostgresError: (.*?violates check constraint \\"(\w+)\\")"/.exec(text) ?? [];
  if (!message || !constraint) return new Response(text, answer);
  return Response.json(
    { code: "23514", details: constraint, hint: null, message: message.replaceAll('\\"', '"') },
    { status: 400 },
  );
}
