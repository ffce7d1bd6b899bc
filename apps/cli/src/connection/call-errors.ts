/** No answer arrived: no server listens, the connection broke, or the time limit passed. */
export class NoAnswerError extends Error {
  constructor(server: URL, cause: Error) {
    super(`cannot reach the catalog at ${addressOf(server)} (${reasonOf(cause)})`, { cause });
    this.name = 'NoAnswerError';
  }
}

/** The caller ended the call before its answer. What it has begun in the catalog may go on. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}

/** Formats an address without user, password and query. */
export function addressOf(server: URL): string {
  return `${server.protocol}//${server.host}${server.pathname}`.replace(/\/+$/, '');
}

function reasonOf(cause: Error): string {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'connection broken';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host';
    default:
      return cause.message;
  }
}
