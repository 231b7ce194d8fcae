// What every JavaScript host offers and the es2024 library does not name.
declare class URL {
  constructor(url: string, base?: string);
  readonly hostname: string;
  readonly pathname: string;
  readonly href: string;
}

interface AbortSignal {
  readonly aborted: boolean;
}
