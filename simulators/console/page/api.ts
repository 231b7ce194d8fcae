export async function ask<Answer>(path: string): Promise<Answer> {
  return (await fetch(`/api/${path}`)).json() as Promise<Answer>;
}

/** Does it, or throws with the reason in words. */
export async function act<Answer>(path: string, body: object = {}, method = "POST"): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`/api/${path}`, { method, headers, body: JSON.stringify(body) });
  const answer: Answer & { message?: string; error?: string } = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message || answer.error || "That did not work.");
  return answer;
}

/** Loads one after the other: an answer that was overtaken never shows, and what happens meanwhile is looked at after. */
export function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    running = load().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
