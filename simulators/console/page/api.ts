export async function ask<Answer>(path: string): Promise<Answer> {
  return (await fetch(`/api/${path}`)).json() as Promise<Answer>;
}

/** Throws with a readable reason if the request is refused. */
export async function act<Answer>(path: string, body: object = {}, method = "POST"): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`/api/${path}`, { method, headers, body: JSON.stringify(body) });
  const answer: Answer & { message?: string; error?: string } = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message || answer.error || "That did not work.");
  return answer;
}

/** Loads one at a time: outdated answers are dropped, and a call during a load causes another load after it. */
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
