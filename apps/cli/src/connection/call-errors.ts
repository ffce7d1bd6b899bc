/** No answer arrived: no server listens, the connection broke, or the time limit passed. */
export class NoAnswerError extends Error {
  /** Advice for the user. */
  readonly advice: string;

  constructor(server: URL, cause: Error) {
    super(`cannot reach the catalog at ${formatAddress(server)} (${describeCause(cause)})`, { cause });
    this.name = 'NoAnswerError';
    this.advice = adviceFor(server, cause);
  }
}

/** The caller ended the call before its answer. What it has started in the catalog may go on. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}

/** Formats an address without user, password and query. */
export function formatAddress(server: URL): string {
  return `${server.protocol}//${server.host}${server.pathname}`.replace(/\/+$/, '');
}

/** Codes of a certificate whose issuer Node does not know. */
const UNKNOWN_ISSUER: readonly (string | undefined)[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

function adviceFor({ protocol }: URL, cause: Error): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (UNKNOWN_ISSUER.includes(code))
    return 'name the certificate of its issuer by NODE_EXTRA_CA_CERTS=issuer.pem';
  if (code === 'EPROTO' && protocol === 'https:')
    return 'where it speaks no TLS, its address begins with http://';
  if (code === 'ECONNRESET' && protocol === 'http:')
    return 'call again; where it speaks TLS, its address begins with https://';
  return 'start one with "npm start", or name another with --server, STRATALOG_URL or a profile';
}

function describeCause(cause: Error): string {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'connection broken';
    case 'EPROTO':
      return 'no TLS';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host';
    default:
      return cause.message;
  }
}
