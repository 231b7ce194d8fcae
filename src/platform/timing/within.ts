/**
 * The answer, or a failure after so long. A connection that is cut at the wrong moment can leave the driver waiting for an
 * answer that never comes, and everything behind it would wait too.
 */
export async function within<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${Math.round(ms)} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
