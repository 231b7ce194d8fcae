// Globals of every JavaScript host that the es2024 library does not declare.
declare class URL {
  constructor(url: string, base?: string);
  readonly hostname: string;
  readonly pathname: string;
  readonly href: string;
}

interface AbortSignal {
  readonly aborted: boolean;
}
