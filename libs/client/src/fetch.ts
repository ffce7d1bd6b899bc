/** The part of an answer to `fetch` that the client reads. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The part of `fetch` that the client calls; a program may send by other means. */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchedAnswer>;
