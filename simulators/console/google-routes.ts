import { Hono } from "hono";
import { GOOGLE_FAULTS } from "../google/google-client.ts";
import type { GoogleSimulator } from "../google/google-simulator.ts";

/** What the Google tab, or a browser test, sees and does: who has an account, and what goes wrong next. */
export function googleRoutes(google: GoogleSimulator): Hono {
  const app = new Hono();
  app.get("/", (context) =>
    context.json({ people: google.people(), fault: google.fault() ?? null, faults: GOOGLE_FAULTS }),
  );
  app.put("/fault", async (context) => {
    const { fault } = (await context.req.json()) as { fault?: unknown };
    const known = GOOGLE_FAULTS.find((name) => name === fault);
    if (fault !== null && !known) return context.json({ error: `There is no fault ${String(fault)}.` }, 400);
    google.setFault(known);
    return context.json({ fault: known ?? null });
  });
  app.post("/people", async (context) => {
    const { email, name, isVerified } = (await context.req.json()) as Record<string, unknown>;
    if (typeof email !== "string" || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      return context.json({ error: "Enter an e-mail address." }, 400);
    }
    const person = google.addPerson({
      email,
      ...(typeof name === "string" ? { name } : {}),
      isVerified: isVerified !== false,
    });
    return context.json(person, 201);
  });
  return app;
}
