export interface Command {
  /** In lower case, without the slash. */
  readonly name: string;
  readonly argument: string;
}

/** Undefined for what is no command, or one for another bot. Capitals are forgiven: phones write them by themselves. */
export function parseCommand(text: string, username: string): Command | undefined {
  const [, name = "", addressee, argument = ""] = /^\s*\/(\w+)(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === "") return undefined;
  if (addressee !== undefined && addressee.toLowerCase() !== username.toLowerCase()) return undefined;
  return { name: name.toLowerCase(), argument: argument.trim() };
}
