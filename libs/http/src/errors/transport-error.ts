/**
 * A rejection by the transport before it selects an operation: no route, a wrong method, a broken request
 * line.
 */
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
