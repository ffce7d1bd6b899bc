/** What the transport itself rejects, before any operation is chosen: no route, a wrong method, a broken request line. */
export class TransportError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'TransportError';
  }
}
