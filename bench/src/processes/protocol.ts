/** The commands of one of the bench's processes: a name, one argument, one answer. */
export type CommandSet<C> = { readonly [K in keyof C]: (argument: never) => Promise<unknown> };

export interface Ask {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: string };
