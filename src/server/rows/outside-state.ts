import type { Sql } from "postgres";

/** The result of the latest attempts of all processes. */
export interface OutsideState {
  readonly isWritable: boolean;
  /** Telegram refused the bot's token when it was last used. */
  readonly isTokenRefused: boolean;
  /** All feeds failed when last checked, for another reason than a spent quota. */
  readonly isSourceDown: boolean;
}

export async function readOutsideState(sql: Sql): Promise<OutsideState> {
  const [state] = await sql<[OutsideState]>`
    select
      not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as "isWritable",
      exists (select from watch.sender where refused_since is not null) as "isTokenRefused",
      (
        select coalesce(bool_and(failing_since is not null and failure_reason is distinct from 'quota-spent'), false)
        from watch.feeds where idle_since is null
      ) as "isSourceDown"`;
  return state;
}
